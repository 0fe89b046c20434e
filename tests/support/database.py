"""What tests need of PostgreSQL."""

from typing import Any

from psycopg import AsyncConnection

Owner = AsyncConnection[tuple[Any, ...]]
"""A connection that may do what no part of the product may."""
