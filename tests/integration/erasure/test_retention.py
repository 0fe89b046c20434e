"""What is raw goes after a month; what was learned from it as its policy says."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.erasure import retention
from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.kernel.language import Basis
from gieok.memories import CandidateStatus
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact
from support.session_talk import later

BEES = "사용자는 벌을 키움"
MONTH = timedelta(days=30)


async def talked(memory: Gieok, me: Scope, script: Script) -> UUID:
    """Return a session of a pair and a message from which a memory came."""
    session = await memory.sessions.start(me)
    script.says(fact(BEES))
    at = session.session_id
    await memory.sessions.record(me, at, Turn("벌을 키워요", "네."))
    await memory.sessions.append(me, at, role=Role.USER, content="벌통이 셋이에요")
    await memory.settled(me)
    return at


async def due(owner: Owner, me: Scope) -> datetime | None:
    found = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = 'retention_ended'",
        [me.user_id],
    )
    row = await found.fetchone()
    return row[0] if row else None


@pytest.mark.req("A20")
async def test_what_was_said_goes_after_thirty_days_and_the_session_stays(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    with later(clock, MONTH - timedelta(seconds=1)):
        assert await memory.retention.expire(me) == 0
        assert len((await memory.sessions.read(me, at)).messages) == 3
    with later(clock, MONTH):
        assert await memory.retention.expire(me) == 3
        assert await memory.retention.expire(me) == 0
        read = await memory.sessions.read(me, at)
        assert read.messages == ()
        assert read.session.pair_count == 1
        ((kept,), _) = await memory.memories.page(me)
        assert (kept.content, kept.preview) == (BEES, None)
        hits = await memory.recall.search(me, "벌통이 셋이에요")
        assert all(hit.content == BEES for hit in hits)
        lines = await memory.audit.lines(me)
        assert ("session_messages", at, "retention") in {
            (line.target_table, line.target_id, line.reason) for line in lines
        }
        await memory.audit.verify(me)


@pytest.mark.req("A20", "D14")
async def test_words_are_kept_longer_where_the_person_agrees_and_says_how_long(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    said = (await memory.sessions.read(me, at)).messages[0].created_at
    await memory.settings.update(me, {"words_days": 365})
    await memory.settings.consent(me, {"words": True}, notice="2026-11")
    with later(clock, MONTH):
        await memory.agenda.enqueue_due()
        assert await memory.retention.expire(me) == 0
        assert await due(owner, me) == said + timedelta(days=365)
    with later(clock, timedelta(days=364)):
        assert await memory.retention.expire(me) == 0
        hits = await memory.recall.search(me, "벌통이 셋이에요")
        assert "벌통이 셋이에요" in {hit.content for hit in hits}
    with later(clock, timedelta(days=365)):
        assert await memory.retention.expire(me) == 3
        assert (await memory.sessions.read(me, at)).messages == ()


@pytest.mark.req("A20", "D14")
@pytest.mark.parametrize("missing", ["consent", "setting", "both"])
async def test_without_consent_or_a_span_words_are_kept_as_usual(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, missing: str
) -> None:
    await talked(memory, me, script)
    if missing == "consent":
        await memory.settings.update(me, {"words_days": 365})
    if missing == "setting":
        await memory.settings.consent(me, {"words": True})
    with later(clock, MONTH):
        assert await memory.retention.expire(me) == 3


@pytest.mark.req("A20", "D14")
@pytest.mark.parametrize(
    "back", [("consent", {"words": False}), ("update", {"words_days": None})]
)
async def test_what_is_over_the_usual_leaves_when_the_person_no_longer_agrees(
    memory: Gieok,
    me: Scope,
    script: Script,
    owner: Owner,
    clock: FixedClock,
    back: tuple[str, dict[str, object]],
) -> None:
    at = await talked(memory, me, script)
    await memory.settings.update(me, {"words_days": 365})
    await memory.settings.consent(me, {"words": True})
    with later(clock, timedelta(days=100)):
        await memory.agenda.enqueue_due()
        assert await memory.retention.expire(me) == 0
        new = (await memory.sessions.start(me)).session_id
        await memory.sessions.append(me, new, role=Role.USER, content="꿀을 땄어요")
        name, change = back
        await getattr(memory.settings, name)(me, change)
        if name == "consent":
            assert await memory.maintenance.erase_withdrawn(me) == 3
        else:
            assert await due(owner, me) == clock()
            assert await memory.retention.expire(me) == 3
        assert (await memory.sessions.read(me, at)).messages == ()
        (kept,) = (await memory.sessions.read(me, new)).messages
        assert kept.content == "꿀을 땄어요"
        ((known,), _) = await memory.memories.page(me)
        assert known.content == BEES, "what was learned stays"
        reasons = [line.reason for line in await memory.audit.lines(me)]
        assert "words_granted" in reasons
        assert ("words_withdrawn" in reasons) is (name == "consent")
        assert "retention" in reasons
        await memory.audit.verify(me)


@pytest.mark.req("A20")
async def test_the_pair_of_somebody_who_agrees_tells_devices_the_usual_time(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"words_days": 365})
    await memory.settings.consent(me, {"words": True})
    session = await memory.sessions.start(me)
    script.says()
    turn = Turn("벌을 키워요", "네.")
    pair = await memory.sessions.record(me, session.session_id, turn)
    assert pair.retention_until == pair.created_at + MONTH


@pytest.mark.req("A20")
async def test_the_agenda_knows_when_the_next_thing_is_due(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    await memory.retention.schedule(me)
    said = (await memory.sessions.read(me, at)).messages[0].created_at
    assert await due(owner, me) == said + MONTH
    with later(clock, timedelta(days=1)):
        await memory.retention.schedule(me)
        assert await due(owner, me) == said + MONTH, "the earliest stays"


@pytest.mark.req("A20")
async def test_words_are_due_from_their_sessions_start_whatever_becomes_of_its_jobs(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    started = clock()
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("벌을 키워요", "네."))
    assert await due(owner, me) == started + MONTH
    with later(clock, MONTH):
        await memory.retention.expire(me)
        assert not (await memory.sessions.read(me, session.session_id)).messages


@pytest.mark.req("A20")
async def test_after_the_span_was_raised_nothing_is_due_before_it_can_go(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    said = (await memory.sessions.read(me, at)).messages[0].created_at
    longer = replace(memory.retention, messages=2 * MONTH)
    with later(clock, MONTH):
        await memory.agenda.enqueue_due()
        assert await longer.expire(me) == 0
        assert await due(owner, me) == said + 2 * MONTH
    with later(clock, 2 * MONTH):
        assert await longer.expire(me) == 3


@pytest.mark.req("A20")
async def test_what_no_pass_removes_is_not_tried_every_minute(
    memory: Gieok,
    me: Scope,
    owner: Owner,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def find_overdue(*_: object) -> datetime:
        return clock() - MONTH

    await memory.accounts.ensure(me)
    monkeypatch.setattr(retention.store, "find_next_due", find_overdue)
    assert await memory.retention.expire(me) == 0
    assert await due(owner, me) == clock() + timedelta(hours=1)


@pytest.mark.req("A20")
async def test_a_session_goes_on_after_its_beginning_is_gone(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    at = await talked(memory, me, script)
    for table, column in (
        ("session_messages", "created_at"),
        ("conversation_pairs", "retention_until"),
    ):
        query = f"UPDATE {table} SET {column} = '2000-01-01' WHERE user_id = %s"
        await owner.execute(query.encode(), [me.user_id])
    assert await memory.retention.expire(me) == 3
    script.says(fact("사용자는 꿀을 팖"))
    pair = await memory.sessions.record(me, at, Turn("꿀을 팔아요", "네."))
    assert pair.turn_index == 1
    await memory.settled(me)
    assert len((await memory.sessions.read(me, at)).messages) == 2
    assert (await memory.memories.page(me))[1] == 2


@pytest.mark.req("A06", "A20")
@pytest.mark.parametrize(
    ("policy", "left", "asked"),
    [("user_delete", 1, 0), ("retention_expire", 0, 0), ("manual_review", 1, 1)],
)
async def test_a_memory_whose_time_is_over_goes_as_its_policy_says(
    memory: Gieok,
    me: Scope,
    owner: Owner,
    policy: str,
    left: int,
    asked: int,
) -> None:
    kept = await memory.memories.remember(me, BEES)
    changed = await memory.retention.set_policy(me, kept.memory_id, policy)
    assert changed.delete_policy == policy
    assert (await memory.memories.get(me, kept.memory_id)).delete_policy == policy
    await owner.execute(
        "UPDATE user_memories SET expires_at = '2000-01-01' WHERE user_id = %s",
        [me.user_id],
    )
    for _ in range(2):
        await memory.retention.expire(me)
    _, total = await memory.memories.page(me, include_inactive=True)
    assert total == left
    waiting = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert len(waiting) == asked
    if asked:
        assert waiting[0].target_id == kept.memory_id
        assert await memory.memories.confirm(me, waiting[0].candidate_id) is None
        assert (await memory.memories.page(me, include_inactive=True))[1] == 0
        assert await memory.memories.candidates(me) == ()
    await memory.audit.verify(me)


async def ask_about_overdue(memory: Gieok, me: Scope, owner: Owner) -> UUID:
    """Return a memory that the person was asked about, as its time is over."""
    kept = await memory.memories.remember(me, BEES)
    await memory.retention.set_policy(me, kept.memory_id, "manual_review")
    await owner.execute(
        "UPDATE user_memories SET expires_at = '2000-01-01' WHERE user_id = %s",
        [me.user_id],
    )
    await memory.retention.expire(me)
    return kept.memory_id


@pytest.mark.req("A06", "A20")
async def test_a_review_that_nobody_answers_is_not_asked_again(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    await ask_about_overdue(memory, me, owner)
    (asked,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    with later(clock, timedelta(days=100)):
        for _ in range(2):
            await memory.retention.expire(me)
        (still,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert still.candidate_id == asked.candidate_id


@pytest.mark.req("A06", "A20")
async def test_a_rollback_leaves_what_is_asked_about_an_overdue_memory(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    kept = await ask_about_overdue(memory, me, owner)
    (asked,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    await owner.execute(
        "UPDATE user_memories SET created_at = '2000-01-01' WHERE memory_id = %s",
        [kept],
    )
    await memory.memories.rollback(me, since=clock() - timedelta(days=1))
    (still,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert still.candidate_id == asked.candidate_id


@pytest.mark.req("A06", "A20")
@pytest.mark.parametrize("answered", [False, True])
async def test_a_memory_asked_about_goes_once_its_policy_is_to_erase(
    memory: Gieok, me: Scope, owner: Owner, *, answered: bool
) -> None:
    kept = await ask_about_overdue(memory, me, owner)
    if answered:
        (asked,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
        await memory.memories.reject(me, asked.candidate_id)
    await memory.retention.set_policy(me, kept, "retention_expire")
    await memory.retention.expire(me)
    assert (await memory.memories.page(me, include_inactive=True))[1] == 0


@pytest.mark.req("A06", "A20")
async def test_a_memory_that_cannot_be_read_keeps_nothing_else_from_going(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    kept = await memory.memories.remember(me, "사용자는 꿀을 팖")
    broken = await memory.memories.remember(me, "사용자는 서울에 삶")
    for each in (kept, broken):
        await memory.retention.set_policy(me, each.memory_id, "manual_review")
    await owner.execute(
        "UPDATE user_memories SET expires_at = '2000-01-01' WHERE memory_id = ANY(%s)",
        [[kept.memory_id, broken.memory_id]],
    )
    await owner.execute(
        "UPDATE user_memories SET content = 'x' WHERE memory_id = %s",
        [broken.memory_id],
    )
    with later(clock, MONTH):
        for _ in range(2):
            await memory.retention.expire(me)
        assert not (await memory.sessions.read(me, at)).messages
        waiting = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
        assert [each.target_id for each in waiting] == [kept.memory_id]


@pytest.mark.req("A20")
async def test_nobody_elses_words_go(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    at = await talked(memory, other, script)
    with later(clock, MONTH):
        assert await memory.retention.expire(me) == 0
        assert len((await memory.sessions.read(other, at)).messages) == 3


@pytest.mark.req("A06")
async def test_a_policy_that_is_none_is_named_and_a_memory_that_is_not_there_missing(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    kept = await memory.memories.remember(me, BEES)
    for wrong in ("keep", "", None, 1):
        with pytest.raises(InvalidInputError) as refused:
            await memory.retention.set_policy(me, kept.memory_id, wrong)  # pyright: ignore[reportArgumentType] - that is the test
        assert refused.value.field == "delete_policy"
    for scope, memory_id in ((me, uuid4()), (other, kept.memory_id)):
        with pytest.raises(NotFoundError):
            await memory.retention.set_policy(scope, memory_id, "manual_review")
    before = await memory.audit.lines(me)
    await memory.retention.set_policy(me, kept.memory_id, "user_delete")
    assert await memory.audit.lines(me, event="update") == tuple(
        line for line in before if line.event_type == "update"
    ), "what is so already is no change"


@pytest.mark.req("A20", "D04")
async def test_a_new_span_holds_for_what_is_known_already(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    kept = await memory.memories.remember(me, BEES)
    await memory.retention.set_policy(me, kept.memory_id, "retention_expire")
    await memory.settings.update(me, {"retention_days": 3})
    assert await due(owner, me) == clock()
    with later(clock, timedelta(days=3)):
        await memory.retention.expire(me)
        assert (await memory.memories.page(me, include_inactive=True))[1] == 0
    again = await memory.memories.remember(me, BEES)
    assert again.expires_at == again.last_confirmed_at + timedelta(days=3)
    await memory.settings.update(me, {"retention_days": None})
    assert (await memory.memories.get(me, again.memory_id)).expires_at is None


@pytest.mark.req("A20")
async def test_what_is_remembered_for_a_span_is_on_the_agenda_without_a_session(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 3})
    await memory.agenda.enqueue_due()
    await memory.memories.remember(me, BEES)
    assert await due(owner, me) == clock() + timedelta(days=3)


@pytest.mark.req("A20")
@pytest.mark.parametrize(
    ("kept", "days"), [("episodes", 730), ("candidates", 90), ("summaries", 190)]
)
async def test_what_was_learned_goes_after_its_own_time(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, kept: str, days: int
) -> None:
    at = await learned(memory, me, script)
    with later(clock, timedelta(days=days) - timedelta(hours=1)):
        await memory.retention.expire(me)
        assert kept in await left(memory, me, at)
    with later(clock, timedelta(days=days)):
        await memory.agenda.enqueue_due()
        assert await memory.retention.expire(me) > 0
        assert kept not in await left(memory, me, at)
        assert await memory.retention.expire(me) == 0
        done = [x for x in await memory.audit.lines(me) if x.event_type != "access"]
        assert done[-1].reason == "retention"
    await memory.audit.verify(me)


@pytest.mark.req("A20", "D04")
async def test_a_persons_own_span_holds_for_episodes_and_batches_take_them_all(
    memory: Gieok,
    me: Scope,
    script: Script,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for _ in range(5):
        await learned(memory, me, script)
    await memory.settings.update(me, {"retention_days": 40})
    assert (await memory.episodes.page(me, include_archived=True)).total == 5
    with later(clock, timedelta(days=40)):
        await memory.retention.expire(me)
        assert (await memory.episodes.page(me, include_archived=True)).total == 0


async def learned(memory: Gieok, me: Scope, script: Script) -> UUID:
    """Return a session that left an episode, a candidate and a sum."""
    session = await memory.sessions.start(me)
    script.says(fact(f"사용자는 저녁마다 {session.session_id}", basis=Basis.OBSERVED))
    await memory.sessions.record(me, session.session_id, Turn("꿀을 팔아요", "네."))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    return session.session_id


async def left(memory: Gieok, me: Scope, session_id: UUID) -> set[str]:
    """Return the kinds of things that are left of what was learned."""
    there = {
        "episodes": (await memory.episodes.page(me, include_archived=True)).total,
        "candidates": len(await memory.memories.candidates(me)),
        "summaries": await memory.summaries.find_session(me, session_id),
    }
    return {kind for kind, found in there.items() if found}


@pytest.mark.req("A06", "A20")
async def test_what_takes_the_place_of_a_memory_is_erased_as_it_would_have_been(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    kept = await memory.memories.remember(me, BEES)
    await memory.settings.update(me, {"retention_days": 3})
    await memory.retention.set_policy(me, kept.memory_id, "retention_expire")
    new = await memory.memories.correct(me, kept.memory_id, "사용자는 벌을 셋 키움")
    assert new.delete_policy == "retention_expire"
    await memory.retention.set_policy(me, new.memory_id, "user_delete")
    again = await memory.memories.correct(me, new.memory_id, "사용자는 벌을 넷 키움")
    assert again.delete_policy == "user_delete"
    await memory.retention.set_policy(me, again.memory_id, "retention_expire")
    last = await memory.memories.correct(me, again.memory_id, "사용자는 벌을 안 키움")
    with later(clock, timedelta(days=3)):
        await memory.retention.expire(me)
        found, _ = await memory.memories.page(me, include_inactive=True)
        assert last.memory_id not in {each.memory_id for each in found}
