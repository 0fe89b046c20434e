"""Puts apostrophes back that were left out: "mams in a home" is "mam's in a home".

What can be read in one way only is always restored ("dont"). Of what is a word by
itself ("were", "its", "names") the next words decide: "mams" before "in" can only be
"mam is", before "kitchen" only be hers. What stays open is left as it stands.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gieok.models.rules.english import words
from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.vocabulary import (
    ADJECTIVES,
    AUXILIARIES,
    BARE_KIN,
    CONTRACTIONS,
    DETERMINERS,
    INTERJECTIONS,
    NOMINATIVES,
    NUMBERS,
    OWNED,
    PASSIVE,
    PAST_TIMES,
    PERFECT,
    PERSON_KINDS,
    PERSONS,
    SEVERAL_PERSONS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_WORD: Final = compile_lazily(
    r"(?<![\w'’@#/.-])(?:[A-Za-z]+(?:['’-][A-Za-z]+)*|\d+)(?![\w@/])"
)
_SENTENCE_END: Final = compile_lazily(r"[.!?\n:;()…–—\"“”]|\s-\s")
_CAPITALISED: Final = compile_lazily(r"\b[A-Z][a-z]+\b")
_CONTRACTIONS: Final = {
    word: written
    for word, written in CONTRACTIONS.items()
    if "'" in written and written.replace("'", "").lower() == word
} | _LISTS.get_spellings("apostrophe.fixed")
_BEFORE: Final = _LISTS.get_spellings("apostrophe.before_verb")
_WISHING: Final = _LISTS.get_words("apostrophe.wishing")
_BECOMING: Final = _LISTS.get_words("apostrophe.becoming")
_OPENING: Final = _LISTS.get_words("apostrophe.opening")
_NAMES_IN_S: Final = _LISTS.get_words("apostrophe.names_in_s")
_SINGLE: Final = _LISTS.get_words("apostrophe.single")
_POSSESSIVES: Final = _LISTS.get_words("apostrophe.possessives")
_DESCRIBING: Final = _LISTS.get_words("apostrophe.describing")
_PLACING: Final = _LISTS.get_words("apostrophe.placing")
_PLURAL: Final = _LISTS.get_words("apostrophe.plural_verbs")
_AFTER_ITS: Final = _LISTS.get_words("spelling.after_its")
_OWNED: Final = OWNED | PERSONS | SEVERAL_PERSONS
_NOMINATIVES: Final = NOMINATIVES | {
    "you",
    "we",
    "they",
    "who",
}
_SURNAMES: Final = _LISTS.get_words("apostrophe.surnames")
_TITLES: Final = _LISTS.get_words("person.titles")
_OFTEN: Final = frozenset(
    {"never", "always", "probably", "definitely", "not", "usually", "also"}
)
_CALLING: Final = frozenset({"called", "named"})
_NAMING: Final = frozenset({"is", "was", "name's", "surname's", "be", "being"})
_NAMES: Final = frozenset({"name", "surname", "nickname", "name's", "surname's"})
_VISITED: Final = frozenset({"at", "to", "from", "round", "near"})
_LATIN_ENDINGS: Final = ("ss", "us", "is")
"""Of words in -s that have no singular without it: "arthritis", "Lexus"."""
SHORTEST_STEM: Final = 3
MAX_WORDS: Final = 40
"""Words on either side of one that decide how it is written."""


class _PlacedWord(NamedTuple):
    """A word, what stands before it in its clause, and what follows up to a sign."""

    text: str
    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def low(self) -> str:
        return self.text.lower()

    @property
    def next(self) -> str:
        return self.right[0] if self.right else ""

    @property
    def previous(self) -> str:
        return self.left[-1] if self.left else ""


def restore_apostrophes(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return a text with the apostrophes that were left out; all else stays.

    `names` are people who are known by name, in lower case.
    """
    found = list(_WORD.finditer(text))
    spelt = [match[0] for match in found]
    gaps = [text[one.end() : other.start()] for one, other in pairwise(found)]
    parts: list[str] = []
    at = 0
    for number, match in enumerate(found):
        left, right = (
            _collect_left(spelt, gaps, number),
            _collect_right(spelt, gaps, number),
        )
        written = _find_written(_PlacedWord(match[0], tuple(left), tuple(right)), names)
        if written is not None:
            spelt[number] = _keep_capital(match[0], written)
            parts += [text[at : match.start()], spelt[number]]
            at = match.end()
    return "".join([*parts, text[at:]])


def collect_names(texts: Iterable[str]) -> frozenset[str]:
    """Return who is named in texts, in lower case: "my brother col", "at Rae's"."""
    named: set[str] = set()
    for text in texts:
        named |= {one.lower() for one in _CAPITALISED.findall(text)}
        said = [match[0].lower() for match in _WORD.finditer(text)]
        named |= {
            after
            for word, after in pairwise(said)
            if word in PERSONS or word in _CALLING
        }
    return frozenset(one for one in named if not words.is_known(one))


def _collect_left(said: Sequence[str], gaps: Sequence[str], number: int) -> list[str]:
    """Return the words before one in its clause, without what only opens it."""
    start = number
    while (
        start
        and number - start < MAX_WORDS
        and not _SENTENCE_END.search(gaps[start - 1])
        and "," not in gaps[start - 1]
    ):
        start -= 1
    left = [word.lower() for word in said[start:number]]
    while left and left[0] in INTERJECTIONS:
        left.pop(0)
    return left


def _collect_right(
    said: Sequence[str], gaps: Sequence[str], number: int
) -> Iterator[str]:
    """Yield the words behind one, up to the next sign."""
    for place in range(number, min(len(gaps), number + MAX_WORDS)):
        if gaps[place].strip(" ") or not gaps[place]:
            return
        yield said[place + 1].lower()


def _keep_capital(word: str, written: str) -> str:
    return written[0].upper() + written[1:] if word[0].isupper() else written


def _find_written(said: _PlacedWord, names: frozenset[str]) -> str | None:
    """Return how a word is written with its apostrophe; nothing if it has none."""
    low = said.low
    shouted = said.text.isupper() and len(low) > 1
    if shouted or not low.isalpha():
        return None
    if low in _CONTRACTIONS:
        return _CONTRACTIONS[low]
    if low in _BEFORE:
        return _BEFORE[low] if _is_contracted(said) else None
    stem = low.removesuffix("s")
    if stem != low and len(stem) >= SHORTEST_STEM:
        if _is_of_person(stem, said) or _is_of_thing(stem, said):
            return f"{said.text[:-1]}'s"
        if _is_of_name(stem, said, names):
            return f"{stem.capitalize()}'s"
    return low.capitalize() if _is_introduced(said) else None


def _is_introduced(said: _PlacedWord) -> bool:
    """Tell whether somebody or something is named: "my name's shauna"."""
    if words.is_known(said.low) or len(said.low) < SHORTEST_STEM:
        return False
    return said.previous in _CALLING | {"name's"} or said.left[-2:] == ("name", "is")


def _skip_often(right: Sequence[str]) -> Sequence[str]:
    """Return what follows without an adverb that says how often or how sure."""
    return right[1:] if right and right[0] in _OFTEN else right


def _is_contracted(said: _PlacedWord) -> bool:
    """Tell whether a word that is one by itself is a pronoun and a verb here."""
    low, after = said.low, said.next
    opens = not said.left or said.previous in _OPENING
    if low == "its":
        return _is_it_is(said)
    if low == "were":
        present = PAST_TIMES.isdisjoint(said.right)
        return opens and present and _is_predicate(said.right)
    if low in ("well", "hell", "shell"):
        return opens and after in _BECOMING and len(said.right) > 1
    if low == "ill":
        acts = words.get_parts(next(iter(_skip_often(said.right)), ""))[0] == words.VERB
        return (opens or said.text == "Ill") and acts
    return after in _WISHING and said.previous not in DETERMINERS


def _is_it_is(said: _PlacedWord) -> bool:
    """Tell whether "its" is "it's": before what it is, not before what it has."""
    after, parts = said.next, words.get_parts(said.next)
    if not after:
        return False
    last = len(said.right) == 1
    opens = not said.left or said.previous in _OPENING
    named = not words.is_known(after) and (last or not _is_verb(said.right[1]))
    closes = parts[0] == words.ADJECTIVE and (last or said.right[1] in _PLACING)
    return (
        after in _AFTER_ITS
        or after.isdigit()
        or after in NUMBERS
        or parts[0] in (words.GERUND, words.ADVERB)
        or (closes and not said.left)
        or (opens and named)
    )


def _is_predicate(right: Sequence[str]) -> bool:
    """Tell whether words can only be told of somebody who "is" them."""
    if not right:
        return False
    after, rest = right[0], right[1:]
    parts = words.get_parts(after)
    if after.isdigit() or after in NUMBERS:
        return not (rest[:1] == ("and",) and rest[-1][:1].isdigit())
    if after in _DESCRIBING or after in ADJECTIVES or after in PASSIVE:
        return not _is_bare_verb(rest)
    if after in _PLACING or parts[0] == words.GERUND:
        return True
    if parts[0] == words.ADVERB and words.VERB not in parts:
        return bool(rest) and not _is_bare_verb(rest) and rest[0] not in _PLURAL
    return parts[0] == words.ADJECTIVE and words.VERB not in parts


def _is_verb(word: str) -> bool:
    finite = (words.THIRD, words.PAST, words.PARTICIPLE)
    return word in AUXILIARIES or words.get_parts(word)[0] in finite


def _is_bare_verb(right: Sequence[str]) -> bool:
    return bool(right) and words.get_parts(right[0])[0] == words.VERB


def _is_of_several(right: Sequence[str]) -> bool:
    """Tell whether a later word is the verb of several: "my nans in leeds are"."""
    return any(
        word in _PLURAL and (not number or right[number - 1] not in _NOMINATIVES)
        for number, word in enumerate(right)
    )


def _is_owner(right: Sequence[str], *, sure: bool) -> bool:
    """Tell whether a noun follows that somebody has; `sure`, one that people have."""
    if not right or _is_bare_verb(right):
        return False
    if right[0] in _OWNED:
        return True
    parts = words.get_parts(right[0])
    told = parts[0] == words.NOUN and len(right) > 1 and _is_verb(right[1])
    return not sure and right[0].isalpha() and (parts == words.NOUN or told)


def _trim_owner(left: Sequence[str]) -> tuple[str, ...] | None:
    """Return what stands before "my", "my older"; nothing if nobody owns."""
    kept = list(left)
    if len(kept) > 1 and kept[-1] in PERSON_KINDS:
        kept.pop()
    return tuple(kept[:-1]) if kept and kept[-1] in _POSSESSIVES else None


def _is_subject(before: Sequence[str]) -> bool:
    return not before or before[-1] in _OPENING


def _is_of_person(stem: str, said: _PlacedWord) -> bool:
    """Tell whether a word for somebody and "s" is "my dad is", or what is dad's."""
    if stem not in PERSONS:
        return False
    before = _trim_owner(said.left)
    if before is None:
        if stem not in BARE_KIN or said.previous in DETERMINERS | NUMBERS:
            return False
        before = said.left
    if not _is_subject(before):
        return _is_owner(said.right, sure=True)
    if _is_of_several(said.right):
        return False
    if said.low in SEVERAL_PERSONS and said.next in _PLACING:
        return False
    return _is_predicate(said.right) or _is_owner(said.right, sure=False)


def _is_of_thing(stem: str, said: _PlacedWord) -> bool:
    """Tell whether what one has one of, and "s", is "my name is"."""
    before = _trim_owner(said.left)
    if stem not in _SINGLE or before is None or not _is_subject(before):
        return False
    if _is_of_several(said.right):
        return False
    named = bool(said.right) and not words.is_known(said.next)
    return named or _is_predicate(said.right)


def _is_of_name(stem: str, said: _PlacedWord, names: frozenset[str]) -> bool:
    """Tell whether a name and "s" is "Rae is" or what is Rae's.

    A word that is in no list may also be what there are several of ("gyozas"), so less
    counts before it where nobody is known by that name.
    """
    unlikely = said.low in _NAMES_IN_S or said.low.endswith(_LATIN_ENDINGS)
    if words.is_known(said.low):
        return False
    if stem in GIVEN_NAMES and said.low not in GIVEN_NAMES:
        return _is_of_given_name(said)
    if words.is_known(stem) or said.low in names:
        return False
    known = stem in names
    if (unlikely and not known) or said.previous in DETERMINERS | NUMBERS:
        return False
    if not _is_subject(said.left):
        return _is_owner(said.right, sure=True)
    return not _is_of_several(said.right) and _is_owner_or_subject(
        stem, said, known=known
    )


def _is_owner_or_subject(stem: str, said: _PlacedWord, *, known: bool) -> bool:
    """Tell whether a name that opens a clause is what is told of, or who has it."""
    if known or _has_singular_ending(stem):
        return _is_predicate(said.right) or _is_owner(said.right, sure=False)
    placed = said.next in _PLACING
    owns = _is_owner(said.right, sure=True)
    return owns or (not placed and _is_predicate(said.right))


def _is_of_given_name(said: _PlacedWord) -> bool:
    """Tell whether a given name with "s" is not of several, and no surname."""
    named = said.previous in _NAMING and not _NAMES.isdisjoint(said.left)
    behind = said.previous in GIVEN_NAMES
    surname = named or (behind and (said.low in _SURNAMES or not said.right))
    counted = said.previous in _TITLES | DETERMINERS | NUMBERS
    if surname or counted or said.next in _PLURAL:
        return False
    told_of = behind or said.previous in PERSONS or _is_subject(said.left)
    if told_of and (_is_predicate(said.right) or said.next in PERFECT):
        return True
    return said.previous in _VISITED or _is_owner(said.right, sure=False)


def _has_singular_ending(stem: str) -> bool:
    """Tell whether several would be spelt otherwise: of "keely" they are "keelies"."""
    return stem.endswith("y") and stem[-2] not in "aeiou"
