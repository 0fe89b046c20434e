"""How many episodes stay, what a person does with them, and what nobody may do."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn
from gieok.episodes import ArchivedReason, Episode, SavedEpisode
from gieok.kernel.errors import (
    ConflictError,
    InvalidInputError,
    LimitReachedError,
    NotFoundError,
    NotPermittedError,
)
from gieok.kernel.ids import generate_id
from gieok.kernel.language import Gist
from gieok.testing import FixedClock
from support.episodes import PLAIN_EPISODE, save_episode


async def five(memory: Gieok, me: Scope, clock: FixedClock) -> list[Episode]:
    """Fill the free plan with importances 2, 4, 6, 8 and 10."""
    made: list[Episode] = []
    for importance in (2, 4, 6, 8, 10):
        kept = await save_episode(memory, me, f"기억 {importance}", importance)
        clock.advance(timedelta(minutes=1))
        assert (kept.archived, kept.notice) == ((), None)
        made.append(kept.episode)
    return made


async def active(memory: Gieok, me: Scope, persona: str = "Mina") -> list[str]:
    persona_id = memory.accounts.persona_id(me, persona)
    loaded = await memory.episodes.load(me, persona_id, 200)
    return [episode.summary for episode in loaded]


@pytest.mark.req("E07", "E16", "E24")
async def test_at_the_limit_the_lowest_is_archived_and_the_person_told(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    lowest, *_ = await five(memory, me, clock)
    kept = await save_episode(memory, me, "여섯 번째", 7)
    (archived,) = kept.archived
    assert archived.episode_id == lowest.episode_id
    assert archived.archived_reason is ArchivedReason.PLAN
    assert archived.archived_at == clock()
    assert kept.notice is not None
    assert kept.notice.startswith("메모리가 가득 찼습니다. 중요도가 낮은 이전 대화는")
    assert await active(memory, me) == [
        "기억 10",
        "기억 8",
        "여섯 번째",
        "기억 6",
        "기억 4",
    ]
    page = await memory.episodes.page(me, include_archived=True)
    assert page.total == 6, "archived, not lost"
    assert await memory.episodes.get(me, lowest.episode_id) == archived


@pytest.mark.req("E24")
@pytest.mark.parametrize("plan", ["free", "premium"])
async def test_a_greeting_takes_up_the_last_conversation_however_little_it_matters(
    memory: Gieok, me: Scope, clock: FixedClock, plan: str
) -> None:
    await memory.episodes.set_plan(me, plan)
    for topic in ("수술", "이사", "면접", "시험", "결혼"):
        await save_episode(memory, me, f"{topic} 이야기", 9, topics=(topic,))
        clock.advance(timedelta(days=30))
    last = (await save_episode(memory, me, "산책", 4, topics=("산책",))).episode
    persona_id = memory.accounts.persona_id(me, "Mina")
    line = await memory.context.greeting(me, persona_id)
    assert line is not None
    assert line.memory_id == last.episode_id
    if last.is_active:
        await memory.episodes.archive(me, last.episode_id)
        line = await memory.context.greeting(me, persona_id)
        assert line is not None
        assert line.memory_id != last.episode_id, "the person put it away"


@pytest.mark.req("E07", "E16")
async def test_a_new_one_of_the_least_worth_is_itself_archived(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await five(memory, me, clock)
    await memory.accounts.update(me, language="en")
    kept = await save_episode(memory, me, "하찮은 것", 1)
    assert kept.archived == (kept.episode,)
    assert not kept.episode.is_active
    assert kept.notice is not None
    assert kept.notice.startswith("Memory is full.")
    assert len(await active(memory, me)) == 5


@pytest.mark.req("E07", "E20")
async def test_every_persona_has_room_of_its_own(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock
) -> None:
    await five(memory, me, clock)
    kept = await save_episode(memory, me, "준과의 대화", 1, persona="Jun")
    assert kept.archived == ()
    assert await active(memory, me, "Jun") == ["준과의 대화"]
    assert len(await active(memory, me)) == 5
    await memory.accounts.persona(other, "Mina")
    assert await active(memory, other) == []


@pytest.mark.req("E07")
async def test_the_paid_plan_has_no_limit_and_going_back_archives(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    assert await memory.episodes.set_plan(me, "premium") == ()
    assert (await memory.accounts.get(me)).plan == "premium"
    for n in range(8):
        assert (await save_episode(memory, me, f"기억 {n}", n + 1)).archived == ()
        await save_episode(memory, me, f"준 {n}", n + 1, persona="Jun")
        clock.advance(timedelta(minutes=1))
    gone = await memory.episodes.set_plan(me, "free")
    assert {episode.summary for episode in gone} == {
        f"{who} {n}" for who in ("기억", "준") for n in range(3)
    }
    assert len(await active(memory, me)) == len(await active(memory, me, "Jun")) == 5
    assert (await memory.episodes.page(me, include_archived=True)).total == 16
    assert await memory.episodes.set_plan(me, "premium") == ()
    assert await memory.episodes.archive_excess(me) == ()


@pytest.mark.parametrize("plan", ["", "gold", "Free", None, 7, ["free"]])
async def test_another_plan_is_refused(memory: Gieok, me: Scope, plan: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.episodes.set_plan(me, plan)
    assert caught.value.field == "plan"
    assert (await memory.accounts.get(me)).plan == "free"


@pytest.mark.req("E07")
async def test_of_one_matter_only_the_newest_stays_and_the_person_is_told(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.episodes.set_plan(me, "premium")
    old = await save_episode(memory, me, "회사 면접을 앞둠", 9, topics=("면접",))
    clock.advance(timedelta(days=1))
    new = await save_episode(memory, me, "면접을 앞둠 회사", 3, topics=("면접",))
    (archived,) = new.archived
    assert archived.episode_id == old.episode.episode_id
    assert archived.archived_reason is ArchivedReason.TOPIC
    assert new.notice is not None
    assert new.notice.startswith("같은 일에 대한 이전 대화는")
    back = await memory.episodes.restore(me, archived.episode_id)
    assert (back.episode.is_active, back.archived) == (True, ())
    clock.advance(timedelta(days=1))
    third = await save_episode(memory, me, "앞둠 회사 면접을", 3, topics=("면접",))
    assert [gone.summary for gone in third.archived] == ["면접을 앞둠 회사"]
    assert "회사 면접을 앞둠" in await active(memory, me), "a person put it back"


@pytest.mark.req("E07")
async def test_a_topic_in_common_archives_nothing(memory: Gieok, me: Scope) -> None:
    await save_episode(memory, me, "다음주에 수술을 받음", topics=("다음주", "수술"))
    other = await save_episode(
        memory, me, "다음주에 영화를 봄", topics=("다음주", "영화")
    )
    assert (other.archived, other.notice) == ((), None)


@pytest.mark.req("E07")
async def test_many_saved_at_once_never_exceed_the_limit(
    memory: Gieok, me: Scope
) -> None:
    await memory.accounts.persona(me, "Mina")
    await asyncio.gather(
        *(save_episode(memory, me, f"기억 {n}", n + 1) for n in range(9))
    )
    assert await active(memory, me) == [f"기억 {n}" for n in (8, 7, 6, 5, 4)]
    assert (await memory.episodes.page(me, include_archived=True)).total == 9


@pytest.mark.req("E14")
async def test_archiving_twice_keeps_the_first_time(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    kept = await save_episode(memory, me, "면접")
    first = await memory.episodes.archive(me, kept.episode.episode_id)
    assert first.archived_at == clock()
    assert first.archived_reason is ArchivedReason.REQUEST
    clock.advance(timedelta(days=1))
    assert await memory.episodes.archive(me, kept.episode.episode_id) == first
    assert await active(memory, me) == []


async def test_what_a_person_archived_stays_so_when_more_is_said(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("면접이 있어", "와"))
    kept = await memory.episodes.remember(me, session.session_id)
    assert kept is not None
    await memory.episodes.archive(me, kept.episode.episode_id)
    await memory.sessions.record(me, session.session_id, Turn("끝났어", "와"))
    again = await memory.episodes.remember(me, session.session_id)
    assert again is not None
    assert again.episode.end_position == 4
    assert not again.episode.is_active


async def test_a_restored_episode_takes_the_place_of_a_lesser_one(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    lowest, *_, best = await five(memory, me, clock)
    await memory.episodes.archive(me, best.episode_id)
    await save_episode(memory, me, "여섯 번째", 3)
    full = await save_episode(memory, me, "일곱 번째", 1)
    with pytest.raises(LimitReachedError) as caught:
        await memory.episodes.restore(me, full.episode.episode_id)
    assert caught.value.code == "memory_limit_reached"
    assert "5" in caught.value.message("ko")
    back = await memory.episodes.restore(me, best.episode_id)
    assert [e.episode_id for e in back.archived] == [lowest.episode_id]
    assert back.notice is not None
    assert back.episode.is_active
    assert await memory.episodes.restore(me, best.episode_id) == SavedEpisode(
        back.episode
    )


@pytest.mark.req("E12", "E22", "E23")
async def test_a_person_edits_what_is_kept(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    kept = await save_episode(memory, me, "면접", topics=("면접",))
    at = kept.episode.episode_id
    clock.advance(timedelta(hours=1))
    edited = await memory.episodes.edit(
        me,
        at,
        summary=" 합격! ",
        importance=9,
        topics=["합격"],
        tags=["일", "일", "꿈"],
    )
    assert (edited.summary, edited.importance) == ("합격!", 9)
    assert (edited.topics, edited.tags) == (("합격",), ("일", "꿈"))
    assert (edited.revision, edited.updated_at) == (2, clock())
    assert edited.created_at == kept.episode.created_at
    assert await memory.episodes.edit(me, at) == edited
    assert await memory.episodes.edit(me, at, importance=9) == edited
    assert await memory.episodes.get(me, at) == edited
    bare = await memory.episodes.edit(me, at, tags=[], topics=[])
    assert (bare.tags, bare.topics, bare.revision) == ((), (), 3)


async def test_an_empty_summary_is_not_kept(memory: Gieok, me: Scope) -> None:
    with pytest.raises(InvalidInputError, match="summary"):
        await save_episode(memory, me, "")
    assert (await memory.episodes.page(me)).total == 0


@pytest.mark.req("E10", "E22")
async def test_a_manual_summary_takes_the_place_of_the_models_not_of_another(
    memory: Gieok, me: Scope
) -> None:
    mina = await memory.accounts.persona(me, "Mina")
    session = await memory.sessions.start(me, persona_id=mina)
    at = session.session_id
    pair = await memory.sessions.record(me, at, Turn("면접이 있어", "와"))
    auto = await memory.episodes.remember(me, at)
    assert auto is not None
    plain = {**PLAIN_EPISODE, "session_id": at}
    first = await memory.episodes.create(
        me,
        persona_id=mina,
        gist=Gist("내가 쓴 첫 글"),
        source_message_ids=[pair.user_message_id] * 2,
        **plain,
    )
    assert first.episode.episode_id == auto.episode.episode_id
    assert (first.episode.is_edited, first.episode.revision) == (True, 2)
    assert first.episode.source_message_ids == (pair.user_message_id,)
    second = await memory.episodes.create(
        me, persona_id=mina, gist=Gist("내가 쓴 둘째 글"), **plain
    )
    assert second.episode.episode_id != first.episode.episode_id
    await memory.sessions.record(me, at, Turn("합격했어", "와"))
    assert await memory.episodes.remember(me, at) == SavedEpisode(second.episode)
    assert (await memory.episodes.page(me)).total == 2


@pytest.mark.req("E20")
async def test_an_episode_needs_what_the_person_has(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    mina = await memory.accounts.persona(me, "Mina")
    theirs = await memory.accounts.persona(other, "Mina")
    session = await memory.sessions.start(me, persona_id=mina)
    foreign = await memory.sessions.start(other)
    create, gist = memory.episodes.create, Gist("면접")
    for persona_id, session_id in (
        (theirs, None),
        (generate_id(), None),
        (mina, foreign.session_id),
        (mina, generate_id()),
    ):
        with pytest.raises(NotFoundError):
            await create(
                me,
                persona_id=persona_id,
                gist=gist,
                **{**PLAIN_EPISODE, "session_id": session_id},
            )
    with pytest.raises(NotFoundError, match="message"):
        await create(
            me,
            persona_id=mina,
            gist=gist,
            source_message_ids=[generate_id()],
            **PLAIN_EPISODE,
        )
    jun = await memory.accounts.persona(me, "Jun")
    with pytest.raises(ConflictError, match="another persona"):
        await create(
            me,
            persona_id=jun,
            gist=gist,
            **{**PLAIN_EPISODE, "session_id": session.session_id},
        )
    await memory.settings.update(me, {"is_enabled": False})
    with pytest.raises(NotPermittedError):
        await create(me, persona_id=mina, gist=gist, **PLAIN_EPISODE)
    assert (await memory.episodes.page(me, include_archived=True)).total == 0


@pytest.mark.req("E13", "E20")
async def test_anothers_episode_is_like_a_missing_one(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    kept = await save_episode(memory, me, "면접")
    episodes = memory.episodes
    for scope, at in ((other, kept.episode.episode_id), (me, generate_id())):
        for attempt in (
            episodes.get(scope, at),
            episodes.edit(scope, at, importance=1),
            episodes.archive(scope, at),
            episodes.restore(scope, at),
            episodes.delete(scope, at),
        ):
            with pytest.raises(NotFoundError):
                await attempt
    assert await episodes.get(me, kept.episode.episode_id) == kept.episode
    await episodes.delete(me, kept.episode.episode_id)
    with pytest.raises(NotFoundError):
        await episodes.delete(me, kept.episode.episode_id)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"importance": 0}, "importance"),
        ({"importance": 11}, "importance"),
        ({"importance": "x"}, "importance"),
        ({"importance": True}, "importance"),
        ({"importance": 5.5}, "importance"),
        ({"summary": ""}, "summary"),
        ({"summary": " \n"}, "summary"),
        ({"summary": "가" * 2_001}, "summary"),
        ({"summary": "가" * 10_000}, "summary"),
        ({"summary": "a\x00"}, "summary"),
        ({"summary": "\ud800"}, "summary"),
        ({"summary": 7}, "summary"),
        ({"topics": "영화"}, "topics"),
        ({"topics": [""]}, "topics"),
        ({"topics": ["x" * 129]}, "topics"),
        ({"tags": [7]}, "tags"),
        ({"tags": [f"{n}" for n in range(21)]}, "tags"),
        ({"tags": {"a": 1}}, "tags"),
        ({"summary": "합격", "importance": 11}, "importance"),
    ],
)
async def test_an_unusable_change_is_named_and_nothing_changes(
    memory: Gieok, me: Scope, changes: dict[str, Any], field: str
) -> None:
    kept = await save_episode(memory, me, "면접")
    at = kept.episode.episode_id
    with pytest.raises(InvalidInputError) as caught:
        await memory.episodes.edit(me, at, **changes)
    assert caught.value.field == field
    assert await memory.episodes.get(me, at) == kept.episode
    assert (await memory.episodes.edit(me, at, summary="가" * 2_000)).revision == 2


@pytest.mark.req("E11")
async def test_pages_go_through_all_newest_first(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await five(memory, me, clock)
    await save_episode(memory, me, "준", 1, persona="Jun")
    gone = await save_episode(memory, me, "미나", 7)
    await memory.episodes.archive(me, gone.episode.episode_id)
    page = memory.episodes.page
    first = await page(me, limit=2)
    assert [e.summary for e in first.episodes] == ["준", "기억 10"]
    assert (first.total, first.has_more) == (5, True)
    last = await page(me, limit=2, offset=4)
    assert ([e.summary for e in last.episodes], last.has_more) == (["기억 4"], False)
    mina = memory.accounts.persona_id(me, "Mina")
    assert (await page(me, persona_id=mina)).total == 4
    assert (await page(me, persona_id=mina, include_archived=True)).total == 6
    assert await page(me, persona_id=generate_id()) == replace(
        first, episodes=(), total=0, has_more=False
    )
    assert (await page(me, offset=10**9)).episodes == ()
    assert await memory.episodes.load(me, generate_id()) == ()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "5"}, "limit"),
        ({"offset": -1}, "offset"),
        ({"offset": 2**31}, "offset"),
        ({"offset": 1.5}, "offset"),
    ],
)
async def test_a_page_that_cannot_be_is_refused(
    memory: Gieok, me: Scope, values: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.episodes.page(me, **values)
    assert caught.value.field == field


@pytest.mark.req("E20", "E21", "E23")
async def test_search_stays_within_person_and_persona(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    mine = (await save_episode(memory, me, "IT 스타트업 면접을 앞두고 긴장함")).episode
    await memory.episodes.edit(me, mine.episode_id, tags=["커리어"])
    await memory.episodes.archive(me, mine.episode_id)
    jun = (await save_episode(memory, me, "대학원 면접 준비", persona="Jun")).episode
    await save_episode(memory, other, "남의 면접")
    search, mina = memory.episodes.search, mine.persona_id

    async def found(query: str, **narrowed: Any) -> list[UUID]:
        return [e.episode_id for e in await search(me, query, **narrowed)]

    assert set(await found("면접")) == {mine.episode_id, jun.episode_id}
    assert await found("면접", include_archived=False) == [jun.episode_id]
    assert await found("면접", persona_id=mina) == [mine.episode_id]
    assert await found("", tags=["커리어"]) == [mine.episode_id]
    assert len(await found("면접", limit=1)) == 1
    assert await found("바다") == await found("면접", persona_id=generate_id()) == []
    for query, tags in (("", []), ("  ", []), ("\x00", [])):
        with pytest.raises(InvalidInputError) as caught:
            await search(me, query, tags=tags)
        assert caught.value.field == "query"
