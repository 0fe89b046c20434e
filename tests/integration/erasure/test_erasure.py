"""Deleting a session takes what rests on it alone, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, LiteralString, cast
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.kernel.language import Basis, Emotion, FindingOperation, Gist, Model
from gieok.memories import CandidateStatus
from gieok.privacy import ErasureKind
from gieok.privacy.receipts import Receipt
from gieok.sessions import removal_store
from gieok.testing import FixedClock
from support.database import Owner
from support.memory_talk import list_contents, talk
from support.scripted_model import Script, fact
from support.session_talk import announced, later

TABLES = (
    "sessions",
    "session_messages",
    "conversation_pairs",
    "recall_items",
    "memory_candidates",
    "user_memories",
    "memory_history",
    "episodes",
    "short_term_summaries",
    "mid_term_summaries",
)
BEES, GANGNAM = "사용자는 벌을 키움", "사용자는 강남구에 거주"
HONEY, PHONE = "사용자는 꿀을 싫어함", "사용자는 전화를 싫어함"


async def rows(owner: Owner, query: LiteralString, *values: object) -> list[Any]:
    return await (await owner.execute(query, values)).fetchall()


async def in_feed(owner: Owner, me: Scope, entity: str) -> set[UUID]:
    """Return what the change feed says was deleted."""
    found = await rows(
        owner,
        "SELECT entity_id FROM memory_updates"
        " WHERE user_id = %s AND entity = %s AND operation = 'delete'",
        me.user_id,
        entity,
    )
    return {row[0] for row in found}


async def summarize(
    owner: Owner, me: Scope, session_ids: Sequence[UUID], day: str, week: str
) -> tuple[UUID, UUID]:
    """Put a day and its week there as if they had been summed up."""
    day_id, week_id = uuid4(), uuid4()
    await owner.execute(
        """
        INSERT INTO short_term_summaries (
            user_id, summary_id, date_key, summary_text, details, source_session_ids,
            source_digest, summarizer, created_at, updated_at, expires_at
        ) VALUES (%s, %s, %s, '', '', %s, '', 'x', now(), now(), now())
        """,
        [me.user_id, day_id, day, list(session_ids)],
    )
    await owner.execute(
        """
        INSERT INTO mid_term_summaries (
            user_id, summary_id, week_key, summary_text, details, source_summary_ids,
            source_digest, summarizer, created_at, updated_at, expires_at
        ) VALUES (%s, %s, %s, '', '', %s, '', 'x', now(), now(), now())
        """,
        [me.user_id, week_id, week, [day_id]],
    )
    return day_id, week_id


@pytest.mark.req("B11")
async def test_a_deleted_session_leaves_no_row_that_names_it(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact(BEES), fact("사용자는 꿀을 싫어함", basis=Basis.OBSERVED))
    session_id = await talk(memory, me, "벌을 키워요", "꿀은 별로예요")
    read = await memory.sessions.read(me, session_id)
    ((kept,), _) = await memory.memories.page(me)
    persona = await memory.accounts.persona(me, "mina")
    gist = Gist("양봉 이야기", topics=("양봉",), emotion=Emotion.CALM, importance=5)
    created = await memory.episodes.create(
        me,
        persona_id=persona,
        session_id=session_id,
        gist=gist,
        is_fallback=False,
        is_manual=False,
        summarizer="x",
    )
    day, week = await summarize(owner, me, [session_id], "2026-01-05", "2026-W02")
    receipt = await memory.erasure.session(me, session_id)
    assert (receipt.kind, receipt.about) == (ErasureKind.SESSION, session_id)
    assert receipt.counts == {
        "sessions": 1,
        "messages": 4,
        "memories": 1,
        "candidates": 2,
        "episodes": 1,
        "summaries": 2,
    }
    assert await memory.erasure.receipts(me) == (receipt,)
    assert await list_contents(memory, me, include_inactive=True) == []
    assert await memory.memories.candidates(me) == ()
    assert await memory.recall.search(me, "벌을 키워요") == ()
    for table in TABLES:
        query = f"SELECT 1 FROM {table} WHERE user_id = %s"
        found = await owner.execute(query.encode(), [me.user_id])
        assert await found.fetchall() == [], table
    told = {
        "session": {session_id},
        "session_message": {message.message_id for message in read.messages},
        "user_memory": {kept.memory_id},
        "episode": {created.episode.episode_id},
        "short_term_summary": {day},
        "mid_term_summary": {week},
    }
    assert {each: await in_feed(owner, me, each) for each in told} == told
    for entity in ("conversation_pair", "memory_candidate"):
        assert len(await in_feed(owner, me, entity)) == 2
    audited = await rows(
        owner,
        "SELECT target_table FROM memory_audit_log"
        " WHERE user_id = %s AND event_type = 'delete'",
        me.user_id,
    )
    assert sorted(row[0] for row in audited) == [
        "episodes",
        "memory_candidates",
        "memory_candidates",
        "mid_term_summaries",
        "sessions",
        "short_term_summaries",
        "user_memories",
    ]
    assert await announced(owner, "sources_changed", me.user_id) == 1
    await memory.audit.verify(me)


@pytest.mark.req("B11")
async def test_what_was_also_said_elsewhere_stays_and_names_only_that(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact(GANGNAM))
    first = await talk(memory, me, "나 강남구 살아")
    script.says(fact(GANGNAM))
    second = await talk(memory, me, "강남구에 산다고 했지")
    ((before,), _) = await memory.memories.page(me)
    assert before.source_session_id == first
    assert len(before.source_message_ids) == 2
    assert before.preview == "나 강남구 살아"
    await memory.erasure.session(me, first)
    ((after,), _) = await memory.memories.page(me)
    assert after.memory_id == before.memory_id
    assert after.content == GANGNAM
    assert after.source_message_ids == before.source_message_ids[1:]
    assert after.source_session_id == second
    assert after.preview is None
    (candidate,) = await memory.memories.candidates(me)
    assert after.source_candidate_ids == ()
    assert candidate.session_ids == (second,)
    history = await memory.memories.history(me, after.memory_id)
    assert {entry.session_id for entry in history} == {None, second}
    assert after.memory_id not in await in_feed(owner, me, "user_memory")
    (hit,) = await memory.recall.search(me, GANGNAM, limit=1)
    assert hit.session_id == second
    await memory.erasure.session(me, second)
    assert await list_contents(memory, me, include_inactive=True) == []


@pytest.mark.req("B11", "A15", "A20")
@pytest.mark.parametrize("way", ["session", "persona", "device"])
async def test_what_was_learned_goes_with_a_session_whose_words_are_gone(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, way: str
) -> None:
    where: dict[str, Any] = {
        "persona_id": await memory.accounts.persona(me, "mina"),
        "device_id": await memory.accounts.device(me, "kitchen"),
    }
    script.says(fact(BEES), fact(HONEY), fact(PHONE, basis=Basis.OBSERVED))
    first = await talk(memory, me, "벌을 키워요. 꿀은 싫고요", **where)
    script.says(fact(HONEY), fact(GANGNAM))
    second = await talk(memory, me, "꿀은 싫다니까", "강남 살아요")
    await memory.memories.remember(me, GANGNAM)
    erase: dict[str, Callable[[], Awaitable[Receipt]]] = {
        "session": lambda: memory.erasure.session(me, first),
        "persona": lambda: memory.erasure.persona(me, where["persona_id"]),
        "device": lambda: memory.erasure.device(me, where["device_id"]),
    }
    with later(clock, timedelta(days=31)):
        await memory.retention.expire(me)
        assert (await memory.sessions.read(me, first)).messages == ()
        receipt = await erase[way]()
        taken = ("messages", "memories", "candidates")
        assert [receipt.counts[each] for each in taken] == [0, 1, 3]
        assert await list_contents(memory, me, include_inactive=True) == sorted(
            [HONEY, GANGNAM]
        )
        left = {each.content: each for each in (await memory.memories.page(me))[0]}
        assert left[HONEY].source_session_id == second
        assert len(left[HONEY].source_message_ids) == 1
        claimed = await memory.memories.candidates(me)
        assert {each.session_ids for each in claimed} == {(second,), ()}
        receipt = await memory.erasure.session(me, second)
        assert receipt.counts["memories"] == 1
        assert await list_contents(memory, me) == [GANGNAM], "it was asked for as well"


@pytest.mark.req("B11", "A20")
async def test_what_was_learned_goes_with_a_session_of_which_half_is_kept(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    script.says(fact(BEES))
    session_id = (await memory.sessions.start(me)).session_id
    await memory.sessions.record(me, session_id, Turn("벌을 키워요", "네."))
    await memory.memories.extract(me, session_id)
    with later(clock, timedelta(minutes=10)):
        script.says(fact(BEES, evidence=(2,)))
        await memory.sessions.record(me, session_id, Turn("벌 키운다고요", "네."))
        await memory.memories.extract(me, session_id)
    with later(clock, timedelta(days=30, minutes=5)):
        await memory.retention.expire(me)
        assert len((await memory.sessions.read(me, session_id)).messages) == 2
        await memory.erasure.session(me, session_id)
        assert await list_contents(memory, me, include_inactive=True) == []
        assert await memory.memories.candidates(me) == ()


@pytest.mark.req("B11", "A07")
async def test_a_candidate_loses_the_corroboration_of_a_deleted_session(
    memory: Gieok, me: Scope, script: Script
) -> None:
    pattern = fact("사용자는 저녁마다 청정기를 켬", basis=Basis.OBSERVED)
    script.says(pattern)
    first = await talk(memory, me, "청정기 켜 줘")
    assert await list_contents(memory, me, include_inactive=True) == []
    await memory.erasure.session(me, first)
    script.says(pattern)
    await talk(memory, me, "청정기 좀 켜 줘")
    (candidate,) = await memory.memories.candidates(me)
    assert candidate.status is CandidateStatus.PENDING, "it was seen in one session"


@pytest.mark.req("B11")
async def test_what_a_deleted_session_said_is_not_told_by_another_memorys_history(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(GANGNAM))
    await talk(memory, me, "나 강남구 살아")
    ((old,), _) = await memory.memories.page(me)
    busan = "사용자는 부산에 거주"
    moved = replace(
        fact(busan), operation=FindingOperation.UPDATE, target=str(old.memory_id)
    )
    script.says(moved)
    second = await talk(memory, me, "부산으로 이사했어")
    assert await list_contents(memory, me, include_inactive=True) == sorted(
        [busan, GANGNAM]
    )
    await memory.erasure.session(me, second)
    assert await list_contents(memory, me, include_inactive=True) == [GANGNAM]
    history = await memory.memories.history(me, old.memory_id)
    assert busan not in {entry.new_content for entry in history}
    ((), total) = await memory.memories.page(me)
    assert total == 0, "what was outdated is not true again"


@pytest.mark.req("B11", "E20")
async def test_another_persons_session_is_missing_and_a_second_call_too(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    script.says(fact(BEES))
    theirs = await talk(memory, other, "벌을 키워요")
    for session_id in (theirs, uuid4()):
        with pytest.raises(NotFoundError, match="no session"):
            await memory.erasure.session(me, session_id)
    assert await list_contents(memory, other, include_inactive=True) == [BEES]
    await memory.erasure.session(other, theirs)
    with pytest.raises(NotFoundError):
        await memory.erasure.session(other, theirs)
    with pytest.raises(NotFoundError):
        await memory.sessions.read(other, theirs)


@pytest.mark.req("B11")
async def test_jobs_that_waited_for_the_session_go_and_others_stay(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    ids = [(await memory.sessions.start(me)).session_id for _ in range(2)]
    for session_id in ids:
        await memory.sessions.record(me, session_id, Turn("안녕", "네"))
    await memory.sessions.close(me, ids[0])
    await memory.erasure.session(me, ids[0])
    tasks = ("turns_recorded", "conversation_paused", "session_closed")
    assert [await announced(owner, task, ids[0]) for task in tasks] == [0, 0, 0]
    assert [await announced(owner, task, ids[1]) for task in tasks] == [1, 1, 0]


@pytest.mark.req("B11")
async def test_days_and_weeks_that_do_not_name_the_session_stay(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    first, second = [(await memory.sessions.start(me)).session_id for _ in range(2)]
    await summarize(owner, me, [first, second], "2026-01-05", "2026-W02")
    kept = await summarize(owner, me, [second], "2026-01-12", "2026-W03")
    receipt = await memory.erasure.session(me, first)
    assert receipt.counts["summaries"] == 2
    left = await rows(
        owner,
        "SELECT summary_id FROM short_term_summaries WHERE user_id = %s"
        " UNION ALL SELECT summary_id FROM mid_term_summaries WHERE user_id = %s",
        me.user_id,
        me.user_id,
    )
    assert {row[0] for row in left} == set(kept)


@pytest.mark.req("B11", "A02")
async def test_a_chain_closes_over_a_deleted_session(memory: Gieok, me: Scope) -> None:
    first = (await memory.sessions.start(me, max_pairs=1)).session_id
    line = [
        (await memory.sessions.record(me, first, Turn(str(n), "네"))).session_id
        for n in range(3)
    ]
    await memory.erasure.session(me, line[1])
    before = (await memory.sessions.read(me, line[0])).session
    after = (await memory.sessions.read(me, line[2])).session
    assert (before.continued_by, after.continues) == (line[2], line[0])
    recent = await memory.sessions.recent(me, first)
    assert [m.content for m in recent[::2]] == ["0", "2"]
    await memory.erasure.session(me, line[2])
    with pytest.raises(ConflictError, match="completed"):
        await memory.sessions.record(me, first, Turn("3", "네"))


@pytest.mark.req("B11", "A02")
@pytest.mark.parametrize("gone", [{1, 2}, {0, 2}, {1, 3}, {0, 1}, {2, 3}, {0, 3}])
async def test_a_chain_closes_over_several_deleted_sessions(
    memory: Gieok, me: Scope, gone: set[int]
) -> None:
    first = (await memory.sessions.start(me, max_pairs=1)).session_id
    line = [
        (await memory.sessions.record(me, first, Turn(str(n), "네"))).session_id
        for n in range(4)
    ]
    erased = [line[place] for place in sorted(gone)]
    async with memory.maintenance.database.begin(me) as tx:
        await removal_store.lock_sessions(tx, erased)
        await removal_store.relink_sessions(tx, erased)
        await removal_store.delete_sessions(tx, erased)
    left = [each for each in line if each not in erased]
    found = [(await memory.sessions.read(me, each)).session for each in left]
    assert [each.continued_by for each in found] == [*left[1:], None]
    assert [each.continues for each in found] == [None, *left[:-1]]


@pytest.mark.req("B11")
async def test_what_is_extracted_while_its_session_is_deleted_is_not_kept(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session_id = (await memory.sessions.start(me)).session_id
    await memory.sessions.record(me, session_id, Turn("벌을 키워요", "네"))
    started, go_on = asyncio.Event(), asyncio.Event()
    extract = memory.memories.model.extract

    class Slow:
        name = "slow/1"

        async def extract(self, conversation: Any) -> Any:
            started.set()
            await go_on.wait()
            return await extract(conversation)

    script.says(fact(BEES))
    slow = replace(memory.memories, model=cast("Model", Slow()))
    reading = asyncio.create_task(slow.extract(me, session_id))
    await started.wait()
    await memory.erasure.session(me, session_id)
    go_on.set()
    assert await reading == ()
    assert await list_contents(memory, me, include_inactive=True) == []
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("B11")
async def test_a_turn_that_comes_while_its_session_is_deleted_is_refused_whole(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    for _ in range(5):
        session_id = (await memory.sessions.start(me)).session_id
        turns = [
            memory.sessions.record(me, session_id, Turn(str(n), "네")) for n in range(4)
        ]
        done = await asyncio.gather(
            *turns, memory.erasure.session(me, session_id), return_exceptions=True
        )
        failed = [each for each in done if isinstance(each, BaseException)]
        assert {type(each) for each in failed} <= {NotFoundError}
    left = await rows(
        owner, "SELECT 1 FROM session_messages WHERE user_id = %s", me.user_id
    )
    assert left == []
    await memory.audit.verify(me)


@pytest.mark.req("E20", "B11")
async def test_a_persona_goes_with_its_sessions_and_episodes_and_no_others(
    memory: Gieok, me: Scope, other: Scope, script: Script, owner: Owner
) -> None:
    mina = await memory.accounts.persona(me, "mina")
    jun = await memory.accounts.persona(me, "jun")
    script.says(fact(BEES))
    first = await talk(memory, me, "벌을 키워요", persona_id=mina)
    script.says(fact(GANGNAM))
    second = await talk(memory, me, "나 강남구 살아", persona_id=jun)
    gist = Gist("이야기", topics=("벌",), emotion=Emotion.JOY, importance=5)
    for persona in (mina, jun):
        await memory.episodes.create(
            me,
            persona_id=persona,
            session_id=None,
            gist=gist,
            is_fallback=False,
            is_manual=True,
            summarizer="x",
        )
    with pytest.raises(NotFoundError, match="no persona"):
        await memory.erasure.persona(other, mina)
    receipt = await memory.erasure.persona(me, mina)
    assert (receipt.kind, receipt.about) == (ErasureKind.PERSONA, mina)
    taken = ("sessions", "memories", "episodes")
    assert [receipt.counts[each] for each in taken] == [1, 1, 1]
    assert await list_contents(memory, me, include_inactive=True) == [GANGNAM]
    assert await in_feed(owner, me, "persona") == {mina}
    sessions, _ = await memory.sessions.page(me)
    assert [session.session_id for session in sessions] == [second]
    with pytest.raises(NotFoundError):
        await memory.sessions.read(me, first)
    left = await rows(
        owner, "SELECT persona_id FROM episodes WHERE user_id = %s", me.user_id
    )
    assert left == [(jun,)]
    assert list((await memory.accounts.persona_names(me)).values()) == ["jun"]
    with pytest.raises(NotFoundError, match="no persona"):
        await memory.erasure.persona(me, mina)


@pytest.mark.req("B11", "B09")
async def test_states_of_the_thread_and_cached_copies_go_too(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    cache = memory.sessions.writer.cache
    gone, kept = [(await memory.sessions.start(me)).session_id for _ in range(2)]
    for session_id in (gone, kept):
        await owner.execute(
            "INSERT INTO checkpoints (user_id, thread_id, checkpoint_id, checkpoint)"
            " VALUES (%s, %s, '1', '{}')",
            [me.user_id, str(session_id)],
        )
        assert await cache.get_session(me.user_id, session_id) is not None
    await memory.erasure.session(me, gone)
    threads = await rows(
        owner, "SELECT thread_id FROM checkpoints WHERE user_id = %s", me.user_id
    )
    assert threads == [(str(kept),)]
    assert await cache.get_session(me.user_id, gone) is None
    assert await cache.get_session(me.user_id, kept) is not None
