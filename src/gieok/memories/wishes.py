"""Wishes to forget that do not come out of a session: "my job", "forget my job"."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import Transaction
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Model,
    Role,
    Utterance,
)
from gieok.memories import store
from gieok.memories.all_known import extract_findings, select_wishes
from gieok.memories.claims import Claim, Outcome
from gieok.memories.extraction import to_known
from gieok.memories.removal import erase_memories
from gieok.privacy import PersonKey
from gieok.text.korean import has_hangul

_AS_A_WISH = {"ko": "{about} 잊어 줘.", "en": "Please forget {about}."}


class WishContext(NamedTuple):
    """What a wish is read against."""

    known: tuple[KnownMemory, ...]
    local_time: datetime


async def load_wish_context(tx: Transaction, key: PersonKey) -> WishContext:
    """Return everything known, and the time where the person is."""
    person = await accounts.get_person(tx)
    facts = await store.list_facts(tx, key)
    known = to_known(fact.memory for fact in facts)
    return WishContext(known, tx.now.astimezone(ZoneInfo(person.time_zone)))


async def interpret_wish(
    model: Model, text: str, asked: WishContext
) -> tuple[Finding, ...]:
    """Return what a wish asks to forget; the wish itself where it names nothing known.

    Raises:
        ModelUnavailableError: the model did not answer.
    """
    for said in (text, _format_wish(text)):
        found = await extract_wishes(model, said, asked)
        if found:
            return found
    wish = _format_wish(text)
    return (
        Finding(
            FindingOperation.DELETE, wish, Category.CONTEXT, 1.0, Basis.REQUESTED, (0,)
        ),
    )


async def extract_wishes(
    model: Model, text: str, asked: WishContext, before: Sequence[Utterance] = ()
) -> tuple[Finding, ...]:
    """Return what a message asks to forget, of the things it is read against.

    `before` is what was said just before it, to which it may point.
    """
    place = len(before)
    messages = (*before, Utterance(place, Role.USER, text))
    conversation = Conversation(messages, asked.known, asked.local_time)
    found = select_wishes(await extract_findings(model, conversation))
    return tuple(wish for wish in found if place in wish.evidence)


async def erase_inactive(
    tx: Transaction, key: PersonKey, memory_ids: Sequence[UUID]
) -> list[Outcome]:
    """Erase memories as the person wished, if still out of use; an outcome each."""
    known = await store.list_memories_by_id(tx, key, memory_ids) if memory_ids else []
    gone = [memory for memory in known if not memory.is_in_use(tx.now)]
    if gone:
        await erase_memories(tx, [memory.memory_id for memory in gone])
    return [
        Outcome(
            FindingOperation.DELETE,
            None,
            None,
            memory.memory_id,
            confirmed=True,
            content=memory.content,
        )
        for memory in gone
    ]


def build_wish_claim(finding: Finding, extractor: str) -> Claim:
    """Return the claim that a wish outside of any session makes."""
    return Claim(
        content=finding.content,
        category=finding.category,
        confidence=finding.confidence,
        basis=finding.basis,
        operation=finding.operation,
        target_id=UUID(finding.target) if finding.target else None,
        session_id=None,
        message_ids=(),
        preview=None,
        extractor=finding.extractor or extractor,
        embedding=None,
    )


def _format_wish(text: str) -> str:
    language = "ko" if has_hangul(text) else "en"
    return _AS_A_WISH[language].format(about=" ".join(text.split()).rstrip(" .!?。"))
