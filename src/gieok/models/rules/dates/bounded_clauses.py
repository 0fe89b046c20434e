"""Tells whether what is said of some time is of a state that holds from now on.

"Is on crutches for six weeks" is, "lived there for six years", "fasts for a day every
week" and "is in Rome for a week in August" are not. What cannot be told is taken to
last.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Final

from gieok.models.rules.dates.vocabulary import APPOINTMENT, LASTING
from gieok.models.rules.english.tense import READ_ASIDE, Tense
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.dates", "bounds.toml")

_COURSE: Final = _LISTS.compile_list("bounds.en_course")
_ONCE: Final = _LISTS.compile_list("bounds.en_once")
_IS_ON: Final = compile_lazily(
    r"(?:\b(?:is|are)|['’](?:s|re))(?: at [\w:. ]{1,12})? $", re.IGNORECASE
)
_DURATION: Final = compile_lazily(r"\bfor an? \w+", re.IGNORECASE)
_HOLDS: Final = _LISTS.compile_list("bounds.en_holds")
_PRESENT: Final = _LISTS.compile_list("bounds.en_present")
_OVER: Final = _LISTS.compile_list("bounds.en_over")
_REPEATED: Final = _LISTS.compile_list("bounds.en_repeated")
_CHANGING: Final = _LISTS.compile_list("bounds.en_changing")
_ARRANGED: Final = _LISTS.compile_list("bounds.en_arranged")
_FOLLOWS: Final = _LISTS.compile_list("bounds.en_follows")
_ELSEWHEN: Final = _LISTS.compile_list("bounds.en_elsewhen")
_BREAKS: Final = _LISTS.compile_list("bounds.en_breaks")
_OPENS_SPAN: Final = _LISTS.compile_list("bounds.en_opens_span")
_FROM_DAY: Final = _LISTS.compile_list("bounds.en_from")
_KO_REPEATED: Final = _LISTS.compile_list("bounds.ko_repeated")
_KO_FROM_NOW: Final = _LISTS.compile_list("bounds.ko_from_now")
_KO_CHANGING: Final = _LISTS.compile_list("bounds.ko_changing")
_KO_ELSEWHEN: Final = _LISTS.compile_list("bounds.ko_elsewhen")
_KO_GOING_ON: Final = _LISTS.compile_list("bounds.ko_going_on")
_KO_OBLIGED: Final = _LISTS.compile_list("bounds.ko_obliged")
_KO_PLANNED: Final = _LISTS.compile_list("bounds.ko_planned")
_KO_REPORTED: Final = _LISTS.compile_list("bounds.ko_reported")
_KO_LIMIT: Final = _LISTS.compile_list("bounds.ko_limit")
_KO_SENTENCE: Final = compile_lazily(r"[.!?;\n“”‘’]")

_PAST: Final = frozenset({"었", "았", "였", "더", "던"})
_COMPLEMENTED: Final = frozenset({"수", "것", "거"})


class BoundKind(Enum):
    """How plainly some words say that something ends."""

    NAMED = auto()
    """They name a time ahead: "until Friday", "앞으로 2주 동안"."""
    SPAN = auto()
    """They name a time that goes on: "this month", "이번 달"."""
    COUNTED = auto()
    """They say only how long: "for two weeks", "2주 동안"."""


def is_of_state(match: re.Match[str], kind: BoundKind) -> bool:
    """Tell whether found words say until when the state of their clause goes on."""
    text, start, end = match.string, match.start(), match.end()
    if has_hangul(text):
        return _is_of_state_in_korean(text, start, end, kind)
    return _is_of_state_in_english(text, start, end, kind)


def is_of_one_day(match: re.Match[str], tense: Tense) -> bool:
    """Tell whether a weekday of an English clause is one day, not one of every week.

    "Is paid on Friday" is so every week, as far as can be told; "sees the dentist on
    Friday", "starts at Tesco on Monday" and "the prom is on Friday" are not.
    """
    if tense is Tense.PAST:
        return True
    opened = max(0, match.start() - READ_ASIDE)
    text = match.string[opened : match.end() + READ_ASIDE]
    start, end = match.start() - opened, match.end() - opened
    if _REPEATED.search(_DURATION.sub("", f"{text[:start]} {text[end:]}")):
        return False
    if tense is not Tense.PRESENT:
        return True
    clause = " ".join(_find_clause(text, start, end))
    told = APPOINTMENT.search(clause) or _IS_ON.search(text[:start])
    return bool((told and not _COURSE.search(clause)) or _ONCE.search(clause))


def _is_of_state_in_english(text: str, start: int, end: int, kind: BoundKind) -> bool:
    """Tell it by the verb of the clause and by what else the sentence says of time."""
    before, after = _find_clause(text, start, end)
    clause = f"{before} {after}"
    sentence = f"{text[:start]} {text[end:]}"
    if _REPEATED.search(sentence) or _OVER.search(clause):
        return False
    if kind is BoundKind.COUNTED:
        states = _ARRANGED, _CHANGING, LASTING
        return bool(
            _HOLDS.search(before or after)
            and _FOLLOWS.search(text[end:])
            and not _ELSEWHEN.search(f"{before} {text[end:]}")
            and not any(words.search(clause) for words in states)
        )
    if not (_HOLDS.search(clause) or _PRESENT.search(clause)):
        return False
    if kind is BoundKind.SPAN:
        other = _CHANGING.search(clause) or _ELSEWHEN.search(clause)
        return not (other or _OPENS_SPAN.search(text[:start]))
    return _FROM_DAY.search(text[:start]) is None


def _find_clause(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what a clause says before and behind words of it.

    Where they stand alone between signs, they belong to what is said before them or,
    as the first words, to what follows.
    """
    breaks = [found.span() for found in _BREAKS.finditer(text)]
    opened = max((last for _, last in breaks if last <= start), default=0)
    closed = min((first for first, _ in breaks if first >= end), default=len(text))
    before, after = text[opened:start], text[end:closed]
    if before.strip() or after.strip():
        return before, after
    if text[opened - 2 : opened] == ", ":
        earlier = max((last for _, last in breaks if last <= opened - 2), default=0)
        return text[earlier : opened - 2], ""
    if text[closed : closed + 2] == ", ":
        behind = [first for first, _ in breaks if first >= closed + 2]
        return "", text[closed + 2 : min(behind, default=len(text))]
    return "", ""


def _is_of_state_in_korean(text: str, start: int, end: int, kind: BoundKind) -> bool:
    """Tell it by what follows in the sentence, since its verb stands last."""
    before = _KO_SENTENCE.split(text[:start])[-1]
    rest = _KO_SENTENCE.split(_KO_REPORTED.sub("", text[end:]).lstrip())[0]
    sentence = f"{before} {rest}"
    from_now = _KO_FROM_NOW.search(before) is not None
    other = _KO_REPEATED.search(sentence) or _KO_LIMIT.search(rest)
    from_other = ("부터" in before and not from_now) or rest.startswith("의")
    if not rest or other or from_other:
        return False
    morphs = get_shared_morphology().analyze(rest)
    if any(each.form in _PAST and each.tag in {"EP", "ETM"} for each in morphs):
        return False
    if kind is not BoundKind.COUNTED:
        return kind is BoundKind.NAMED or _KO_CHANGING.search(rest) is None
    changes = _KO_CHANGING.search(rest)
    going_on = _KO_GOING_ON.search(rest) and not _KO_OBLIGED.search(rest)
    elsewhen = not from_now and _KO_ELSEWHEN.search(sentence)
    return not (
        changes
        or going_on
        or _KO_PLANNED.search(rest)
        or elsewhen
        or _is_of_something(morphs)
        or _is_quality(morphs)
    )


def _is_of_something(morphs: Sequence[Morph]) -> bool:
    """Tell whether words lead to a noun that they describe: "배운 스페인어가 있다"."""
    return any(
        each.tag == "ETM" and after.form not in _COMPLEMENTED
        for each, after in pairwise(morphs)
    )


def _is_quality(morphs: Sequence[Morph]) -> bool:
    """Tell whether something is told to have been so for some time: "배가 아프다"."""
    verbs = [each for each in morphs if each.tag in {"VV", "VA", "VCP", "VX"}]
    return bool(verbs) and verbs[-1].tag == "VA" and verbs[-1].form != "있"
