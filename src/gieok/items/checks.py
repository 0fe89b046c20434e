"""What may be asked of the items, checked before anything is read or written."""

import math
from collections.abc import Sequence
from typing import Final

from gieok.items.entries import MAX_TEXTS
from gieok.items.filters import validate_filter
from gieok.items.model import Get, ListNamespaces, Operation, Put, Search
from gieok.items.names import validate_name, validate_namespace
from gieok.kernel.errors import InvalidInputError
from gieok.text.cleaning import clean_text

MAX_ITEMS: Final = 10_000
"""Most items of one answer, and of one batch."""
LONGEST_QUESTION_BYTES: Final = 32_000
MAX_MINUTES: Final = 525_600_000.0
"""Longest time to live: a thousand years."""


def validate_operations(ops: Sequence[Operation]) -> list[Put]:
    """Return the writes among operations, the last one of each key.

    Raises:
        InvalidInputError: names what of an operation cannot be accepted.
    """
    if len(ops) > MAX_ITEMS:
        field = "operations"
        raise InvalidInputError(field, f"it has more than {MAX_ITEMS:,} entries")
    puts: dict[tuple[Sequence[str], str], Put] = {}
    for op in ops:
        if isinstance(op, Put):
            _check_put(op)
            puts[op.namespace, op.key] = op
        elif isinstance(op, Get):
            validate_namespace(op.namespace, empty=False)
            validate_name("key", op.key)
        elif isinstance(op, Search):
            _check_search(op)
        else:
            _check_list(op)
    return list(puts.values())


def _check_put(put: Put) -> None:
    validate_namespace(put.namespace, empty=False)
    validate_name("key", put.key)
    if len(put.texts) > MAX_TEXTS:
        field = "index"
        raise InvalidInputError(field, f"it has more than {MAX_TEXTS} entries")
    ttl = put.ttl_minutes
    if ttl is not None and not (math.isfinite(ttl) and 0 < ttl <= MAX_MINUTES):
        field = "ttl"
        raise InvalidInputError(field, "it must be a positive number")


def _check_search(op: Search) -> None:
    validate_namespace(op.prefix, empty=True)
    _check_page(op.limit, op.offset)
    if op.filter is not None:
        validate_filter(op.filter)
    if op.query and op.query.strip():
        clean_text("query", op.query, max_bytes=LONGEST_QUESTION_BYTES)


def _check_list(op: ListNamespaces) -> None:
    _check_page(op.limit, op.offset)
    for match in op.matches:
        validate_namespace(match.path, empty=True)
    if op.max_depth is not None and op.max_depth < 1:
        field = "max_depth"
        raise InvalidInputError(field, "it must be 1 or more")


def _check_page(limit: int, offset: int) -> None:
    if not 0 <= limit <= MAX_ITEMS:
        field = "limit"
        raise InvalidInputError(field, f"it must be from 0 to {MAX_ITEMS}")
    if offset < 0:
        field = "offset"
        raise InvalidInputError(field, "it must be 0 or more")
