"""A block never tells a plan whose day has passed as one to come."""

from datetime import UTC, datetime, timedelta

import pytest

from gieok import Gieok, Scope
from gieok.models.rules.dates import resolve_dates
from gieok.testing import FixedClock

pytestmark = pytest.mark.req("D06", "D08")


async def test_a_plan_is_told_as_past_and_then_leaves_the_block(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    plan = resolve_dates("사용자는 내일 면접이 있다", clock().date())
    kept = await memory.memories.remember(me, plan)
    assert plan in (await memory.context.build(me, "면접")).text
    clock.advance(timedelta(days=3))
    block = await memory.context.build(me, "면접")
    assert "면접이 있다고 했다 (지난 일)" in block.text
    assert "내일" not in block.text
    clock.advance(timedelta(days=18))
    assert not (await memory.context.build(me, "면접")).lines
    assert (await memory.memories.get(me, kept.memory_id)).content == plan


async def test_a_move_that_was_planned_stays_and_is_told_as_past(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    plan = resolve_dates("사용자는 다음 달에 일산으로 이사한다", clock().date())
    await memory.memories.remember(me, plan)
    clock.advance(timedelta(days=100))
    block = await memory.context.build(me, "이사")
    assert "일산으로 이사한다고 했다 (지난 일)" in block.text


async def test_an_age_that_was_said_a_year_ago_is_told_with_its_year(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.memories.remember(me, "사용자의 아들 민준이는 5살이다")
    clock.advance(timedelta(days=370))
    block = await memory.context.build(me, "민준이")
    assert "지금은 6살쯤" in block.text


async def test_the_day_of_a_plan_goes_by_the_zone_that_the_person_has_now(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    clock.set(datetime(2026, 11, 24, 22, 30, tzinfo=UTC))
    content = "사용자는 오늘(11월 25일, 2026-11-25) 담배를 끊었다"
    await memory.memories.remember(me, content)
    clock.advance(timedelta(days=20))
    (line,) = (await memory.context.build(me, "담배")).lines
    assert content in line.text
    await memory.accounts.update(me, time_zone="UTC")
    assert not (await memory.context.build(me, "담배")).lines
    (listed,), _ = await memory.memories.page(me)
    assert listed.confidence_at(clock()) < listed.confidence / 2


async def test_what_gives_way_goes_by_the_days_of_the_person(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    clock.set(datetime(2026, 11, 23, 22, 30, tzinfo=UTC))
    await memory.settings.update(me, {"max_memories": 2})
    older = await memory.memories.remember(me, "사용자는 고양이를 키운다")
    clock.advance(timedelta(days=1))
    quit_today = "사용자는 오늘(11월 25일, 2026-11-25) 담배를 끊었다"
    kept = await memory.memories.remember(me, quit_today)
    clock.advance(timedelta(days=20))
    await memory.memories.remember(me, "사용자는 서울에 산다")
    assert not (await memory.memories.get(me, older.memory_id)).is_active
    assert (await memory.memories.get(me, kept.memory_id)).is_active
