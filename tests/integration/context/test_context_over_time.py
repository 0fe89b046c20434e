"""A block never tells a plan whose day has passed as one to come."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gieok import Gieok, Scope
from gieok.kernel.language import Conversation, Finding, FindingOperation
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.testing import FixedClock
from support.memory_talk import talk
from support.scripted_model import Script, fact

pytestmark = pytest.mark.req("D06", "D08")

SON = "사용자의 아들 민준이는 5살이다"


async def confirm(memory: Gieok, me: Scope, script: Script, content: str) -> None:
    """Say something that confirms the first thing known."""

    def reinforce(talked: Conversation) -> list[Finding]:
        repeats, target = FindingOperation.REINFORCE, talked.known[0].id
        return [replace(fact(content), operation=repeats, target=target)]

    script.computes(reinforce)
    await talk(memory, me, content, close=True)


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


async def test_a_plan_that_is_mentioned_on_its_day_is_over_when_the_day_is(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    plan = resolve_dates("사용자는 내일 면접이 있다", clock().date())
    said = clock().date()
    await memory.memories.remember(me, plan)
    clock.advance(timedelta(days=1))
    await confirm(
        memory, me, script, resolve_dates("사용자는 오늘 면접이 있다", clock().date())
    )
    (line,) = (await memory.context.build(me, "면접", excerpts=0)).lines
    assert plan in line.text
    assert f"[{said}" in line.text, "the day goes with the words"
    clock.advance(timedelta(days=3))
    block = await memory.context.build(me, "면접", excerpts=0)
    assert "면접이 있다고 했다 (지난 일)" in block.text
    clock.advance(timedelta(days=18))
    assert not (await memory.context.build(me, "면접", excerpts=0)).lines


async def test_a_plan_that_is_repeated_word_for_word_is_over_when_its_day_is(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    plan = resolve_dates("사용자는 내일 면접이 있다", clock().date())
    await memory.memories.remember(me, plan)
    clock.advance(timedelta(days=1))
    await memory.memories.remember(me, plan)
    clock.advance(timedelta(days=3))
    assert "(지난 일)" in (await memory.context.build(me, "면접")).text


async def test_an_age_moves_with_the_years_however_often_its_bearer_is_mentioned(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await memory.memories.remember(me, SON)
    for _ in range(2):
        clock.advance(timedelta(days=185))
        await confirm(memory, me, script, "사용자에게는 아들 민준이가 있다")
    block = await memory.context.build(me, "민준이", excerpts=0)
    assert "지금은 6살쯤" in block.text


@pytest.mark.parametrize("again", [SON, "사용자의 아들 민준이는 다섯 살이다"])
async def test_an_age_that_is_said_again_counts_from_then(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, again: str
) -> None:
    await memory.memories.remember(me, SON)
    clock.advance(timedelta(days=100))
    await confirm(memory, me, script, "사용자에게는 아들 민준이가 있다")
    clock.advance(timedelta(days=200))
    await confirm(memory, me, script, again)
    clock.advance(timedelta(days=100))
    assert SON in (await memory.context.build(me, "민준이", excerpts=0)).text


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
