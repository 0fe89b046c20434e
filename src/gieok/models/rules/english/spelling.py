"""Writes informal English as it is spelt: "im gonna" becomes "I'm going to".

Which spelling stands for what is data (`patterns.toml`).
"""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.apostrophes import restore_apostrophes
from gieok.models.rules.english.grammar import PREPOSITIONS, has_verb
from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.tokens import split_tokens
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    CAPITALISED,
    CONTRACTIONS,
    DETERMINERS,
    NOMINATIVES,
    OWNED,
    PERSONS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_WORD: Final = compile_lazily(
    r"\bw/o?(?!\w)|(?<![\w@/\\])'?[A-Za-z]++(?!\d)(?:'[A-Za-z]+)*'?|&"
)
_LONG: Final = compile_lazily(r"([a-z])\1{2,}")
_OPENINGS: Final = (
    (compile_lazily(r"^no{2,}(?![a-z])", re.IGNORECASE), "no"),
    (compile_lazily(r"^y(?:a+h?|ee+)(?![a-z'])(?! [a-z]+ing)", re.IGNORECASE), "yeah"),
)
"""What opens a text: elsewhere "noo" is the Scottish "now", and "ya" is "you"."""
_SHORT: Final = _LISTS.get_spellings("spelling.short")
_SCOTS: Final = _LISTS.get_spellings("spelling.scots")
_UNSURE_SCOTS: Final = _LISTS.get_words("spelling.scots_unsure")
_UNSURE_SHORT: Final = _LISTS.get_words("spelling.short_unsure")
_SUBJECTS: Final = frozenset({"i", "you", "ye", "we", "they", "d'ye"})
_BEING: Final = frozenset({"i'm", "im", "am", "is", "was", "as", "i've", "been"})
_CLAUSE: Final = 6
"""Words in which a clause has its verb."""
_TITLES: Final = _LISTS.get_words("spelling.titles")
_VERBAL: Final = frozenset({words.VERB, words.THIRD, words.PAST, words.GERUND})
FEW: Final = 2


def normalize_spelling(text: str) -> str:
    """Return the text as it would be written with care; names and numbers stay."""
    straight = text.replace("’", "'").replace("‘", "'")
    for opening, written in _OPENINGS:
        straight = opening.sub(written, straight)
    drawn = _LONG.sub(r"\1", straight)
    straight = restore_apostrophes(drawn)
    found = list(_WORD.finditer(straight))
    lows = [match[0].lower() for match in found]
    is_scots = any(low in _SCOTS and low not in _UNSURE_SCOTS for low in lows)
    parts: list[str] = []
    at = 0
    for number, match in enumerate(found):
        adjoins = number and straight[found[number - 1].end() : match.start()] == " "
        before = lows[number - 1] if adjoins else ""
        behind = lows[number + 1 : number + 1 + _CLAUSE]
        parts += [
            straight[at : match.start()],
            _normalize_word(match[0], before, behind, is_scots=is_scots),
        ]
        at = match.end()
    told = "".join([*parts, straight[at:]])
    return " ".join(told.split())


def _normalize_word(
    word: str, before: str, behind: Sequence[str], *, is_scots: bool
) -> str:
    """Return one word as it is spelt between its neighbours."""
    low, after = word.lower(), behind[0] if behind else ""
    fixed = _find_fixed(word, low)
    if fixed is None and low in _SCOTS:
        fixed = _find_scots(word, before, is_scots=is_scots)
    if fixed is None and word in _SHORT:
        fixed = _find_short(word, before, behind)
    if fixed is not None:
        return fixed
    if low == "gotta":
        return _normalize_gotta(before)
    if low in ("cause", "'cause"):
        clause = after in NOMINATIVES or after in DETERMINERS
        return "because" if clause and before not in DETERMINERS else word
    if word == "me" and _is_possessive(before, after):
        return "my"
    if word == low and _is_title_or_name(low, before, after):
        return word[0].upper() + word[1:]
    return _keep_capital(word, _restore_ending(word))


def _is_title_or_name(low: str, before: str, after: str) -> bool:
    """Tell whether a word is a title or, behind one or a relative, a name."""
    if low in _TITLES:
        return _is_surname(after, low) and before not in DETERMINERS
    if before in _TITLES:
        return _is_surname(low, before)
    return before in PERSONS and len(low) > FEW and _is_name(low, after)


def _is_surname(word: str, title: str) -> bool:
    """Tell whether a word may stand behind a title; "ms" is an illness, too."""
    if not word or word in AUXILIARIES | PREPOSITIONS | DETERMINERS | {"and"}:
        return False
    return title != "ms" or not words.is_known(word)


def _find_fixed(word: str, low: str) -> str | None:
    """Return what is written for a word wherever it stands."""
    if low in CONTRACTIONS:
        return _keep_capital(word, CONTRACTIONS[low])
    if low in CAPITALISED:
        return word[0].upper() + word[1:]
    return None


def _find_scots(word: str, before: str, *, is_scots: bool) -> str | None:
    """Return what is written for a Scottish word; nothing if it may be a name."""
    low = word.lower()
    written = _keep_capital(word, _SCOTS[low])
    shouted = word.isupper() and len(word) > 1
    if word[0].isupper() and (before or shouted):
        return None
    if low not in _UNSURE_SCOTS:
        return written
    named = before in PERSONS | _TITLES
    acting = low not in GIVEN_NAMES or before in _SUBJECTS or before in _SCOTS
    return written if is_scots and acting and not named else None


def _find_short(word: str, before: str, behind: Sequence[str]) -> str | None:
    """Return what is written for a short form, where it is no other word."""
    after = behind[0] if behind else ""
    determined = before in DETERMINERS
    fits = word not in _UNSURE_SHORT
    if word == "rn":
        fits = not determined and before not in _BEING
    elif word in ("cos", "bc"):
        joins = after in NOMINATIVES or after in DETERMINERS
        fits = joins or after == "of" or has_verb(split_tokens(" ".join(behind)))
        fits = fits and before not in PREPOSITIONS and not determined
    elif word == "em":
        fits = before != "" and not determined and before not in PERSONS
    elif word == "lil":
        fits = before not in PERSONS and after != ""
    elif word in ("gf", "bf"):
        described = determined or words.get_parts(before)[0] == words.ADJECTIVE
        parts = words.get_parts(after) if after else ""
        compound = parts[:1] == words.NOUN and words.THIRD not in parts
        fits = described and not compound
    return _SHORT[word] if fits else None


def _keep_capital(word: str, written: str) -> str:
    """Return what is written for a word with the word's capital."""
    return written[0].upper() + written[1:] if word[0].isupper() else written


def _normalize_gotta(before: str) -> str:
    """Return "gotta" after what stands before it ("I've gotta", "she gotta")."""
    if before.endswith(("'ve", "'s")):
        return "got to"
    return "has to" if before in ("he", "she", "it") else "have to"


def _is_possessive(before: str, after: str) -> bool:
    """Tell whether "me" stands for "my" ("me mam", "in me life")."""
    owned = after.partition("'")[0]
    placed = before in ("in", "on", "of", "at", "off", "from")
    verbal = words.get_parts(before)[0] in _VERBAL and before != ""
    if owned in PERSONS | OWNED | {"own"}:
        return placed or not verbal
    return placed and words.get_parts(after) == words.NOUN and words.is_known(after)


def _is_name(low: str, after: str) -> bool:
    """Tell whether a word of no kind is a name, with what is told behind it."""
    return not words.is_known(low) and "'" not in low and bool(after)


def _restore_ending(word: str) -> str:
    """Return "buildin" as "building"."""
    low = word.lower()
    bare = low.rstrip("'")
    if not bare.endswith("in") or words.get_parts(low)[0] not in "ngx":
        return word
    if words.is_known(low) and words.get_parts(low)[0] == words.NOUN:
        return word
    whole = words.get_parts(bare + "g")
    return word.rstrip("'") + "g" if words.GERUND in whole else word
