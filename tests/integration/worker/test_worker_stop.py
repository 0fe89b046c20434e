"""A worker that is closed just as it starts leaves nothing behind."""

import asyncio
from pathlib import Path

from gieok import Config, Parts, open_memory
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

ROUNDS = 20
STEP = 0.004
"""Seconds by which each round closes it later; its start takes some 50 ms."""
SECONDS = 10.0
"""Until a task that ends by itself has ended: others look after their servers here."""


def test_no_task_of_a_broken_off_start_stays(tmp_path: Path) -> None:
    # On a loop of its own: pools that other tests keep open renew their tasks at will.
    asyncio.run(_break_off_starts(tmp_path))


async def _break_off_starts(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "gieok")
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False):
        before = asyncio.all_tasks()
        for number in range(ROUNDS):
            async with open_memory(config, parts=parts, worker=True):
                await asyncio.sleep(number * STEP)
        left = asyncio.all_tasks() - before
        if left:
            _, left = await asyncio.wait(left, timeout=SECONDS)
    assert left == set(), sorted(task.get_name() for task in left)
