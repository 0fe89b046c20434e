"""What one person's memory holds, as columns: one row per message, fact or summary.

`SearchRows` is what the store decodes and what `SearchIndex` (index.py) searches. Rows
have no ids here: row i is the i-th of whatever list the caller keeps beside it. Times
are seconds since 1970 in UTC. A number that is unknown is NaN and changes no score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gieok.kernel.language import Vectors

Hashes = NDArray[np.uint64]
RowMask = NDArray[np.bool_]
Floats = NDArray[np.float32]

NO_SESSION = -1
NO_NAME = 0


class RowKind(IntEnum):
    """What a row is."""

    MESSAGE = 0
    MEMORY = 1
    SUMMARY = 2


class Speaker(IntEnum):
    """Whose words a row is; a fact about the user is the user's."""

    USER = 0
    ASSISTANT = 1
    SYSTEM = 2


@dataclass(frozen=True, slots=True)
class SearchRows:
    """Columns of equal length n; `from_terms` and `from_columns` fill in the rest.

    Attributes:
        vectors: [n, dimension], unit rows; rows not embedded yet are ignored.
        embedded: which rows of `vectors` mean something.
        terms: the rows' term hashes one after the other (lexicon.hash_terms).
        counts: how many terms each row has; they sum to len(terms).
        sessions: any number that names the row's session, or NO_SESSION.
        positions: place within the session; only the order matters.
        at: when it was said or, for a fact, last confirmed.
        kinds, speakers: `RowKind` and `Speaker` codes.
        names: hash of the speaker's name (lexicon.hash_name), or NO_NAME.
        asks: whether the text is a question, which seldom holds an answer.
        confidence: 0 to 1, or NaN.
        uses: how often it was recalled into a prompt.
        used_at: when that last happened, or NaN.
    """

    vectors: Vectors
    embedded: RowMask
    terms: Hashes
    counts: NDArray[np.int32]
    sessions: NDArray[np.int64]
    positions: NDArray[np.int32]
    at: NDArray[np.float64]
    kinds: NDArray[np.int8]
    speakers: NDArray[np.int8]
    names: Hashes
    asks: RowMask
    confidence: Floats
    uses: NDArray[np.int32]
    used_at: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.counts)

    @classmethod
    def from_terms(
        cls,
        terms: Sequence[Hashes],
        *,
        vectors: ArrayLike | None = None,
        dimension: int = 384,
        **columns: ArrayLike,
    ) -> Self:
        """Return items of the given terms, one array of hashes per row.

        Without `vectors` nothing is embedded yet; `embedded` narrows it by row. Any
        other column may be left out: no session, said by the user at time 0, no name.

        Raises:
            ValueError: a column has another length, or there is no such column.
        """
        rows = len(terms)
        known = vectors is not None
        given: dict[str, ArrayLike] = {
            "vectors": np.zeros((rows, dimension)) if vectors is None else vectors,
            "embedded": np.full(rows, known),
            "terms": np.concatenate([np.zeros(0, np.uint64), *terms]),
            "counts": [len(row) for row in terms],
        }
        return cls.from_columns(rows, {**given, **columns})

    @classmethod
    def from_columns(cls, rows: int, given: dict[str, ArrayLike]) -> Self:
        """Return items from columns that already are in the stored form.

        Raises:
            ValueError: a column has another length, or there is no such column.
        """
        if unknown := set(given) - set(_TYPES):
            message = f"no such column: {sorted(unknown)}"
            raise ValueError(message)
        made = {
            name: np.asarray(given.get(name, np.full(rows, default)), dtype=kind)
            for name, (kind, default) in _TYPES.items()
        }
        made["vectors"] = _normalize_vectors(made["vectors"], rows)
        for name, column in made.items():
            wanted = int(made["counts"].sum()) if name == "terms" else rows
            if len(column) != wanted:
                message = f"{name}: {len(column)} rows where {wanted} are needed"
                raise ValueError(message)
        return cls(**made)

    @classmethod
    def create_empty(cls, dimension: int = 384) -> Self:
        """Return no items."""
        return cls.from_terms((), dimension=dimension)

    def append_rows(self, more: "SearchRows") -> "SearchRows":
        """Return these rows followed by `more`."""
        return SearchRows(
            **{
                field.name: np.concatenate(
                    [
                        getattr(self, field.name),
                        getattr(more, field.name),
                    ]
                )
                for field in fields(self)
            }
        )

    def select_rows(self, keep: RowMask) -> "SearchRows":
        """Return the rows that `keep` marks, in the same order."""
        columns = {
            field.name: getattr(self, field.name)[keep]
            for field in fields(self)
            if field.name != "terms"
        }
        return SearchRows(terms=self.terms[np.repeat(keep, self.counts)], **columns)


_TYPES: dict[str, tuple[Any, Any]] = {
    "vectors": (np.float32, 0.0),
    "embedded": (np.bool_, False),
    "terms": (np.uint64, 0),
    "counts": (np.int32, 0),
    "sessions": (np.int64, NO_SESSION),
    "positions": (np.int32, 0),
    "at": (np.float64, 0.0),
    "kinds": (np.int8, RowKind.MESSAGE),
    "speakers": (np.int8, Speaker.USER),
    "names": (np.uint64, NO_NAME),
    "asks": (np.bool_, False),
    "confidence": (np.float32, np.nan),
    "uses": (np.int32, 0),
    "used_at": (np.float64, np.nan),
}


def _normalize_vectors(vectors: Vectors, rows: int) -> Vectors:
    """Return the vectors with two axes and without anything that is not a number."""
    flat = vectors if vectors.ndim > 1 else vectors.reshape(rows, -1)
    return flat if np.isfinite(flat).all() else np.nan_to_num(flat, posinf=0, neginf=0)


def is_question(text: str) -> bool:
    """Say whether a text ends as a question does, in either script."""
    return text.rstrip(" \t\r\n\"'”’)~").endswith(("?", "？"))
