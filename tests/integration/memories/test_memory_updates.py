"""What happened to memories, for an app that asks again and again."""

from datetime import timedelta

import pytest

from gieok import Gieok, Scope
from gieok.kernel.errors import InvalidInputError
from gieok.memories.history import build_history_entry, record_step
from gieok.memories.origins import HistoryAction, HistoryEntry
from gieok.testing import FixedClock

pytestmark = pytest.mark.req("D03")


def list_contents(entries: tuple[HistoryEntry, ...]) -> list[str | None]:
    return [entry.new_content for entry in entries]


async def test_all_of_it_comes_in_pages_oldest_first(memory: Gieok, me: Scope) -> None:
    said = [f"사용자는 {number}호에 삼" for number in range(7)]
    for content in said:
        await memory.memories.remember(me, content)
    found: list[str | None] = []
    after, has_more = None, True
    while has_more:
        page = await memory.memories.updates(me, after=after, limit=3)
        found += list_contents(page.entries)
        after, has_more = page.cursor, page.has_more
    assert found == said
    assert (await memory.memories.updates(me, after=after)).entries == ()


async def test_what_was_under_way_is_not_missed(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    """It began before what is known already, and is committed after it."""
    kept = await memory.memories.remember(me, "사용자는 벌을 키움")
    database, key = memory.memories.database, await memory.memories.vault.get_key(me)
    async with database.begin(me) as early:
        clock.advance(timedelta(minutes=1))
        async with database.begin(me) as late:
            step = build_history_entry(late, kept, HistoryAction.UPDATED)
            await record_step(late, key, step)
        page = await memory.memories.updates(me)
        assert [each.action for each in page.entries] == [
            HistoryAction.CREATED,
            HistoryAction.UPDATED,
        ]
        step = build_history_entry(early, kept, HistoryAction.MERGED)
        await record_step(early, key, step)
    later = await memory.memories.updates(me, after=page.cursor)
    assert [each.action for each in later.entries] == [HistoryAction.MERGED]
    assert later.entries[0].created_at < page.entries[1].created_at


async def test_who_knows_of_nothing_yet_goes_on_from_there(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.memories.remember(me, "사용자는 벌을 키움")
    page = await memory.memories.updates(me, since=clock())
    assert (page.entries, page.has_more) == ((), False)
    await memory.memories.remember(me, "사용자는 부산에 삼")
    page = await memory.memories.updates(me, after=page.cursor)
    assert list_contents(page.entries) == ["사용자는 부산에 삼"]


@pytest.mark.parametrize("cursor", ["", "1", f"9-{'g' * 32}", f"{10**17}-{'0' * 32}"])
async def test_a_cursor_that_was_never_given_out_is_refused(
    memory: Gieok, me: Scope, cursor: str
) -> None:
    with pytest.raises(InvalidInputError, match="after"):
        await memory.memories.updates(me, after=cursor)
