"""A client that tells its whole conversation again brings back nothing that is gone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from gieok import Gieok, Scope
from gieok.chat import Chat, ClientMessage
from gieok.kernel.language import Role
from gieok.testing import FixedClock, ScriptedModel

HANA, NAME = "persona_하나", "session_456"
MONTH = timedelta(days=30)


@pytest.fixture
def chat(memory: Gieok) -> Chat:
    return replace(memory.chat, model=ScriptedModel())


def dated(text: str, at: datetime) -> ClientMessage:
    return ClientMessage(Role.USER, text, f"{text}-{at:%d%H%M%S}", at)


def undated(told: Sequence[ClientMessage]) -> list[ClientMessage]:
    return [ClientMessage(said.role, said.content) for said in told]


async def tell(chat: Chat, me: Scope, told: Sequence[ClientMessage]) -> UUID | None:
    """Tell what a client knows; return the session of what came of it."""
    kept = await chat.keep(me, persona=HANA, session=NAME, told=told)
    return kept and kept.episode.session_id


async def said(memory: Gieok, me: Scope) -> list[str]:
    """Return all that is recorded of a person, oldest first."""
    sessions, _ = await memory.sessions.page(me, limit=100)
    return [
        message.content
        for session in reversed(sessions)
        for message in (await memory.sessions.read(me, session.session_id)).messages
    ]


@pytest.mark.req("B11", "E05")
@pytest.mark.parametrize("has_times", [True, False])
async def test_an_erased_conversation_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock, *, has_times: bool
) -> None:
    told = [dated("내일 면접이야", clock()), dated("너무 떨려", clock())]
    told = told if has_times else undated(told)
    session = await tell(chat, me, told)
    assert session is not None
    clock.advance(timedelta(minutes=1))
    await memory.erasure.session(me, session)
    assert await tell(chat, me, told) is None
    assert await said(memory, me) == []
    clock.advance(timedelta(minutes=1))
    assert await tell(chat, me, [*told, dated("합격했어", clock())]) is not None
    assert await said(memory, me) == ["합격했어"]


@pytest.mark.req("B11", "E05")
async def test_an_erased_talk_that_the_client_knows_by_the_sessions_id_stays_gone(
    memory: Gieok, me: Scope, chat: Chat
) -> None:
    answer = await chat.send(me, persona=HANA, message="내일 면접이야")
    await memory.erasure.session(me, answer.session_id)
    told, name = [ClientMessage(Role.USER, "내일 면접이야")], str(answer.session_id)
    assert await chat.keep(me, persona=HANA, session=name, told=told) is None
    assert await said(memory, me) == []


@pytest.mark.req("B11", "E05")
async def test_what_was_said_with_an_erased_persona_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = [dated("내일 면접이야", clock())]
    await tell(chat, me, told)
    clock.advance(timedelta(minutes=1))
    await memory.erasure.persona(me, memory.accounts.persona_id(me, HANA))
    unheard = ClientMessage(Role.USER, "떨려")
    assert await tell(chat, me, [*told, *undated(told), unheard]) is None
    assert await said(memory, me) == []


@pytest.mark.req("E19", "E05")
async def test_whoever_comes_back_is_not_told_what_was_said_before_they_went(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = [dated("내일 면접이야", clock())]
    await tell(chat, me, told)
    clock.advance(timedelta(minutes=1))
    await memory.erasure.person(me)
    assert await tell(chat, me, told) is None
    assert await said(memory, me) == []


@pytest.mark.req("A20", "E05")
@pytest.mark.parametrize("has_times", [True, False])
async def test_what_is_no_longer_kept_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock, *, has_times: bool
) -> None:
    first = await chat.send(me, persona=HANA, message="안녕", session=NAME)
    talk = [
        ClientMessage(Role.USER, "안녕", "1", clock()),
        ClientMessage(Role.ASSISTANT, first.text, "2", clock()),
        dated("내일 면접이야", clock()),
    ]
    told = talk if has_times else undated(talk)
    await tell(chat, me, told)
    clock.advance(MONTH)
    await memory.retention.expire(me)
    assert await tell(chat, me, told) is None
    assert await said(memory, me) == []
    news = [dated("합격했어", clock())]
    news = news if has_times else undated(news)
    assert await tell(chat, me, [*told, *news]) is not None
    assert await said(memory, me) == ["합격했어"]


@pytest.mark.req("E05")
@pytest.mark.parametrize("has_times", [True, False])
async def test_a_conversation_that_is_saved_often_is_recorded_once(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock, *, has_times: bool
) -> None:
    told: list[ClientMessage] = []
    for turn in range(23):
        clock.advance(timedelta(minutes=5))
        told.append(dated(f"{turn}번째 면접", clock()))
        assert await tell(chat, me, told if has_times else undated(told)) is not None
        await chat.close(me, persona=HANA, session=NAME)
    assert await said(memory, me) == [each.content for each in told]
