"""What somebody waits for does not wait for the backlog, which goes in small parts."""

import asyncio
import threading
from collections.abc import AsyncGenerator

import numpy as np
import pytest

from gieok.kernel.background import is_background, mark_background
from gieok.kernel.language import Vectors
from gieok.kernel.portions import split_portions
from gieok.models.e5 import DIMENSION, E5Embedder
from gieok.models.one_thread import OneThread

LONG = "오늘은 회사에서 회의를 했어요. " * 100


class Engine:
    """Says which calls were made, each when it is let."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.gate = threading.Semaphore(0)

    def query(self, texts: list[str]) -> Vectors:
        self.calls.append(texts)
        assert self.gate.acquire(timeout=30)
        return np.ones((len(texts), DIMENSION), np.float32)

    passage = query

    async def began(self, calls: int) -> None:
        async with asyncio.timeout(30):
            while len(self.calls) < calls:  # noqa: ASYNC110 - a thread is looked at
                await asyncio.sleep(0.001)


@pytest.fixture
async def engine() -> AsyncGenerator[Engine]:
    engine = Engine()
    yield engine
    for _ in range(1_000):
        engine.gate.release()


async def backlog(embedder: E5Embedder, texts: int) -> Vectors:
    with mark_background():
        return await embedder.passages([f"{number} {LONG}" for number in range(texts)])


async def test_a_question_never_waits_for_a_backlog(engine: Engine) -> None:
    quick = Engine()
    quick.gate.release()
    quick.gate.release()
    engines = [engine, quick]
    embedder = E5Embedder(lambda: engines.pop(0))
    behind = [asyncio.create_task(backlog(embedder, 16)) for _ in range(3)]
    await engine.began(1)
    async with asyncio.timeout(30):
        await embedder.queries(["배 이름이 뭐였지?"])
        await embedder.passages(["I live in Leeds."])
    assert quick.calls == [["배 이름이 뭐였지?"], ["I live in Leeds."]]
    assert len(engine.calls) == 1, "the backlog stands still meanwhile"
    assert len(engine.calls[0]) == 1, "a long text is a batch of its own"
    for task in behind:
        task.cancel()


async def test_people_with_a_backlog_take_turns(engine: Engine) -> None:
    embedder = E5Embedder(lambda: engine)
    behind = [asyncio.create_task(backlog(embedder, 2)) for _ in range(2)]
    for _ in range(4):
        engine.gate.release()
    await asyncio.gather(*behind)
    assert [texts[0][0] for texts in engine.calls] == ["0", "0", "1", "1"]


async def test_a_known_question_waits_for_nothing(engine: Engine) -> None:
    embedder = E5Embedder(lambda: engine)
    engine.gate.release()
    await embedder.queries(["배 이름이 뭐였지?"])
    told = asyncio.create_task(embedder.passages(["I live in Leeds."]))
    await engine.began(2)
    await asyncio.wait_for(embedder.queries(["배 이름이 뭐였지?"]), 30)
    told.cancel()


async def test_short_texts_share_a_call_and_rows_keep_their_order() -> None:
    sizes: list[int] = []

    class Measured:
        def query(self, texts: list[str]) -> Vectors:
            sizes.append(len(texts))
            rows = np.zeros((len(texts), DIMENSION), np.float32)
            rows[:, 0], rows[:, 1] = 1, [int(text.split()[0]) for text in texts]
            return rows

        passage = query

    rows = await E5Embedder(Measured).passages([f"{n} short" for n in range(300)])
    assert sum(sizes) == 300
    assert 3 <= len(sizes) <= 6
    np.testing.assert_allclose(rows[:, 1] / rows[:, 0], range(300), rtol=1e-4)
    assert (await E5Embedder(Measured).passages([])).shape == (0, DIMENSION)


async def test_what_is_cancelled_before_its_turn_is_never_made() -> None:
    thread, gate, made = OneThread(), threading.Event(), list[str]()
    first = asyncio.create_task(thread.run(gate.wait))
    second = asyncio.create_task(thread.run(lambda: made.append("second")))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    gate.set()
    await first
    await thread.run(lambda: made.append("third"))
    assert made == ["third"]


async def test_whoever_waits_is_told_what_went_wrong_and_the_thread_goes_on() -> None:
    thread = OneThread()
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 // 0)
    assert await thread.run(threading.get_ident) == await thread.run(
        threading.get_ident
    )


async def test_the_thread_ends_with_what_it_worked_for() -> None:
    thread = OneThread()
    worker = await thread.run(threading.current_thread)
    assert worker.daemon
    del thread
    await asyncio.to_thread(worker.join, 30)
    assert not worker.is_alive()


async def test_tasks_that_are_started_in_the_background_stay_there() -> None:
    async def told() -> bool:
        return is_background()

    with mark_background():
        inside = asyncio.create_task(told())
    assert await inside
    assert not is_background()


def test_portions_add_up_and_keep_the_order() -> None:
    words = ["a", "bb", "ccc", "dddddddd", "e", ""]
    assert list(split_portions(words, len, 5)) == [
        ["a", "bb"],
        ["ccc"],
        ["dddddddd"],
        ["e", ""],
    ]
    assert list(split_portions([], len, 5)) == []
