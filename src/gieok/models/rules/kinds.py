"""Marks of the eight kinds of fact, and which kind a plain statement is of.

General vocabulary and morphemes; each mark is a feature of the classifiers.
"""

from itertools import pairwise
from typing import Final

from gieok.models.rules.clauses import Clause
from gieok.models.rules.flags import REQUESTS, ClauseWords, Flags, collect_words
from gieok.models.rules.lexicon import HABIT_EN, HABIT_KO
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

RESIDING_KO: Final = _LISTS.get_words("kinds.residing_ko")
RESIDING_EN: Final = _LISTS.compile_list("kinds.residing_en")
LIKING_KO: Final = _LISTS.get_words("kinds.liking_ko")
LIKING_EN: Final = _LISTS.compile_list("kinds.liking_en")
UNABLE_KO: Final = _LISTS.get_words("kinds.unable_ko")
UNABLE_EN: Final = _LISTS.compile_list("kinds.unable_en")
DEVICES_KO: Final = _LISTS.get_words("kinds.devices_ko")
DEVICES_EN: Final = _LISTS.get_words("kinds.devices_en")
ANSWERS_KO: Final = _LISTS.get_words("kinds.answers_ko")
ANSWERS_EN: Final = _LISTS.get_words("kinds.answers_en")
_OWNED: Final = _LISTS.get_words("kinds.owned")
_PLACE: Final = _LISTS.compile_list("kinds.place")
_HOUSED: Final = _LISTS.get_words("kinds.housed")


def _is_residence(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says where somebody lives."""
    morphemes = spoken.morphemes
    nouns = [m for m in morphemes if m.tag[0] == "N"]
    forms = {m.form for m in morphemes if m.tag[0] in "NVX"}
    somewhere = any(
        one.form in ("에", "에서") and other.form in ("살", "사")
        for one, other in pairwise(morphemes)
    )
    placed = somewhere or any(m.tag == "NNP" or _PLACE.search(m.form) for m in nouns)
    lives = any(m.form in ("살", "사") and m.tag == "VV" for m in morphemes)
    buys = any(m.form in ("를", "을") for m in morphemes)
    housed = bool(forms & _HOUSED) and any(m.tag == "NNP" for m in morphemes)
    is_one = any(m.tag == "VCP" or m.form in ("야", "이야") for m in morphemes)
    return (
        bool(forms & RESIDING_KO)
        or (lives and placed and not buys)
        or (housed and is_one)
    )


def _is_liking(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says what somebody likes or dislikes."""
    tasting = any(
        one.form in ("싫", "좋") and other.form == "어" and third.form == "하"
        for one, other, third in zip(
            spoken.morphemes,
            spoken.morphemes[1:],
            spoken.morphemes[2:],
            strict=False,
        )
    )
    forms = {m.form for m in spoken.morphemes}
    best = bool({"좋", "싫"} & forms and {"제일", "가장"} & forms)
    return tasting or best or spoken.has_korean(LIKING_KO)


def _is_inability(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says what cannot or must not be."""
    if spoken.has_korean(UNABLE_KO):
        return True
    morphemes = spoken.morphemes
    forms = [m.form for m in morphemes]
    cannot = any(m.form in ("못", "못하") and m.tag[0] in "MV" for m in morphemes)
    lacks = "없" in forms and not _OWNED.isdisjoint(forms)
    barred = "안" in forms and any(m.form == "되" for m in morphemes)
    return cannot or lacks or barred


def detect_kinds(clause: Clause, flags: Flags) -> Flags:
    """Return the marks of each kind, named `is_…`."""
    spoken, text = collect_words(clause), clause.text.replace("’", "'")
    ordered = any(flags[name] for name in (*REQUESTS, "standing"))
    device = spoken.has_any(DEVICES_KO, DEVICES_EN)
    answers = spoken.has_any(ANSWERS_KO, ANSWERS_EN)
    resides = _is_residence(spoken) or RESIDING_EN.search(text) is not None
    likes = _is_liking(spoken) or LIKING_EN.search(text) is not None
    unable = _is_inability(spoken) or UNABLE_EN.search(text) is not None
    habit = spoken.has_any(HABIT_KO - _DEGREES, HABIT_EN - _DEGREES) or "마다" in text
    return {
        "is_device": float(device),
        "is_device_order": float(device and ordered),
        "is_answers": float(answers),
        "is_answers_order": float(answers and ordered and not device),
        "is_residing": float(resides),
        "is_liking": float(likes),
        "is_unable": float(unable),
        "is_regular": float(habit),
    }


_DEGREES: Final = _LISTS.get_words("kinds.degrees")
