"""Reads Korean words before a predicate into constituents, each of one kind.

"담배를 하루 반 갑" is an object and how much; "딸이랑", with whom; "예전에는", when.
A question and its answer are read the same way, so that what is answered finds the
place of its own kind.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import Final, NamedTuple

from gieok.models.rules.korean.answer_words import is_person, is_relative
from gieok.models.rules.korean.vocabulary import ASKING, NAMED
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_TIMES: Final = _LISTS.get_words("korean.times")
_FREQUENCIES: Final = _LISTS.get_words("korean.frequencies")
_DEGREES: Final = _LISTS.get_words("korean.degrees")
_MANNERS: Final = _LISTS.get_words("korean.manners")
_PERIOD: Final = _LISTS.compile_list("korean.periods")
_YEAR: Final = compile_lazily(r"^(?:19|20)\d\d년")
_NUMERALS: Final = _LISTS.get_words("korean.numerals")
_NUMBERS: Final = frozenset("일이삼사오육칠팔구십반몇")
_WHEN: Final = frozenset({"때", "적", "전", "후", "뒤", "날", "철", "동안"})
_APPROXIMATE: Final = frozenset({"쯤", "정도", "째", "씩"})
_COUNTING: Final = ("NNB", "NR", "SN")
_NEGATIONS: Final = frozenset({"안", "못"})
_CASES: Final = {"JKS": "subject", "JKO": "object", "JKC": "subject"}
_ATTACHED: Final = ("ETM", "MM", "JKG", "XPN")


class Kind(StrEnum):
    """What a constituent says."""

    SUBJECT = "subject"
    TOPIC = "topic"
    OBJECT = "object"
    NOUN = "noun"
    """Without a case: "술", "술도", "술만"."""
    PLACE = "place"
    MEANS = "means"
    COMPANION = "companion"
    RECIPIENT = "recipient"
    TIME = "time"
    FREQUENCY = "frequency"
    COUNT = "count"
    DEGREE = "degree"
    MANNER = "manner"
    NEGATION = "negation"
    OTHER = "other"


_MARKED: Final = {
    "에서": Kind.PLACE, "서": Kind.PLACE, "에": Kind.PLACE,
    "로": Kind.MEANS, "으로": Kind.MEANS,
    "랑": Kind.COMPANION, "이랑": Kind.COMPANION, "하고": Kind.COMPANION,
    "와": Kind.COMPANION, "과": Kind.COMPANION,
    "한테": Kind.RECIPIENT, "에게": Kind.RECIPIENT, "께": Kind.RECIPIENT,
}  # fmt: skip


_LIMITED: Final = {
    "은": Kind.TOPIC, "는": Kind.TOPIC, "ᆫ": Kind.TOPIC,
    "도": Kind.NOUN, "만": Kind.NOUN, "나": Kind.NOUN, "이나": Kind.NOUN,
    "마다": Kind.FREQUENCY,
}  # fmt: skip
_STRONG: Final = ("랑", "이랑", "하고", "로", "으로", "마다")
"""Particles that say more than the noun: "아침마다" is how often."""


class Constituent(NamedTuple):
    """One or more words with the particle of the last."""

    text: str
    noun: str
    """Without the particle."""
    kind: Kind
    is_clause: bool = False
    """Whether a clause describes it: "못 먹는 음식"."""

    @property
    def particle(self) -> str:
        """What follows the noun."""
        return self.text[len(self.noun) :]

    @property
    def last(self) -> str:
        """The last word of the noun."""
        return self.noun.rpartition(" ")[2]


class _Word(NamedTuple):
    text: str
    morphemes: tuple[Morph, ...]


def read_constituents(text: str, morphemes: Sequence[Morph]) -> list[Constituent]:
    """Return the constituents of words in their order."""
    found: list[Constituent] = []
    open_words: list[_Word] = []
    words = [*_iterate_words(text, morphemes)]
    for word, following in zip_longest(words, words[1:]):
        last = word.morphemes[-1]
        if last.tag in _ATTACHED or _is_counted(last, following):
            if last.tag == "ETM":
                open_words = [*_take_described(found), *open_words]
            open_words.append(word)
            continue
        found.append(_classify_words([*open_words, word]))
        open_words = []
        _merge_last(found)
    if open_words:
        found.append(Constituent(_join_words(open_words), "", Kind.OTHER))
    return found


def _iterate_words(text: str, morphemes: Sequence[Morph]) -> Iterator[_Word]:
    for match in re.finditer(r"\S+", text):
        within = tuple(
            m
            for m in morphemes
            if match.start() <= m.start < match.end()
            and m.end <= match.end()
            and (m.tag[0] != "S" or m.tag in ("SN", "SL", "SH"))
        )
        if within:
            yield _Word(match[0].strip(" ,.!~?"), within)


def _is_counted(last: Morph, following: _Word | None) -> bool:
    """Tell whether a number stands before what it counts: "일 년에", "반 갑"."""
    if following is None or following.morphemes[0].tag != "NNB":
        return False
    return last.tag in ("NR", "SN") or last.form in _NUMBERS


def _take_described(found: list[Constituent]) -> list[_Word]:
    """Take from the end what belongs to a clause that describes a noun: "못 먹는"."""
    taken: list[_Word] = []
    within = (Kind.NEGATION, Kind.DEGREE, Kind.OBJECT)
    while found and found[-1].kind in within:
        taken.insert(0, _Word(found.pop().text, ()))
    return taken


def _join_words(words: Sequence[_Word]) -> str:
    return " ".join(word.text for word in words)


def _classify_words(words: Sequence[_Word]) -> Constituent:
    """Return words that belong together as a constituent."""
    text, last = _join_words(words), words[-1]
    first = next(
        (n for n, m in enumerate(last.morphemes) if m.tag[0] == "J" and n), None
    )
    if text.startswith(("어려서", "젊어서")):
        return Constituent(text, text[:3], Kind.TIME)
    if any(m.tag == "EC" for m in last.morphemes):
        return Constituent(text, text, Kind.OTHER)
    cut = len(text)
    if first is not None:
        begins = last.morphemes[0].start
        cut -= len(last.text) - (last.morphemes[first].start - begins)
    clause = any(m.tag == "ETM" for word in words for m in word.morphemes)
    every = [m for word in words for m in word.morphemes if m.tag[0] != "J"]
    if not every:
        return Constituent(text, text, Kind.OTHER)
    marks = () if first is None else last.morphemes[first:]
    kind = _find_kind(text[:cut], every, marks)
    return Constituent(text, text[:cut], kind, clause)


def _find_kind(noun: str, nouns: Sequence[Morph], marks: Sequence[Morph]) -> Kind:
    """Return the kind of a noun, or of an adverb, with what marks it."""
    plain = _find_adjunct(noun, nouns)
    if not marks:
        return plain or (Kind.NOUN if nouns[-1].tag[0] in "NXS" else Kind.OTHER)
    mark = marks[0]
    if mark.tag in _CASES:
        return plain if plain is Kind.MANNER else Kind(_CASES[mark.tag])
    if plain is not None and mark.form not in _STRONG:
        return plain
    table = _MARKED if mark.tag in ("JKB", "JC") else _LIMITED
    return table.get(mark.form, Kind.OTHER)


def _find_adjunct(noun: str, nouns: Sequence[Morph]) -> Kind | None:
    """Return how a noun or an adverb says when, how often, how much or how."""
    last = nouns[-1]
    listed = (
        (_NEGATIONS, Kind.NEGATION),
        (_MANNERS, Kind.MANNER),
        (_FREQUENCIES, Kind.FREQUENCY),
        (_DEGREES, Kind.DEGREE),
    )
    word = noun.rpartition(" ")[2]
    for words, kind in listed:
        if word in words:
            return kind
    if _is_time(noun, nouns):
        return Kind.TIME
    while len(nouns) > 1 and nouns[-1].form in _APPROXIMATE:
        nouns = nouns[:-1]
    counted = any(
        m.tag in ("NR", "SN") or (m.tag == "MM" and m.form in _NUMERALS) for m in nouns
    )
    if counted and (
        nouns[-1].tag in _COUNTING or any(m.tag == "MM" for m in nouns[-2:-1])
    ):
        return Kind.COUNT
    return Kind.DEGREE if last.form == "정도" and counted else None


def _is_time(noun: str, nouns: Sequence[Morph]) -> bool:
    """Tell whether a noun says when."""
    last = nouns[-1]
    if last.form == "년":
        return _YEAR.match(noun) is not None
    counted = len(nouns) > 1 and nouns[-2].tag in ("MM", "NR", "SN")
    if last.form in ("달", "주", "해") and counted:
        return False
    if last.form == "시":
        return last.tag == "NNB"
    return last.form in _TIMES or noun.rpartition(" ")[2] in _TIMES


def _merge_last(found: list[Constituent]) -> None:
    """Join the last two constituents where they are one: "한 달에 한 번"."""
    if len(found) < 2:  # noqa: PLR2004  (two that may be one)
        return
    one, two = found[-2:]
    kind = two.kind
    if two.kind is Kind.COUNT and _PERIOD.match(one.text):
        kind = Kind.FREQUENCY
    elif two.noun in _APPROXIMATE and one.kind in (Kind.COUNT, Kind.FREQUENCY):
        kind = one.kind
    elif two.kind is Kind.TIME and two.last in _WHEN and _can_date(one):
        kind = Kind.TIME
    elif not _is_compound(one, two):
        return
    joined = f"{one.text} {two.text}"
    noun = joined[: len(joined) - len(two.particle)]
    found[-2:] = [Constituent(joined, noun, kind, one.is_clause or two.is_clause)]


def _can_date(one: Constituent) -> bool:
    """Tell whether a constituent says before or at what: "제사 때", "5년 전"."""
    return one.kind in (Kind.NOUN, Kind.COUNT, Kind.TIME) and not one.particle


def _is_compound(one: Constituent, two: Constituent) -> bool:
    """Tell whether a noun without a particle belongs to the next: "영어 학원이"."""
    adjuncts = (Kind.DEGREE, Kind.MANNER, Kind.NEGATION, Kind.FREQUENCY, Kind.OTHER)
    asks = two.noun.partition(" ")[0] in ASKING
    if one.particle or two.kind in adjuncts or asks:
        return False
    if one.kind is Kind.TIME:
        return two.kind is Kind.TIME
    if one.kind is not Kind.NOUN or two.kind in (Kind.TIME, Kind.COUNT):
        return False
    titled = two.noun.endswith("님") and not is_relative(one.noun)
    return not is_person(one.noun) or two.last in NAMED or titled or two.last == "분"
