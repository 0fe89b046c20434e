"""Rows of a table as JSON, as PostgreSQL reads them with `json_populate_recordset`."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID


def encode_rows(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows by their columns as JSON; ids, times and bytes are spelled out."""
    return json.dumps(rows, default=_encode_value)


def _encode_value(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    raise TypeError(type(value))
