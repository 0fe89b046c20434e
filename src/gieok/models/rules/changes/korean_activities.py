"""Whether a part of a Korean memory says that the user does, or has, what ended."""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.activity_words import (
    AILED_ONCE,
    AILING,
    CONDITIONS,
    NOT_ONGOING,
    TREATMENTS,
)
from gieok.models.rules.changes.named_endings import EndingKind, NamedEnding
from gieok.models.rules.korean.coordination import NAMES
from gieok.models.rules.lexicon import ACQUAINTANCES_KO, KIN_KO
from gieok.text.kiwi import Morph, get_shared_morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "ended_activities.toml")

_DOING: Final = _LISTS.get_words("ended_activities.doing_ko")
_TAKING: Final = _LISTS.get_words("ended_activities.taking_ko")
_AILMENT: Final = _LISTS.compile_list("ended_activities.ailment_ko")
_OTHERS: Final = KIN_KO | ACQUAINTANCES_KO
_OBJECT: Final = ("JKO", "JX", "JKB")
_PREDICATES: Final = ("VV", "VA", "XSV", "XSA", "VCP", "VCN")
_DONE: Final = ("연주", "복용", "참여", "활동", "근무", "구독", "취미", "투여")


def is_ended_korean(part: str, ending: NamedEnding) -> bool:
    """Tell whether a part of a memory, its subject left out, says what is over."""
    healed = ending.kind is EndingKind.HEALED
    if not ending.words or (AILED_ONCE if healed else NOT_ONGOING).search(part):
        return False
    morphemes = get_shared_morphology().analyze(part)
    if any(one.tag in NAMES and one.form in _OTHERS for one in morphemes):
        return False
    runs = _list_runs(morphemes)
    if healed:
        return _is_ailing(part, [word for word, _ in runs], ending.words[-1])
    named = any(one in word for word in ending.words for one in TREATMENTS)
    if ending.kind is EndingKind.FINISHED and not named:
        return False
    return _is_done(morphemes, runs, ending)


def _list_runs(morphemes: Sequence[Morph]) -> list[tuple[str, int]]:
    """Return the nouns written in one word, with the place after each."""
    runs: list[tuple[str, int]] = []
    for place, one in enumerate(morphemes):
        if one.tag not in NAMES:
            continue
        if runs and runs[-1][1] == place and morphemes[place - 1].end == one.start:
            word, _ = runs.pop()
            runs.append((word + one.form.lower(), place + 1))
        else:
            runs.append((one.form.lower(), place + 1))
    return runs


def _is_done(
    morphemes: Sequence[Morph], runs: Sequence[tuple[str, int]], ending: NamedEnding
) -> bool:
    """Tell whether morphemes say that the user does something."""
    *others, head = ending.words
    words = [word for word, _ in runs]
    if not all(other in words for other in others):
        return False
    verbs = _TAKING if ending.kind is EndingKind.TAKEN_OFF else _DOING
    for word, place in runs:
        after = morphemes[place] if place < len(morphemes) else None
        if word == head and after is not None:
            is_hobby = "취미" in words and after.tag == "VCP"
            return is_hobby or _is_verb_done(morphemes[place:], verbs)
    return False


def _is_verb_done(rest: Sequence[Morph], verbs: frozenset[str]) -> bool:
    """Tell whether what stands after a noun says that one does it."""
    first = rest[0]
    if first.tag in NAMES and first.form not in _DONE and first.start > 0:
        return False
    if first.tag[0] == "J" and first.tag not in _OBJECT:
        return False
    for one in rest:
        if one.tag in NAMES and one.form in verbs:
            return True
        if one.tag in _PREDICATES:
            return one.form in verbs
    return False


def _is_ailing(part: str, words: Sequence[str], named: str) -> bool:
    """Tell whether words say that a part of the body, or what is named, ails."""
    for condition, parts in CONDITIONS.items():
        if condition in part and (condition == named or named in parts.split()):
            return True
    if named not in words:
        return False
    return _AILMENT.search(named) is not None or AILING.search(part) is not None
