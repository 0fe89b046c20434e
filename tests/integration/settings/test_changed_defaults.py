"""What becomes of what is kept once an operator changes the defaults."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from psycopg import AsyncConnection

from gieok import (
    ALL_CATEGORIES,
    Category,
    Gieok,
    Parts,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.bootstrap import DATABASE
from gieok.database import DefaultCategoriesChanged, DefaultsChanged
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url
from gieok.kernel.scope import Actor
from gieok.settings import Keep, installation_defaults
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from gieok.worker.pace import Pace
from support.data_template import copy_template
from support.jobs import wait_until
from support.own_installation import build_config

Opened = AbstractAsyncContextManager[Gieok]
Opener = Callable[..., Opened]
FOREVER = Settings(allowed_categories=ALL_CATEGORIES)
YEAR = replace(FOREVER, retention_days=365)
FEWER = Settings(allowed_categories=(Category.LOCATION,))
CHANGES = {DefaultsChanged.name, DefaultCategoriesChanged.name}


@pytest.fixture
def reopen(template: Path, tmp_path: Path) -> Opener:
    """Return what opens one installation with these defaults, as a start does."""
    config = build_config(copy_template(template, tmp_path / "data"))

    def open_with(
        defaults: Settings,
        *,
        worker: bool = False,
        clock: FixedClock | None = None,
        keep: Keep | None = None,
    ) -> Opened:
        parts = Parts(
            model=ScriptedModel(),
            embedder=HashEmbedder(),
            tokenizer=WordTokenizer(),
            pace=Pace(poll=0.1, sweep="* * * * * *"),
        )
        changed = replace(config, defaults=defaults, keep=keep or config.keep)
        if clock:
            parts = replace(parts, clock=clock)
        return open_memory(changed, parts=parts, worker=worker)

    return open_with


async def apply(memory: Gieok, me: Scope) -> None:
    """Do what a worker does of changed defaults."""
    assert await memory.maintenance.schedule_default_changes() > 0
    entered = await list_entered(memory, me)
    if DefaultsChanged.name in entered:
        await memory.maintenance.apply_defaults(me)
    if DefaultCategoriesChanged.name in entered:
        await memory.maintenance.apply_default_categories(me)
    await take_from_agenda(memory, me)


@pytest.mark.req("A20", "D04")
async def test_a_worker_brings_a_new_retention_to_what_was_remembered_before(
    reopen: Opener,
) -> None:
    async with reopen(FOREVER) as memory:
        me, other = memory.person("minji"), memory.person("jiho")
        kept = await memory.memories.remember(me, "사용자는 벌을 키움")
        assert kept.expires_at is None
        await memory.settings.update(other, {"retention_days": None})
        chosen = await memory.memories.remember(other, "사용자는 벌을 키움")
    async with reopen(YEAR, worker=True) as memory:

        async def find_end() -> datetime | None:
            return (await memory.memories.get(me, kept.memory_id)).expires_at

        async def is_ending() -> bool:
            return await find_end() is not None

        await wait_until(is_ending, seconds=30)
        assert await find_end() == kept.created_at + timedelta(days=365)
        found = await memory.memories.get(other, chosen.memory_id)
        assert found.expires_at is None, "who chose is not reached"
        assert await memory.maintenance.schedule_default_changes() == 0
    async with reopen(FOREVER) as memory:
        await apply(memory, me)
        assert (await memory.memories.get(me, kept.memory_id)).expires_at is None


@pytest.mark.req("A20", "D04")
async def test_a_worker_not_restarted_yet_leaves_new_defaults_to_those_that_are(
    reopen: Opener,
) -> None:
    async with reopen(FOREVER) as old:
        me = old.person("minji")
        kept = await old.memories.remember(me, "사용자는 벌을 키움")
        async with reopen(YEAR) as new:
            assert await old.maintenance.schedule_default_changes() == 0
            assert await new.maintenance.schedule_default_changes() > 0
            # The old one takes the job that the new one entered.
            await take_from_agenda(old, me)
            await old.maintenance.apply_defaults(me)
            assert DefaultsChanged.name in await list_entered(new, me), "put off"
            await new.maintenance.apply_defaults(me)
            found = await new.memories.get(me, kept.memory_id)
            assert found.expires_at == kept.created_at + timedelta(days=365)


async def test_a_start_with_the_same_defaults_looks_at_nobody(reopen: Opener) -> None:
    async with reopen(FOREVER) as memory:
        await memory.memories.remember(memory.person("minji"), "사용자는 벌을 키움")
        assert await memory.maintenance.schedule_default_changes() == 0
    async with reopen(FOREVER) as memory:
        assert await memory.maintenance.schedule_default_changes() == 0


@pytest.mark.req("A20")
async def test_devices_hear_of_memories_that_new_defaults_forbid(
    reopen: Opener,
) -> None:
    async with reopen(FOREVER) as memory:
        me = memory.person("minji")
        kept = await memory.memories.remember(
            me, "사용자는 벌을 키움", category=Category.CONTEXT
        )
        same, other = memory.person("jiho"), memory.person("sora")
        for each in (same, other):
            await memory.memories.remember(each, "사용자는 벌을 키움")
        await memory.settings.update(same, {"allowed_categories": [*Category]})
        await memory.settings.update(other, {"allowed_categories": [Category.HABIT]})
    async with reopen(FEWER) as memory:
        before = await list_changed(memory, me)
        await apply(memory, me)
        heard = set(await list_changed(memory, me)) - set(before)
        assert await list_entered(memory, same), "what they wrote is told no more"
        assert not await list_entered(memory, other), "who chose is not reached"
    assert {("user_memory", kept.memory_id), ("memory_settings", me.user_id)} <= {
        (entity, about) for _, entity, about in heard
    }


@pytest.mark.req("A20")
async def test_other_spans_send_devices_no_memories(reopen: Opener) -> None:
    async with reopen(FOREVER) as memory:
        me = memory.person("minji")
        await memory.memories.remember(me, "사용자는 벌을 키움")
    async with reopen(FOREVER, keep=Keep(weeks=170)) as memory:
        before = await list_changed(memory, me)
        await apply(memory, me)
        heard = set(await list_changed(memory, me)) - set(before)
    assert "user_memory" not in {entity for _, entity, _ in heard}


@pytest.mark.req("A20")
async def test_an_upgrade_looks_at_what_ends_and_sends_devices_no_memories(
    reopen: Opener, tmp_path: Path
) -> None:
    async with reopen(FOREVER) as memory:
        me = memory.person("minji")
        await memory.memories.remember(me, "사용자는 벌을 키움")
        await forget_defaults(tmp_path / "data" / "pg")
    async with reopen(YEAR) as memory:
        assert await memory.maintenance.schedule_default_changes() == 1
        assert await list_entered(memory, me) == {DefaultsChanged.name}
        assert await memory.maintenance.schedule_default_changes() == 0


async def test_changes_are_entered_in_portions_that_go_on_after_a_restart(
    reopen: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation_defaults, "PORTION", 2)
    async with reopen(FOREVER) as memory:
        people = [memory.person(f"person {number}") for number in range(5)]
        for each in people:
            await memory.memories.remember(each, "사용자는 벌을 키움")
    async with reopen(YEAR) as memory:
        assert await memory.maintenance.schedule_default_changes() == 2
        for each in people:
            await take_from_agenda(memory, each)
    async with reopen(YEAR) as memory:
        entered = [await memory.maintenance.schedule_default_changes() for _ in "123"]
        assert entered == [2, 1, 0]
        assert len([e for e in people if await list_entered(memory, e)]) == 3


async def test_changes_that_change_meanwhile_are_entered_for_everybody(
    reopen: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation_defaults, "PORTION", 2)
    fewer = replace(FEWER, retention_days=365)
    async with reopen(FOREVER) as memory:
        people = [memory.person(f"person {number}") for number in range(3)]
        for each in people:
            await memory.memories.remember(each, "사용자는 벌을 키움")
    async with reopen(fewer) as memory:
        assert await memory.maintenance.schedule_default_changes() == 2
        for each in people:
            await take_from_agenda(memory, each)
    async with reopen(FOREVER) as memory:  # as before, but not for everybody
        entered = [await memory.maintenance.schedule_default_changes() for _ in "123"]
        assert entered == [2, 1, 0]
        for each in people:
            assert await list_entered(memory, each) == CHANGES


@pytest.mark.req("A20")
async def test_summaries_end_as_a_new_span_says(
    reopen: Opener, clock: FixedClock
) -> None:
    async with reopen(FOREVER, clock=clock) as memory:
        me = memory.person("minji")
        session = await memory.sessions.start(me)
        at = session.session_id
        await memory.sessions.record(me, at, Turn("벌을 키워요", "네."))
        await memory.sessions.close(me, at)
        clock.advance(timedelta(days=9))
        await memory.maintenance.run_pending_work(me)
        await memory.summaries.close_due(me)
        (day,) = await memory.summaries.days(me)
        (week,) = await memory.summaries.weeks(me)
    async with reopen(FOREVER, clock=clock, keep=Keep(days=40, weeks=200)) as memory:
        await apply(memory, me)
        ((new_day,), (new_week,)) = (
            await memory.summaries.days(me),
            await memory.summaries.weeks(me),
        )
        assert new_day.expires_at == day.expires_at + timedelta(days=10)
        assert new_week.expires_at == week.expires_at + timedelta(days=20)
    async with reopen(FOREVER, clock=clock, keep=Keep(days=8)) as memory:
        await apply(memory, me)
        assert await memory.summaries.expire(me) == 1
        assert not await memory.summaries.days(me)


async def forget_defaults(data: Path) -> None:
    """Leave of the defaults what a release left that noted none."""
    async with (
        run_embedded_postgres(data) as server,
        await AsyncConnection.connect(build_database_url(server, DATABASE)) as owner,
    ):
        await owner.execute("DELETE FROM gieok.installation WHERE name ~ '^defaults'")


async def list_changed(memory: Gieok, me: Scope) -> list[tuple[int, str, object]]:
    """Return the person's changes as the feed numbers them."""
    scope = replace(me, actor=Actor.CLOUD)
    async with memory.maintenance.database.begin(scope) as tx:
        rows = await tx.fetch_all(
            """
            SELECT seq, entity, entity_id FROM memory_updates WHERE user_id = %s
            """,
            [me.user_id],
        )
    return [(row[0], row[1], row[2]) for row in rows]


async def take_from_agenda(memory: Gieok, me: Scope) -> None:
    """Take what came due off the person's agenda, as a sweep does."""
    async with memory.maintenance.database.begin(me) as tx:
        await tx.execute("DELETE FROM agenda WHERE user_id = %s", [me.user_id])


async def list_entered(memory: Gieok, me: Scope) -> set[str]:
    """Return what changed defaults entered in the person's agenda."""
    async with memory.maintenance.database.begin(me) as tx:
        rows = await tx.fetch_all(
            "SELECT task FROM agenda WHERE user_id = %s", [me.user_id]
        )
    return {row[0] for row in rows} & CHANGES
