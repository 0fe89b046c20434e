"""Sessions on a real PostgreSQL."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from gieok.sessions import Status, message_store
from gieok.testing import FixedClock
from support.database import Owner
from support.session_talk import active

TURN = Turn("나 강남구 살아", "강남구 규정을 알려 드릴게요.")


@pytest.mark.req("A01", "A02", "B02", "B03")
async def test_what_is_recorded_is_read_back_in_order(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me, language="ko", config={"tone": "짧게"})
    first = await memory.sessions.record(me, session.session_id, TURN)
    second = await memory.sessions.record(
        me,
        session.session_id,
        Turn("I moved", "Oh!", "DEF", {"route": "x", "confidence": 0.7}, tokens=12),
    )
    said = await memory.sessions.read(me, session.session_id)
    assert [m.content for m in said.messages] == [
        "나 강남구 살아",
        "강남구 규정을 알려 드릴게요.",
        "I moved",
        "Oh!",
    ]
    assert [m.position for m in said.messages] == [0, 1, 2, 3]
    assert [m.role for m in said.messages] == [Role.USER, Role.ASSISTANT] * 2
    assert (first.turn_index, second.turn_index) == (0, 1)
    assert said.session.status is Status.ACTIVE
    assert said.session.pair_count == 2
    assert said.session.total_tokens == 12
    assert said.session.last_route == "DEF"


@pytest.mark.req("B02")
@pytest.mark.parametrize(
    "wanted",
    [
        "(user_id, status, created_at DESC)",
        "(expires_at) WHERE (expires_at IS NOT NULL)",
    ],
)
async def test_sessions_are_indexed_by_status_and_by_expiry(
    owner: Owner, wanted: str
) -> None:
    found = await owner.execute(
        "SELECT indexdef FROM pg_indexes WHERE tablename = 'sessions'"
    )
    assert [1 for (index,) in await found.fetchall() if index.endswith(wanted)] == [1]


@pytest.mark.req("B03")
async def test_a_long_session_is_read_in_pages(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    for number in range(5):
        turn = Turn(f"말 {number}", f"답 {number}")
        await memory.sessions.record(me, session, turn)
    whole = await memory.sessions.read(me, session)
    assert (len(whole.messages), whole.has_more) == (10, False)
    found: list[str] = []
    start, has_more = 0, True
    while has_more:
        page = await memory.sessions.read(me, session, start=start, limit=4)
        assert len(page.messages) <= 4
        found += [message.content for message in page.messages]
        start, has_more = len(found), page.has_more
    assert found == [message.content for message in whole.messages]
    end, total = await memory.sessions.read_end(me, session, limit=3, offset=1)
    assert [message.position for message in end.messages] == [6, 7, 8]
    assert total == 10
    beyond = await memory.sessions.read(me, session, start=10, limit=4)
    assert (beyond.messages, beyond.has_more) == ((), False)


@pytest.mark.req("B03")
async def test_a_page_ends_where_its_messages_get_too_large(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    long = "바람 " * 120_000
    for _ in range(5):
        await memory.sessions.record(me, session, Turn(long, long))
    page = await memory.sessions.read(me, session, limit=1000)
    assert page.has_more
    assert 0 < len(page.messages) * len(long.encode()) <= 8_000_000
    rest = await memory.sessions.read(me, session, start=len(page.messages), limit=1000)
    assert len(page.messages) + len(rest.messages) == 10
    assert not rest.has_more
    async with memory.sessions.database.begin(me) as tx:
        end = await message_store.find_page_end(tx, session, 3, 1000, 10)
    assert end == (4, True), "one message, however long"


async def test_a_route_may_have_any_name(memory: Gieok, me: Scope) -> None:
    route = r"""{a, "b"} \ NULL 'c"""
    session = await memory.sessions.start(me)
    turn = Turn("켜 줘", "네", route_family=route)
    await memory.sessions.record(me, session.session_id, turn)
    read = await memory.sessions.read(me, session.session_id)
    assert read.session.last_route == route


async def test_single_messages_keep_speaker_and_layer(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me)
    for position, role in enumerate(Role):
        message = await memory.sessions.append(
            me,
            session.session_id,
            role=role,
            content=f"message {position}",
            layer="planning",
            metadata={"speaker": "Caroline"},
        )
        assert message.position == position
    said = await memory.sessions.read(me, session.session_id)
    assert [m.speaker for m in said.messages] == ["Caroline"] * 3
    assert {m.layer for m in said.messages} == {"planning"}


async def test_a_closed_session_takes_no_more(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me)
    closed = await memory.sessions.close(me, session.session_id)
    assert closed.status is Status.COMPLETED
    assert closed.completed_at is not None
    with pytest.raises(ConflictError, match="completed"):
        await memory.sessions.record(me, session.session_id, TURN)
    with pytest.raises(ConflictError, match="completed"):
        await memory.sessions.close(me, session.session_id)
    assert (await memory.sessions.read(me, session.session_id)).messages == ()


async def test_another_persons_session_looks_missing(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    session = await memory.sessions.start(me)
    for scope, session_id in ((other, session.session_id), (me, uuid4())):
        with pytest.raises(NotFoundError) as caught:
            await memory.sessions.read(scope, session_id)
        assert str(caught.value) == "There is no session with this id."
        with pytest.raises(NotFoundError):
            await memory.sessions.record(scope, session_id, TURN)
        with pytest.raises(NotFoundError):
            await memory.sessions.close(scope, session_id)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("a\x00b", "NUL"),
        ("\ud800", "surrogate"),
        ("가" * 400_000, "longer"),
        (None, "string"),
        (7, "string"),
    ],
)
async def test_bad_text_is_refused_and_nothing_is_written(
    memory: Gieok, me: Scope, text: str, problem: str
) -> None:
    session = await memory.sessions.start(me)
    for turn in (Turn(text, "ok"), Turn("ok", text)):
        with pytest.raises(InvalidInputError, match=problem):
            await memory.sessions.record(me, session.session_id, turn)
    read = await memory.sessions.read(me, session.session_id)
    assert read.messages == ()
    assert read.session.message_count == 0


async def test_decomposed_hangul_emoji_and_mixed_scripts_are_kept(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    texts = ["서울", "🥹🙏", "Ωμέγα Здравствуй 안녕 مرحبا"]
    for text in texts:
        await memory.sessions.record(me, session.session_id, Turn(text, "ok"))
    read = await memory.sessions.read(me, session.session_id)
    assert [m.content for m in read.messages[::2]] == ["서울", *texts[1:]]


async def test_sessions_are_listed_newest_first(memory: Gieok, me: Scope) -> None:
    made = [await memory.sessions.start(me) for _ in range(3)]
    page, total = await memory.sessions.page(me, limit=2)
    assert total == 3
    assert [s.session_id for s in page] == [s.session_id for s in reversed(made)][:2]
    with pytest.raises(InvalidInputError, match="limit"):
        await memory.sessions.page(me, limit=0)


async def test_an_id_can_be_used_once(memory: Gieok, me: Scope, other: Scope) -> None:
    chosen = uuid4()
    await memory.sessions.start(me, session_id=chosen)
    with pytest.raises(ConflictError):
        await memory.sessions.start(me, session_id=chosen)
    await memory.sessions.start(other, session_id=chosen)


async def test_the_clock_may_jump_back(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, TURN)
    clock.advance(timedelta(days=-365))
    try:
        await memory.sessions.record(me, session.session_id, Turn("나중", "later"))
    finally:
        clock.advance(timedelta(days=365))
    read = await memory.sessions.read(me, session.session_id)
    assert [m.content for m in read.messages[::2]] == ["나 강남구 살아", "나중"]


@pytest.mark.parametrize(
    ("turn", "field"),
    [
        (Turn("a", "b", cost=Decimal("NaN")), "cost"),
        (Turn("a", "b", cost=Decimal(-1)), "cost"),
        (Turn("a", "b", cost=Decimal(10_001)), "cost"),
        (Turn("a", "b", cost=0.25), "cost"),  # pyright: ignore[reportArgumentType]
        (Turn("a", "b", tokens=-1), "tokens"),
        (Turn("a", "b", tokens=1.5), "tokens"),  # pyright: ignore[reportArgumentType]
        (Turn("a", "b", "x" * 200), "route_family"),
        (Turn("a", "b", None, {"when": object()}), "planner_summary"),
        (Turn("a", "b", None, {"x": float("nan")}), "planner_summary"),
    ],
)
async def test_bad_notes_of_a_turn_name_their_field(
    memory: Gieok, me: Scope, turn: Turn, field: str
) -> None:
    session = await memory.sessions.start(me)
    with pytest.raises(InvalidInputError) as caught:
        await memory.sessions.record(me, session.session_id, turn)
    assert caught.value.field == field
    assert (await memory.sessions.read(me, session.session_id)).messages == ()


async def test_a_sum_of_costs_stops_at_its_end(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me)
    for _ in range(101):
        turn = Turn("a", "b", cost=Decimal(10_000))
        await memory.sessions.record(me, session.session_id, turn)
    read = await memory.sessions.read(me, session.session_id)
    assert read.session.total_cost == Decimal("999999.9999")


@pytest.mark.req("B06")
async def test_tokens_and_cost_of_single_messages_count_but_only_pairs_are_turns(
    memory: Gieok, me: Scope
) -> None:
    session_id = await active(memory, me)
    for role in (Role.USER, Role.ASSISTANT):
        await memory.sessions.append(
            me,
            session_id,
            role=role,
            content="…",
            tokens=7,
            cost=Decimal("0.25"),
        )
    session = (await memory.sessions.read(me, session_id)).session
    assert (session.total_turns, session.total_tokens) == (1, 14)
    assert session.total_cost == Decimal("0.5")
    with pytest.raises(InvalidInputError, match="tokens"):
        await memory.sessions.append(
            me, session_id, role=Role.USER, content="…", tokens=-1
        )
    for _ in range(3):
        turn = Turn("a", "b", tokens=2**53)
        await memory.sessions.record(me, session_id, turn)
    session = (await memory.sessions.read(me, session_id)).session
    assert session.total_tokens == 2**53, "the sum stops where it is still exact"


@pytest.mark.req("B02")
async def test_what_a_session_was_started_with_is_read_back(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    persona, device = uuid4(), uuid4()
    end = clock() + timedelta(hours=3)
    session = await memory.sessions.start(
        me,
        language="en",
        persona_id=persona,
        device_id=device,
        config={"tone": "짧게", "steps": [1, 2]},
        expires_at=end,
    )
    read = await memory.sessions.read(me, session.session_id)
    assert read.session == session
    assert read.config == {"tone": "짧게", "steps": [1, 2]}
    assert (session.persona_id, session.device_id) == (persona, device)
    assert (session.max_pairs, session.expires_at) == (8, end)
    bare = await memory.sessions.start(me, config={})
    assert (await memory.sessions.read(me, bare.session_id)).config == {}
    assert bare.max_pairs is None


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"max_pairs": 0}, "max_pairs"),
        ({"max_pairs": 10_001}, "max_pairs"),
        ({"max_pairs": True}, "max_pairs"),
        ({"expires_at": datetime(2020, 1, 1)}, "expires_at"),  # noqa: DTZ001
        ({"expires_at": datetime.fromisoformat("2020-01-01T00:00Z")}, "expires_at"),
        ({"config": {"at": object()}}, "config"),
        ({"config": {"at": float("inf")}}, "config"),
    ],
)
async def test_a_start_that_cannot_be_names_its_field_and_leaves_nothing(
    memory: Gieok, me: Scope, options: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.sessions.start(me, **options)
    assert caught.value.field == field
    assert await memory.sessions.page(me) == ((), 0)


async def test_lists_narrow_to_a_status_or_persona(memory: Gieok, me: Scope) -> None:
    persona = uuid4()
    first = await memory.sessions.start(me, persona_id=persona)
    second = await memory.sessions.start(me, persona_id=persona)
    third = await memory.sessions.start(me)
    await memory.sessions.close(me, first.session_id)

    async def listed(**wanted: Any) -> list[UUID]:
        page, total = await memory.sessions.page(me, **wanted)
        assert total == len(page)
        return [session.session_id for session in page]

    assert await listed(status=Status.COMPLETED) == [first.session_id]
    newest = [second.session_id, first.session_id]
    assert await listed(persona_id=persona) == newest
    assert await listed(status=Status.CREATED) == [third.session_id, newest[0]]
    assert await listed(persona_id=uuid4()) == []
    page, total = await memory.sessions.page(me, limit=1, offset=2)
    assert ([each.session_id for each in page], total) == ([first.session_id], 3)
    wrong: dict[str, Any]
    for wrong in ({"offset": -1}, {"offset": 2**40}, {"limit": 201}):
        with pytest.raises(InvalidInputError):
            await memory.sessions.page(me, **wrong)


@pytest.mark.req("B02")
async def test_an_apps_own_name_stands_for_one_session(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    accounts, chosen = memory.accounts, uuid4()
    named = accounts.session_id(me, "thread-42")
    assert named == accounts.session_id(me, "thread-42")
    assert named != accounts.session_id(other, "thread-42")
    assert named != accounts.session_id(me, "thread-43")
    assert accounts.session_id(me, str(chosen)) == chosen
    for wrong in ("", "x" * 129, "a\x00b"):
        with pytest.raises(InvalidInputError, match="session_id"):
            accounts.session_id(me, wrong)
    session = await memory.sessions.start(me, session_id=named)
    assert session.session_id == named
