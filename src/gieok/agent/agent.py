"""The reference agent: four layers over memory, paused, edited and resumed (B04-B08).

    agent = Agent(memory, model="openai:gpt-5-mini", tools=[...])
    waiting = await agent.run(memory.person("minji"), "페트병 어디 버려?")
    done = await agent.resume(memory.person("minji"), waiting.session.session_id)
    done.response

A run is a workflow of its session: whoever holds it is known by the session's
`active_workflow_id`, and lives as long as its layers begin in time.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final, cast
from uuid import UUID

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.message import (  # pyright: ignore[reportMissingTypeStubs]
    REMOVE_ALL_MESSAGES,
)
from langgraph.types import Command, StateSnapshot
from langsmith import (
    tracing_context,  # pyright: ignore[reportUnknownVariableType]
)

from gieok.agent.chat_model import require_chat_model, resolve_chat_model
from gieok.agent.checkpointer import GieokSaver
from gieok.agent.layers import ORDER, AgentLayers, Price
from gieok.agent.nodes import load_facts, recall_memories
from gieok.agent.person import MemoryOwner
from gieok.agent.runs import (
    Edits,
    Happened,
    Run,
    RunState,
    require_resumable,
)
from gieok.agent.turns import find_question
from gieok.chat.inputs import clean_base
from gieok.chat.service import LONGEST_MESSAGE_BYTES
from gieok.facade import Gieok
from gieok.kernel.errors import (
    ConfigurationError,
    ConflictError,
    GieokError,
    NoChatModelError,
    TamperedError,
)
from gieok.kernel.language import Role
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Scope
from gieok.pii import TextMasker
from gieok.sessions import Layer, Session, Status
from gieok.sessions.lifecycle import ENDED, require_transition
from gieok.sessions.new_messages import read_new_messages
from gieok.text.cleaning import clean_text

log = get_logger("gieok.langgraph")

WORKFLOW: Final = "agent"
"""The `active_workflow_id` of a session in which a run is under way or paused."""
LONGEST_LAYER: Final = timedelta(minutes=5)
GRACE: Final = timedelta(seconds=30)
"""What a run may take beside its layers before it counts as dead."""
END_OF_SESSION: Final = 2**31 - 2
SaverFactory = Callable[[Gieok, Scope], BaseCheckpointSaver[str]]


def compute_zero_price(tokens_in: int, tokens_out: int) -> Decimal:
    """Return that tokens cost nothing."""
    del tokens_in, tokens_out
    return Decimal(0)


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """A run as the agent drives it."""

    scope: Scope
    session: Session
    layers: AgentLayers
    saver: BaseCheckpointSaver[str]
    config: RunnableConfig

    async def load_snapshot(self) -> StateSnapshot:
        """Return where it stands."""
        return await self.layers.build_graph(self.saver).aget_state(self.config)


class Agent:
    """Answers in four layers, and remembers.

    `model` is a chat model of LangChain's, the name of one as `init_chat_model` takes
    it, or by default the model gieok is configured with, which takes no `tools`.
    `price` says what tokens in and out cost; `longest` is what one layer may take.
    It is used inside the event loop in which the memory was opened.

    Raises:
        ConfigurationError: the model's name is unknown or its package is missing, or
            there are tools for a model that takes none.
    """

    def __init__(  # noqa: PLR0913 - all but the memory may be left out
        self,
        memory: Gieok,
        *,
        model: BaseChatModel | str | None = None,
        tools: Sequence[BaseTool] = (),
        instructions: str | None = None,
        price: Price = compute_zero_price,
        saver: SaverFactory = GieokSaver,
        longest: timedelta = LONGEST_LAYER,
    ) -> None:
        if tools and model is None:
            problem = "The configured model takes no tools; give the agent a `model`."
            raise ConfigurationError(problem)
        self.memory = memory
        self.model = resolve_chat_model(memory, model)
        self.tools = tuple(tools)
        self.instructions = instructions
        self.price = price
        self.longest = longest
        self._saver = saver
        self._runs: set[Run] = set()

    async def run(
        self,
        scope: Scope,
        message: str,
        *,
        session_id: UUID | None = None,
        interrupt: bool = True,
        language: str | None = None,
    ) -> RunState:
        """Begin to answer a message, and return how the run ended; raises as `start`.

        It ended paused before planning, unless `interrupt` is off: `resume` answers.

        Raises:
            NoChatModelError: the configured model cannot talk. One that says so when it
                is asked only has the session that it began erased, with a receipt.
            ModelUnavailableError: no answer came; the session has failed.
        """
        run = await self.start(
            scope,
            message,
            session_id=session_id,
            interrupt=interrupt,
            language=language,
        )
        return await run.outcome()

    async def start(
        self,
        scope: Scope,
        message: str,
        *,
        session_id: UUID | None = None,
        interrupt: bool = True,
        language: str | None = None,
    ) -> Run:
        """Begin a run, in the given session or in a new one.

        `language`, the person's by default, is that of a new session. The run goes on
        by itself, whoever follows it. Before planning it pauses until it is resumed,
        unless `interrupt` is off (B07). The turn is recorded when the answer is there.
        What is sensitive in the message is masked before anything reads it.

        Raises:
            InvalidInputError: a message or language that cannot be accepted.
            NoChatModelError: the configured model cannot talk; nothing was begun.
            NotFoundError: the person has no such session.
            ConflictError: the session is paused, over, or has another run.
        """
        message = clean_text("message", message, max_bytes=LONGEST_MESSAGE_BYTES)
        require_chat_model(self.model)
        sessions = self.memory.sessions
        is_new, told = session_id is None, list[BaseMessage]()
        if session_id is None:
            started = await sessions.start(scope, language=language)
            session = await sessions.set_workflow(
                scope, started.session_id, WORKFLOW, check=self._require_free
            )
        else:
            session, told = await self._claim_session(scope, session_id)
        going = self._create_active_run(scope, session)
        said = TextMasker().mask_text(message, [str(each.text) for each in told])
        given = {
            "messages": [
                RemoveMessage(id=REMOVE_ALL_MESSAGES),
                *told,
                HumanMessage(said),
            ],
            "session_id": str(session.session_id),
            "recorded": session.message_count,
            "understanding": None,
            "plan": None,
            "response": None,
            "tokens_in": 0,
            "tokens_out": 0,
        }
        return self._begin_run(
            going, given, said=said, interrupt=interrupt, is_new=is_new
        )

    async def resume(
        self,
        scope: Scope,
        session_id: UUID,
        *,
        edits: Edits | None = None,
        answer: object = None,
    ) -> RunState:
        """Go on with a run, and return how it ended; raises as `run`."""
        run = await self.take_up(scope, session_id, edits=edits, answer=answer)
        return await run.outcome()

    async def take_up(
        self,
        scope: Scope,
        session_id: UUID,
        *,
        edits: Edits | None = None,
        answer: object = None,
    ) -> Run:
        """Go on where a run is paused, or where its process died.

        `edits` take the place of what the layers so far came to. `answer` is for the
        question of a tool that called `interrupt`. Of two who resume at once one wins.
        What is known is recalled anew: it may be other than when the run began.

        Raises:
            InvalidInputError: an edit that cannot be accepted.
            NotFoundError: the person has no such session.
            ConflictError: there is no run to resume, it is under way, its session is
                over, or it is past what was to be edited or answered.
            TamperedError: its state was changed in the database; the session failed.
        """
        changes = edits.to_changes() if edits else {}
        session = await self._load_session(scope, session_id)
        if session.status in ENDED:
            require_transition(session.status, Status.ACTIVE)
        going = self._create_active_run(scope, session)
        snapshot = await self._load_snapshot(going)
        if not snapshot.next:
            raise ConflictError("the session has no run to resume")
        require_resumable(snapshot, changes, answer)
        going = await self._recall_anew(going, snapshot)
        if session.status is Status.ACTIVE:  # its process died, if it is not alive
            await self.memory.sessions.set_workflow(
                scope, session_id, WORKFLOW, check=self._require_free
            )
        else:
            await self.memory.sessions.resume(scope, session_id)
        if changes:
            before = ORDER[ORDER.index(snapshot.next[0]) - 1]
            graph = going.layers.build_graph(going.saver)
            await graph.aupdate_state(going.config, changes, as_node=before)
        given = Command(resume=answer) if snapshot.interrupts else None
        said = find_question(snapshot.values["messages"])
        return self._begin_run(going, given, said=said)

    async def state(self, scope: Scope, session_id: UUID) -> RunState:
        """Return where the last run of a session stands.

        Raises:
            NotFoundError: the person has no such session.
            TamperedError: the state was changed in the database.
        """
        session = await self._load_session(scope, session_id)
        await self.memory.audit.note_read(scope, "checkpoints", session_id)
        snapshot = await self._create_active_run(scope, session).load_snapshot()
        return await self._build_run_state(scope, session, snapshot)

    async def _claim_session(
        self, scope: Scope, session_id: UUID
    ) -> tuple[Session, list[BaseMessage]]:
        """Return a session in which no other run begins now, and what was said in it.

        What cannot be read keeps no session waiting.
        """
        sessions = self.memory.sessions
        before = await self._require_nothing_pending(scope, session_id)
        told = await self._load_working_memory(scope, session_id)
        session = await sessions.set_workflow(
            scope, session_id, WORKFLOW, check=self._require_free
        )
        if session.message_count != before.message_count:
            try:
                told = await self._load_working_memory(scope, session_id)
            except BaseException:
                with suppress(GieokError):
                    await sessions.set_workflow(scope, session_id, None)
                raise
        return session, told

    def _create_active_run(self, scope: Scope, session: Session) -> ActiveRun:
        layers = AgentLayers(
            self.memory,
            scope,
            session.session_id,
            self.model,
            self.tools,
            clean_base(self.instructions, session.language),
            session.language,
            self.longest,
            self.price,
        )
        thread = {"thread_id": str(session.session_id)}
        saver = self._saver(self.memory, scope)
        return ActiveRun(scope, session, layers, saver, {"configurable": thread})

    async def _recall_anew(
        self, going: ActiveRun, snapshot: StateSnapshot
    ) -> ActiveRun:
        """Return a run that tells what is known now, whatever its state holds."""
        owner = MemoryOwner(self.memory, going.scope)
        recalled = await recall_memories(owner, snapshot.values, {})
        return replace(going, layers=replace(going.layers, recalled=recalled))

    async def _load_snapshot(self, going: ActiveRun) -> StateSnapshot:
        """Return where a run stands; one whose state was changed never goes on."""
        try:
            return await going.load_snapshot()
        except TamperedError as error:
            session = going.session
            reason = f"{session.current_layer or 'memory'}.{error.code}"
            await self.memory.sessions.fail(going.scope, session.session_id, reason)
            raise

    def _begin_run(
        self,
        going: ActiveRun,
        given: object,
        *,
        said: str,
        interrupt: bool = False,
        is_new: bool = False,
    ) -> Run:
        async def drive() -> AsyncGenerator[Happened | RunState]:
            try:
                with tracing_context(enabled=False):  # design rule 14
                    graph = cast("Any", going.layers.build_graph(going.saver))
                    async for each in graph.astream(
                        given,
                        going.config,
                        stream_mode="custom",
                        interrupt_before=[Layer.PLANNING] if interrupt else None,
                        durability="sync",
                    ):
                        yield Happened.from_mapping(cast("Mapping[str, str]", each))
                yield await self._end_run(going)
            except Exception as error:
                if not await self._is_paused(going, error):
                    await self._fail_run(going, error, said, is_new=is_new)
                    raise
                yield await self._end_run(going)

        run = Run(going.session.session_id, drive())
        self._runs.add(run)
        run.task.add_done_callback(lambda _: self._runs.discard(run))
        return run

    async def _end_run(self, going: ActiveRun) -> RunState:
        """Pause the session before what is left to do, or let go of it."""
        snapshot = await going.load_snapshot()
        sessions, session_id = self.memory.sessions, going.session.session_id
        with suppress(ConflictError):  # somebody paused or closed it just now
            if snapshot.next:
                await sessions.pause(going.scope, session_id)
            else:
                await sessions.set_workflow(going.scope, session_id, None)
        session = await self._load_session(going.scope, session_id)
        return await self._build_run_state(going.scope, session, snapshot)

    async def _build_run_state(
        self, scope: Scope, session: Session, snapshot: StateSnapshot
    ) -> RunState:
        """Return where a run stands, without memories that were forgotten since."""
        told = cast("Sequence[Any]", snapshot.values.get("user_memories") or ())
        ids = [UUID(each["id"]) for each in told]
        known = await load_facts(self.memory, scope, ids)
        return RunState.from_snapshot(session, snapshot, known)

    async def _is_paused(self, going: ActiveRun, error: Exception) -> bool:
        """Tell whether a run only stopped because somebody paused its session."""
        if not isinstance(error, ConflictError):
            return False
        session = await self._load_session(going.scope, going.session.session_id)
        return session.status is Status.PAUSED

    async def _fail_run(
        self, going: ActiveRun, error: Exception, said: str, *, is_new: bool
    ) -> None:
        """End the session, with what the user said in it (B04)."""
        scope, session_id = going.scope, going.session.session_id
        sessions = self.memory.sessions
        code = error.code if isinstance(error, GieokError) else type(error).__name__
        log.warning("run_failed", session_id=str(session_id), error=code)
        with suppress(GieokError):  # it is over, or the database is away
            if isinstance(error, NoChatModelError):
                if is_new:
                    await self.memory.erasure.session(scope, session_id)
                else:
                    await sessions.set_workflow(scope, session_id, None)
                return
            tokens_in, tokens_out = await self._load_token_counts(going)
            await sessions.append(
                scope,
                session_id,
                role=Role.USER,
                content=said,
                layer=Layer.COGNITIVE,
                tokens=tokens_in + tokens_out,
                cost=self.price(tokens_in, tokens_out),
                is_turn=True,
            )
            layer = (await self._load_session(scope, session_id)).current_layer
            reason = f"{layer or 'memory'}.{code}"
            await sessions.fail(scope, session_id, reason)

    async def _load_token_counts(self, going: ActiveRun) -> tuple[int, int]:
        """Return the tokens that a run's finished layers took, as far as is known."""
        with suppress(GieokError):
            values = (await going.load_snapshot()).values
            return values.get("tokens_in", 0), values.get("tokens_out", 0)
        return 0, 0

    async def _load_working_memory(
        self, scope: Scope, session_id: UUID
    ) -> list[BaseMessage]:
        recent = await self.memory.sessions.recent(scope, session_id)
        kinds = {Role.USER: HumanMessage, Role.ASSISTANT: AIMessage}
        return [kinds[m.role](m.content) for m in recent if m.role in kinds]

    async def _require_nothing_pending(self, scope: Scope, session_id: UUID) -> Session:
        session = await self._load_session(scope, session_id)
        if session.status is not Status.ACTIVE or session.active_workflow_id is None:
            return session
        self._require_free(session)
        if (await self._create_active_run(scope, session).load_snapshot()).next:
            raise ConflictError("an unfinished run of the session is to be resumed")
        return session

    def _require_free(self, session: Session) -> None:
        """Refuse a session in which a run lives, or a workflow of the app's."""
        if session.active_workflow_id is None:
            return
        if session.active_workflow_id != WORKFLOW:
            raise ConflictError("another workflow of the session is under way")
        alive_until = session.updated_at + self.longest + GRACE
        if self.memory.clock() < alive_until:
            raise ConflictError("a run of the session is under way")

    async def _load_session(self, scope: Scope, session_id: UUID) -> Session:
        sessions = self.memory.sessions
        return (
            await read_new_messages(sessions, scope, session_id, END_OF_SESSION)
        ).session
