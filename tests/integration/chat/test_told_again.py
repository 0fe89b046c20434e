"""A client that tells its whole conversation again brings back nothing that is gone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from gieok import Gieok, Scope
from gieok.chat import Chat, ClientMessage
from gieok.kernel.errors import InvalidInputError
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


async def erase_told(
    memory: Gieok, me: Scope, chat: Chat, told: Sequence[ClientMessage]
) -> None:
    session = await tell(chat, me, told)
    assert session is not None
    await memory.erasure.session(me, session)


@pytest.mark.req("B11", "E05")
async def test_an_erased_conversation_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = [dated("내일 면접이야", clock()), dated("너무 떨려", clock())]
    await erase_told(memory, me, chat, told)
    assert await tell(chat, me, told) is None
    assert await said(memory, me) == []
    clock.advance(timedelta(minutes=1))
    assert await tell(chat, me, [*told, dated("합격했어", clock())]) is not None
    assert await said(memory, me) == ["합격했어"]


@pytest.mark.req("B11", "E05")
async def test_without_times_an_erased_conversation_is_refused_until_others_tell(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = undated([dated("내일 면접이야", clock()), dated("너무 떨려", clock())])
    await erase_told(memory, me, chat, told)
    empty = ClientMessage(Role.USER, " ")
    with pytest.raises(InvalidInputError, match=r"messages\.1\.timestamp"):
        await tell(chat, me, [empty, *told])
    assert await said(memory, me) == []
    clock.advance(timedelta(minutes=1))
    passed = dated("합격했어", clock())
    await tell(chat, me, [passed])
    news = [ClientMessage(Role.USER, "신난다"), ClientMessage(Role.USER, "축하해 줘")]
    await tell(chat, me, [*told, *undated([passed]), *news])
    assert await said(memory, me) == ["합격했어", "신난다", "축하해 줘"]


@pytest.mark.req("B11", "E05")
async def test_a_talk_erased_between_two_others_is_not_told_back_without_times(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told, sessions = say("안녕", "내일 면접이야", "잘 잤어?"), list[UUID]()
    for each in told:
        clock.advance(timedelta(minutes=5))
        sessions.append(await tell(chat, me, [each]) or me.user_id)
        await chat.close(me, persona=HANA, session=NAME)
    await memory.erasure.session(me, sessions[1])
    await tell(chat, me, [*told, *say("배고파")])
    assert await said(memory, me) == ["안녕", "잘 잤어?", "배고파"]


@pytest.mark.req("E19", "E05")
async def test_whoever_comes_back_uses_a_name_of_which_they_had_erased_a_session(
    memory: Gieok, me: Scope, chat: Chat
) -> None:
    await erase_told(memory, me, chat, [ClientMessage(Role.USER, "내일 면접이야")])
    await memory.erasure.person(me)
    await tell(chat, me, [ClientMessage(Role.USER, "다시 왔어")])
    assert await said(memory, me) == ["다시 왔어"]


@pytest.mark.req("D14", "E05")
async def test_what_went_with_the_consent_to_storage_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = [dated("내일 면접이야", clock())]
    await tell(chat, me, told)
    clock.advance(timedelta(minutes=1))
    await memory.settings.consent(me, {"storage": False})
    await memory.settings.consent(me, {"storage": True})
    assert await tell(chat, me, told) is None
    clock.advance(timedelta(minutes=1))
    await tell(chat, me, [*told, dated("합격했어", clock())])
    assert await said(memory, me) == ["합격했어"]


@pytest.mark.req("B11", "E05")
async def test_an_erased_talk_that_the_client_knows_by_the_sessions_id_stays_gone(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    answer = await chat.send(me, persona=HANA, message="내일 면접이야")
    await memory.erasure.session(me, answer.session_id)
    told, name = [dated("내일 면접이야", clock())], str(answer.session_id)
    assert await chat.keep(me, persona=HANA, session=name, told=told) is None
    with pytest.raises(InvalidInputError):
        await chat.keep(me, persona=HANA, session=name, told=undated(told))
    assert await said(memory, me) == []


@pytest.mark.req("B11", "E05")
async def test_what_was_said_with_an_erased_persona_is_not_told_back(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    told = [dated("내일 면접이야", clock())]
    await tell(chat, me, told)
    clock.advance(timedelta(minutes=1))
    await memory.erasure.persona(me, memory.accounts.persona_id(me, HANA))
    assert await tell(chat, me, told) is None
    with pytest.raises(InvalidInputError, match=r"messages\.1\.timestamp"):
        await tell(chat, me, [*told, *undated(told)])
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


def say(*texts: str) -> list[ClientMessage]:
    return [ClientMessage(Role.USER, text) for text in texts]


@pytest.mark.req("A20", "E05")
@pytest.mark.parametrize("overlap", [7, 0])
async def test_who_tells_the_newest_ten_loses_nothing_new_after_a_month(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock, overlap: int
) -> None:
    talk = say(*(f"{number}번째 면접" for number in range(30)))
    await tell(chat, me, talk[:10])
    clock.advance(MONTH - timedelta(days=5))
    await tell(chat, me, talk[7:17])
    clock.advance(timedelta(days=5))
    await memory.retention.expire(me)
    start = 17 - overlap
    await tell(chat, me, talk[start : start + 10])
    kept = [each.content for each in talk[10 : start + 10]]
    assert await said(memory, me) == kept
    clock.advance(MONTH)
    await memory.retention.expire(me)
    await tell(chat, me, talk[start + 10 :])
    assert await said(memory, me) == [each.content for each in talk[start + 10 :]]


@pytest.mark.req("A20", "E05")
async def test_who_tells_only_their_own_lines_loses_none_after_a_month(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    for text in ("안녕", "떨려"):
        await chat.send(me, persona=HANA, message=text, session=NAME)
    clock.advance(MONTH)
    await memory.retention.expire(me)
    await tell(chat, me, say("안녕", "떨려", "나 왔어", "합격했어"))
    assert await said(memory, me) == ["나 왔어", "합격했어"]


@pytest.mark.req("E05")
async def test_who_tells_only_what_is_new_loses_none_however_often_they_do(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    talk = say(*(f"{number}번째 면접" for number in range(24)))
    for each in talk:
        clock.advance(timedelta(minutes=5))
        await tell(chat, me, [each])
        await chat.close(me, persona=HANA, session=NAME)
    assert await said(memory, me) == [each.content for each in talk]


@pytest.mark.req("A20", "E05")
async def test_an_open_conversation_of_which_some_is_gone_takes_what_is_told_late(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    begun = clock()
    first, second, offline, last = [
        dated(text, begun + timedelta(minutes=minute))
        for text, minute in (("하나", 0), ("둘", 10), ("셋", 15), ("넷", 20))
    ]
    for told in (first, second, last):
        assert told.at is not None
        clock.advance(told.at - clock())
        await tell(chat, me, [told])
    shorter = replace(memory.retention, messages=timedelta(minutes=15))
    await shorter.expire(me)
    await tell(chat, me, [first, second, offline, last])
    assert await said(memory, me) == ["둘", "넷", "셋"]


@pytest.mark.req("E05")
async def test_what_was_said_offline_between_two_that_are_kept_is_recorded(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    first, offline, last = [
        dated(text, clock() + timedelta(minutes=minute))
        for text, minute in (("하나", 0), ("둘", 5), ("셋", 10))
    ]
    clock.advance(timedelta(minutes=10))
    await tell(chat, me, [first, last])
    await tell(chat, me, [first, offline, last])
    assert await said(memory, me) == ["하나", "셋", "둘"]


@pytest.mark.req("E05")
async def test_what_is_held_beyond_the_last_two_thousand_is_recorded_once(
    memory: Gieok, me: Scope, chat: Chat, clock: FixedClock
) -> None:
    begun = clock()
    talk = [dated(f"{n}", begun + timedelta(seconds=n)) for n in range(2_010)]
    clock.advance(timedelta(days=1))
    for start in range(0, len(talk), 500):
        await tell(chat, me, talk[start : start + 500])
    news = dated("합격했어", clock())
    await tell(chat, me, [*talk[:20], news])
    assert (await said(memory, me))[2_010:] == ["합격했어"]
