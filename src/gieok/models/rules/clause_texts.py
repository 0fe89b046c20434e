"""Cleans the words of a clause, and puts them in the third person."""

import re
from typing import Final

from gieok.models.rules.clauses import Clause
from gieok.models.rules.english import retelling as english
from gieok.models.rules.korean import retelling as korean
from gieok.models.rules.korean.texts import has_korean_ending
from gieok.models.rules.lexicon import IMPERATIVE_EN, KIN_KO
from gieok.text.cleaning import remove_emoji
from gieok.text.kiwi import Morph
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_NOISE: Final = _LISTS.compile_list("wording.noise")
_OPENING: Final = _LISTS.compile_list("wording.opening")
_REQUEST: Final = compile_lazily(
    rf"(?:,|,?\s+so)\s+(?:(?:please|kindly)\s+(?:{'|'.join(sorted(IMPERATIVE_EN))})\b"
    rf"|(?:{'|'.join(sorted(IMPERATIVE_EN))})\s+(?:him|her|them|that|this|me|us)\b).*",
    re.IGNORECASE,
)
"""An order about what was just said adds nothing to it."""
MIN_TOLD: Final = 3
"""Words of a fact that is told beside an order."""
MIN_LATIN: Final = 3
"""Latin letters of an English clause for one of another script."""
_TIME_OPENING: Final = _LISTS.compile_list("wording.time_opening")
_KOREAN_OPENING: Final = compile_lazily(
    r"^(?:그리고|근데|그런데|하지만)\s+(?=[A-Za-z])"
)


def remove_laughter(text: str) -> str:
    """Drop laughter and pictures."""
    return " ".join(_NOISE.sub(" ", remove_emoji(text)).split())


def remove_noise(text: str) -> str:
    """Return the words without laughter, pictures and interjections."""
    plain = remove_laughter(text)
    return _OPENING.sub("", plain).strip(" ,;-—") or plain


def drop_request(text: str) -> str:
    """Return an English text without the order that is hung on it.

    "Ada is our new lead, kindly add her to the list" tells who Ada is; what is to be
    done with it is of the moment.
    """
    found = _REQUEST.search(text)
    if found is None or len(text[: found.start()].split()) < MIN_TOLD:
        return text
    return text[: found.start()]


def _measure_opening(text: str) -> int:
    """Return how many characters of interjections a text opens with."""
    blank = len(text) - len(text.lstrip(" \n,;-—"))
    found = _OPENING.match(text[blank:])
    return blank + (found.end() if found else 0)


def trim_interjections(clause: Clause) -> tuple[str, tuple[Morph, ...]]:
    """Return what follows the interjections, and the morphemes placed within it."""
    cut = _measure_opening(clause.written)
    begins = clause.start + cut
    morphemes = tuple(
        m._replace(start=m.start - begins)
        for m in clause.morphemes
        if m.start >= begins
    )
    return clause.written[cut:], morphemes


def convert_clause(
    clause: Clause, *, first: bool, last: bool, linked: bool = False
) -> str | None:
    """Return one clause in the third person, or nothing if that is not safe.

    A clause that is the first has a subject; a Korean one that is `linked` ends so
    that another sentence can follow.
    """
    plain = remove_noise(clause.text)
    opening = _TIME_OPENING.match(plain) if first else None
    if opening is not None:
        rest = english.to_third_person(plain[opening.end() :], first=False)
        return None if rest is None else plain[: opening.end()] + rest
    said = english.to_third_person(plain, first=first)
    if said is not None and (first or not has_hangul(clause.text)):
        return said
    if not has_hangul(clause.text):
        return None
    text, morphemes = trim_interjections(clause)
    return korean.to_third_person(
        text, morphemes, KIN_KO, first=first, last=last, linked=linked
    )


def drop_korean_conjunction(text: str) -> str:
    """Return an English text without the Korean "and" or "but" that it opens with."""
    return _KOREAN_OPENING.sub("", text)


def is_english(text: str) -> bool:
    """Tell whether a clause is English, be it with a Korean word in it."""
    text = drop_korean_conjunction(text)
    if has_korean_ending(text):
        return False
    korean_letters = sum("가" <= c <= "힣" for c in text)
    latin = sum(c.isascii() and c.isalpha() for c in text)
    opens = text.lstrip("\"'([- ")[:1]
    return not korean_letters or (
        opens.isascii() and korean_letters * MIN_LATIN < latin
    )
