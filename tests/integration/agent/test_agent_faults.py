"""The agent, when something is wrong: clear errors, and nothing lost (B04)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
)
from langchain_core.tools import tool

from gieok import Gieok, Scope
from gieok.agent.chat_model import GieokChatModel
from gieok.kernel.errors import (
    ConflictError,
    DatabaseUnavailableError,
    InvalidInputError,
    ModelUnavailableError,
    NoChatModelError,
    NotFoundError,
    TamperedError,
)
from gieok.kernel.ids import generate_id
from gieok.sessions import Message, Sessions, Status
from gieok.sessions.service import WORKING_MEMORY
from gieok.surfaces.langgraph import Agent, GieokSaver, RunState
from gieok.testing import FixedClock, ScriptedModel
from support.agents import (
    ASKED,
    STEPS,
    Talker,
    agent,
    plain,
    talker,
    told,
    using,
)
from support.database import Owner


@tool
def broken() -> str:
    """Break."""
    message = "비밀은 0123"
    raise ValueError(message)


@pytest.mark.req("B04")
async def test_a_node_that_raises_fails_the_session_and_nothing_is_lost(
    memory: Gieok, me: Scope
) -> None:
    helper = agent(memory, talker(using("broken", {})), tools=[broken])
    with pytest.raises(ValueError, match="비밀"):
        await helper.run(me, ASKED, interrupt=False)
    ((session,), _) = await memory.sessions.page(me)
    assert session.status is Status.FAILED
    assert session.ended_reason == "execution.ValueError"
    kept = await helper.state(me, session.session_id)
    assert (kept.message, kept.plan) == (ASKED, STEPS)
    assert await told(memory, me, kept) == [("user", ASKED)]
    with pytest.raises(ConflictError, match="failed"):
        await helper.resume(me, session.session_id)


@pytest.mark.req("B03", "B04", "B06")
@pytest.mark.parametrize("layer", ["cognitive", "planning", "response"])
async def test_a_model_that_is_away_is_named_without_its_words(
    memory: Gieok, me: Scope, layer: str
) -> None:
    def answers(asking: str, said: Sequence[BaseMessage]) -> str:
        if asking == layer:
            raise RuntimeError(said[-1].text)
        return plain(asking, said)

    with pytest.raises(ModelUnavailableError) as failed:
        await agent(memory, talker(answers)).run(me, ASKED, interrupt=False)
    assert ASKED not in str(failed.value)
    assert failed.value.__cause__ is failed.value.__context__ is None
    ((session,), _) = await memory.sessions.page(me)
    assert session.ended_reason == f"{layer}.model_unavailable"
    answered = ("cognitive", "planning", "response").index(layer)
    assert (session.total_turns, session.total_tokens) == (1, 11 * answered)
    (said,) = (await memory.sessions.read(me, session.session_id)).messages
    assert (said.content, said.layer) == (ASKED, "cognitive")


async def test_an_empty_answer_is_no_answer(memory: Gieok, me: Scope) -> None:
    def answers(layer: str, said: Sequence[BaseMessage]) -> str:
        return " " if layer == "response" else plain(layer, said)

    with pytest.raises(ModelUnavailableError, match="empty"):
        await agent(memory, talker(answers)).run(me, ASKED, interrupt=False)


@pytest.mark.req("B04")
async def test_a_layer_that_takes_too_long_fails(memory: Gieok, me: Scope) -> None:
    class Endless(Talker):
        async def _agenerate(self, messages: Any, *_: Any, **__: Any) -> Any:
            del messages
            await asyncio.sleep(600)

    model = Endless(answers=plain, prompts=[], shown=[])
    with pytest.raises(ModelUnavailableError, match="in time"):
        await agent(memory, model, longest=timedelta(milliseconds=50)).run(
            me, ASKED, interrupt=False
        )


@pytest.mark.req("B08")
async def test_without_a_chat_model_nothing_is_begun(memory: Gieok, me: Scope) -> None:
    def refuses(*_: object) -> Exception:
        return NoChatModelError()

    mute = Agent(memory)
    cast("GieokChatModel", mute.model).model = ScriptedModel(replies=refuses)
    with pytest.raises(NoChatModelError):
        await mute.run(me, ASKED, interrupt=False)
    assert await memory.sessions.page(me) == ((), 0)
    session_id = (await memory.sessions.start(me)).session_id
    with pytest.raises(NoChatModelError):
        await mute.run(me, ASKED, session_id=session_id, interrupt=False)
    done = await agent(memory).run(me, ASKED, session_id=session_id, interrupt=False)
    assert done.response


class UnreadableSessions(Sessions):
    """Sessions whose messages the database does not give."""

    async def recent(
        self, scope: Scope, session_id: UUID, limit: int = WORKING_MEMORY
    ) -> tuple[Message, ...]:
        del scope, session_id, limit
        raise DatabaseUnavailableError("it went away")


@pytest.mark.req("B08")
async def test_a_run_that_could_not_begin_keeps_no_session_waiting(
    memory: Gieok, me: Scope
) -> None:
    session_id = (await memory.sessions.start(me)).session_id
    sessions = UnreadableSessions(
        vault=memory.sessions.vault, writer=memory.sessions.writer
    )
    with pytest.raises(DatabaseUnavailableError):
        await agent(replace(memory, sessions=sessions)).run(
            me, ASKED, session_id=session_id, interrupt=False
        )
    done = await agent(memory).run(me, ASKED, session_id=session_id, interrupt=False)
    assert done.response


@dataclass(frozen=True, slots=True, kw_only=True)
class OvertakenSessions(Sessions):
    """Sessions in which something happens after their messages were read."""

    meanwhile: list[Callable[[], Awaitable[object]]]

    async def recent(
        self, scope: Scope, session_id: UUID, limit: int = WORKING_MEMORY
    ) -> tuple[Message, ...]:
        read = await Sessions.recent(self, scope, session_id, limit)
        if self.meanwhile:
            await self.meanwhile.pop(0)()
        return read


def overtake(memory: Gieok, *meanwhile: Callable[[], Awaitable[object]]) -> Gieok:
    """Let all this happen, one after the other, while messages are read."""
    sessions = OvertakenSessions(
        vault=memory.sessions.vault,
        writer=memory.sessions.writer,
        meanwhile=list(meanwhile),
    )
    return replace(memory, sessions=sessions)


@pytest.mark.req("B08")
async def test_a_run_knows_the_turn_of_another_that_ended_just_before_it_began(
    memory: Gieok, me: Scope
) -> None:
    session_id = (await memory.sessions.start(me)).session_id

    async def run_another() -> None:
        await agent(memory).run(me, "첫째", session_id=session_id, interrupt=False)

    model = talker()
    overtaken = overtake(memory, run_another)
    await agent(overtaken, model).run(
        me, "둘째", session_id=session_id, interrupt=False
    )
    assert [m.text for m in model.shown[0]] == ["첫째", "답: 첫째", "둘째"]


@pytest.mark.req("B08")
async def test_a_run_that_cannot_read_that_turn_keeps_no_session_waiting(
    memory: Gieok, me: Scope
) -> None:
    session_id = (await memory.sessions.start(me)).session_id

    async def run_another() -> None:
        await agent(memory).run(me, "첫째", session_id=session_id, interrupt=False)

    async def go_away() -> None:
        raise DatabaseUnavailableError("it went away")

    with pytest.raises(DatabaseUnavailableError):
        await agent(overtake(memory, run_another, go_away)).run(
            me, "둘째", session_id=session_id, interrupt=False
        )
    done = await agent(memory).run(me, ASKED, session_id=session_id, interrupt=False)
    assert done.response


@pytest.mark.req("B08")
async def test_a_model_that_never_talks_leaves_no_erasure(
    memory: Gieok, me: Scope
) -> None:
    """Nothing was there to be erased, and nothing that was there is let go."""

    class Mute(ScriptedModel):
        can_reply = False

    def refuses(*_: object) -> Exception:
        return NoChatModelError()

    mute = Agent(memory)
    cast("GieokChatModel", mute.model).model = Mute(replies=refuses)
    session_id = (await memory.sessions.start(me)).session_id
    archive = await memory.portability.prepare(me)
    for known in (None, session_id):
        with pytest.raises(NoChatModelError):
            await mute.run(me, ASKED, session_id=known, interrupt=False)
    assert await memory.erasure.receipts(me) == ()
    assert await memory.portability.is_waiting(me, archive.token)
    ((session,), _) = await memory.sessions.page(me)
    assert (session.session_id, session.active_workflow_id) == (session_id, None)


@pytest.mark.parametrize(
    ("message", "language", "field"),
    [
        ("", "ko", "message"),
        ("가" * 11_000, "ko", "message"),
        ("a\x00", "ko", "message"),
        ("안녕", "fr", "language"),
    ],
)
async def test_what_cannot_be_used_is_named_and_nothing_begins(
    memory: Gieok, me: Scope, message: str, language: str, field: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await agent(memory).run(me, message, language=language, interrupt=False)
    assert refused.value.field == field
    assert await memory.sessions.page(me) == ((), 0)


@pytest.mark.req("B07", "B08")
async def test_another_persons_session_is_missing(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    helper = agent(memory)
    theirs = (await helper.run(other, ASKED, interrupt=True)).session.session_id
    for session_id in (theirs, generate_id()):
        with pytest.raises(NotFoundError):
            await helper.run(me, ASKED, session_id=session_id, interrupt=False)
        with pytest.raises(NotFoundError):
            await helper.resume(me, session_id)
        with pytest.raises(NotFoundError):
            await helper.state(me, session_id)
    assert (await helper.state(other, theirs)).session.status is Status.PAUSED


@tool
def huge() -> str:
    """Return a lot."""
    return "가" * 1_700_000


async def test_a_state_of_five_megabytes_is_kept(memory: Gieok, me: Scope) -> None:
    def answers(layer: str, said: Sequence[BaseMessage]) -> AIMessage | str:
        answer = using("huge", {})(layer, said)
        return "많다" if layer == "response" else answer

    helper = agent(memory, talker(answers), tools=[huge])
    done = await helper.run(me, ASKED, interrupt=False)
    assert done.response == "많다"
    assert (await helper.state(me, done.session.session_id)).response == "많다"


@pytest.mark.req("B01", "B04")
async def test_a_corrupted_state_is_said_to_be_and_nothing_else_is_lost(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    helper = agent(memory)
    waiting = await helper.run(me, ASKED, interrupt=True)
    await owner.execute(
        "UPDATE checkpoint_blobs SET blob = '\\x00' WHERE user_id = %s", [me.user_id]
    )
    session_id = waiting.session.session_id
    for asked in (helper.state, helper.resume):
        with pytest.raises(TamperedError):
            await asked(me, session_id)
    session = (await memory.sessions.read(me, session_id)).session
    assert (session.status, session.ended_reason) == (
        Status.FAILED,
        "cognitive.tampered",
    )
    with pytest.raises(ConflictError, match="failed"):
        await helper.resume(me, session_id)
    assert (await helper.run(me, ASKED, interrupt=False)).response


@pytest.mark.req("B04")
async def test_a_run_that_died_is_resumed_once_it_is_surely_dead(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    class Dying(GieokSaver):
        async def aput(
            self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any
        ) -> Any:
            kept = await super().aput(config, checkpoint, metadata, new_versions)
            if checkpoint["channel_values"].get("understanding"):
                raise asyncio.CancelledError  # as when the process ends
            return kept

    died = talker()
    with pytest.raises(asyncio.CancelledError):
        await agent(memory, died, saver=Dying).run(me, ASKED, interrupt=False)
    ((session,), _) = await memory.sessions.page(me)
    assert session.status is Status.ACTIVE
    model = talker()
    helper = agent(memory, model)
    with pytest.raises(ConflictError, match="under way"):
        await helper.resume(me, session.session_id)
    clock.advance(timedelta(minutes=6))
    with pytest.raises(ConflictError, match="unfinished run"):
        await helper.run(me, "또", session_id=session.session_id, interrupt=False)
    ended = await asyncio.gather(
        *(helper.resume(me, session.session_id) for _ in range(3)),
        return_exceptions=True,
    )
    (done,) = [each for each in ended if isinstance(each, RunState)]
    assert done.response == f"답: {ASKED}"
    assert [layer for layer, _ in died.prompts] == ["cognitive"]
    assert [layer for layer, _ in model.prompts] == ["planning", "response"]


@pytest.mark.req("B06")
async def test_a_turn_is_recorded_once_though_its_step_is_done_twice(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    class Forgetting(GieokSaver):
        """Dies after the turn was recorded and before that was noted."""

        async def aput_writes(
            self, config: Any, writes: Any, task_id: str, task_path: str = ""
        ) -> None:
            if "extracted_memories" not in dict(writes):
                await super().aput_writes(config, writes, task_id, task_path)

        async def aput(
            self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any
        ) -> Any:
            if "extracted_memories" in checkpoint["channel_values"]:
                raise asyncio.CancelledError
            return await super().aput(config, checkpoint, metadata, new_versions)

    with pytest.raises(asyncio.CancelledError):
        await agent(memory, saver=Forgetting).run(me, ASKED, interrupt=False)
    ((session,), _) = await memory.sessions.page(me)
    assert session.total_turns == 1
    clock.advance(timedelta(minutes=6))
    done = await agent(memory).resume(me, session.session_id)
    assert (done.session.total_turns, done.response) == (1, f"답: {ASKED}")


@pytest.mark.req("B11")
async def test_erasing_the_session_erases_the_run(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    helper = agent(memory)
    done = await helper.run(me, ASKED, interrupt=False)
    await memory.erasure.session(me, done.session.session_id)
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        left = await owner.execute(
            f"SELECT count(*) FROM {table} WHERE user_id = %s".encode(), [me.user_id]
        )
        assert await left.fetchone() == (0,)
    with pytest.raises(NotFoundError):
        await helper.state(me, done.session.session_id)
