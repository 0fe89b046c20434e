"""What devices send up: taken once, in order, by the code that records every turn."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from gieok import Gieok, Scope, Turn
from gieok.database import Transaction
from gieok.kernel.errors import (
    DeviceGoneError,
    InvalidInputError,
    ProtocolError,
    SyncEpochError,
    SyncForkError,
    SyncGapError,
    SyncUnknownError,
)
from gieok.sessions import Status
from gieok.sync import (
    MAX_PAIRS,
    Installation,
    RejectionCode,
    SyncStatus,
    start_chain,
)
from gieok.testing import FixedClock
from support.sync_device import Device, joined

MAX_STATEMENTS = 20
Owner = AsyncConnection[tuple[Any, ...]]

pytestmark = pytest.mark.req("A08", "A16")


async def kept(owner: Owner, who: Scope) -> list[UUID]:
    """Return the ids of all pairs of a person, in the order of their numbers."""
    rows = await owner.execute(
        """
        SELECT entity_id FROM memory_updates
        WHERE user_id = %s AND entity = 'conversation_pair' AND operation = 'put'
        ORDER BY seq
        """,
        [who.user_id],
    )
    return [row[0] for row in await rows.fetchall()]


async def heard(memory: Gieok, who: Scope, session: str = "talk") -> list[str]:
    """Return what the user said in a session and in those that continue it."""
    session_id: UUID | None = memory.accounts.session_id(who, session)
    said: list[str] = []
    while session_id is not None:
        read = await memory.sessions.read(who, session_id)
        said += [message.content for message in read.messages[::2]]
        session_id = read.session.continued_by
    return said


async def test_what_a_device_said_is_recorded_like_any_turn(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    device = await joined(memory, me)
    first = device.says("내 주민번호는 900101-1234568이야")
    device.says("불 켜줘", answer="거실 불을 켰어요")
    answer = await device.push()
    assert (answer.up.seq, answer.rejected) == (2, ())
    session_id = memory.accounts.session_id(me, "talk")
    read = await memory.sessions.read(me, session_id)
    assert read.session.device_id == device.device_id
    assert (read.session.pair_count, read.session.max_pairs) == (2, 8)
    assert "900101" not in repr(read.messages)
    row = await owner.execute(
        "SELECT turn_index, route_family, sensitive_flags FROM conversation_pairs"
        " WHERE pair_id = %s",
        [first.pair_id],
    )
    assert await row.fetchone() == (0, "DEF", {"rrn": 1})
    lines = await memory.audit.lines(me)
    turns = [line for line in lines if line.reason == "turn_recorded"]
    assert [line.actor for line in turns] == ["device"] * 2
    assert {line.event_type for line in lines} >= {"create", "mask"}
    jobs = await owner.execute(
        "SELECT count(*) FROM procrastinate_jobs WHERE args->>'about' = %s",
        [str(session_id)],
    )
    assert await jobs.fetchone() == (2,), "searching and extracting follow"
    assert await memory.audit.verify(me)


@pytest.mark.req("A02")
async def test_the_ninth_pair_goes_on_in_a_session_that_continues(
    memory: Gieok, me: Scope
) -> None:
    device = await joined(memory, me)
    for number in range(20):
        device.says(f"말 {number}")
    await device.push(end=12)
    await device.push()
    assert await heard(memory, me) == [f"말 {number}" for number in range(20)]
    sessions, _ = await memory.sessions.page(me)
    assert sorted(each.pair_count for each in sessions) == [4, 8, 8]


async def test_many_pairs_of_many_sessions_are_taken_at_once_in_order(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """Some are masked, one finishes a number, one came twice under its id."""
    device = await joined(memory, me)
    said: dict[str, list[str]] = {"kitchen": [], "car": []}
    for number in range(MAX_PAIRS - 4):
        session = "car" if number % 12 < 3 else "kitchen"
        device.says(f"{number}번째: hong{number}@example.org", session=session)
        said[session].append(f"{number}번째: h***@example.org")
    device.says("카드 번호 앞은 4539 1488", session="car")
    twice = device.says("뒤는 0343 6467", session="car")
    device.says("같은 말", session="car", pair_id=twice.pair_id)
    device.says("그래", session="car")
    said["car"] += ["카드 번호 앞은 [카드번호]", "뒤는 [카드번호]", "그래"]
    answer = await device.push()
    assert (answer.up.seq, answer.rejected) == (MAX_PAIRS, ())
    assert await heard(memory, me, "kitchen") == said["kitchen"]
    assert await heard(memory, me, "car") == said["car"]
    rows = await owner.execute(
        """
        SELECT array_agg(turn_index ORDER BY first.seq),
               bool_and(asked.position = 2 * turn_index),
               bool_and(answered.position = 2 * turn_index + 1)
        FROM conversation_pairs AS pair
        JOIN (
            SELECT entity_id, min(seq) AS seq FROM memory_updates GROUP BY entity_id
        ) AS first ON first.entity_id = pair_id
        JOIN session_messages AS asked ON asked.message_id = user_message_id
        JOIN session_messages AS answered ON answered.message_id = assistant_message_id
        WHERE pair.user_id = %s GROUP BY pair.session_id
        """,
        [me.user_id],
    )
    for turns, *placed in await rows.fetchall():
        assert turns == list(range(len(turns)))
        assert placed == [True, True]
    lines = await memory.audit.lines(me)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert sum(line.event_type == "mask" for line in lines) >= MAX_PAIRS - 4
    await memory.audit.verify(me)


async def test_a_push_is_as_many_statements_for_one_session_as_for_eight(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    execute = Transaction.execute

    async def count(tx: Transaction, statement: Any, *args: Any) -> Any:
        sent.append(statement)
        return await execute(tx, statement, *args)

    device = await joined(memory, me)
    monkeypatch.setattr(Transaction, "execute", count)
    counts: list[int] = []
    for sessions in (1, 8):
        for number in range(8):
            device.says(f"말 {number}", session=f"{sessions}-{number % sessions}")
        sent.clear()
        await device.push()
        counts.append(len(sent))
    assert counts[0] == counts[1] <= MAX_STATEMENTS


async def test_a_push_that_is_repeated_is_taken_once(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """P14: the same request any number of times is the same as once."""
    device = await joined(memory, me)
    said = [device.says(f"말 {number}") for number in range(4)]
    device.said[1] = replace(said[1], turn=Turn("a\0b", "네"))
    first = await device.push(base=0, end=3)
    lines = len(await memory.audit.lines(me))
    again = [await device.push(base=0, end=3) for _ in range(3)]
    assert {each.up for each in again} == {first.up}
    assert [each.rejected for each in again] == [first.rejected] * 3
    assert first.rejected[0].code is RejectionCode.INVALID
    overlapping = await device.push(base=1, end=4)
    assert overlapping.up.seq == 4
    ids = [said[index].pair_id for index in (0, 2, 3)]
    assert await kept(owner, me) == ids
    assert await heard(memory, me) == ["말 0", "말 2", "말 3"]
    turns = [x for x in await memory.audit.lines(me) if x.reason == "turn_recorded"]
    assert len(turns) == 3
    assert lines


async def test_the_same_push_at_once_is_taken_once(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    device = await joined(memory, me)
    said = [device.says(f"말 {number}") for number in range(6)]
    answers = await asyncio.gather(*(device.push(base=0) for _ in range(5)))
    assert {answer.up.seq for answer in answers} == {6}
    assert await kept(owner, me) == [pair.pair_id for pair in said]


async def test_a_gap_takes_nothing_and_hello_says_where_to_go_on(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """P3: numbers 1 to n, none left out."""
    device = await joined(memory, me)
    for number in range(5):
        device.says(f"말 {number}")
    await device.push(end=2)
    with pytest.raises(SyncGapError):
        await device.push(base=3)
    device.said[3] = replace(device.said[3], seq=5)
    with pytest.raises(SyncGapError):
        await device.push()
    assert len(await kept(owner, me)) == 2
    device.said[3] = replace(device.said[3], seq=4)
    assert (await device.hello()).up == device.position(2)
    await device.push()
    assert await heard(memory, me) == [f"말 {number}" for number in range(5)]


@pytest.mark.req("A17")
async def test_a_clone_is_found_out_and_both_histories_stay(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """P11, P2: nothing of either is lost, and what both said is there once."""
    phone = await joined(memory, me, "phone")
    phone.says("같이 한 말")
    await phone.push()
    clone = Device(
        memory, me, "phone", phone.incarnation, list(phone.said), phone.epoch, 1
    )
    phone.says("원본이 한 말")
    clone.says("복제가 한 말")
    await phone.push()
    with pytest.raises(SyncForkError):
        await clone.push()
    (cursor,) = await memory.sync.cursors(me)
    assert cursor.sync_status is SyncStatus.CONFLICT
    assert (cursor.conflict_state or {})["kind"] == "fork"
    assert "sync_fork" in {line.reason for line in await memory.audit.lines(me)}
    new = await clone.fork()
    await new.push()
    phone.says("원본이 또 한 말")
    await phone.push()
    said = ["같이 한 말", "원본이 한 말", "복제가 한 말", "원본이 또 한 말"]
    assert await heard(memory, me) == said
    assert len(await kept(owner, me)) == 4
    conflicts = [each.conflict_state for each in await memory.sync.cursors(me)]
    assert conflicts == [None, None]


@pytest.mark.parametrize(
    ("spoiled", "code"),
    [
        ({"turn": Turn("a\0b", "네")}, RejectionCode.INVALID),
        ({"turn": Turn("가", "나", None, {"x": float("nan")})}, RejectionCode.INVALID),
        ({"turn": Turn("x" * 1_100_000, "네")}, RejectionCode.INVALID),
        ({"turn": Turn("\ud800", "네")}, RejectionCode.INVALID),
        ({"session": ""}, RejectionCode.INVALID),
        ({"persona": "a\0"}, RejectionCode.INVALID),
    ],
    ids=["nul", "nan", "long", "surrogate", "session", "persona"],
)
async def test_one_bad_pair_never_blocks_the_next(
    memory: Gieok, me: Scope, spoiled: dict[str, Any], code: RejectionCode
) -> None:
    """P10: it uses up its number and comes back as a code."""
    device = await joined(memory, me)
    for number in range(3):
        device.says(f"말 {number}")
    device.said[1] = replace(device.said[1], **spoiled)
    answer = await device.push()
    assert [(each.seq, each.code) for each in answer.rejected] == [(2, code)]
    assert answer.up.seq == 3
    assert await heard(memory, me) == ["말 0", "말 2"]
    rejected = [x for x in await memory.audit.lines(me) if x.reason == "pairs_rejected"]
    assert [dict(line.details) for line in rejected] == [{code.value: 1}]


async def test_a_pair_of_another_device_s_session_is_turned_away(
    memory: Gieok, me: Scope
) -> None:
    kitchen, phone = await joined(memory, me, "a"), await joined(memory, me, "b")
    kitchen.says("부엌에서")
    await kitchen.push()
    phone.says("전화로")
    phone.says("다른 데서", session="own")
    answer = await phone.push()
    assert [each.code for each in answer.rejected] == [RejectionCode.SESSION_ELSEWHERE]
    assert await heard(memory, me) == ["부엌에서"]
    assert await heard(memory, me, "own") == ["다른 데서"]


async def test_what_comes_late_goes_on_where_the_session_ended(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    device = await joined(memory, me)
    device.says("아침에")
    await device.push()
    device.says("그 뒤에")
    clock.advance(timedelta(hours=5))
    await device.push()
    first = memory.accounts.session_id(me, "talk")
    read = await memory.sessions.read(me, first)
    assert read.session.status is Status.EXPIRED
    device.says("또 뒤에")
    await device.push()
    assert await heard(memory, me) == ["아침에", "그 뒤에", "또 뒤에"]
    assert len((await memory.sessions.page(me))[0]) == 2


async def test_a_paused_session_turns_pairs_away_by_name(
    memory: Gieok, me: Scope
) -> None:
    device = await joined(memory, me)
    device.says("하나")
    await device.push()
    await memory.sessions.pause(me, memory.accounts.session_id(me, "talk"))
    device.says("둘")
    answer = await device.push()
    assert [each.code for each in answer.rejected] == [RejectionCode.SESSION_PAUSED]


async def test_a_paused_session_that_is_over_is_continued(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    device = await joined(memory, me)
    device.says("하나")
    await device.push()
    first = memory.accounts.session_id(me, "talk")
    await memory.sessions.pause(me, first)
    clock.advance(timedelta(hours=25))
    device.says("둘")
    answer = await device.push()
    assert answer.rejected == ()
    assert await heard(memory, me) == ["하나", "둘"]
    read = await memory.sessions.read(me, first)
    assert read.session.status is Status.EXPIRED
    assert read.session.continued_by is not None


async def test_without_consent_nothing_is_kept_and_nothing_is_stuck(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    device = await joined(memory, me)
    await memory.settings.consent(me, {"storage": False})
    device.says("적지 마")
    answer = await device.push()
    assert [each.code for each in answer.rejected] == [RejectionCode.CONSENT]
    assert (answer.up.seq, await kept(owner, me)) == (1, [])
    await memory.settings.consent(me, {"storage": True})
    device.says("이제 적어")
    assert (await device.push()).rejected == ()
    assert await heard(memory, me) == ["이제 적어"]


@pytest.mark.req("A15")
async def test_what_was_erased_never_comes_back(memory: Gieok, me: Scope) -> None:
    """P5: not by a device that still has it, under whichever number."""
    device = await joined(memory, me)
    device.says("지울 말")
    device.says("남을 말", session="other")
    await device.push()
    session_id = memory.accounts.session_id(me, "talk")
    await memory.erasure.session(me, session_id)
    new = await device.fork()
    new.says("지운 대화에 더한 말")
    answer = await new.push()
    assert [each.seq for each in answer.rejected] == [1, 3]
    assert {each.code for each in answer.rejected} == {RejectionCode.ERASED}
    sessions, _ = await memory.sessions.page(me)
    assert len(sessions) == 1
    assert await heard(memory, me, "other") == ["남을 말"]


@pytest.mark.req("A15")
async def test_who_was_erased_wholly_may_use_the_name_of_a_session_again(
    memory: Gieok, me: Scope
) -> None:
    device = await joined(memory, me)
    device.says("지울 말")
    await device.push()
    await memory.erasure.session(me, memory.accounts.session_id(me, "talk"))
    await memory.erasure.person(me)
    device = await joined(memory, me)
    device.says("새 사람의 말")
    assert (await device.push()).rejected == ()
    assert await heard(memory, me) == ["새 사람의 말"]


async def test_what_is_said_with_a_persona_after_it_was_erased_is_kept(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    """Whichever comes first: what was said before it, on whatever device, does not."""
    device, other = await joined(memory, me), await joined(memory, me, "kitchen")
    luna = memory.accounts.persona_id(me, "루나")

    def say(spoken_on: Device, text: str) -> None:
        now = int(clock().timestamp() * 1_000)
        spoken_on.says(text, session=text, persona="루나", client_ms=now)

    say(device, "안녕")
    await device.push()
    say(device, "지워질 말")
    say(other, "다른 데서 지워질 말")
    clock.advance(timedelta(minutes=1))
    await memory.erasure.persona(me, luna)
    clock.advance(timedelta(minutes=1))
    say(device, "다시")
    assert [x.code for x in (await device.push()).rejected] == [RejectionCode.ERASED]
    assert (await memory.sessions.page(me, persona_id=luna))[1] == 1
    assert await memory.accounts.persona_names(me) == {luna: "루나"}
    assert [x.code for x in (await other.push()).rejected] == [RejectionCode.ERASED]
    assert await heard(memory, me, "다시") == ["다시"]


@pytest.mark.parametrize("told", [0, None])
async def test_an_erased_persona_is_not_begun_again_by_what_has_no_time(
    memory: Gieok, me: Scope, told: int | None
) -> None:
    device = await joined(memory, me)
    device.says("안녕", persona="루나")
    await device.push()
    await memory.erasure.persona(me, memory.accounts.persona_id(me, "루나"))
    device.says("다시", session="later", persona="루나", client_ms=told)
    assert [x.code for x in (await device.push()).rejected] == [RejectionCode.ERASED]


async def test_words_whose_time_is_over_are_not_taken_again(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    device = await joined(memory, me)
    device.says("오래된 말")
    await device.push()
    clock.advance(timedelta(days=40))
    await memory.sessions.expire_idle(me)
    await memory.retention.expire(me)
    new = await device.fork()
    new.says("새 말")
    answer = await new.push()
    assert [(x.seq, x.code) for x in answer.rejected] == [(1, RejectionCode.ERASED)]


@pytest.mark.parametrize("years", [-20, 20, 30_000])
async def test_a_wrong_clock_changes_no_order(
    memory: Gieok, me: Scope, clock: FixedClock, years: int
) -> None:
    """P15."""
    device = await joined(memory, me)
    now = int(clock().timestamp() * 1000)
    for number, told in enumerate((now, now + years * 31_557_600_000, now - 5_000)):
        device.says(f"말 {number}", client_ms=told)
    assert (await device.push()).rejected == ()
    assert await heard(memory, me) == ["말 0", "말 1", "말 2"]
    session_id = memory.accounts.session_id(me, "talk")
    messages = (await memory.sessions.read(me, session_id)).messages
    told = [message.spoken_at for message in messages]
    assert told == sorted(told)
    assert all(datetime(1970, 1, 1, tzinfo=UTC) <= at <= clock() for at in told)


@pytest.mark.parametrize("told", [0, -1, 946_684_800_000])
async def test_by_a_clock_that_was_never_set_it_is_said_now(
    memory: Gieok, me: Scope, clock: FixedClock, told: int
) -> None:
    """P15."""
    device = await joined(memory, me)
    device.says("내일 면접이야", client_ms=told)
    await device.push()
    session_id = memory.accounts.session_id(me, "talk")
    messages = (await memory.sessions.read(me, session_id)).messages
    assert {message.spoken_at for message in messages} == {clock()}


async def test_two_people_with_a_device_of_one_name_stay_apart(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    """P8: even with the same incarnation, session and pair ids."""
    mine = await joined(memory, me)
    theirs = Device(memory, other, incarnation=mine.incarnation)
    await theirs.join()
    pair = mine.says("내 말")
    theirs.says("그들 말", pair_id=pair.pair_id)
    assert (await mine.push()).rejected == (await theirs.push()).rejected == ()
    assert await heard(memory, me) == ["내 말"]
    assert await heard(memory, other) == ["그들 말"]
    assert len(await memory.sync.cursors(me)) == 1


async def test_a_device_has_to_speak_properly(memory: Gieok, me: Scope) -> None:
    device = Device(memory, me)
    for number in range(MAX_PAIRS + 1):
        device.says(f"{number}")
    at = start_chain(device.incarnation)
    with pytest.raises(ProtocolError):
        await memory.sync.hello(me, device.installation, at, 0, protocol=2)
    with pytest.raises(InvalidInputError, match="down"):
        await memory.sync.hello(me, device.installation, at, -1)
    with pytest.raises(InvalidInputError, match="device"):
        await memory.sync.hello(me, Installation("", uuid4()), at, 0)
    with pytest.raises(SyncUnknownError):
        await device.push(end=1)
    await device.join()
    with pytest.raises(InvalidInputError, match="pairs"):
        await device.push()
    with pytest.raises(InvalidInputError, match="seq"):
        await memory.sync.push(
            me, device.installation, at, [replace(device.said[0], seq=2**70)]
        )
    device.epoch = "never given out"
    with pytest.raises(SyncEpochError):
        await device.push(end=1)


@pytest.mark.req("A15")
async def test_the_device_of_an_erased_person_empties_itself(
    memory: Gieok, me: Scope
) -> None:
    device = await joined(memory, me)
    device.says("지울 말")
    await device.push()
    await memory.erasure.person(me)
    for ask in (device.hello, device.push, device.pull):
        with pytest.raises(DeviceGoneError):
            await ask()
    assert await memory.maintenance.vault.keystore.list_keys(me.user_id) == ()
    await memory.accounts.ensure(me)
    await memory.maintenance.vault.get_key(me)
    with pytest.raises(DeviceGoneError):
        await device.hello()
    await joined(memory, me)


async def remove_rows(owner: Owner, who: Scope) -> None:
    """Have a person be in no table, as in a backup of before they came."""
    found = await owner.execute(
        "SELECT table_name FROM information_schema.columns"
        " JOIN information_schema.tables USING (table_schema, table_name)"
        " WHERE table_schema = current_schema() AND column_name = 'user_id'"
        " AND table_type = 'BASE TABLE'"
    )
    await owner.execute("SET session_replication_role = replica")
    for (table,) in await found.fetchall():
        await owner.execute(
            f"DELETE FROM {table} WHERE user_id = %s".encode(), [who.user_id]
        )
    await owner.execute("SET session_replication_role = DEFAULT")


@pytest.mark.req("A15", "A17")
@pytest.mark.parametrize("has_key", [True, False])
async def test_who_came_since_the_backup_sends_what_their_device_has(
    memory: Gieok, me: Scope, owner: Owner, *, has_key: bool
) -> None:
    device = await joined(memory, me)
    device.says("우산은 현관에 뒀어")
    await device.push()
    await device.pull()
    await remove_rows(owner, me)
    if not has_key:
        await memory.maintenance.vault.destroy(me)
    await memory.erasure.replay()
    for ask in (device.push, device.pull, device.install):
        with pytest.raises(SyncUnknownError):
            await ask()
    answer = await device.hello()
    assert (answer.up.seq, answer.snapshot) == (0, True)
    await device.goes_on()
    assert device.texts() == ["우산은 현관에 뒀어"]


@pytest.mark.req("A15")
async def test_of_a_life_before_an_erasure_a_device_empties_itself_after_a_restore(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """The database of before both lives knows of neither; the ledger does."""
    before = await joined(memory, me, "before")
    before.says("지울 말")
    await before.push()
    await memory.erasure.person(me)
    since = await joined(memory, me, "since")
    since.says("남을 말")
    await since.push()
    await remove_rows(owner, me)
    for ask in (before.push, before.pull, before.hello):
        with pytest.raises(DeviceGoneError):
            await ask()
    before.epoch = "never given out"
    with pytest.raises(DeviceGoneError):
        await before.hello()
    await since.goes_on()
    assert since.texts() == ["남을 말"]


@pytest.mark.req("A15", "A17")
@pytest.mark.parametrize("comes_by", ["device", "new device", "account"])
async def test_who_was_erased_before_comes_back_to_the_life_they_were_in(
    memory: Gieok, me: Scope, owner: Owner, comes_by: str
) -> None:
    """Whatever brings them back, it is the life that the ledger counts."""
    before = await joined(memory, me, "before")
    before.says("지울 말")
    await before.push()
    await memory.erasure.person(me)
    since = await joined(memory, me, "since")
    since.says("남을 말")
    await since.push()
    await remove_rows(owner, me)
    await memory.erasure.replay()
    if comes_by == "new device":
        await joined(memory, me, "new")
    if comes_by == "account":
        await memory.accounts.get(me)
    await since.goes_on()
    for ask in (before.hello, before.push, before.pull):
        with pytest.raises(DeviceGoneError):
            await ask()
    assert await memory.erasure.replay() == 0
    await since.goes_on()
    assert since.texts() == ["남을 말"]


@pytest.mark.req("A15")
async def test_of_a_life_before_an_erasure_no_device_is_let_in_by_a_wrong_number(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """What counted no erasures lets in nobody of whose erasure the ledger knows."""
    before = await joined(memory, me, "before")
    await memory.erasure.person(me)
    await remove_rows(owner, me)
    await memory.erasure.replay()
    await memory.settings.update(me, {"is_enabled": True})
    with pytest.raises(DeviceGoneError):
        await before.hello()


@pytest.mark.req("A15")
async def test_an_erased_device_empties_itself_and_may_begin_anew(
    memory: Gieok, me: Scope
) -> None:
    device, phone = await joined(memory, me), await joined(memory, me, "phone")
    device.says("지울 말")
    await device.push()
    await memory.erasure.device(me, device.device_id)
    with pytest.raises(DeviceGoneError):
        await device.hello()
    with pytest.raises(DeviceGoneError):
        await device.push(base=0)
    await phone.pull()
    assert phone.texts() == []
    again = await joined(memory, me)
    again.says("새 말")
    assert (await again.push()).rejected == ()


@pytest.mark.req("A15", "A17")
@pytest.mark.parametrize("is_first", [True, False])
async def test_an_erased_device_brings_nothing_back_after_a_restore(
    memory: Gieok, me: Scope, owner: Owner, *, is_first: bool
) -> None:
    """It is neither the one that brings its person back, nor let in after another."""
    device, phone = await joined(memory, me), await joined(memory, me, "phone")
    device.says("지울 말")
    await device.push()
    phone.says("남을 말")
    await phone.push()
    await memory.erasure.device(me, device.device_id)
    again = await joined(memory, me)
    await remove_rows(owner, me)
    await memory.erasure.replay()
    if not is_first:
        await phone.goes_on()
    with pytest.raises(DeviceGoneError):
        await device.hello()
    await phone.goes_on()
    assert phone.texts() == ["남을 말"]
    with pytest.raises(DeviceGoneError):
        await again.hello()
    anew = await joined(memory, me)
    await memory.erasure.replay()
    await anew.goes_on()
    assert anew.texts() == ["남을 말"], "who is known is not erased by the old entry"


@pytest.mark.req("A15", "A17")
async def test_a_device_erased_in_a_former_life_is_let_in_after_a_restore(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    before = await joined(memory, me)
    await memory.erasure.device(me, before.device_id)
    await memory.erasure.person(me)
    device = await joined(memory, me)
    device.says("남을 말")
    await device.push()
    await remove_rows(owner, me)
    await memory.erasure.replay()
    await device.goes_on()
    assert device.texts() == ["남을 말"]


async def test_a_device_that_was_shut_out_stays_out(memory: Gieok, me: Scope) -> None:
    device, phone = await joined(memory, me), await joined(memory, me, "phone")
    await memory.sync.revoke(me, device.device_id)
    for ask in (device.hello, device.push, device.pull, device.install):
        with pytest.raises(DeviceGoneError):
            await ask()
    with pytest.raises(DeviceGoneError):
        await joined(memory, me)
    await memory.erasure.device(me, device.device_id)
    with pytest.raises(DeviceGoneError):
        await joined(memory, me)
    await phone.pull()
    assert "device_revoked" in {line.reason for line in await memory.audit.lines(me)}


@pytest.mark.req("A17")
async def test_a_restored_cloud_loses_nothing_a_device_still_has(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """P12: the cloud says where it is, and the device sends the rest again."""
    device = await joined(memory, me)
    for number in range(3):
        device.says(f"말 {number}")
    await device.push(end=1)
    rows = await owner.execute(
        "SELECT chain FROM memory_sync_cursors WHERE user_id = %s", [me.user_id]
    )
    before = await rows.fetchone()
    await device.push()
    for pair in device.said[1:]:
        await owner.execute(
            "DELETE FROM conversation_pairs WHERE user_id = %s AND pair_id = %s",
            [me.user_id, pair.pair_id],
        )
    await owner.execute(
        "UPDATE memory_sync_cursors SET last_pair_seq = 1, chain = %s"
        " WHERE user_id = %s",
        [before and before[0], me.user_id],
    )
    await memory.erasure.replay()
    with pytest.raises(SyncEpochError):
        await device.push()
    answer = await device.hello()
    assert (answer.up, answer.snapshot) == (device.position(1), True)
    (cursor,) = await memory.sync.cursors(me)
    assert cursor.sync_status is SyncStatus.CONFLICT
    await device.goes_on()
    (cursor,) = await memory.sync.cursors(me)
    assert (cursor.sync_status, cursor.conflict_state) == (SyncStatus.OK, None)
    rows = await owner.execute(
        "SELECT count(*) FROM conversation_pairs WHERE user_id = %s", [me.user_id]
    )
    assert await rows.fetchone() == (3,)
