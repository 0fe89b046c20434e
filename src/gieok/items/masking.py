"""What may be kept of an item: what is never kept goes before it is sealed (A19).

Namespaces and keys stay as they are: they are names by which an app finds its items
again. They are sealed, and no model is shown them.
"""

from dataclasses import replace
from typing import NamedTuple

from gieok.items.entries import MAX_TEXTS
from gieok.items.model import Operation, Put, Search
from gieok.items.sealed import encode_content
from gieok.kernel.offload import is_long, run_aside, run_in_thread
from gieok.pii import S3_ONLY, TextMasker, mask_text


class MaskedPut(NamedTuple):
    """A write as it may be kept, its content as text, and what was found in it."""

    put: Put
    text: str | None
    screen: TextMasker


async def mask_put(put: Put) -> MaskedPut:
    """Return a write as it may be kept.

    Raises:
        InvalidInputError: the value is no object of JSON, or over 5,000,000 bytes.
    """
    screen = TextMasker(S3_ONLY)
    if put.value is None:
        return MaskedPut(put, None, screen)
    if is_long((put.value, put.texts)):
        return await run_in_thread(lambda: _mask_put(put, screen))
    return _mask_put(put, screen)


async def mask_question(op: Operation) -> Operation:
    """Return an operation whose question may be shown to an embedder."""
    if isinstance(op, Search) and (query := op.query):
        kept = await run_aside(len(query), lambda: mask_text(query, S3_ONLY))
        return replace(op, query=kept)
    return op


def _mask_put(put: Put, screen: TextMasker) -> MaskedPut:
    text = encode_content(put)
    kept = _mask_values(put, screen)
    return MaskedPut(kept, text if kept is put else encode_content(kept), screen)


def _mask_values(put: Put, screen: TextMasker) -> Put:
    value = screen.mask_value(put.value)
    found_by = put.texts if put.found_by is None else put.found_by(value)
    screened = {part for part in value.values() if isinstance(part, str)}
    texts = [
        text if text in screened else screen.mask_text(text)
        for text in found_by[:MAX_TEXTS]
    ]
    speaker = put.speaker and screen.mask_text(put.speaker)
    if put.found_by is None and not screen.is_masked:
        return put
    return replace(put, value=value, texts=texts, speaker=speaker)
