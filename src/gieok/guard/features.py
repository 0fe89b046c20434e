"""What the guard's judge reads of a text: hashed runs of letters, words and endings.

Wang and Manning (2012), "Baselines and Bigrams": for short texts, linear models over
such runs are hard to beat. A run falls into one of a fixed number of buckets
(Weinberger et al. 2009), so the weights hold none of the words they were learned from.
Korean is read as morphemes, English as words and their stems.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gieok.guard.obfuscation import deobfuscate_text
from gieok.text.english import stem_word
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.normalization import normalize_spelling
from gieok.text.patterns import compile_lazily

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUCKETS: Final = 2**17
LONGEST: Final = 400
"""Characters of one passage that are read; an order needs fewer."""
_LONGEST_READ: Final = 2 * LONGEST
_LETTERS: Final = (2, 3, 4, 5)
_WORDS: Final = (1, 2, 3)
_SHAPES: Final = (2, 3, 4)
_STEMS: Final = (1, 2)
_NEAR: Final = 4
"""Words between which a pair is still read together."""
_SHORT_WORD: Final = 3
_LEAD: Final = compile_lazily(r"^(?:the )?(?:user|사용자)\s?:\s*", re.IGNORECASE)
_WISH: Final = compile_lazily(
    r"^(?:the )?user wants (?:the |their )?assistant (?P<not>not )?to\s+", re.IGNORECASE
)
"""How a memory words what the user orders: judged as the order that it is."""
_ARTICLE: Final = compile_lazily(r"^the (?=user\b)", re.IGNORECASE)
_WORD: Final = compile_lazily(r"[a-z]+(?:'[a-z]+)?|\d+|[?!:;\"{}<>\[\]/@]|[가-힣]+")
_ADDRESS: Final = compile_lazily(
    r"(?:https?|ftp)\s?:\s?//\S+|\bwww\.\S+|\S+@[\w-]+\.\w\S*"
    r"|\b[\w-]+\.(?:com|net|org|io|example|kr|ai|dev|app|xyz|ru|cn)\b\S*",
    re.IGNORECASE,
)
_NOUN_TAGS: Final = frozenset({"NN", "NR", "SN", "SL", "XR"})


class GuardToken(NamedTuple):
    """A word as it is read, its stem, and its place in the sentence without content."""

    form: str
    stem: str
    shape: str


def build_features(text: str) -> tuple["NDArray[np.int64]", "NDArray[np.float64]"]:
    """Return the buckets that a passage falls into, and how much each counts."""
    import numpy as np  # noqa: PLC0415 - a command that judges nothing needs none

    plain = normalize_passage(text)
    blocks = [set(_iterate_runs(f" {plain} ", _LETTERS))]
    tokens = tokenize_passage(plain)
    forms = ["<s>", *(token.form for token in tokens), "</s>"]
    stems = ["<s>", *(token.stem for token in tokens), "</s>"]
    shapes = ["<s>", *(token.shape for token in tokens), "</s>"]
    blocks += [
        set(_iterate_word_runs(forms, _WORDS)),
        set(_iterate_pairs(forms)),
        set(_iterate_word_runs(shapes, _SHAPES)),
        set(_iterate_word_runs(stems, _STEMS)),
    ]
    places, values = list[int](), list[float]()
    for salt, runs in enumerate(blocks):
        found = {zlib.crc32(run.encode(), salt) % BUCKETS for run in runs}
        places += sorted(found)
        values += [len(found) ** -0.5] * len(found)
    return np.array(places, np.int64), np.array(values)


def normalize_passage(text: str) -> str:
    """Return a text in plain spelling, without who is told of; an address is a word."""
    spelled = unicodedata.normalize("NFKC", normalize_spelling(text).text)
    spelled = _ADDRESS.sub(" url ", spelled[:_LONGEST_READ])
    plain = _LEAD.sub("", deobfuscate_text(spelled.replace("\u2019", "'")).strip())
    return _ARTICLE.sub("", remove_frame(plain)).lower()[:LONGEST]


def remove_frame(text: str) -> str:
    """Return a text without who wants it: a worded wish as the order that it words."""
    return _WISH.sub(lambda match: "don't " if match["not"] else "", text)


def tokenize_passage(plain: str) -> list[GuardToken]:
    """Return the words of a passage: Korean morphemes, or English words and marks."""
    if not has_hangul(plain):
        return [_read_word(word) for word in _WORD.findall(plain)]
    found = list[GuardToken]()
    for morph in get_shared_morphology().analyze(plain):
        form = f"{'0' if morph.tag == 'SN' else morph.form}/{morph.tag[0]}"
        is_content = morph.tag[:2] in _NOUN_TAGS
        found.append(GuardToken(form, form, morph.tag if is_content else form))
    return found


def _read_word(word: str) -> GuardToken:
    if word.isdigit():
        return GuardToken("0", "0", "0")
    shape = word if len(word) <= _SHORT_WORD else word[-_SHORT_WORD:]
    return GuardToken(word, stem_word(word), shape)


def _iterate_runs(text: str, lengths: Sequence[int]) -> Iterable[str]:
    for length in lengths:
        for start in range(len(text) - length + 1):
            yield text[start : start + length]


def _iterate_word_runs(words: Sequence[str], lengths: Sequence[int]) -> Iterable[str]:
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _iterate_pairs(words: Sequence[str]) -> Iterable[str]:
    for place, word in enumerate(words):
        for other in words[place + 1 : place + 1 + _NEAR]:
            yield f"{word} ~ {other}"
