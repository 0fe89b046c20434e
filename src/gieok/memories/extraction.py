"""What extraction reads, and how a finding is tied to what was said (D05)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import Transaction
from gieok.guard.judge import Guard
from gieok.kernel.language import (
    Basis,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
)
from gieok.memories import store
from gieok.memories.claims import Claim
from gieok.memories.model import Embedding, Fact, Memory
from gieok.memories.source_store import find_forgotten
from gieok.privacy import PersonKey
from gieok.sessions import Message, message_store, reader_store, session_store
from gieok.sessions.injected import to_utterance
from gieok.sessions.masking import mask_unmasked

CONTEXT_MESSAGES = 10
"""Messages before the unread ones that extraction reads along (D05)."""
UNREAD_MESSAGES = 40
"""Most unread messages a model is given at once; a longer session takes several."""
UNREAD_CHARACTERS = 40_000
"""Characters of them, so that a model that is shown no more than 50,000 misses none."""
PREVIEW_CHARACTERS = 100
"""Longest `source_message_preview` (D01)."""
LONGEST_WISH = 500
"""Characters of a message that is a wish as a whole; of a longer one, only a part."""


class UnreadBatch(NamedTuple):
    """What extraction has to look at, read in one transaction."""

    messages: tuple[Message, ...]
    first_new: int
    end: int
    """The position up to which this reads, forgotten messages included."""
    facts: tuple[Fact, ...]
    local_time: datetime


async def read_unread(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> UnreadBatch | None:
    """Return what a session holds unread, or None when there is nothing.

    What was forgotten, or said while memory was off, is left out: positions may have
    gaps.
    """
    first_new = await reader_store.count_extracted(tx, session_id)
    session = await session_store.get_session(tx, session_id)
    if session is None or session.message_count <= first_new:
        return None
    await mask_unmasked(tx, key, session_id)
    start = max(0, first_new - CONTEXT_MESSAGES)
    end = min(first_new + UNREAD_MESSAGES, session.message_count)
    messages = await message_store.list_messages(
        tx, key, session_id, start=start, stop=end, only_readable=True
    )
    if start > 0:  # how a session began says what it is: a game, a lesson
        first = await message_store.list_messages(
            tx, key, session_id, start=0, stop=1, only_readable=True
        )
        messages = [*first, *messages]
    end = _find_batch_end(messages, first_new, end)
    messages = [message for message in messages if message.position < end]
    person = await accounts.get_person(tx)
    last = messages[-1].spoken_at if messages else tx.now
    local_time = last.astimezone(ZoneInfo(person.time_zone))
    facts = await store.list_facts(tx, key)
    return UnreadBatch(tuple(messages), first_new, end, tuple(facts), local_time)


def _find_batch_end(messages: Sequence[Message], first_new: int, end: int) -> int:
    """Return up to where unread messages are read at once, in whole turns."""
    size = 0
    for message in messages:
        if message.position < first_new:
            continue
        size += len(message.content)
        begins_turn = message.role is Role.USER and message.position > first_new
        if begins_turn and size > UNREAD_CHARACTERS:
            return message.position
    return end


async def mark_read(tx: Transaction, session_id: UUID) -> None:
    """Pass over all that a session holds: it was said while memory was off."""
    await reader_store.count_extracted(tx, session_id)
    session = await session_store.get_session(tx, session_id)
    if session is not None:
        await reader_store.set_position(
            tx, session_id, "extraction", session.message_count
        )


async def exclude_forgotten(tx: Transaction, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims none of whose messages were forgotten meanwhile."""
    told = {message for claim in claims for message in claim.message_ids}
    gone = await find_forgotten(tx, list(told))
    return [claim for claim in claims if gone.isdisjoint(claim.message_ids)]


def has_new_messages(unread: UnreadBatch) -> bool:
    """Tell whether anything unread is left to read."""
    return any(message.position >= unread.first_new for message in unread.messages)


def build_conversation(unread: UnreadBatch) -> Conversation:
    """Return what the model reads, without memory that was put into prompts.

    What others said, and what they were answered, is left out.
    """
    utterances = (
        to_utterance(index, message, unread.local_time)
        for index, message in enumerate(unread.messages)
        if message.other_speaker is None
    )
    return Conversation(
        tuple(said for said in utterances if said.content),
        to_known(fact.memory for fact in unread.facts),
        unread.local_time,
    )


def to_known(memories: Iterable[Memory]) -> tuple[KnownMemory, ...]:
    """Return memories as a model sees them."""
    return tuple(KnownMemory(str(m.memory_id), m.content, m.category) for m in memories)


def is_fresh(unread: UnreadBatch, finding: Finding) -> bool:
    """Tell whether a finding rests on the person's own talk, on something new in it.

    A model is never trusted: its evidence may point anywhere.
    """
    count = len(unread.messages)
    if not all(0 <= index < count for index in finding.evidence):
        return False
    said = [unread.messages[index] for index in finding.evidence]
    if any(message.other_speaker for message in said):
        return False
    return any(_is_new_user_message(unread, message) for message in said)


def _is_new_user_message(unread: UnreadBatch, message: Message) -> bool:
    return message.position >= unread.first_new and message.role is Role.USER


def _find_known_id(unread: UnreadBatch, target: str | None) -> UUID | None:
    known = (fact.memory.memory_id for fact in unread.facts)
    return next((memory_id for memory_id in known if str(memory_id) == target), None)


def build_claim(
    unread: UnreadBatch,
    finding: Finding,
    embedding: Embedding | None,
    extractor: str,
    guard: Guard,
    *,
    is_directive: bool,
) -> Claim:
    """Return the claim that a fresh finding makes, as the guard judged it."""
    said = [unread.messages[index] for index in finding.evidence]
    own = [message for message in said if _is_new_user_message(unread, message)]
    quoted, last = own[0], own[-1]
    forgets = finding.operation is FindingOperation.DELETE
    target_id = _find_known_id(unread, finding.target)
    return Claim(
        content=_get_claim_text(finding, quoted, target_id),
        category=finding.category,
        confidence=finding.confidence,
        basis=finding.basis,
        operation=finding.operation,
        target_id=target_id,
        session_id=said[0].session_id,
        message_ids=tuple(dict.fromkeys(message.message_id for message in said)),
        preview=quoted.content[: LONGEST_WISH if forgets else PREVIEW_CHARACTERS],
        extractor=finding.extractor or extractor,
        embedding=embedding,
        is_suspicious=is_directive or _is_alarming(guard, finding, said),
        is_directive=is_directive,
        spoken_at=last.spoken_at,
        wish_id=last.message_id if forgets else None,
        message=_read_content(unread, last),
        previous_reply=_read_previous_reply(unread, last),
    )


def _read_content(unread: UnreadBatch, message: Message) -> str:
    """Return what a message says, without memory that was put into it."""
    return to_utterance(0, message, unread.local_time).content


def _read_previous_reply(unread: UnreadBatch, message: Message) -> str:
    """Return what the assistant said to the person just before, or nothing."""
    before = next(
        (m for m in unread.messages if m.position == message.position - 1), None
    )
    if before is None or before.role is not Role.ASSISTANT or before.other_speaker:
        return ""
    return _read_content(unread, before)


def _get_claim_text(finding: Finding, quoted: Message, target_id: UUID | None) -> str:
    """Return what is claimed: of a wish that names no memory, the message it is in.

    "Rub it out" alone says less of what is meant than the sentences before it.
    """
    is_wish = finding.basis is Basis.REQUESTED and target_id is None
    if not is_wish or finding.operation is not FindingOperation.DELETE:
        return finding.content
    whole = " ".join(quoted.content.split())
    return whole if len(whole) <= LONGEST_WISH else finding.content


def _is_alarming(guard: Guard, finding: Finding, said: Sequence[Message]) -> bool:
    """Tell whether what the user said surely holds an order; the assistant may ask."""
    own = [message.content for message in said if message.role is Role.USER]
    return any(map(guard.is_suspicious, [finding.content, *own]))
