"""Answers a device's utterance: what to go by, what was decided, what was learned."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as people
from gieok.context import Context
from gieok.database import Database, Transaction
from gieok.exchange.cloud_parts import (
    CloudState,
    add_memories,
    collect_parts,
    read_cloud_state,
    select_usable,
)
from gieok.exchange.decisions import build_recorded_decision, clean_decision
from gieok.exchange.devices import require_alive
from gieok.exchange.model import (
    ConversationState,
    CursorState,
    ExchangeAnswer,
    ExchangeRequest,
    MemoryUpdate,
    PlannerInput,
)
from gieok.exchange.planner_input import InputForm, build_planner_input, select_parts
from gieok.exchange.recording import (
    ExchangeTurn,
    TurnRecorder,
    find_recorded_pair,
)
from gieok.guard.fence import generate_token
from gieok.guard.judge import Guard
from gieok.kernel.errors import DeviceGoneError
from gieok.kernel.planning import Planner, PlannerDecision
from gieok.kernel.scope import Actor, Scope
from gieok.memories import Candidate
from gieok.privacy import PersonKey, Vault
from gieok.sessions import RecordedPair, Session, Sessions, Turn
from gieok.sessions.masking import mask_message
from gieok.sessions.repeats import require_same_words
from gieok.settings import Purpose, Settings, SettingsService
from gieok.settings.consent_rules import require_consent
from gieok.sync import SyncCursor, feed_store
from gieok.sync import store as feed
from gieok.sync.cursors import PERSON_ERASED
from gieok.sync.downloads import DownloadReader
from gieok.sync.feed_store import FeedState
from gieok.text.cleaning import clean_name, clean_text

TOKEN_BUDGET: Final = 1_200
"""Tokens of a planner's input unless another budget is given."""
HINT_TOKENS: Final = 400
"""Tokens within which memories are looked for that bear on an utterance."""
DEVICE: Final = "device_id"
"""The field that names the device."""
MAX_CANDIDATES: Final = 50
CANDIDATE: Final = "memory_candidate"
SESSION: Final = "session"
"""Kinds of the change feed."""
MAX_READ: Final = 500


class NamedRequest(NamedTuple):
    """A request, the id of its turn, and the app's id of its session."""

    request: ExchangeRequest
    request_id: UUID
    session: str


class ExchangeReading(NamedTuple):
    """What one transaction read for an answer."""

    cloud: CloudState
    settings: Settings
    update: MemoryUpdate
    cursor: CursorState
    kept: RecordedPair | None
    """The turn itself, where it is kept by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The exchange with a device around one utterance (A11, A12, A21).

    A device asks as the person; what it may use is what consent lets it hold.
    """

    database: Database
    vault: Vault
    accounts: Accounts
    settings: SettingsService
    sessions: Sessions
    context: Context
    planner: Planner | None = None
    token: Callable[[], str] = generate_token

    async def answer(
        self,
        scope: Scope,
        request: ExchangeRequest,
        *,
        request_id: UUID | None = None,
        token_budget: int = TOKEN_BUDGET,
    ) -> ExchangeAnswer:
        """Return what to go by, or what the planner decided, and what was learned.

        Where a planner is configured and answers with words, the turn is kept as the
        pair `request_id`. Sent again under the same id, it is kept once, and answered
        with the decision that is kept, no planner being asked. Without a planner the
        caller runs its own and hands in what it decided by `record_result`. Nobody who
        was erased comes back by it: only the utterance is answered, and nothing kept.

        Raises:
            InvalidInputError: an empty utterance, or an id that cannot be one.
            NotPermittedError: the person keeps memory off their devices.
            DeviceGoneError: the device was shut out or erased, or its person erased.
            ConflictError: the session is another device's, or paused, or the id is
                another utterance's.
            ModelUnavailableError: the planner did not answer; nothing was kept.
        """
        scope = replace(scope, actor=Actor.DEVICE)
        asked = NamedRequest(
            _clean_request(request),
            request_id or self.database.new_id(),
            request.session or str(self.database.new_id()),
        )
        if await self._recorder.is_erased(scope):
            build = self._build_erased_input
        else:
            build = self._build_input
        masked = await self._mask_utterance(scope, asked)
        planner_input, read = await build(scope, masked, token_budget)
        workflow = read.cloud.session
        decision, is_recorded = await self._decide(scope, asked, planner_input, read)
        return ExchangeAnswer(
            request_id=asked.request_id,
            session_state=build_session_state(
                asked.session, workflow, request, decision
            ),
            memory_update=read.update,
            cursor=read.cursor,
            planner_input=planner_input,
            decision=decision,
            is_recorded=is_recorded,
        )

    async def record_result(
        self,
        scope: Scope,
        request_id: UUID,
        spoken: ExchangeTurn,
    ) -> bool:
        """Keep what a caller's own planner decided; tell whether it is kept.

        Repeating it changes nothing.

        Raises:
            InvalidInputError: a text or note that cannot be kept.
            NotPermittedError: the person keeps memory off their devices.
            DeviceGoneError: the device was shut out or erased.
            ConflictError: the session is another device's, or paused, or the id is
                another utterance's.
        """
        scope = replace(scope, actor=Actor.DEVICE)
        said = clean_text("recognized_text", spoken.turn.user_text)
        turn = replace(spoken.turn, user_text=said)
        device = None if spoken.device is None else clean_name(DEVICE, spoken.device)
        clean = replace(spoken, pair_id=request_id, turn=turn, device=device)
        recorded = await self._recorder.record(scope, clean)
        return recorded.is_kept

    @property
    def _recorder(self) -> TurnRecorder:
        return TurnRecorder(
            self.database, self.vault, self.accounts, self.settings, self.sessions
        )

    async def _mask_utterance(self, scope: Scope, asked: NamedRequest) -> NamedRequest:
        """Return what is asked as a planner may have it, and recall.

        An utterance is masked as it is kept; that is done anew, with what was said
        before it.
        """
        request = asked.request
        session_id = self.accounts.session_id(scope, asked.session)
        before = self.sessions.writer.recent.get_texts(scope, session_id)
        text, _, _ = await mask_message(request.recognized_text, {}, before)
        return asked._replace(request=replace(request, recognized_text=text))

    async def _decide(
        self,
        scope: Scope,
        asked: NamedRequest,
        planner_input: PlannerInput,
        read: ExchangeReading,
    ) -> tuple[PlannerDecision | None, bool]:
        """Return what was decided, now or before, and whether the turn is kept."""
        known = read.cloud.session
        if read.kept is not None:
            require_same_words(read.kept, asked.request.recognized_text)
            workflow = known and known.active_workflow_id
            return build_recorded_decision(read.kept, workflow), True
        if self.planner is None:
            return None, False
        decision = clean_decision(
            await self.planner.plan(render_planner_input(planner_input))
        )
        return await self._record(scope, asked, decision)

    async def _record(
        self, scope: Scope, asked: NamedRequest, decision: PlannerDecision
    ) -> tuple[PlannerDecision, bool]:
        """Keep a decision that has words; what was kept meanwhile counts instead."""
        if decision.assistant_text is None:
            return decision, False
        turn = Turn(
            asked.request.recognized_text,
            decision.assistant_text,
            decision.route_family,
            decision.planner_summary or {},
        )
        workflow = decision.active_workflow_id
        spoken = ExchangeTurn(
            asked.request_id, asked.session, asked.request.device, turn, workflow
        )
        recorded = await self._recorder.record(scope, spoken)
        if recorded.before is not None:
            decision = build_recorded_decision(recorded.before, workflow)
        return decision, recorded.is_kept

    async def _build_input(
        self, scope: Scope, asked: NamedRequest, budget: int
    ) -> tuple[PlannerInput, ExchangeReading]:
        request = asked.request
        session_id = self.accounts.session_id(scope, asked.session)
        person = await self.accounts.get(scope)
        key = await self.vault.get_key(scope)
        block = await self.context.build(
            scope, request.recognized_text, token_budget=HINT_TOKENS, excerpts=0
        )
        recalled = [line.memory_id for line in block.lines]
        async with self.database.begin(scope, durable=False) as tx:
            read = await self._read(tx, key, asked, session_id, recalled)
        form = InputForm(person.language, self.token(), budget)
        # Texts may be of any size: beside the event loop.
        found = await asyncio.to_thread(
            _compile_input, request, read, recalled, form, self.context.guard
        )
        return found, read

    async def _build_erased_input(
        self, scope: Scope, asked: NamedRequest, budget: int
    ) -> tuple[PlannerInput, ExchangeReading]:
        """Return an utterance alone, for somebody who was erased and is not back.

        Raises:
            DeviceGoneError: a device asks, which has to empty itself.
        """
        request = asked.request
        if request.device is not None:
            raise DeviceGoneError(PERSON_ERASED)
        async with self.database.begin(scope, durable=False) as tx:
            settings = await self.settings.read_settings(tx)
            language = await people.get_language(tx)
        require_consent(settings, Purpose.SYNC)
        cloud = CloudState(None, None, {}, {}, {}, tx.now, is_erased=True)
        cursor = compare_numbers(request, 0, 0)
        read = ExchangeReading(cloud, settings, MemoryUpdate(0, "", ()), cursor, None)
        form = InputForm(language, self.token(), budget)
        found = await asyncio.to_thread(
            _compile_input, request, read, (), form, self.context.guard
        )
        return found, read

    async def _read(
        self,
        tx: Transaction,
        key: PersonKey,
        asked: NamedRequest,
        session_id: UUID,
        recalled: Sequence[UUID],
    ) -> ExchangeReading:
        request = asked.request
        settings = await self.settings.read_settings(tx)
        require_consent(settings, Purpose.SYNC)
        ledger = self.vault.keystore.ledger
        held = await read_cloud_state(tx, key, request, session_id, recalled, ledger)
        cloud = select_usable(held, settings, self.settings.defaults)
        state = await feed_store.get_feed_state(tx)
        head = state.head if state else 0
        cursors = await self._list_cursors(tx, key, request)
        if _is_of_erased_life(request, state, cursors):
            cloud = replace(cloud, is_erased=True)
        cursor = compare_numbers(request, get_taken(cursors), head)
        reader = DownloadReader(tx, key, settings, self.settings.defaults)
        candidates = await read_new_candidates(
            reader, request.last_cloud_update_seq, head
        )
        update = MemoryUpdate(head, _find_delta(request, cloud, settings), candidates)
        kept = await find_recorded_pair(tx, key, asked.request_id)
        return ExchangeReading(cloud, settings, update, cursor, kept)

    async def _list_cursors(
        self, tx: Transaction, key: PersonKey, request: ExchangeRequest
    ) -> list[SyncCursor]:
        """Return the cursors of the device that asks, if it says which it is (A17).

        Raises:
            DeviceGoneError: the device was shut out or erased.
        """
        if request.device is None:
            return []
        device_id = self.accounts.device_id(tx.scope, request.device)
        cursors = await feed.list_cursors(tx, key, device_id)
        require_alive(cursors)
        return cursors


def _compile_input(
    request: ExchangeRequest,
    read: ExchangeReading,
    recalled: Sequence[UUID],
    form: InputForm,
    guard: Guard,
) -> PlannerInput:
    """Return what a planner goes by, of what was sent and what was read."""
    parts = collect_parts(request, read.cloud, read.settings, guard)
    add_memories(parts, read.cloud, recalled, read.settings)
    said = request.recognized_text
    selected = select_parts(said, parts.lines, request.hint_strength)
    selected.omissions[:0] = parts.omissions
    return build_planner_input(
        said, selected, form, device_context=request.device_context
    )


def _clean_request(request: ExchangeRequest) -> ExchangeRequest:
    """Return a request whose utterance and ids can be kept.

    Raises:
        InvalidInputError: it names the one that cannot.
    """
    device, workflow = request.device, request.active_workflow_id
    return replace(
        request,
        recognized_text=clean_text("recognized_text", request.recognized_text),
        device=None if device is None else clean_name(DEVICE, device),
        active_workflow_id=workflow and clean_name("active_workflow_id", workflow),
    )


def _is_of_erased_life(
    request: ExchangeRequest, state: FeedState | None, cursors: Sequence[SyncCursor]
) -> bool:
    """Tell whether a snapshot is of before its person was erased, and came back.

    Such a device was in step, and is unknown since; or it knows of more than there is.
    """
    if state is None or not state.epoch.incarnation:
        return False
    is_in_step = request.last_cloud_update_seq > 0 or bool(request.device_cursor)
    is_unknown = request.device is not None and not cursors
    return request.last_cloud_update_seq > state.head or (is_in_step and is_unknown)


def get_taken(cursors: Iterable[SyncCursor]) -> int:
    """Return how much the cloud took of the installation that was last heard of.

    One that was installed anew counts from the beginning; older ones do not matter.
    """
    latest = max(cursors, key=attrgetter("last_sync_at", "cursor_id"), default=None)
    return 0 if latest is None else latest.last_pair_seq


def compare_numbers(request: ExchangeRequest, taken: int, head: int) -> CursorState:
    """Return how a device's numbers compare with what the cloud took and has."""
    sent = request.device_cursor
    if request.last_cloud_update_seq > head or (sent is not None and sent < taken):
        return CursorState.CONFLICT
    behind = request.last_cloud_update_seq < head
    return (
        CursorState.PENDING
        if behind or (sent is not None and sent > taken)
        else CursorState.OK
    )


async def read_new_candidates(
    reader: DownloadReader, since: int, head: int
) -> tuple[Candidate, ...]:
    """Return what waits for corroboration and changed after a number, oldest first."""
    if since >= head:
        return ()
    ids = await feed.list_changed_candidates(reader.tx, since, MAX_READ)
    waiting = await reader.read(CANDIDATE, ids)
    kept = [waiting[each] for each in ids if each in waiting][:MAX_CANDIDATES]
    return tuple(each for each in reversed(kept) if isinstance(each, Candidate))


def _find_delta(request: ExchangeRequest, cloud: CloudState, settings: Settings) -> str:
    """Return what the session is about, if the device does not hold that."""
    if cloud.summary is None or not settings.is_enabled:
        return ""
    text = cloud.summary.gist.summary
    return "" if text == request.session_summary else text


def build_session_state(
    session: str,
    known: Session | None,
    request: ExchangeRequest,
    decision: PlannerDecision | None,
) -> ConversationState:
    """Return where a conversation stands, with what was just decided."""
    workflow = request.active_workflow_id or (known and known.active_workflow_id)
    route = known and known.last_route
    if decision is not None:
        workflow, route = decision.active_workflow_id, decision.route_family or route
    context: dict[str, Any] = {}
    if workflow:
        context["active_workflow_id"] = workflow
    if route:
        context["last_route"] = route
    return ConversationState(session, context)


def render_planner_input(planner_input: PlannerInput) -> Mapping[str, Any]:
    """Return a planner's input as JSON, its parts in the order of A13."""
    return {
        "recognized_text": planner_input.recognized_text,
        "parts": [
            {
                "name": name.value,
                "lines": [
                    {
                        "text": line.text,
                        "source": line.source.value,
                        "about": line.about,
                    }
                    for line in lines
                ],
            }
            for name, lines in planner_input.parts.items()
        ],
        "device_context": dict(planner_input.device_context),
        "text": planner_input.text,
        "tokens": planner_input.tokens,
        "left_out": [
            {
                "part": each.part.value,
                "reason": each.reason.value,
                "about": each.about,
                "detail": each.detail,
            }
            for each in planner_input.omissions
        ],
    }
