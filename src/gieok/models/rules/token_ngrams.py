"""Runs of words and letters of a clause, and a linear model over them.

Wang and Manning (2012), "Baselines and Bigrams": for short texts, linear models over
such runs are hard to beat. Which words tell a change, an end or a wish to forget is
learned from examples here, in place of lists. A word that also stands in the known item
which the clause is about becomes the same mark in every clause, so that "<known> 말고
24도로" and "not <known> but 24" are seen as what they are.

Runs are hashed into a fixed number of buckets (Weinberger et al. 2009), so that the
weights hold none of the words they were learned from.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.models.rules.clauses import Clause
from gieok.models.rules.linear import Numbers
from gieok.text.english import stem_word
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

BUCKETS: Final = 2**16
KNOWN: Final = "<known>"
MAX_WORDS: Final = 3  # in a run
LETTERS: Final = (2, 3, 4)  # in a run
LONGEST: Final = 400  # characters of a clause or message that are read

_WORD: Final = compile_lazily(r"[a-z]+(?:'[a-z]+)?|\d+|[?!]")
_NUMBER: Final = compile_lazily(r"\d+")
_CONTENT_TAGS: Final = ("N", "V", "M", "X")

HashBuckets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClauseToken:
    """A word as it is read, and its stem where it may stand in a known item."""

    shown: str
    term: str


@dataclass(frozen=True, slots=True)
class ItemTerms:
    """The known item that a clause is most likely about: its words and category."""

    terms: frozenset[str] = frozenset()
    category: str = ""


NOTHING: Final = ItemTerms()


def tokenize_clause(clause: Clause) -> tuple[ClauseToken, ...]:
    """Return the words of a clause: Korean morphemes, English words, `?` and `!`."""
    if not has_hangul(clause.text):
        low = clause.text[:LONGEST].lower().replace("’", "'")
        return tuple(ClauseToken(w, stem_word(w)) for w in _WORD.findall(low))
    return tuple(
        ClauseToken(
            f"{m.form}/{m.tag[0]}" if m.tag[0] in "EJX" else m.form,
            _derive_term(m.tag, m),
        )
        for m in clause.morphemes
    )


def _derive_term(tag: str, morpheme: tuple[str, str, int, int]) -> str:
    content = tag[0] in _CONTENT_TAGS or tag in ("SN", "SL")
    return morpheme[0].lower() if content else ""


def _iterate_word_ngrams(words: Sequence[str], prefix: str) -> Iterable[str]:
    closed = ["<s>", *(_NUMBER.sub("0", word) for word in words), "</s>"]
    for length in range(1, MAX_WORDS + 1):
        for start in range(len(closed) - length + 1):
            yield prefix + " ".join(closed[start : start + length])


def _iterate_letter_ngrams(text: str) -> Iterable[str]:
    padded = f" {' '.join(text[:LONGEST].lower().split())} "
    for length in LETTERS:
        for start in range(len(padded) - length + 1):
            yield padded[start : start + length]


def _hash_ngrams(runs: Iterable[str], salt: int) -> HashBuckets:
    """Return the buckets of some runs, each once, in order."""
    found = {zlib.crc32(run.encode(), salt) % BUCKETS for run in runs}
    return np.array(sorted(found), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class NgramBuckets:
    """The buckets of a clause's runs of words, of its message's, and of letters."""

    words: HashBuckets
    letters: HashBuckets


def build_ngrams(
    clause: Clause, message: Sequence[Clause], about: ItemTerms
) -> NgramBuckets:
    """Return the runs of a clause within its message, beside what it is about."""
    own = tokenize_clause(clause)
    bare = [token.shown for token in own]
    marked = [KNOWN if t.term and t.term in about.terms else t.shown for t in own]
    around = [token.shown for other in message for token in tokenize_clause(other)]
    words = [
        *_iterate_word_ngrams(marked, "c "),
        *_iterate_word_ngrams(bare, "c "),
        *_iterate_word_ngrams(around[:200], "m "),
    ]
    words += [f"k {term}" for term in about.terms]
    words += [f"{about.category} {word}" for word in marked]
    return NgramBuckets(
        _hash_ngrams(words, 1), _hash_ngrams(_iterate_letter_ngrams(clause.text), 2)
    )


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Adds up the weights of a clause's runs, one column a class."""

    rarity: Numbers
    """By bucket: how much a run counts, the rarer the more; 0 if never seen."""
    weights: Numbers
    bias: Numbers

    def compute_logits(self, clauses: Sequence[NgramBuckets]) -> Numbers:
        """Return one row per clause, one column per class."""
        rows = [self._compute_row(runs) for runs in clauses]
        return np.array(rows).reshape(len(rows), -1) + self.bias

    def _compute_row(self, runs: NgramBuckets) -> Numbers:
        return self._compute_part(runs.words) + self._compute_part(runs.letters)

    def _compute_part(self, buckets: HashBuckets) -> Numbers:
        values = self.rarity[buckets]
        length = float(np.sqrt(values @ values)) or 1.0
        return (values / length) @ self.weights[buckets]
