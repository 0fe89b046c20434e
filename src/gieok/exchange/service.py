"""Answers a device's utterance: what to go by, what was decided, what was learned."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from gieok.accounts import Accounts
from gieok.context import Context
from gieok.database import Database, Transaction
from gieok.exchange.cloud_parts import (
    CloudState,
    add_memories,
    collect_beside_loop,
    read_cloud_state,
)
from gieok.exchange.model import (
    ConversationState,
    CursorState,
    ExchangeAnswer,
    ExchangeRequest,
    MemoryUpdate,
    PlannerInput,
)
from gieok.exchange.planner_input import InputForm, build_planner_input, select_parts
from gieok.exchange.recording import ExchangeTurn, TurnRecorder
from gieok.kernel.errors import DeviceGoneError
from gieok.kernel.planning import Planner, PlannerDecision
from gieok.kernel.scope import Actor, Scope
from gieok.memories import Candidate
from gieok.privacy import PersonKey, Vault
from gieok.sessions import Session, Sessions, Turn
from gieok.settings import Settings, SettingsService
from gieok.sync import ConflictKind
from gieok.sync import store as feed
from gieok.sync.cursors import DEVICE_REVOKED
from gieok.sync.downloads import DownloadReader
from gieok.text.cleaning import clean_text

TOKEN_BUDGET: Final = 1_200
"""Tokens of a planner's input unless another budget is given."""
HINT_TOKENS: Final = 400
"""Tokens within which memories are looked for that bear on an utterance."""
MOST_CANDIDATES: Final = 50
CANDIDATE: Final = "memory_candidate"
SESSION: Final = "session"
"""Kinds of the change feed."""
MOST_CHANGES: Final = 500


def generate_token() -> str:
    """Return a delimiter nobody can guess."""
    return secrets.token_hex(8)


class ExchangeReading(NamedTuple):
    """What one transaction read for an answer."""

    cloud: CloudState
    settings: Settings
    update: MemoryUpdate
    cursor: CursorState


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
        pair `request_id`; sent again under the same id, it is kept once. Without a
        planner the caller runs its own and hands in what it decided by `record_result`.

        Raises:
            InvalidInputError: an empty utterance, or an id that cannot be one.
            DeviceGoneError: the device was shut out.
            ConflictError: the session is another device's, or paused.
            ModelUnavailableError: the planner did not answer; nothing was kept.
        """
        scope = replace(scope, actor=Actor.DEVICE)
        utterance = clean_text("recognized_text", request.recognized_text)
        session = request.session or str(self.database.new_id())
        named = request_id or self.database.new_id()
        planner_input, read = await self._build_input(
            scope, replace(request, recognized_text=utterance), session, token_budget
        )
        decision, is_recorded, workflow = None, False, read.cloud.session
        if self.planner is not None:
            decision = await self.planner.plan(render_planner_input(planner_input))
            is_recorded = await self._record(
                scope, named, session, request.device, utterance, decision
            )
        return ExchangeAnswer(
            request_id=named,
            session_state=build_session_state(session, workflow, request, decision),
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
            ConflictError: the session is another device's, or paused.
        """
        scope = replace(scope, actor=Actor.DEVICE)
        return await self._recorder.record(scope, replace(spoken, pair_id=request_id))

    @property
    def _recorder(self) -> TurnRecorder:
        return TurnRecorder(self.database, self.vault, self.accounts, self.sessions)

    async def _record(
        self,
        scope: Scope,
        request_id: UUID,
        session: str,
        device: str | None,
        utterance: str,
        decision: PlannerDecision,
    ) -> bool:
        if decision.assistant_text is None:
            return False
        turn = Turn(
            utterance,
            decision.assistant_text,
            decision.route_family,
            decision.planner_summary or {},
        )
        spoken = ExchangeTurn(
            request_id, session, device, turn, decision.active_workflow_id
        )
        return await self._recorder.record(scope, spoken)

    async def _build_input(
        self, scope: Scope, request: ExchangeRequest, session: str, budget: int
    ) -> tuple[PlannerInput, ExchangeReading]:
        session_id = self.accounts.session_id(scope, session)
        person = await self.accounts.get(scope)
        key = await self.vault.get_key(scope)
        block = await self.context.build(
            scope, request.recognized_text, token_budget=HINT_TOKENS, excerpts=0
        )
        recalled = [line.memory_id for line in block.lines]
        async with self.database.begin(scope, durable=False) as tx:
            read = await self._read(tx, key, request, session_id, recalled)
        parts = await collect_beside_loop(request, read.cloud, read.settings)
        add_memories(parts, read.cloud, recalled, read.settings)
        selected = select_parts(
            request.recognized_text, parts.lines, request.hint_strength
        )
        selected.omissions[:0] = parts.omissions
        form = InputForm(person.language, self.token(), budget)
        found = build_planner_input(
            request.recognized_text,
            selected,
            form,
            device_context=request.device_context,
        )
        return found, read

    async def _read(
        self,
        tx: Transaction,
        key: PersonKey,
        request: ExchangeRequest,
        session_id: UUID,
        recalled: Sequence[UUID],
    ) -> ExchangeReading:
        settings = await self.settings.read_settings(tx)
        cloud = await read_cloud_state(tx, key, request, session_id, recalled)
        state = await feed.get_feed_state(tx)
        head = state.head if state else 0
        cursor = await self._compare_cursor(tx, key, request, head)
        candidates: tuple[Candidate, ...] = ()
        if settings.is_enabled:
            reader = DownloadReader(tx, key, settings)
            candidates = await read_new_candidates(
                reader, request.last_cloud_update_seq, head
            )
        update = MemoryUpdate(head, _find_delta(request, cloud, settings), candidates)
        return ExchangeReading(cloud, settings, update, cursor)

    async def _compare_cursor(
        self, tx: Transaction, key: PersonKey, request: ExchangeRequest, head: int
    ) -> CursorState:
        """Return how the numbers a device sent compare with the cloud's (A17).

        Raises:
            DeviceGoneError: the device was shut out.
        """
        taken = 0
        if request.device is not None:
            device_id = self.accounts.device_id(tx.scope, request.device)
            cursors = await feed.list_cursors(tx, key, device_id)
            if ConflictKind.REVOKED in {each.conflict for each in cursors}:
                raise DeviceGoneError(DEVICE_REVOKED)
            taken = max((each.last_pair_seq for each in cursors), default=0)
        return compare_numbers(request, taken, head)


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
    found = await feed.list_changes(reader.tx, [CANDIDATE], since, head, MOST_CHANGES)
    ids = list(dict.fromkeys(each for _, _, each in found))
    waiting = await reader.read(CANDIDATE, ids)
    kept = [waiting[each] for each in ids if each in waiting][-MOST_CANDIDATES:]
    return tuple(each for each in kept if isinstance(each, Candidate))


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
