"""Takes pairs that a device sends, by the code with which all turns are recorded.

Every number is used up, in order: by a pair that is kept, by one that is there already,
or by one that cannot be kept, which is said by a code. So no pair holds up the next.
"""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from typing import Final
from uuid import UUID

from gieok.accounts import Accounts, naming
from gieok.accounts.naming import PERSONA
from gieok.database import Transaction
from gieok.kernel.chain import hash_words
from gieok.kernel.clock import FIRST_SET
from gieok.kernel.errors import ConflictError, InvalidInputError
from gieok.kernel.scope import Scope
from gieok.pii import MAX_BEFORE
from gieok.privacy import Ledger
from gieok.sessions import Sessions, message_store
from gieok.sessions.batch import SessionStart, TurnBatch
from gieok.sessions.capture import PreparedTurn, prepare_turn
from gieok.settings.consent_rules import has_storage_consent
from gieok.sync.cursors import OpenCursor
from gieok.sync.model import PushedPair, Rejection, RejectionCode
from gieok.sync.upload import SentPair

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ReadyPair:
    """A pair ready to be kept; `prepared` is None if it cannot be."""

    sent: SentPair
    session_id: UUID
    persona: str | None
    persona_id: UUID | None
    prepared: PreparedTurn | None
    said_at: datetime | None = None
    """None where the device did not know the time."""


async def prepare_pairs(
    accounts: Accounts,
    sessions: Sessions,
    scope: Scope,
    pairs: Sequence[PushedPair],
    now: datetime,
) -> list[ReadyPair]:
    """Clean and mask pairs in the order in which they were said."""
    before: dict[UUID, tuple[str, ...]] = {}
    latest: dict[UUID, datetime] = {}
    ready: list[ReadyPair] = []
    identify = cache(partial(accounts.session_id, scope))
    for pair in pairs:
        words = hash_words(pair.session, pair.turn.user_text, pair.turn.assistant_text)
        sent = SentPair(pair.seq, pair.pair_id, words)
        try:
            session_id = identify(pair.session)
            persona_id = pair.persona and accounts.persona_id(scope, pair.persona)
            told_at = _limit_time(pair.client_ms, now, latest.get(session_id))
            heard = before.get(session_id)
            if heard is None:
                heard = sessions.writer.recent.get_texts(scope, session_id)
            prepared = await prepare_turn(
                pair.turn, heard, pair_id=pair.pair_id, told_at=told_at
            )
        except InvalidInputError:
            ready.append(ReadyPair(sent, pair.pair_id, None, None, None))
            continue
        before[session_id] = (*heard, *prepared.texts)[-MAX_BEFORE:]
        if told_at is not None:
            latest[session_id] = told_at
        ready.append(
            ReadyPair(
                sent,
                session_id,
                pair.persona,
                persona_id or None,
                prepared,
                told_at if _is_dated(pair) else None,
            )
        )
    return ready


@dataclass(slots=True)
class PairWriter:
    """Keeps the pairs of one push, within its transaction."""

    opened: OpenCursor
    accounts: Accounts
    batch: TurnBatch
    ledger: Ledger
    max_pairs: int
    rejected: list[Rejection] = field(default_factory=list[Rejection])

    async def write(self, pairs: Sequence[ReadyPair], known: int) -> None:
        """Keep pairs but for the first `known`, which were taken before."""
        tx = self.opened.tx
        new = [pair for pair in pairs[known:] if pair.prepared]
        missing = await self.batch.lock({pair.session_id for pair in new})
        await tx.lock_person()
        queued = await message_store.queue_pairs(
            tx, {pair.sent.pair_id for pair in pairs}
        )
        may_keep = await has_storage_consent(tx)
        there, gone = await message_store.read_pairs(queued)
        for pair in pairs[:known]:
            self._answer_repeat(pair, there, gone)
        erased = gone | await find_erased(tx, self.ledger, missing)
        erased |= await _find_erased_with_persona(tx, self.ledger, new)
        fresh = [pair for pair in pairs[known:] if pair.sent.pair_id not in there]
        taken = self._take_allowed(fresh, erased, may_keep=may_keep)
        await self._start_missing(taken)
        for session_id, run in groupby(taken, attrgetter("session_id")):
            await self._keep(session_id, list(run), there)
        await self.batch.write()
        self.rejected.sort(key=attrgetter("seq"))

    def _take_allowed(
        self, pairs: Iterable[ReadyPair], erased: AbstractSet[UUID], *, may_keep: bool
    ) -> list[ReadyPair]:
        """Return the pairs that may be kept; say of the others why not."""
        taken: list[ReadyPair] = []
        for pair in pairs:
            if pair.prepared is None:
                self._reject([pair], RejectionCode.INVALID)
            elif not erased.isdisjoint((pair.sent.pair_id, pair.session_id)):
                self._reject([pair], RejectionCode.ERASED)
            elif not may_keep:
                self._reject([pair], RejectionCode.CONSENT)
            else:
                taken.append(pair)
        return taken

    async def _keep(
        self, session_id: UUID, pairs: Sequence[ReadyPair], there: set[UUID]
    ) -> None:
        """Keep pairs of one session, each once; those kept are `there` from then on."""
        session = self.batch.find_session(session_id)
        assert session is not None  # noqa: S101 - it was locked or started
        if session.device_id != self.opened.cursor.device_id:
            self._reject(pairs, RejectionCode.SESSION_ELSEWHERE)
            return
        turns: dict[UUID, PreparedTurn] = {}
        for pair in pairs:
            if pair.prepared and pair.sent.pair_id not in there:
                turns.setdefault(pair.sent.pair_id, pair.prepared)
        try:
            await self.batch.queue(session_id, list(turns.values()))
        except ConflictError:
            self._reject(pairs, RejectionCode.SESSION_PAUSED)
            return
        there |= turns.keys()

    async def _start_missing(self, pairs: Iterable[ReadyPair]) -> None:
        """Start the sessions of pairs that are not there, as their first pair says."""
        starts: dict[UUID, SessionStart] = {}
        for pair in pairs:
            session_id = pair.session_id
            if session_id in starts or self.batch.find_session(session_id):
                continue
            if pair.persona is not None:
                await self.accounts.register(
                    self.opened.tx, self.opened.key, PERSONA, pair.persona
                )
            starts[session_id] = SessionStart(
                self.opened.cursor.device_id, pair.persona_id, self.max_pairs
            )
        if starts:
            await self.batch.start(starts)

    def _answer_repeat(
        self, pair: ReadyPair, there: Collection[UUID], gone: Collection[UUID]
    ) -> None:
        """Say again what became of a pair that was sent before."""
        if pair.sent.pair_id in there:
            return
        if pair.sent.pair_id in gone:
            self._reject([pair], RejectionCode.ERASED)
        elif pair.prepared is None:
            self._reject([pair], RejectionCode.INVALID)
        else:
            self._reject([pair], RejectionCode.NOT_KEPT)

    def _reject(self, pairs: Iterable[ReadyPair], code: RejectionCode) -> None:
        self.rejected += [Rejection(pair.sent.seq, code) for pair in pairs]


async def find_erased(
    tx: Transaction, ledger: Ledger, sessions: Collection[UUID]
) -> set[UUID]:
    """Return which missing sessions were erased.

    Asked while the sessions are locked: an erasure enters the ledger before it locks
    them.
    """
    return await ledger.find_erased(tx.scope.user_id, sessions)


async def _find_erased_with_persona(
    tx: Transaction, ledger: Ledger, pairs: Sequence[ReadyPair]
) -> set[UUID]:
    """Return the pairs that were said with a persona before it was erased last.

    Those that do not say when are taken once the persona is there again.
    """
    personas = {pair.persona_id for pair in pairs if pair.persona_id}
    if not personas:
        return set()
    erased = await ledger.find_last_erasures(tx.scope.user_id, personas)
    absent = {each for each in erased if not await naming.is_saved(tx, PERSONA, each)}
    return {
        pair.sent.pair_id
        for pair in pairs
        if pair.persona_id is not None
        and pair.persona_id in erased
        and (
            pair.persona_id in absent
            if pair.said_at is None
            else pair.said_at <= erased[pair.persona_id]
        )
    }


def _is_dated(pair: PushedPair) -> bool:
    """Tell whether a device whose clock was set says when a pair was said."""
    first_set_ms = FIRST_SET.timestamp() * 1_000
    return pair.client_ms is not None and pair.client_ms >= first_set_ms


def _limit_time(
    client_ms: int | None, now: datetime, earliest: datetime | None
) -> datetime | None:
    """Return when a pair was said: never in the future, nor before the one before it.

    A clock that is years wrong must not make a conversation jump; by one that was
    never set, it is said now.
    """
    if client_ms is None:
        return None
    try:
        told = EPOCH + timedelta(milliseconds=client_ms)
    except OverflowError:
        told = now
    told = now if told < FIRST_SET else min(told, now)
    return max(told, earliest) if earliest else told
