"""Wishes to forget, weighed against everything known, however much that is."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from gieok.kernel.language import (
    Basis,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Model,
)
from gieok.kernel.portions import split_portions

MOST_KNOWN: Final = 200
"""Memories that every model compares a conversation with; the newest of more."""
MOST_KNOWN_TEXT: Final = 50_000
"""Characters of them, each with what carries it."""
_WRAPPING: Final = 50

UnusedLoader = Callable[[], Awaitable[Sequence[KnownMemory]]]
"""Reads what is kept of a person but not in use, oldest first."""


async def _load_nothing() -> tuple[KnownMemory, ...]:
    return ()


async def extract_findings(
    model: Model,
    conversation: Conversation,
    load_unused: UnusedLoader = _load_nothing,
) -> tuple[Finding, ...]:
    """Return what a model finds, wishes to forget of everything that is known.

    Only where it finds a wish is it asked again: once for each 200 older memories, and
    if those that may be meant came of several questions, once for these together, so
    that they compete. Then it is asked about what is kept but not in use: that is meant
    no more surely than what is in use.

    Raises:
        ModelUnavailableError: the model did not answer, or not each time.
    """
    found = await model.extract(conversation)
    own = select_wishes(found)
    if not own:
        return found
    _, *older = split_known(conversation.known)
    if older:
        others = tuple(each for each in found if not is_wish(each))
        own = await _weigh_wishes(model, conversation, older, [own])
        found = others + own
    unused = tuple(await load_unused())
    if not unused:
        return found
    aside = replace(conversation, known=unused)
    again = await _weigh_wishes(model, aside, split_known(unused), [])
    most = max((wish.confidence for wish in own if wish.target), default=1.0)
    return found + tuple(
        replace(wish, confidence=min(wish.confidence, most))
        for wish in again
        if wish.target
    )


async def _weigh_wishes(
    model: Model,
    conversation: Conversation,
    parts: Sequence[tuple[KnownMemory, ...]],
    wishes: Sequence[tuple[Finding, ...]],
) -> tuple[Finding, ...]:
    """Return what is asked to be forgotten, once parts of what is known are read too.

    `wishes` were found in parts that were read already.
    """
    found = list(wishes)
    for known in parts:
        again = await model.extract(replace(conversation, known=known))
        found.append(select_wishes(again))
    return await _join_wishes(model, conversation, found)


async def _join_wishes(
    model: Model, conversation: Conversation, wishes: Sequence[tuple[Finding, ...]]
) -> tuple[Finding, ...]:
    """Return what is asked to be forgotten, of what was found in parts of all known."""
    naming = [each for each in wishes if any(wish.target for wish in each)]
    if len(naming) < 2:  # noqa: PLR2004 - nothing competes
        return naming[0] if naming else wishes[0]
    targets = {wish.target for each in naming for wish in each}
    meant = tuple(item for item in conversation.known if item.id in targets)
    _, *too_many = split_known(meant)
    if not too_many:
        again = await model.extract(replace(conversation, known=meant))
        return select_wishes(again) or wishes[0]
    return tuple(dict.fromkeys(wish for each in naming for wish in each))


def split_known(known: Sequence[KnownMemory]) -> list[tuple[KnownMemory, ...]]:
    """Return what is known in parts that a model reads whole, the newest part first.

    There is at least one.
    """
    parts = split_portions(reversed(known), _measure_item, MOST_KNOWN_TEXT)
    return [tuple(reversed(part)) for part in parts] or [()]


def _measure_item(item: KnownMemory) -> int:
    return max(MOST_KNOWN_TEXT // MOST_KNOWN, len(item.content) + _WRAPPING)


def select_wishes(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return those of findings that are wishes to forget."""
    return tuple(each for each in findings if is_wish(each))


def is_wish(finding: Finding) -> bool:
    """Tell whether the person asks for something to be forgotten."""
    return (
        finding.operation is FindingOperation.DELETE
        and finding.basis is Basis.REQUESTED
    )
