"""What a row says of where its content comes from, as bytes that a seal can cover."""

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, cast
from uuid import UUID

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MAX_TIMES: Final = 1_024
"""Times remembered: what was recorded together bears the same one."""


def encode_provenance(*values: object) -> bytes:
    """Return values of columns as bytes: equal ones alone give the same."""
    return json.dumps([_to_json_value(each) for each in values]).encode()


@lru_cache(_MAX_TIMES)
def count_microseconds(time: datetime) -> int:
    """Return a time as a seal covers it: in microseconds since 1970."""
    return (time - _EPOCH) // _MICROSECOND


def _to_json_value(value: Any) -> Any:
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, datetime):
        return count_microseconds(value)
    if isinstance(value, list | tuple):
        return [_to_json_value(each) for each in cast("list[Any]", value)]
    return value
