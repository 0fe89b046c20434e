"""What tests need of PostgreSQL."""

from pathlib import Path
from typing import Any

from psycopg import AsyncConnection

from gieok.database.embedded import run_embedded_postgres

Owner = AsyncConnection[tuple[Any, ...]]
"""A connection that may do what no part of the product may."""


async def spare_disk(directory: Path) -> None:
    """Let the embedded server of a directory, which runs, not wait for the disk.

    What was committed outlives any killed process, as ever, but no loss of power.
    """
    async with (
        run_embedded_postgres(directory) as address,
        await AsyncConnection.connect(address, autocommit=True) as owner,
    ):
        for name in ("fsync", "full_page_writes"):
            await owner.execute(f"ALTER SYSTEM SET {name} = off")
        await owner.execute("SELECT pg_reload_conf()")
