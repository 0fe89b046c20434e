"""Work that goes on while nobody looks: what is remembered of it, and for how long."""

from collections.abc import Awaitable

from gieok.surfaces.pages.long_work import MAX_KNOWN, LongWorks, Progress
from gieok.testing import FixedClock


async def _find_nothing(_: Progress) -> str:
    return "found"


def start(works: LongWorks, name: str) -> Awaitable[None]:
    work = works.ensure(name)
    work.start(_find_nothing, FixedClock())
    return work.wait()


async def test_who_only_looks_makes_nobody_lose_what_was_found() -> None:
    works = LongWorks()
    await start(works, "mine")
    for number in range(MAX_KNOWN + 5):
        assert works.get(f"export {number}").result is None
    assert works.get("mine").result == "found"


async def test_only_what_began_longest_ago_is_forgotten() -> None:
    works = LongWorks()
    for number in range(MAX_KNOWN):
        await start(works, f"{number}")
    await start(works, "0")
    await start(works, "one more")
    assert works.get("1").result is None
    for name in ("0", "2", "one more"):
        assert works.get(name).result == "found"
