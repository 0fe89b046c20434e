"""What a device may hold of each kind of thing, read as it is now.

Whatever is not returned for an id is gone, or may not be on a device: the device erases
it. So a page is right however often it is read, and whatever happened since.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Change, Transaction
from gieok.kernel.language import FindingOperation
from gieok.memories import candidate_store
from gieok.memories import store as memories
from gieok.memories.permission import is_usable
from gieok.privacy import PersonKey
from gieok.sessions import RecordedPair, message_store, session_store
from gieok.settings import Settings
from gieok.settings.consent_rules import can_store_texts, list_decisions
from gieok.summaries import day_store, week_store
from gieok.summaries import session_store as summaries
from gieok.sync import store
from gieok.sync.model import Item, ItemChange, SessionState

PAIR: Final = "conversation_pair"
SESSION: Final = "session"


@dataclass(frozen=True, slots=True)
class DownloadReader:
    """Reads for a device, within one transaction.

    While memory is off nothing that is known comes down, see `list_known_changes`.
    """

    tx: Transaction
    key: PersonKey
    settings: Settings
    defaults: Settings
    """What an installation starts with."""

    async def read(self, entity: str, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return those of the things that a device may hold."""
        return await _READERS[entity](self, ids)

    async def read_changes(
        self, changed: Sequence[tuple[str, UUID]]
    ) -> tuple[ItemChange, ...]:
        """Return what became of things, each once; sessions change with their pairs."""
        wanted: dict[str, dict[UUID, None]] = {}
        for entity, each in changed:
            wanted.setdefault(entity, {})[each] = None
        pairs = await self.read_pairs(list(wanted.pop(PAIR, ())))
        told = wanted.setdefault(SESSION, {})
        told |= dict.fromkeys(pair.session_id for pair in pairs.values())
        changes = [
            build_change(entity, each, found.get(each))
            for entity, ids in wanted.items()
            for found in [await self.read(entity, list(ids))]
            for each in ids
        ]
        ids = dict.fromkeys(each for entity, each in changed if entity == PAIR)
        changes += [build_change(PAIR, each, pairs.get(each)) for each in ids]
        return tuple(changes)

    async def read_pairs(self, ids: Sequence[UUID]) -> Mapping[UUID, RecordedPair]:
        """Return pairs whose words may still be read and whose time is not over.

        What was said while memory was off is on no device once memory is on again.
        """
        found = await message_store.list_pairs(
            self.tx, self.key, ids, with_withheld=False
        )
        return {pair.pair_id: pair for pair in found}

    async def read_sessions(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return sessions without their words, and what they were about."""
        known = ids if self.settings.is_enabled else ()
        about = await summaries.list_summaries(self.tx, self.key, known)
        return {
            session.session_id: SessionState.from_session(
                session, about.get(session.session_id)
            )
            for session in await session_store.list_sessions(self.tx, ids)
        }

    async def read_days(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return the summaries of days that have not expired."""
        if not self.settings.is_enabled:
            return {}
        found = await day_store.list_days(self.tx, self.key, ids)
        return {day.summary_id: day for day in found}

    async def read_weeks(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return the summaries of weeks that have not expired."""
        if not self.settings.is_enabled:
            return {}
        found = await week_store.list_weeks(self.tx, self.key, ids)
        return {week.summary_id: week for week in found}

    async def read_memories(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return memories in use that the person's settings and consent let be told."""
        if not self.settings.is_enabled:
            return {}
        found = await memories.list_active(self.tx, self.key, ids)
        return {
            memory.memory_id: memory
            for memory in found
            if is_usable(memory, self.settings, self.defaults)
            and can_store_texts(self.settings, memory.content)
        }

    async def read_candidates(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return what waits for corroboration; no wish to forget, nothing held back."""
        if not self.settings.is_enabled:
            return {}
        found = await candidate_store.list_waiting(self.tx, self.key, ids)
        return {
            each.candidate_id: each
            for each in found
            if each.operation is not FindingOperation.DELETE
            and each.category in self.settings.allowed_categories
            and can_store_texts(self.settings, each.claim)
        }

    async def read_settings(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return the person's settings, as consent leaves them."""
        return dict.fromkeys(ids, self.settings)

    async def read_consents(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return the standing decision for every purpose."""
        return dict.fromkeys(ids, await list_decisions(self.tx))

    async def read_person(self, ids: Sequence[UUID]) -> Mapping[UUID, Item]:
        """Return the person's language and time zone."""
        return dict.fromkeys(ids, await accounts.get_person(self.tx))


async def count_fitting(
    tx: Transaction, changed: Sequence[tuple[str, UUID]], max_bytes: int
) -> int:
    """Return how many things a page takes in order, for their words; one at least."""
    pairs = {each for entity, each in changed if entity == PAIR}
    sizes = await message_store.measure_pairs(tx, pairs) if pairs else {}
    total = 0
    for number, (_, each) in enumerate(changed):
        total += sizes.pop(each, 0)
        if number and total > max_bytes:
            return number
    return len(changed)


async def list_known_changes(tx: Transaction) -> list[Change]:
    """Return what devices may hold only while memory is on, each as changed.

    Noted when a person changes what may be used, it leaves devices, or comes to them.
    """
    return [Change(entity, each) for entity, each in await store.list_known(tx)]


def build_change(entity: str, item_id: UUID, item: Item | None) -> ItemChange:
    """Return what a device hears of one thing."""
    return ItemChange(entity, None if entity in SINGLE else item_id, item)


class Part(NamedTuple):
    """A kind of which a person may have many, and where its ids are."""

    entity: str
    table: LiteralString
    column: LiteralString


PARTS: Final = (
    Part("user_memory", "user_memories", "memory_id"),
    Part("memory_candidate", "memory_candidates", "candidate_id"),
    Part("mid_term_summary", "mid_term_summaries", "summary_id"),
    Part("short_term_summary", "short_term_summaries", "summary_id"),
    Part(SESSION, "sessions", "session_id"),
    Part(PAIR, "conversation_pairs", "pair_id"),
)
"""The parts of a snapshot in order: what a prompt needs most comes first."""
SINGLE: Final = ("memory_settings", "consent", "user")
"""Kinds of which a person has one."""
SYNCED: Final = (*SINGLE, *(part.entity for part in PARTS))

_Read = Callable[[DownloadReader, Sequence[UUID]], Awaitable[Mapping[UUID, Item]]]
_READERS: Final[Mapping[str, _Read]] = {
    PAIR: DownloadReader.read_pairs,
    SESSION: DownloadReader.read_sessions,
    "short_term_summary": DownloadReader.read_days,
    "mid_term_summary": DownloadReader.read_weeks,
    "user_memory": DownloadReader.read_memories,
    "memory_candidate": DownloadReader.read_candidates,
    "memory_settings": DownloadReader.read_settings,
    "consent": DownloadReader.read_consents,
    "user": DownloadReader.read_person,
}
