"""Tells whether a Korean count of days, "3일 전", "2주 뒤", is counted from today.

"약속 하루 전에 취소한다" counts from the appointment, but "시험 2주 뒤에 봐" and
"엄마 2주 뒤에 수술하셔" from today; "25일 전에 월세를 낸다" has the
day of the month, "그로부터 2주 뒤에 돌아왔다" some other day.
"""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.lexicon import ACQUAINTANCES_KO, KIN_KO
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_ABOUT: Final = _LISTS.get_words("dates.ko_about")
"""Words that may stand before a count without being what it counts from."""
_NOW: Final = _LISTS.get_words("dates.ko_now")
_ARRANGED: Final = _LISTS.compile_list("dates.ko_arranged")
_SOMEBODY: Final = KIN_KO | ACQUAINTANCES_KO
_TAKING: Final = _LISTS.get_words("dates.ko_taking")
_READ_BEFORE: Final = 60
_READ_BEHIND: Final = 80
_SENTENCE: Final = compile_lazily(r"[.!?;:\n“”‘’\"]")
_GLOSS: Final = compile_lazily(r"\([^()]*\)")
_NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SL", "SN", "XSN", "XR"})
_PREDICATES: Final = frozenset({"VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA"})
_PAST: Final = frozenset({"었", "았", "였", "더"})
_PAST_ATTRIBUTES: Final = frozenset({"ᆫ", "은", "던"})
_LEADING_ON: Final = frozenset({"고", "어", "아", "어서", "아서", "다가", "며", "면서"})
_COUNTED_FROM: Final = frozenset({"고", "면", "으면"})


def is_from_today(match: re.Match[str], *, ago: bool) -> bool:
    """Tell whether found words count from today, by their clause."""
    text, start, end = match.string, match.start(), match.end()
    before = _SENTENCE.split(text[max(0, start - _READ_BEFORE) : start])[-1]
    after = _SENTENCE.split(text[end : end + _READ_BEHIND])[0]
    rest = get_shared_morphology().analyze(_GLOSS.sub("", after))
    if _is_from_other(_GLOSS.sub("", before), rest):
        return False
    told = [each for each in rest if each.tag in _PREDICATES]
    if not told or rest[0] == told[0]:
        return True
    if ago:
        return after.startswith("부터") or _is_past(rest)
    return not _is_past(rest) or _ARRANGED.search(after) is not None


def _is_from_other(before: str, rest: Sequence[Morph]) -> bool:
    """Tell whether a count follows what it is counted from: "수술", "퇴원하고".

    Somebody is not, nor what the verb behind the count alone is said of: "시험 … 봐".
    """
    morphs = get_shared_morphology().analyze(" ".join(before.split()[-2:]))
    if not morphs or before.rstrip().endswith(","):
        return False
    last = morphs[-1]
    if last.form in _ABOUT | _SOMEBODY or (last.tag == "NNG" and _has_bare_verb(rest)):
        return False
    if last.form.endswith("부터"):
        return not any(each.form in _NOW for each in morphs)
    if last.tag == "EC":
        return last.form in _COUNTED_FROM
    return last.tag in _NOUNS | {"MM", "IC", "ETM", "JKG"}


def _has_bare_verb(rest: Sequence[Morph]) -> bool:
    """Tell whether only a verb follows that takes an event: "봐", "가요", "해요"."""
    verbs = [each for each in rest if each.tag == "VV"]
    nouns = any(each.tag in _NOUNS for each in rest)
    return len(verbs) == 1 and not nouns and verbs[0].form in _TAKING


def _is_past(morphs: Sequence[Morph]) -> bool:
    """Tell whether the first verb that has a tense is one of the past."""
    verb = ""
    for each in morphs:
        if each.tag in _PREDICATES:
            verb = each.tag
        elif verb and each.tag == "EP" and each.form in _PAST:
            return True
        elif verb and each.tag == "ETM":
            return each.form in _PAST_ATTRIBUTES and verb in {"VV", "VX", "XSV"}
        elif verb and (each.tag == "EF" or _is_other_end(each)):
            return False
    return False


def _is_other_end(morph: Morph) -> bool:
    """Tell whether a connective has no tense of what follows it: "해야"."""
    return morph.tag == "EC" and morph.form not in _LEADING_ON
