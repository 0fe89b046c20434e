"""Sessions become episodes: one each, refreshed, never against the person's word."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.database import PeriodEnded
from gieok.database.transaction import assert_no_open_transaction
from gieok.episodes import Episode, Episodes
from gieok.kernel.errors import (
    ModelUnavailableError,
    NotFoundError,
    NotPermittedError,
)
from gieok.kernel.ids import generate_id
from gieok.kernel.language import Conversation, Emotion, Gist
from gieok.testing import FixedClock, ScriptedModel
from gieok.worker.job_steps import ON
from support.database import Owner
from support.jobs import list_queued_tasks
from support.scripted_model import Script, fact

INTERVIEW = Gist(
    "사용자가 IT 스타트업 면접을 앞두고 있음. 매우 기대하고 있음.",
    ("면접", "커리어"),
    Emotion.EXCITEMENT,
    8,
)


@dataclass(slots=True)
class Told:
    """What a model says of the next conversations, the last one again and again."""

    gists: list[Gist | Exception] = field(default_factory=list[Gist | Exception])

    def __call__(self, conversation: Conversation) -> Gist | Exception:
        assert conversation.messages
        return self.gists.pop(0) if len(self.gists) > 1 else self.gists[0]


@pytest.fixture
def told() -> Told:
    return Told([INTERVIEW])


@pytest.fixture
def model(told: Told) -> ScriptedModel:
    return ScriptedModel(summarizes=told, guard=assert_no_open_transaction)


@pytest.fixture
def episodes(memory: Gieok, model: ScriptedModel) -> Episodes:
    return summing_up_with(memory, model)


def summing_up_with(memory: Gieok, model: ScriptedModel) -> Episodes:
    return replace(memory.episodes, summaries=replace(memory.summaries, model=model))


async def talked(
    memory: Gieok,
    me: Scope,
    said: Sequence[str] = ("내일 중요한 면접이 있어",),
    *,
    persona: str = "Mina",
) -> UUID:
    """Return a session in which something was said to a persona."""
    persona_id = await memory.accounts.persona(me, persona)
    session = await memory.sessions.start(me, persona_id=persona_id)
    for text in said:
        await memory.sessions.record(
            me, session.session_id, Turn(text, "와, 떨리겠다!")
        )
    return session.session_id


@pytest.mark.req("E03", "E04", "E06")
async def test_a_session_becomes_an_episode_of_its_persona(
    memory: Gieok, episodes: Episodes, me: Scope, clock: FixedClock
) -> None:
    session_id = await talked(memory, me)
    said_at = clock()
    clock.advance(timedelta(hours=1))
    kept = await episodes.remember(me, session_id)
    assert kept is not None
    assert (kept.archived, kept.notice) == ((), None)
    episode = kept.episode
    assert episode.summary == INTERVIEW.summary
    assert episode.topics == ("면접", "커리어")
    assert (episode.emotion, episode.importance) == (Emotion.EXCITEMENT, 8)
    assert episode.persona_id == memory.accounts.persona_id(me, "Mina")
    assert (episode.session_id, episode.revision) == (session_id, 1)
    assert (episode.first_position, episode.end_position) == (0, 2)
    assert (episode.said_at, episode.created_at) == (said_at, clock())
    assert (episode.summarizer, episode.is_fallback) == ("scripted/1", False)
    assert (episode.is_active, episode.is_edited) == (True, False)
    read = await memory.sessions.read(me, session_id)
    assert episode.source_message_ids == tuple(m.message_id for m in read.messages)
    assert await episodes.load(me, episode.persona_id) == (episode,)
    assert await episodes.get(me, episode.episode_id) == episode


@pytest.mark.req("E03")
async def test_what_is_said_later_refreshes_the_same_episode(
    memory: Gieok, episodes: Episodes, me: Scope, told: Told
) -> None:
    session_id = await talked(memory, me)
    first = await episodes.remember(me, session_id)
    again = await episodes.remember(me, session_id)
    assert first is not None
    assert again == replace(first, notice=None), "nothing new, nothing written"
    await episodes.edit(me, first.episode.episode_id, tags=["커리어"])
    await memory.sessions.record(me, session_id, Turn("잘 봤어!", "축하해"))
    told.gists = [replace(INTERVIEW, summary="면접을 잘 봤음.", importance=9)]
    later = await episodes.remember(me, session_id)
    assert later is not None
    assert later.episode.episode_id == first.episode.episode_id
    assert (later.episode.revision, later.episode.importance) == (3, 9)
    assert later.episode.summary == "면접을 잘 봤음."
    assert (later.episode.tags, later.episode.end_position) == (("커리어",), 4)
    assert (await episodes.page(me)).total == 1


@pytest.mark.req("E22")
async def test_what_a_person_wrote_is_never_written_over(
    memory: Gieok, episodes: Episodes, me: Scope, told: Told, model: ScriptedModel
) -> None:
    session_id = await talked(memory, me)
    first = await episodes.remember(me, session_id)
    assert first is not None
    at = first.episode.episode_id
    await episodes.edit(me, at, importance=2, topics=["꿈"])
    await memory.sessions.record(me, session_id, Turn("잘 봤어!", "축하해"))
    told.gists = [replace(INTERVIEW, summary="면접을 잘 봤음.", importance=9)]
    later = await episodes.remember(me, session_id)
    assert later is not None
    assert later.episode.summary == "면접을 잘 봤음."
    assert (later.episode.importance, later.episode.topics) == (2, ("꿈",))
    mine = await episodes.edit(me, at, summary="드디어 합격했다")
    assert (mine.is_edited, mine.edited) == (True, ("importance", "summary", "topics"))
    await memory.sessions.record(me, session_id, Turn("출근은 3월이야", "좋겠다"))
    asked = len(model.calls)
    last = await episodes.remember(me, session_id)
    assert last is not None
    assert last.episode == mine
    assert len(model.calls) == asked, "nobody sums up what would not be kept"


@pytest.mark.req("E03")
async def test_twenty_messages_make_a_session_due_once(
    memory: Gieok, episodes: Episodes, me: Scope, told: Told
) -> None:
    session_id = await talked(memory, me, ["안녕"] * 9)
    assert not await episodes.is_due(me, session_id)
    await memory.sessions.record(me, session_id, Turn("오늘은", "응"))
    assert await episodes.is_due(me, session_id)
    await episodes.remember(me, session_id)
    assert not await episodes.is_due(me, session_id)
    for n in range(10):
        await memory.sessions.append(me, session_id, role=Role.USER, content=f"{n}")
    assert not await episodes.is_due(me, session_id)
    for n in range(10):
        await memory.sessions.append(me, session_id, role=Role.USER, content=f"{n}")
    assert await episodes.is_due(me, session_id)
    told.gists = [Gist("")]
    await episodes.remember(me, session_id)
    assert not await episodes.is_due(me, session_id), "it was seen to"
    assert not await episodes.is_due(me, generate_id())


@pytest.mark.req("E04")
async def test_small_talk_leaves_no_episode(
    memory: Gieok, episodes: Episodes, me: Scope, told: Told
) -> None:
    told.gists = [Gist("")]
    greeting = await talked(memory, me, ["안녕!"])
    assert await episodes.remember(me, greeting) is None
    silent = await talked(memory, me, [])
    assert await episodes.remember(me, silent) is None
    assert (await episodes.page(me)).total == 0


@pytest.mark.req("E15")
async def test_without_a_model_the_original_is_kept_and_the_person_told(
    memory: Gieok, episodes: Episodes, me: Scope, told: Told
) -> None:
    told.gists = [ModelUnavailableError("gemini", "blocked")]
    session_id = await talked(memory, me, ["내일 면접이 있어. " * 100])
    kept = await episodes.remember(me, session_id)
    assert kept is not None
    assert kept.episode.is_fallback
    assert kept.episode.importance == 5
    assert kept.episode.summary.startswith("user: 내일 면접이 있어.")
    assert len(kept.episode.summary) <= 500
    assert kept.notice == "대화를 요약하지 못해 원문의 일부를 저장했습니다."
    told.gists = [INTERVIEW]
    better = await episodes.remember(me, session_id)
    assert better is not None
    assert better.episode.episode_id == kept.episode.episode_id
    assert not better.episode.is_fallback
    assert better.notice is None


@pytest.mark.req("E15")
async def test_a_fallback_nobody_waited_for_is_replaced_once_the_model_is_back(
    memory: Gieok,
    episodes: Episodes,
    me: Scope,
    told: Told,
    model: ScriptedModel,
    clock: FixedClock,
) -> None:
    told.gists = [ModelUnavailableError("gemini", "it did not answer in time")]
    sessions = [await talked(memory, me, [text]) for text in ("면접이 있어", "떨려")]
    mine = await talked(memory, me, ["합격했어"])
    for session_id in (*sessions, mine):
        assert await episodes.remember(me, session_id)
    own = (await episodes.page(me)).episodes[0]
    assert own.session_id == mine
    own = await episodes.edit(me, own.episode_id, summary="드디어 합격했다")
    summing = replace(memory, episodes=episodes, summaries=episodes.summaries)

    async def run_what_is_due() -> list[Episode]:
        clock.advance(timedelta(hours=1))
        await memory.agenda.enqueue_due()
        assert "period_ended" in await list_queued_tasks(memory, me)
        for step in ON[PeriodEnded]:
            await step(summing, me, me.user_id)
        told_of = (await episodes.page(me, include_archived=True)).episodes
        assert own in told_of
        return [each for each in told_of if each != own]

    asked = len(model.calls)
    assert all(each.is_fallback for each in await run_what_is_due())
    assert len(model.calls) == asked + 1, "who does not answer is not asked again"
    told.gists = [INTERVIEW]
    replaced = await run_what_is_due()
    assert {each.session_id for each in replaced} == {*sessions}
    assert {each.summary for each in replaced} == {INTERVIEW.summary}
    assert not any(each.is_fallback for each in replaced)


@pytest.mark.req("E03")
async def test_many_at_once_make_one_episode(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    session_id = await talked(memory, me)
    kept = await asyncio.gather(*(episodes.remember(me, session_id) for _ in range(10)))
    assert len({one.episode.episode_id for one in kept if one}) == 1
    assert (await episodes.page(me, include_archived=True)).total == 1


async def test_recording_and_remembering_at_once_loses_nothing(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    session_id = await talked(memory, me)

    async def talking() -> None:
        for n in range(10):
            await memory.sessions.record(me, session_id, Turn(f"{n}", "응"))

    await asyncio.gather(
        talking(), *(episodes.remember(me, session_id) for _ in range(5))
    )
    last = await episodes.remember(me, session_id)
    assert last is not None
    assert last.episode.end_position == 22
    assert (await episodes.page(me)).total == 1


@pytest.mark.req("E13")
async def test_a_deleted_episode_comes_back_only_when_asked_for(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    session_id = await talked(memory, me, ["면접"] * 12)
    first = await episodes.remember(me, session_id)
    assert first is not None
    await episodes.delete(me, first.episode.episode_id)
    assert await episodes.remember(me, session_id) is None
    assert not await episodes.is_due(me, session_id)
    assert (await episodes.page(me, include_archived=True)).total == 0
    asked = await episodes.remember(me, session_id, is_requested=True)
    assert asked is not None
    assert asked.episode.episode_id != first.episode.episode_id


@pytest.mark.req("D04")
async def test_nothing_is_kept_or_told_while_memory_is_off(
    memory: Gieok, episodes: Episodes, me: Scope, model: ScriptedModel
) -> None:
    before = await talked(memory, me)
    kept = await episodes.remember(me, before)
    assert kept is not None
    session_id = await talked(memory, me)
    await memory.settings.update(me, {"is_enabled": False})
    asked = len(model.calls)
    assert await episodes.remember(me, session_id) is None
    with pytest.raises(NotPermittedError):
        await episodes.remember(me, session_id, is_requested=True)
    assert len(model.calls) == asked
    assert await episodes.load(me, kept.episode.persona_id) == ()
    assert await episodes.search(me, "면접") == ()
    assert (await episodes.page(me)).total == 1, "the person may look at it"


async def test_a_session_nobody_has_is_nothing_to_remember(
    memory: Gieok, episodes: Episodes, me: Scope, other: Scope
) -> None:
    session_id = await talked(memory, me)
    for scope, at in ((other, session_id), (me, generate_id())):
        assert await episodes.remember(scope, at) is None
        with pytest.raises(NotFoundError):
            await episodes.remember(scope, at, is_requested=True)


async def test_an_episode_never_rests_on_what_was_forgotten(
    memory: Gieok, episodes: Episodes, me: Scope, owner: Owner, told: Told
) -> None:
    session_id = await talked(memory, me)
    kept = await episodes.remember(me, session_id)
    assert kept is not None
    await owner.execute(
        "UPDATE session_messages SET forgotten_at = now() WHERE session_id = %s",
        [session_id],
    )
    told.gists = [Gist("")]
    assert await episodes.remember(me, session_id) is None
    with pytest.raises(NotFoundError):
        await episodes.get(me, kept.episode.episode_id)


async def test_what_is_forgotten_leaves_the_episodes_that_told_of_it(
    memory: Gieok, episodes: Episodes, me: Scope, owner: Owner, told: Told
) -> None:
    part = await talked(memory, me, ["비밀이 있어", "면접이 있어"])
    whole, mine = await talked(memory, me, ["비밀"]), await talked(memory, me, ["비밀"])
    for session_id in (part, whole, mine):
        assert await episodes.remember(me, session_id)
    page = partial(episodes.page, me, include_archived=True)
    by_session = {e.session_id: e for e in (await page()).episodes}
    own = await episodes.edit(me, by_session[mine].episode_id, summary="내 말")
    await episodes.refresh(me)
    assert await episodes.get(me, by_session[part].episode_id) == by_session[part]
    for session_id, last in ((part, 1), (whole, 9), (mine, 9)):
        await owner.execute(
            "UPDATE session_messages SET forgotten_at = now()"
            " WHERE session_id = %s AND position <= %s",
            [session_id, last],
        )
    assert (await page()).episodes == (own,), "nobody is told of the others meanwhile"
    assert (await page()).total == 1
    told.gists = [replace(INTERVIEW, summary="면접만 남음")]
    await episodes.refresh(me)
    left = {e.episode_id: e for e in (await page()).episodes}
    assert left.keys() == {by_session[part].episode_id, own.episode_id}
    assert left[by_session[part].episode_id].summary == "면접만 남음"
    assert left[own.episode_id] == own


async def test_an_episode_outlives_the_words_and_the_summary_it_was_made_of(
    memory: Gieok, episodes: Episodes, me: Scope, clock: FixedClock
) -> None:
    session_id = await talked(memory, me)
    clock.advance(timedelta(minutes=10))
    await memory.sessions.record(me, session_id, Turn("면접은 잘 봤어", "다행이다!"))
    kept = await episodes.remember(me, session_id)
    assert kept is not None
    clock.advance(timedelta(days=30, minutes=-5))
    assert await memory.retention.expire(me) == 2, "a part of the words"
    remember = partial(episodes.remember, me, session_id)
    assert await asyncio.wait_for(remember(), 30) == kept
    clock.advance(timedelta(days=180))
    await memory.retention.expire(me)
    assert await memory.summaries.find_session(me, session_id) is None
    assert await remember() == kept
    assert await remember(is_requested=True) == kept
    assert await episodes.get(me, kept.episode.episode_id) == kept.episode


async def test_asking_brings_nothing_back_that_was_forgotten_after_its_words(
    memory: Gieok, episodes: Episodes, me: Scope, script: Script, clock: FixedClock
) -> None:
    session_id = await talked(memory, me)
    script.says(fact("사용자는 면접을 앞두고 있음"))
    await memory.memories.extract(me, session_id)
    kept = await episodes.remember(me, session_id)
    assert kept is not None
    clock.advance(timedelta(days=31))
    assert await memory.retention.expire(me) == 2
    ((known,), _) = await memory.memories.page(me)
    await memory.memories.forget(me, known.memory_id)
    assert await episodes.remember(me, session_id, is_requested=True) is None
    with pytest.raises(NotFoundError):
        await episodes.get(me, kept.episode.episode_id)


async def test_what_is_forgotten_goes_even_while_memory_is_off(
    memory: Gieok, episodes: Episodes, me: Scope, owner: Owner
) -> None:
    session_id = await talked(memory, me)
    assert await episodes.remember(me, session_id)
    await memory.settings.update(me, {"is_enabled": False})
    await owner.execute(
        "UPDATE session_messages SET forgotten_at = now() WHERE session_id = %s",
        [session_id],
    )
    await episodes.refresh(me)
    found = await owner.execute("SELECT FROM episodes WHERE user_id = %s", [me.user_id])
    assert await found.fetchall() == []


async def test_a_persona_that_only_a_session_named_has_episodes_too(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    persona_id = generate_id()
    session = await memory.sessions.start(me, persona_id=persona_id)
    await memory.sessions.record(me, session.session_id, Turn("면접이 있어", "와"))
    kept = await episodes.remember(me, session.session_id)
    assert kept is not None
    assert kept.episode.persona_id == persona_id
    assert await memory.accounts.persona_names(me) == {persona_id: str(persona_id)}


async def test_a_session_without_a_persona_has_an_episode_of_none(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("면접이 있어", "와"))
    kept = await episodes.remember(me, session.session_id)
    assert kept is not None
    assert await episodes.load(me, None) == (kept.episode,)
    assert await episodes.load(me, memory.accounts.persona_id(me, "Mina")) == ()


async def test_erasing_sessions_takes_their_episodes_along(
    memory: Gieok, episodes: Episodes, me: Scope
) -> None:
    gone, stays = await talked(memory, me), await talked(memory, me, persona="Jun")
    first = await episodes.remember(me, gone)
    assert first is not None
    await episodes.edit(me, first.episode.episode_id, summary="내가 쓴 글")
    await episodes.remember(me, stays)
    async with memory.maintenance.database.begin(me) as tx:
        await tx.lock_person()
        assert await episodes.erase_sessions(tx, [gone]) == 1
        assert await episodes.erase_sessions(tx, []) == 0
    left = (await episodes.page(me, include_archived=True)).episodes
    assert [episode.session_id for episode in left] == [stays]


@pytest.mark.req("E19")
async def test_the_table_holds_no_word_of_an_episode(
    memory: Gieok, episodes: Episodes, me: Scope, owner: Owner, told: Told
) -> None:
    word = "까나리뷁쒧"
    told.gists = [replace(INTERVIEW, summary=f"{word} 요약", topics=(f"{word} 주제",))]
    kept = await episodes.remember(me, await talked(memory, me, [word]))
    assert kept is not None
    at = kept.episode.episode_id
    await episodes.edit(me, at, tags=[f"{word} 태그"])
    assert word in (await episodes.get(me, at)).summary
    found = await owner.execute(
        "SELECT episodes::text, summary, topics, tags FROM episodes"
        " WHERE episode_id = %s",
        [at],
    )
    ((row, *sealed),) = await found.fetchall()
    assert word not in row
    assert all(word.encode() not in value for value in sealed)
    assert word.encode().hex() not in row


@pytest.mark.req("A09", "A16")
async def test_every_step_is_numbered_and_audited(
    memory: Gieok, episodes: Episodes, me: Scope, owner: Owner
) -> None:
    kept = await episodes.remember(me, await talked(memory, me))
    assert kept is not None
    at = kept.episode.episode_id
    await episodes.edit(me, at, importance=3)
    await episodes.archive(me, at)
    await episodes.restore(me, at)
    await episodes.delete(me, at)
    found = await owner.execute(
        "SELECT operation FROM memory_updates WHERE entity_id = %s ORDER BY seq", [at]
    )
    operations = [row[0] for row in await found.fetchall()]
    assert operations == ["put", "put", "put", "put", "delete"]
    lines = [line for line in await memory.audit.lines(me) if line.target_id == at]
    assert [(line.event_type, line.reason) for line in lines] == [
        ("create", "session_summarized"),
        ("update", "user_request"),
        ("update", "user_request"),
        ("update", "user_request"),
        ("delete", "user_request"),
    ]
    await memory.audit.verify(me)
