"""What may be kept of an item: what is never kept goes before it is sealed (A19).

Namespaces and keys stay as they are: they are names by which an app finds its items
again. They are sealed, and no model is shown them.
"""

import asyncio
from dataclasses import replace
from typing import Final, NamedTuple

from gieok.items.entries import MOST_TEXTS
from gieok.items.model import Operation, Put, Search
from gieok.items.sealed import written
from gieok.pii import S3_ONLY, Screen, masked

LONG: Final = 20_000
"""Characters that take so long to read that other work goes on meanwhile."""


class Screened(NamedTuple):
    """A write as it may be kept, its content as text, and what was found in it."""

    put: Put
    text: str | None
    screen: Screen


async def screened(put: Put) -> Screened:
    """Return a write as it may be kept.

    Raises:
        InvalidInputError: the value is no object of JSON, or over 5,000,000 bytes.
    """
    screen = Screen(S3_ONLY)
    if put.value is None:
        return Screened(put, None, screen)
    text = written(put)
    if len(text) < LONG:
        kept = _kept(put, screen)
    else:
        kept = await asyncio.to_thread(_kept, put, screen)
    return Screened(kept, text if kept is put else written(kept), screen)


def asked(op: Operation) -> Operation:
    """Return an operation whose question may be shown to an embedder."""
    if isinstance(op, Search) and op.query:
        return replace(op, query=masked(op.query, S3_ONLY))
    return op


def _kept(put: Put, screen: Screen) -> Put:
    value = screen.value(put.value)
    found_by = put.texts if put.found_by is None else put.found_by(value)
    screened = {part for part in value.values() if isinstance(part, str)}
    texts = [
        text if text in screened else screen.text(text)
        for text in found_by[:MOST_TEXTS]
    ]
    speaker = put.speaker and screen.text(put.speaker)
    if put.found_by is None and not screen.is_masked:
        return put
    return replace(put, value=value, texts=texts, speaker=speaker)
