"""Splits what a user wrote into clauses, in Korean, English and both at once.

A sentence ends at punctuation, a line break, a Korean sentence-final ending or
laughter (people write without punctuation). A clause ends, inside a sentence, at a
connective ending or conjunction with a predicate of its own on both sides.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.quotes import mask_quotes
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

FIRST_CLAUSES: Final = 16  # of one message that are read
LAST_CLAUSES: Final = 8  # as well: what is asked stands at the end
SHORTEST_CLAUSE: Final = 7  # characters on either side of a break inside a sentence
SHORTEST_ENGLISH: Final = 5
MIN_WORDS: Final = 3  # of an English clause on either side of such a break

CONNECTIVES: Final = _LISTS.get_words("clauses.connectives")
PREDICATES: Final = ("VV", "VA", "VCP", "VCN", "XSV", "XSA")

_PUNCTUATION: Final = compile_lazily(
    r"(?<!\b[A-Z])(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)(?<!\b[ap]\.m)"
    r"[.!?。！？…~]+(?=[\s\"')\]]|$)|\n+|;|\s[-–—]+\s|—"
)
_LAUGHTER: Final = compile_lazily(
    r"[ㅋㅎㅠㅜ]{2,}|\b(?:lol|lmao|haha+h?)\b", re.IGNORECASE
)
_SUBJECT: Final = (
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|he|he's|she|she's|they|they're|it|"
    r"it's|his|her|their|you|please|don't|no|the|there|there's|that|that's|so)\b"
)
_CONJUNCTION: Final = compile_lazily(
    rf",?(?<!\s)\s+(?=(?:and|but|so|because|cause|cuz|plus|although|though)\s+{_SUBJECT})"
    rf"|,\s+(?={_SUBJECT})|,?(?<!\s)\s+(?=(?:so please|and please|but please)\b)"
    r"|,?(?<!\s)\s+(?=(?:그리고|근데|그런데|하지만) )",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of one user message.

    `sentence` counts sentences within the message; `start` and `end` are places in
    the message's normalised text, and `written` is what stands there, spaces and all.
    """

    message: int
    sentence: int
    start: int
    end: int
    text: str
    written: str
    morphemes: tuple[Morph, ...]


def _find_final_endings(text: str, morphemes: Sequence[Morph]) -> Iterable[int]:
    """Yield the places after Korean sentence-final endings that close a word."""
    for number, morpheme in enumerate(morphemes):
        if morpheme.tag != "EF":
            continue
        end = morpheme.end
        following = morphemes[number + 1] if number + 1 < len(morphemes) else None
        if following and following.form == "요" and following.start <= end:
            end = following.end
        if end < len(text) and text[end].isspace():
            yield end


def _find_sentence_breaks(text: str, morphemes: Sequence[Morph]) -> set[int]:
    """Return every place where a sentence ends."""
    breaks = {match.end() for match in _PUNCTUATION.finditer(text)}
    breaks |= {match.end() for match in _LAUGHTER.finditer(text)}
    breaks |= set(_find_final_endings(text, morphemes))
    return breaks


def _has_predicate(morphemes: Iterable[Morph], start: int, end: int) -> bool:
    """Tell whether a Korean predicate, or an English "I", stands between two places."""
    return any(
        start <= m.start < end and (m.tag.startswith(PREDICATES) or m.form == "I")
        for m in morphemes
    )


def _find_connectives(text: str, morphemes: Sequence[Morph]) -> Iterable[int]:
    """Yield the places after connective endings that join two predicates."""
    for number, morpheme in enumerate(morphemes[:-1]):
        following = morphemes[number + 1]
        if morpheme.tag != "EC" or morpheme.form not in CONNECTIVES:
            continue
        end = morpheme.end
        if following.form == "요" and following.start <= end:
            end = following.end
        auxiliary = following.tag == "VX" or following.form == "있"
        if end < len(text) and text[end] in " ," and not auxiliary:
            yield end


def _find_clause_breaks(
    text: str, morphemes: Sequence[Morph], hard: set[int]
) -> set[int]:
    """Return the places inside sentences where one clause gives way to the next."""
    soft = set(_find_connectives(text, morphemes))
    soft |= {match.end() for match in _CONJUNCTION.finditer(text)}
    kept: set[int] = set()
    for place in sorted(soft - hard):
        edges = hard | kept | {0, len(text)}
        left = max(edge for edge in edges if edge <= place)
        right = min(edge for edge in edges if edge > place)
        if _is_clause_break(text, morphemes, (left, place, right)):
            kept.add(place)
    return kept


def _count_words(text: str) -> int:
    """Count the English words, contractions as two."""
    return len(text.replace("'", " ").replace("’", " ").split())


def _is_clause_break(
    text: str, morphemes: Sequence[Morph], places: tuple[int, int, int]
) -> bool:
    """Tell whether both sides of a break are long enough to say something."""
    left, middle, right = places
    shortest = min(len(text[left:middle].strip()), len(text[middle:right].strip()))
    korean = any("가" <= c <= "힣" for c in text[left:right])
    spoken = not korean or (
        _has_predicate(morphemes, left, middle)
        and _has_predicate(morphemes, middle, right)
    )
    worded = (
        korean
        or min(_count_words(text[left:middle]), _count_words(text[middle:right]))
        >= MIN_WORDS
    )
    return (
        shortest >= (SHORTEST_CLAUSE if korean else SHORTEST_ENGLISH)
        and spoken
        and worded
    )


def split_clauses(
    message: int, content: str, morphology: Morphology
) -> tuple[Clause, ...]:
    """Return the clauses of one normalised message, quotations left out.

    Of a message of very many, the first and the last ones.
    """
    text = mask_quotes(content)
    morphemes = morphology.analyze(text)
    hard = _find_sentence_breaks(text, morphemes)
    places = sorted(hard | _find_clause_breaks(text, morphemes, hard) | {len(text)})
    clauses: list[Clause] = []
    start, sentence = 0, 0
    for place in places:
        piece = text[start:place]
        if any(c.isalnum() for c in piece):
            own = tuple(m for m in morphemes if start <= m.start < place)
            shown = " ".join(piece.split())
            clauses.append(Clause(message, sentence, start, place, shown, piece, own))
        sentence += place in hard
        start = place
    last = max(FIRST_CLAUSES, len(clauses) - LAST_CLAUSES)
    return (*clauses[:FIRST_CLAUSES], *clauses[last:])
