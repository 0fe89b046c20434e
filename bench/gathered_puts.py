"""Puts of one person made at once: GieokStore beside LangGraph's PostgresStore.

Both are durable when a put returns, on one server. Neither embeds: gieok's vectors
follow from a job, PostgresStore has no index.
"""

import asyncio
from contextlib import AsyncExitStack
from statistics import median
from time import perf_counter

from langgraph.store.base import BaseStore
from langgraph.store.postgres import AsyncPostgresStore
from peer import forbid_network
from report import Figure
from rich.progress import Progress
from stage import stage

from gieok import Parts, open_memory
from gieok.surfaces.langgraph import GieokStore
from gieok.testing import HashEmbedder, ScriptedModel

PUTS = 10_000
ROUNDS = 3


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return how long the puts took in each store, and how many times as long ours."""
    forbid_network()
    puts = PUTS // 10 if quick else PUTS
    times: dict[str, list[float]] = {"GieokStore": [], "PostgresStore": []}
    async with stage() as place, AsyncExitStack() as stack:
        memory = await stack.enter_async_context(
            open_memory(
                place.config("ours"),
                parts=Parts(model=ScriptedModel(), embedder=HashEmbedder()),
                worker=False,
            )
        )
        theirs = await stack.enter_async_context(
            AsyncPostgresStore.from_conn_string(
                place.database("theirs"), pool_config={"min_size": 1, "max_size": 10}
            )
        )
        await theirs.setup()
        stores = {"GieokStore": GieokStore(memory, "minji"), "PostgresStore": theirs}
        for number in progress.track(range(ROUNDS), description="putting"):
            for name, store in stores.items():
                times[name].append(await _put(store, f"round {number}", puts))
    ratios = [
        ours / other
        for ours, other in zip(times["GieokStore"], times["PostgresStore"], strict=True)
    ]
    return [
        *(
            Figure(f"{name}, {puts:,} puts at once", median(each), "s")
            for name, each in times.items()
        ),
        Figure("ours beside theirs, median of the rounds", median(ratios), "×"),
    ]


async def _put(store: BaseStore, space: str, puts: int) -> float:
    await store.aput((space,), "first", {"text": "everything is loaded and planned"})
    start = perf_counter()
    await asyncio.gather(
        *(
            store.aput((space,), f"note {at}", {"text": f"Note {at}: the cat is in."})
            for at in range(puts)
        )
    )
    return perf_counter() - start
