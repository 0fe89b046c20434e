"""What a sealed recall item holds, and how ten thousand of them are read at once.

Item: header ‖ term hashes (8 bytes each) ‖ vector (half floats). Half floats keep the
cosine of unit vectors to three decimals and halve what is fetched and opened.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gieok.kernel.language import Vectors
from gieok.search.rows import Hashes, RowKind, SearchRows, Speaker

HEADER = np.dtype(
    [
        ("version", "<u1"),
        ("kind", "<u1"),
        ("speaker", "<u1"),
        ("asks", "<u1"),
        ("position", "<u4"),
        ("terms", "<u4"),
        ("dimension", "<u4"),
        ("at", "<f8"),
        ("name", "<u8"),
    ]
)
VERSION = 1
_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One message as recall searches it; `at` is seconds since 1970."""

    speaker: Speaker
    asks: bool
    position: int
    at: float
    name: int
    """Hash of the speaker's name, or `NO_NAME`."""
    terms: Hashes
    vector: Vectors | None


def encode_entry(entry: IndexEntry) -> bytes:
    """Return an entry as bytes."""
    header = np.zeros(1, HEADER)
    header["version"] = VERSION
    header["kind"] = RowKind.MESSAGE
    header["speaker"] = entry.speaker
    header["asks"] = entry.asks
    header["position"] = entry.position
    header["terms"] = len(entry.terms)
    header["dimension"] = 0 if entry.vector is None else entry.vector.size
    header["at"] = entry.at
    header["name"] = entry.name
    vector = b"" if entry.vector is None else entry.vector.astype("<f2").tobytes()
    return header.tobytes() + entry.terms.astype("<u8").tobytes() + vector


def decode_entries(
    entries: Sequence[bytes], sessions: ArrayLike, *, dimension: int
) -> SearchRows:
    """Return the columns of many entries; a vector of another length counts as none."""
    first = HEADER.itemsize
    heads = np.frombuffer(b"".join([entry[:first] for entry in entries]), HEADER)
    ends: list[int] = (first + 8 * heads["terms"].astype(np.int64)).tolist()
    spans = list(zip(entries, ends, strict=True))
    terms = np.frombuffer(b"".join([entry[first:end] for entry, end in spans]), "<u8")
    embedded = heads["dimension"] == dimension
    # Each is as long as a vector; what stands in for a missing one is never looked at.
    nothing = bytes(2 * dimension)
    held = b"".join(
        [
            entry[end : end + 2 * dimension] if known else nothing
            for (entry, end), known in zip(spans, embedded.tolist(), strict=True)
        ]
    )
    vectors = np.frombuffer(held, "<f2").reshape(-1, dimension).astype(np.float32)
    return SearchRows.from_columns(
        len(entries),
        {
            "vectors": vectors,
            "embedded": embedded,
            "terms": terms,
            "counts": heads["terms"],
            "sessions": sessions,
            "positions": heads["position"],
            "at": heads["at"],
            "kinds": heads["kind"],
            "speakers": heads["speaker"],
            "names": heads["name"],
            "asks": heads["asks"].astype(np.bool_),
        },
    )


def join_entries(kind: RowKind, parts: Sequence[bytes]) -> bytes:
    """Return the kind and the entries of something with several texts as one value."""
    return bytes([kind]) + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def split_entries(whole: bytes) -> tuple[RowKind, list[bytes]]:
    """Return what `join_entries` joined."""
    return RowKind(whole[0]), list(_iterate_entries(whole))


def _iterate_entries(whole: bytes) -> Iterator[bytes]:
    place = 1
    while place < len(whole):
        (length,) = _LENGTH.unpack_from(whole, place)
        start = place + _LENGTH.size
        place = start + length
        yield whole[start:place]
