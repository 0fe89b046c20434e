"""Wishes to forget, weighed against everything known, however much that is."""

from collections.abc import Sequence
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

MAX_KNOWN: Final = 200
"""Memories that every model compares a conversation with; the newest of more."""
MAX_KNOWN_TEXT: Final = 50_000
"""Characters of them, each with what carries it."""
_WRAPPING: Final = 50


async def extract_findings(
    model: Model, conversation: Conversation
) -> tuple[Finding, ...]:
    """Return what a model finds, wishes to forget of everything that is known.

    Only where it finds a wish is it asked again: once for each 200 older memories, and
    if those that may be meant came of several questions, once for these together.

    Raises:
        ModelUnavailableError: the model did not answer, or not each time.
    """
    found = await model.extract(conversation)
    _, *older = split_known(conversation.known)
    own = select_wishes(found)
    if not own or not older:
        return found
    wishes = [own]
    for known in older:
        again = await model.extract(replace(conversation, known=known))
        wishes.append(select_wishes(again))
    others = tuple(each for each in found if not is_wish(each))
    return others + await _join_wishes(model, conversation, wishes)


async def _join_wishes(
    model: Model, conversation: Conversation, wishes: Sequence[tuple[Finding, ...]]
) -> tuple[Finding, ...]:
    """Return what is asked to be forgotten, of what was found in parts of all known."""
    naming = [each for each in wishes if any(wish.target for wish in each)]
    if len(naming) < 2:  # noqa: PLR2004 - one question
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
    parts = split_portions(reversed(known), _measure_item, MAX_KNOWN_TEXT)
    return [tuple(reversed(part)) for part in parts] or [()]


def _measure_item(item: KnownMemory) -> int:
    return max(MAX_KNOWN_TEXT // MAX_KNOWN, len(item.content) + _WRAPPING)


def select_wishes(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return those of findings that are wishes to forget."""
    return tuple(each for each in findings if is_wish(each))


def is_wish(finding: Finding) -> bool:
    """Tell whether the person asks for something to be forgotten."""
    return (
        finding.operation is FindingOperation.DELETE
        and finding.basis is Basis.REQUESTED
    )
