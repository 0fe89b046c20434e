"""What was summed up is found when the words are gone, and never beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from threading import current_thread, main_thread
from uuid import UUID, uuid4

import pytest

from gieok import Filters, Gieok, HitKind, Scope, Turn
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation
from gieok.recall import summary_store
from gieok.recall.recall_index import RecallIndex
from gieok.recall.summary_store import SummaryEntry
from gieok.search.rows import RowKind
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact

CAR = "제 차는 2019년식 쏘나타예요"
QUESTION = "내 차 쏘나타 몇 년식이지?"
WORDS_ARE_GONE = timedelta(days=40)
SUMMED_UP = set(HitKind) - {HitKind.MESSAGE, HitKind.MEMORY}


async def talk(
    memory: Gieok, me: Scope, said: str = CAR, *, persona_id: UUID | None = None
) -> UUID:
    session = await memory.sessions.start(me, persona_id=persona_id)
    await memory.sessions.record(me, session.session_id, Turn(said, "그렇군요."))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    return session.session_id


async def pass_time(
    memory: Gieok, me: Scope, clock: FixedClock, by: timedelta = WORDS_ARE_GONE
) -> None:
    clock.advance(by)
    await memory.settled(me)


async def find(memory: Gieok, me: Scope, *kinds: HitKind) -> list[HitKind]:
    hits = await memory.recall.search(
        me, QUESTION, filters=Filters(kinds=kinds or None)
    )
    return [hit.kind for hit in hits]


async def count_entries(owner: Owner, me: Scope) -> int:
    found = await owner.execute(
        "SELECT count(*) FROM summary_entries WHERE user_id = %s", [me.user_id]
    )
    row = await found.fetchone()
    assert row is not None
    return row[0]


@pytest.mark.req("A20", "D13")
async def test_an_episode_stands_in_for_words_that_are_gone(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock
) -> None:
    session_id = await talk(memory, me)
    assert set(await find(memory, me)) == {HitKind.MESSAGE}
    await pass_time(memory, me, clock)
    (hit,) = await memory.recall.search(me, QUESTION)
    assert (hit.kind, hit.session_id) == (HitKind.EPISODE, session_id)
    assert "2019년식 쏘나타" in hit.content
    assert hit.at.isoformat() == "2026-01-05T09:00:00+00:00"
    assert await memory.recall.search(other, QUESTION) == ()


async def test_each_kind_is_found_by_itself_while_the_words_are_there(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await talk(memory, me)
    await pass_time(memory, me, clock, timedelta(days=8))
    for kind in SUMMED_UP:
        assert await find(memory, me, kind) == [kind]
    assert await find(memory, me, *SUMMED_UP) == [HitKind.EPISODE]
    assert set(await find(memory, me)) == {HitKind.MESSAGE}


async def test_a_session_without_an_episode_is_found_by_its_summary(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    for number in range(6):  # the free plan keeps five active
        await talk(memory, me, f"{CAR}, {number}번째 이야기")
        clock.advance(timedelta(days=1))
    await pass_time(memory, me, clock)
    kinds = await find(memory, me)
    assert kinds.count(HitKind.EPISODE) == 5
    assert kinds.count(HitKind.SESSION_SUMMARY) == 1


async def test_what_was_told_one_persona_is_found_for_that_persona_alone(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    mina, jun = uuid4(), uuid4()
    session = await memory.sessions.start(me, persona_id=mina)
    await memory.sessions.record(me, session.session_id, Turn(CAR, "그렇군요."))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    await pass_time(memory, me, clock)
    assert await find(memory, me) == []
    for persona_id, found in ((mina, 1), (jun, 0)):
        filters = Filters(persona_id=persona_id)
        hits = await memory.recall.search(me, QUESTION, filters=filters)
        assert len(hits) == found
    for session_id, found in ((session.session_id, 1), (uuid4(), 0)):
        filters = Filters(session_id=session_id)
        hits = await memory.recall.search(me, QUESTION, filters=filters)
        assert len(hits) == found


@pytest.mark.req("E14")
async def test_what_a_person_took_out_of_prompts_is_not_found(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    for said in (CAR, f"{CAR}, 은색이고요"):
        await talk(memory, me, said)
    first, second = (await memory.episodes.page(me)).episodes
    await memory.episodes.delete(me, first.episode_id)
    await memory.episodes.archive(me, second.episode_id)
    await pass_time(memory, me, clock)
    assert await find(memory, me) == []
    await memory.episodes.restore(me, second.episode_id)
    assert await find(memory, me) == [HitKind.EPISODE]


@pytest.mark.req("D08", "A20")
async def test_the_block_tells_what_outlived_the_words(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session_id = await talk(memory, me)
    await pass_time(memory, me, clock)
    block = await memory.context.build(me, QUESTION)
    (excerpt,) = block.excerpts
    assert (excerpt.message_id, excerpt.session_id) == (None, session_id)
    assert excerpt.episode_id is not None
    assert "2019년식 쏘나타" in excerpt.text
    assert excerpt.text.endswith("[2026-01-05]")
    assert "## 이전 대화의 요약 (그때는 그랬음)" in block.text
    english = await memory.context.build(me, QUESTION, language="en")
    assert "## What earlier conversations were about" in english.text
    assert not await memory.context.build(me, QUESTION, excerpts=0)
    assert not (await memory.context.build(me, "주말 날씨")).excerpts


@pytest.mark.req("A15")
async def test_what_is_forgotten_after_the_words_are_gone_is_found_nowhere(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, owner: Owner
) -> None:
    script.says(fact("사용자의 차는 2019년식 쏘나타임"))
    await talk(memory, me)
    await pass_time(memory, me, clock)
    assert await count_entries(owner, me) > 0
    ((sonata,), _) = await memory.memories.page(me)
    await memory.memories.forget(me, sonata.memory_id)
    for kind in HitKind:
        assert await find(memory, me, kind) == []
    await memory.settled(me)
    assert (await memory.episodes.page(me)).episodes == ()
    assert await memory.summaries.weeks(me) == ()
    assert await count_entries(owner, me) == 0


def wish_about_car(talked: Conversation) -> Iterator[Finding]:
    """Take a wish to be about whatever tells of the car."""
    wish = next(said for said in talked.messages if "잊어" in said.content)
    asked = fact(wish.content, basis=Basis.REQUESTED, evidence=(wish.index,))
    asked = replace(asked, operation=FindingOperation.DELETE)
    yield asked
    for known in talked.known:
        if "쏘나타" in known.content:
            yield replace(asked, content=known.content, target=known.id)


@pytest.mark.req("A15")
async def test_a_wish_to_forget_reaches_what_only_a_summary_tells(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await talk(memory, me)
    await talk(memory, me, "벌을 키워요")
    await pass_time(memory, me, clock)
    for _ in range(5):
        script.computes(wish_about_car)
    await talk(memory, me, "그 차 얘기는 잊어 줘")
    filters = Filters(kinds=[kind for kind in HitKind if kind is not HitKind.MESSAGE])
    hits = await memory.recall.search(me, "쏘나타", filters=filters, limit=50)
    assert not any("쏘나타" in hit.content for hit in hits)
    assert any("벌을" in hit.content for hit in hits)


def wish_about_a_sentence(talked: Conversation) -> Iterator[Finding]:
    """Take a wish to be about what tells of the car and of nothing else."""
    for found in wish_about_car(talked):
        if "벌을" not in found.content:
            yield found


@pytest.mark.req("A15")
async def test_a_wish_reaches_one_sentence_of_a_summary(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await talk(memory, me, f"벌을 키워요. {CAR}.")
    await pass_time(memory, me, clock)
    for _ in range(5):
        script.computes(wish_about_a_sentence)
    await talk(memory, me, "그 차 얘기는 잊어 줘")
    filters = Filters(kinds=[kind for kind in HitKind if kind is not HitKind.MESSAGE])
    hits = await memory.recall.search(me, "쏘나타", filters=filters, limit=50)
    assert not any("쏘나타" in hit.content for hit in hits)


@pytest.mark.req("A15")
@pytest.mark.parametrize("is_persona", [True, False])
async def test_a_wish_reaches_it_with_whomever_and_whatever_was_said_since(
    memory: Gieok,
    me: Scope,
    script: Script,
    clock: FixedClock,
    is_persona: bool,  # noqa: FBT001 - pytest gives it by name
) -> None:
    await talk(memory, me, persona_id=uuid4() if is_persona else None)
    await pass_time(memory, me, clock)
    session = await memory.sessions.start(me)
    for number in range(25):
        turn = Turn(f"쏘나타 {number}대를 봤어요", "쏘나타요?")
        await memory.sessions.record(me, session.session_id, turn)
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    for _ in range(8):
        script.computes(wish_about_car)
    await talk(memory, me, "그 차 얘기는 잊어 줘")
    episodes = (await memory.episodes.page(me)).episodes
    assert not any(CAR in each.summary for each in episodes)


@pytest.mark.req("A15")
async def test_what_is_forgotten_leaves_every_summary_that_told_of_it(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, owner: Owner
) -> None:
    for said in (CAR, "쏘나타는 2019년식이에요"):
        script.says(fact("사용자의 차는 2019년식 쏘나타임"))
        await talk(memory, me, said)
    ((sonata,), _) = await memory.memories.page(me)
    await pass_time(memory, me, clock)
    await memory.memories.forget(me, sonata.memory_id)
    await memory.settled(me)
    assert (await memory.episodes.page(me)).episodes == ()
    assert await count_entries(owner, me) == 0


async def test_what_was_summed_up_of_other_sessions_stays(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    script.says(fact("사용자는 벌을 키움"))
    await talk(memory, me, "벌을 키워요")
    await talk(memory, me)
    await pass_time(memory, me, clock)
    ((bees,), _) = await memory.memories.page(me)
    await memory.memories.forget(me, bees.memory_id)
    await memory.settled(me)
    assert await find(memory, me) == [HitKind.EPISODE]


async def test_an_edited_episode_is_found_by_its_new_words(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await talk(memory, me, "벌을 키워요")
    ((episode,), _) = (await memory.episodes.page(me)).episodes, None
    await memory.episodes.edit(me, episode.episode_id, summary=CAR)
    await pass_time(memory, me, clock)
    (hit,) = await memory.recall.search(me, QUESTION)
    assert hit.content == CAR


@pytest.mark.req("E19")
async def test_what_is_searched_of_an_erased_session_goes_with_it(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    session_id = await talk(memory, me)
    await pass_time(memory, me, clock, timedelta(days=8))
    assert await count_entries(owner, me) == 4
    await memory.erasure.session(me, session_id)
    assert await count_entries(owner, me) == 0


async def test_nothing_is_told_while_memory_is_off(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await talk(memory, me)
    await pass_time(memory, me, clock)
    await memory.settings.update(me, {"is_enabled": False})
    assert await find(memory, me) == []
    assert not await memory.context.build(me, QUESTION)


async def test_summaries_are_opened_and_laid_out_beside_the_event_loop(
    memory: Gieok, me: Scope, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(memory, me)
    await pass_time(memory, me, clock)
    threads: list[bool] = []
    set_summaries, split = RecallIndex.set_summaries, summary_store.split_entries

    def note_laying(held: RecallIndex, found: Sequence[SummaryEntry]) -> None:
        threads.append(current_thread() is main_thread())
        set_summaries(held, found)

    def note_opening(whole: bytes) -> tuple[RowKind, list[bytes]]:
        threads.append(current_thread() is main_thread())
        return split(whole)

    monkeypatch.setattr(RecallIndex, "set_summaries", note_laying)
    monkeypatch.setattr(summary_store, "split_entries", note_opening)
    memory.recall.drop(me)
    assert await find(memory, me) == [HitKind.EPISODE]
    assert len(threads) > 1
    assert not any(threads)
