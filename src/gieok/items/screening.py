"""What may be kept of an item: what is never kept goes before it is sealed (A19).

Namespaces and keys stay as they are: they are names by which an app finds its items
again. They are sealed, and no model is shown them.
"""

from dataclasses import replace
from typing import NamedTuple

from gieok.items.entries import MOST_TEXTS
from gieok.items.model import Operation, Put, Search
from gieok.items.sealed import written
from gieok.kernel.aside import run_aside
from gieok.pii import S3_ONLY, Screen, masked


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
    kept = await run_aside(len(text), lambda: _kept(put, screen))
    return Screened(kept, text if kept is put else written(kept), screen)


async def asked(op: Operation) -> Operation:
    """Return an operation whose question may be shown to an embedder."""
    if isinstance(op, Search) and (query := op.query):
        kept = await run_aside(len(query), lambda: masked(query, S3_ONLY))
        return replace(op, query=kept)
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
