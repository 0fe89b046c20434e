"""What can be told about one clause from its words alone.

Each flag is 0 or 1 (or a small number) and has a name, so that a weight of the judge
can be read. Korean is judged by morphemes, English by words; a mixed clause by both.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gieok.models.rules import lexicon as lx
from gieok.models.rules.clauses import Clause
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

Flags = dict[str, float]

FRAMES: Final = ("roleplay", "fiction", "drill", "pasted", "planted", "taken_back")
"""Flags of what is said in a part, a story or a drill, or by somebody else."""
REQUESTS: Final = ("request_korean", "request_english", "order_negated")
"""Flags of what is wished of the assistant."""
ABOUT_OTHERS: Final = ("kin", "acquaintance", "others")
"""Flags of what is said of somebody else than the user."""
NOT_ASSERTED: Final = (
    *("question_mark", "question_english", "question_korean", "hearsay", "condition"),
    *("forget", "request_korean", "request_english"),
    *FRAMES,
)
"""Flags of what the user does not say to be so: asked, supposed, heard or ordered."""

_WORD: Final = compile_lazily(r"[a-z]+(?:[-'’][a-z]+)*", re.IGNORECASE)
_NAME: Final = compile_lazily(r"(?<=[a-z,] )[A-Z][a-z]+|\b[A-Z]{2,}\b")
_TIME: Final = _LISTS.compile_list("flags.time")
_QUESTION_ENDINGS: Final = _LISTS.get_words("flags.question_endings")
_PLAIN_ENDINGS: Final = _LISTS.get_words("flags.plain_endings")
_FUTURE_ENDINGS: Final = _LISTS.get_words("flags.future_endings")
_REQUEST_ENDINGS: Final = _LISTS.get_words("flags.request_endings")


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """The words of a clause: English lower-cased, Korean as (form, tag)."""

    english: tuple[str, ...]
    morphemes: tuple[Morph, ...]

    def has_any(self, korean: frozenset[str], english: frozenset[str]) -> bool:
        """Tell whether any word stands in either list."""
        return self.has_korean(korean) or not english.isdisjoint(self.english)

    def has_korean(self, forms: frozenset[str]) -> bool:
        """Tell whether any morpheme that is no ending stands in the list."""
        return any(m.form in forms and m.tag[0] not in "EJ" for m in self.morphemes)

    def has_ending(self, forms: frozenset[str], tags: str = "EF EC") -> bool:
        """Tell whether the last ending stands in the list."""
        last = self.find_last_ending()
        return last is not None and last.form in forms and last.tag in tags.split()

    def find_last_ending(self) -> Morph | None:
        """Return the last verbal ending, whatever particles and signs follow it."""
        for morpheme in reversed(self.morphemes):
            if morpheme.tag in ("EF", "EC", "ETN"):
                return morpheme
            if morpheme.tag[0] not in "JSW":
                return None
        return None

    def count_tagged(self, *tags: str) -> int:
        """Count the morphemes with one of the tags."""
        return sum(m.tag in tags for m in self.morphemes)


def collect_words(clause: Clause) -> ClauseWords:
    """Return the clause's words in both languages."""
    english = (w.lower().replace("’", "'") for w in _WORD.findall(clause.text))
    return ClauseWords(tuple(english), clause.morphemes)


def _detect_speech_act(text: str, spoken: ClauseWords) -> Flags:
    """Return what the user does by saying it: ask, order, guess, report."""
    first = spoken.english[0] if spoken.english else ""
    second = spoken.english[1] if len(spoken.english) > 1 else ""
    wh = first in lx.WH_EN or (first == "and" and second in lx.WH_EN)
    asks_en = wh or (first in lx.AUXILIARY_EN and second in lx.ME_EN | _SUBJECTS)
    asks_ko = spoken.has_ending(_QUESTION_ENDINGS, "EF")
    give = any(m.form == "주" and m.tag in ("VX", "VV") for m in spoken.morphemes)
    negated_order = any(m.form == "말" and m.tag == "VX" for m in spoken.morphemes)
    return {
        "question_mark": float("?" in text[-4:]),
        "question_english": float(asks_en),
        "question_korean": float(asks_ko),
        "wh_word": float(spoken.has_any(lx.WH_KO, lx.WH_EN)),
        "request_korean": float(give or spoken.has_ending(_REQUEST_ENDINGS)),
        "order_negated": float(negated_order or first in ("don't", "stop", "no")),
        "request_english": float(
            first in lx.IMPERATIVE_EN or "please" in spoken.english
        ),
        "ends_plainly": float(spoken.has_ending(_PLAIN_ENDINGS)),
        "future": float(
            spoken.has_ending(_FUTURE_ENDINGS)
            or spoken.has_any(frozenset(), lx.FUTURE_EN)
        ),
        "hearsay": float(
            spoken.has_ending(lx.HEARSAY_ENDINGS)
            or spoken.has_any(frozenset(), lx.HEARSAY_EN)
        ),
        "condition": float(
            spoken.has_any(lx.CONDITION_KO, lx.CONDITION_EN)
            or any(
                m.form in lx.CONDITIONAL_ENDINGS for m in _filter_tagged(spoken, "EC")
            )
        ),
    }


_SUBJECTS: Final = _LISTS.get_words("flags.subjects")


def _filter_tagged(spoken: ClauseWords, tag: str) -> Iterable[Morph]:
    """Return the morphemes with a tag."""
    return (m for m in spoken.morphemes if m.tag == tag)


def _detect_people(spoken: ClauseWords) -> Flags:
    """Return who is named."""
    first = spoken.english[0] if spoken.english else ""
    return {
        "me": float(spoken.has_any(frozenset(), lx.ME_EN) or _has_first_person(spoken)),
        "opens_with_me": float(first in lx.ME_EN),
        "others": float(spoken.has_any(lx.OTHERS_KO, lx.OTHERS_EN)),
        "opens_with_others": float(first in lx.OTHERS_EN),
        "kin": float(spoken.has_any(lx.KIN_KO, lx.KIN_EN)),
        "acquaintance": float(
            spoken.has_any(lx.ACQUAINTANCES_KO, lx.ACQUAINTANCES_EN)
            and not _has_partner(spoken)
        ),
        "you": float(spoken.has_any(frozenset({"너", "니", "네"}), _YOU)),
        "honorific": float(any(m.form == "시" for m in _filter_tagged(spoken, "EP"))),
    }


def _has_partner(spoken: ClauseWords) -> bool:
    """Tell whether "남자 친구" or "여자 친구" stands, which Kiwi takes apart."""
    forms = [m.form for m in spoken.morphemes]
    return any(
        one in ("남자", "여자") and other == "친구" for one, other in pairwise(forms)
    )


_YOU: Final = _LISTS.get_words("flags.you")


def _has_first_person(spoken: ClauseWords) -> bool:
    """Tell whether a Korean first-person pronoun (or 내 as a determiner) stands."""
    return any(m.form in lx.ME_KO and m.tag in ("NP", "MM") for m in spoken.morphemes)


def _detect_meaning(text: str, spoken: ClauseWords) -> Flags:
    """Return what kind of content it has."""
    low = text.lower()
    standing = lx.STANDING_KO.search(text) or lx.STANDING_EN.search(low)
    copula = any(m.tag in ("VCP", "VCN") for m in spoken.morphemes)
    past = any(m.form in ("었", "았") for m in _filter_tagged(spoken, "EP"))
    return {
        "habit": float(spoken.has_any(lx.HABIT_KO, lx.HABIT_EN) or "마다" in text),
        "standing": float(standing is not None),
        "passing": float(spoken.has_any(lx.PASSING_KO, lx.PASSING_EN)),
        "taste": float(spoken.has_any(lx.TASTE_KO, lx.TASTE_EN)),
        "negation": float(spoken.has_any(lx.NEGATION_KO, lx.NEGATION_EN)),
        "past": float(past or spoken.has_any(frozenset(), lx.PAST_EN)),
        "change": float(spoken.has_any(lx.CHANGE_KO, lx.CHANGE_EN)),
        "same": float(spoken.has_any(lx.SAME_KO, lx.SAME_EN)),
        "copula": float(copula),
        "number": float(
            any(c.isdigit() for c in text) or spoken.count_tagged("NR") > 0
        ),
        "time": float(_TIME.search(text) is not None),
        "name": float(spoken.count_tagged("NNP") > 0 or _NAME.search(text) is not None),
        "laugh": float(lx.LAUGH.search(text) is not None),
        "remember": float(lx.REMEMBER.search(text) is not None),
        "forget": float(lx.find_wish(text) is not None),
        "denial": float(lx.DENIAL.search(text) is not None),
    }


def _detect_shape(text: str, spoken: ClauseWords) -> Flags:
    """Return how it is built."""
    predicates = sum(
        m.tag.startswith(("VV", "VA", "VCP", "VCN", "XSV", "XSA"))
        for m in spoken.morphemes
    )
    hangul = sum("가" <= c <= "힣" for c in text)
    return {
        "korean": float(hangul > 0),
        "english": float(len(spoken.english) > 0),
        "words": min(len(text.split()), 25) / 10,
        "no_predicate": float(hangul > 0 and predicates == 0),
        "nouns": min(spoken.count_tagged("NNG", "NNP"), 6) / 3,
        "very_short": float(len(text) <= 8),  # noqa: PLR2004  (네, ok, "그래요")
    }


def detect_flags(clause: Clause) -> Flags:
    """Return the named flags of one clause."""
    spoken = collect_words(clause)
    return {
        **_detect_speech_act(clause.text, spoken),
        **_detect_people(spoken),
        **_detect_meaning(clause.text, spoken),
        **_detect_shape(clause.text, spoken),
    }
