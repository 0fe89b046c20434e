"""How long it takes until nothing of a person with 10,000 messages is left."""

from time import perf_counter
from typing import TYPE_CHECKING

from report import Figure
from stage import stage

from gieok import Parts, Role, open_memory
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from gieok import Gieok, Scope

MAX_SECONDS = 5.0


async def measure(progress: "Progress", *, quick: bool) -> list[Figure]:
    """Erase a person with 10,000 searchable messages (`quick`: 1,000)."""
    items = 1_000 if quick else 10_000
    task = progress.add_task("recording", total=items)
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with stage() as at:
        config = at.config("erasure")
        async with open_memory(config, parts=parts, worker=False) as memory:
            person = memory.person("big")
            await _fill(memory, person, items, progress, task)
            start = perf_counter()
            receipt = await memory.erasure.person(person)
            seconds = perf_counter() - start
    rows = sum(receipt.counts.values())
    return [
        Figure(
            f"a person with {items:,} items erased",
            seconds,
            "s",
            at_most=MAX_SECONDS,
            note=f"{rows:,} rows, {receipt.counts['recall_items']:,} searchable",
        )
    ]


async def _fill(
    memory: "Gieok", person: "Scope", items: int, progress: "Progress", task: "TaskID"
) -> None:
    session = await memory.sessions.start(person)
    for number in range(items):
        text = f"오늘 {number}번째로 한강을 달렸어요."
        await memory.sessions.append(
            person, session.session_id, role=Role.USER, content=text
        )
        progress.update(task, advance=1)
    await memory.recall.index(person)
