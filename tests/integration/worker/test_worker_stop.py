"""A worker that is closed just as it starts leaves nothing behind."""

import asyncio

from gieok import Config, Gieok, Parts, open_memory
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

ROUNDS = 20
STEP = 0.004
"""Seconds by which each round closes it later; its start takes some 50 ms."""


async def test_no_task_of_a_broken_off_start_stays(
    memory: Gieok, config: Config
) -> None:
    assert memory.maintenance.database, "it has started the server"
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    before = asyncio.all_tasks()
    for number in range(ROUNDS):
        async with open_memory(config, parts=parts, worker=True):
            await asyncio.sleep(number * STEP)
    left = asyncio.all_tasks() - before
    assert left == set(), sorted(task.get_name() for task in left)
