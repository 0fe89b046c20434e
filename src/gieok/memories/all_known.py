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
from gieok.memories.promote import LEAST_STATED_CONFIDENCE

MOST_KNOWN: Final = 200
"""Memories that every model compares a conversation with; the newest of more."""
MOST_KNOWN_TEXT: Final = 50_000
"""Characters of them, each with what carries it."""
_WRAPPING: Final = 50

UnusedFinder = Callable[[str], Awaitable[Sequence[KnownMemory]]]
"""Finds what is kept but not in use that a wish to forget may mean."""


async def find_nothing(_wish: str) -> tuple[KnownMemory, ...]:
    """Find nothing that is not in use."""
    return ()


async def extract_findings(
    model: Model,
    conversation: Conversation,
    find_unused: UnusedFinder = find_nothing,
) -> tuple[Finding, ...]:
    """Return what a model finds, wishes to forget of everything that is known.

    Only where it finds a wish is it asked again: once for each 200 older memories, and
    if those that may be meant came of several questions, once for these together, so
    that they compete. Then once for these and what is kept but not in use.

    Raises:
        ModelUnavailableError: the model did not answer, or not each time.
    """
    found = await model.extract(conversation)
    own = select_wishes(found)
    if not own:
        return found
    others = tuple(each for each in found if not is_wish(each))
    wishes = await _weigh_older(model, conversation, own)
    return others + await _weigh_unused(model, conversation, wishes, find_unused)


async def _weigh_older(
    model: Model, conversation: Conversation, own: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """Return what is asked to be forgotten of all in use; `own` of the newest part."""
    _, *older = split_known(conversation.known)
    if not older:
        return own
    wishes = [own]
    for known in older:
        again = await model.extract(replace(conversation, known=known))
        wishes.append(select_wishes(again))
    return await _join_wishes(model, conversation, wishes)


async def _weigh_unused(
    model: Model,
    conversation: Conversation,
    wishes: tuple[Finding, ...],
    find_unused: UnusedFinder,
) -> tuple[Finding, ...]:
    """Return what is asked to be forgotten, once what is not in use competes for it.

    If any of that is surely meant, this judgement of all together counts; otherwise
    nothing is erased or asked about but what is in use.
    """
    evidence = {index for wish in wishes for index in wish.evidence}
    said = [each.content for each in conversation.messages if each.index in evidence]
    unused = tuple(await find_unused("\n".join(said)))
    if not unused:
        return wishes
    meant = {wish.target for wish in wishes}
    named = [item for item in conversation.known if item.id in meant]
    rest = [item for item in conversation.known if item.id not in meant]
    together, *_ = split_known((*rest, *unused, *named))
    again = select_wishes(await model.extract(replace(conversation, known=together)))
    ids = {item.id for item in unused}
    surely = tuple(
        wish
        for wish in again
        if wish.target in ids and wish.confidence >= LEAST_STATED_CONFIDENCE
    )
    if not surely:
        return wishes
    in_use = tuple(wish for wish in again if wish.target and wish.target not in ids)
    return tuple(wish for wish in wishes if not wish.target) + in_use + surely


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
