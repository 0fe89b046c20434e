"""What is known of a person at a moment of an evaluation, and how time passes."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.evaluation.harness import Bench
from gieok.kernel.scope import Scope
from gieok.memories import Memory
from gieok.recall import Filters, HitKind

MAX_SHOWN: Final = 1_000
FIRST_HITS: Final = 5
"""Hits that are looked through for an answer."""
WORKER_STEP: Final = timedelta(days=5)
"""How often the worker's turn comes while nothing is said."""
FOUND: Final = 20
"""Messages and summaries that are looked through for what should be gone."""
WORDS: Final = Filters(kinds=[kind for kind in HitKind if kind is not HitKind.MEMORY])


async def load_memories(bench: Bench, scope: Scope) -> dict[UUID, Memory]:
    """Return everything that is remembered of a person, in use or not."""
    found, _ = await bench.gieok.memories.page(
        scope, include_inactive=True, limit=MAX_SHOWN
    )
    return {memory.memory_id: memory for memory in found}


async def is_findable(bench: Bench, scope: Scope, word: str) -> bool:
    """Tell whether a word still stands in a memory, or in what is found else."""
    memories = await load_memories(bench, scope)
    hits_ = await bench.gieok.recall.search(scope, word, limit=FOUND, filters=WORDS)
    texts = [*(m.content for m in memories.values()), *(h.content for h in hits_)]
    return any(word.casefold() in text.casefold() for text in texts)


async def advance_time(
    bench: Bench, scope: Scope, start: datetime, later: timedelta
) -> None:
    """Let time pass in which nothing is said and the worker goes on."""
    for passed in range(0, later.days, WORKER_STEP.days):
        bench.clock.set(start + timedelta(days=passed))
        await bench.gieok.settled(scope)
    bench.clock.set(start + later)
    await bench.gieok.settled(scope)


def find_stale(shown: Sequence[str], outdated: Sequence[str]) -> list[str]:
    """Return the outdated words that what is shown holds."""
    told = [line.casefold() for line in shown]
    return [w for w in outdated if any(w.casefold() in line for line in told)]
