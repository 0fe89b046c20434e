"""Where a text says that the user lives, and whether it ends what another text says.

A person lives in one place at a time. Who says later in the same talk that they moved
to another place, or corrects where they live, means the last one; who goes on about the
move ("이사하니까 좋다", "the movers were kind") names no other place and ends nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from gieok.models.rules.english_words import is_known
from gieok.text.kiwi import Morph, Morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")
_TOLD: Final = _LISTS.compile_list("homes.told")
_INSTEAD: Final = _LISTS.compile_list("homes.instead")
_CORRECTED: Final = _LISTS.compile_list("homes.corrected")
_ELSEWHEN: Final = _LISTS.compile_list("homes.elsewhen")
_NAMES: Final = ("NNP", "SL")
_CLAUSE_ENDS: Final = ("EC", "EF", "SF", "VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")
_TOWARDS: Final = frozenset({"로", "으로"})
_AT: Final = frozenset({"에", "에서"})
_MOVED_BY: Final = frozenset({"하", "오", "가"})
_MINE: Final = frozenset({"나", "내", "저", "제", "우리", "저희"})
_UNREAL: Final = frozenset({"않", "못하", "싶", "으면", "면", "ᆯ"})
"""What says of a verb that it is denied, wished for or to come."""
_REACH: Final = 3  # morphemes after a verb that may say so


class HomeVerb(Enum):
    """How a text tells of a home."""

    MOVED = auto()
    """"I moved to Paju": the old home is over."""
    CAME = auto()
    """"We ended up in Paju": of a move, or of a trip."""
    LIVES = auto()


@dataclass(frozen=True, slots=True)
class HomeStatement:
    """What a text says of where the user lives; `place` is empty if it names none."""

    verb: HomeVerb
    place: tuple[str, ...] = ()

    def is_elsewhere(self, other: "HomeStatement") -> bool:
        """Tell whether both name a place, and neither could be within the other."""
        return _has_other_name(self, other) and _has_other_name(other, self)


@dataclass(frozen=True, slots=True)
class HomeRevision:
    """Tells whether of two things said in one talk the later ends the earlier."""

    morphology: Morphology

    def __call__(self, new: str, said: str, known: str, *, together: bool) -> bool:
        """Tell whether a text names another home than a known one, and ends that.

        `said` are the words it came from. What was said `together`, in one message,
        ends the other only where they deny it: "not Ilsan but Paju".
        """
        told, before = (find_home(text, self.morphology) for text in (new, known))
        if told is None or before is None or not told.is_elsewhere(before):
            return False
        if _ELSEWHEN.search(new) is not None:
            return False
        if together:
            return is_denied(before, said)
        return can_replace(told, said)


def can_replace(home: HomeStatement, said: str) -> bool:
    """Tell whether words that name a home end what an earlier message said of it.

    A move does; of all else, what takes back what was said before.
    """
    return home.verb is HomeVerb.MOVED or _CORRECTED.search(said) is not None


def is_denied(home: HomeStatement, said: str) -> bool:
    """Tell whether words say of a home's place that it is not the one."""
    low = said.lower()
    return any(
        re.search(rf"{re.escape(word)}\S{{0,2}} ?(?:아니|아냐|말고)", low)
        or re.search(rf"\bnot (?:to |in |at )?{re.escape(word)}\b", low)
        for word in home.place
    )


def is_about_one_home(one: str, other: str, morphology: Morphology) -> bool:
    """Tell whether two texts are about the home, and neither names another place."""
    homes = [find_home(text, morphology) for text in (one, other)]
    told = [home for home in homes if home is not None]
    return len(told) == len(homes) and not told[0].is_elsewhere(told[1])


def find_home(text: str, morphology: Morphology) -> HomeStatement | None:
    """Return what a text says of where the user lives, or None."""
    if has_hangul(text):
        return find_korean_home(morphology.analyze(text))
    return find_english_home(text)


def find_english_home(text: str) -> HomeStatement | None:
    """Return what an English text says of where the user lives, or None."""
    plain = _INSTEAD.sub(" ", text.replace("’", "'"))
    found = [*_TOLD.finditer(plain)]
    if not found:
        return None
    last = found[-1]
    verb = HomeVerb.LIVES
    if last["moved"]:
        verb = HomeVerb.MOVED
    elif last["came"]:
        verb = HomeVerb.CAME
    named = last["place"] or ""
    if not named or (named[0].islower() and is_known(named.split()[0].lower())):
        return HomeStatement(verb) if last["moved"] else None
    return HomeStatement(verb, tuple(re.split(r"[ ,]+", named.lower().strip(".,"))))


def find_korean_home(morphs: Sequence[Morph]) -> HomeStatement | None:
    """Return what Korean morphemes say of where the user lives, or None."""
    for number in reversed(range(len(morphs))):
        verb = _get_verb(morphs, number)
        place = _find_place(morphs, number, verb) if verb else ()
        if verb is not None and (place or verb is HomeVerb.MOVED):
            return HomeStatement(verb, place)
    return None


def _has_other_name(one: HomeStatement, other: HomeStatement) -> bool:
    """Tell whether a name of one place is none of the other's, however short."""
    return any(
        not any(own.startswith(each) or each.startswith(own) for each in other.place)
        for own in one.place
    )


def _get_verb(morphs: Sequence[Morph], number: int) -> HomeVerb | None:
    """Return what a morpheme says of a home of the user, if it does."""
    verb = _classify_verb(morphs, number)
    if _is_unreal(morphs, number) or (verb and _has_other_subject(morphs, number)):
        return None
    return verb


def _classify_verb(morphs: Sequence[Morph], number: int) -> HomeVerb | None:
    """Return what a morpheme may say of a home, whoever lives there."""
    own, after = morphs[number], morphs[number + 1 : number + 1 + _REACH]
    is_past = any(m.tag == "EP" for m in after)
    match own.form, own.tag:
        case "이사", "NNG" if not after or after[0].form in _MOVED_BY:
            return HomeVerb.MOVED
        case ("살", "VV") | ("거주", "NNG") if not is_past:
            return HomeVerb.LIVES
        case "정착", "NNG" if is_past:
            return HomeVerb.CAME
        case (("가" | "오" | "옮기"), "VV") if is_past:
            is_towards = number > 0 and morphs[number - 1].form in _TOWARDS
            return HomeVerb.CAME if is_towards else None
        case _:
            return None


def _is_unreal(morphs: Sequence[Morph], number: int) -> bool:
    """Tell whether what a verb says is denied, wished for or to come."""
    after = morphs[number + 1 : number + 1 + _REACH]
    denied = number > 0 and morphs[number - 1].form in ("안", "못")
    return denied or any(m.form in _UNREAL for m in after)


def _has_other_subject(morphs: Sequence[Morph], number: int) -> bool:
    """Tell whether a verb has somebody or something else for its subject."""
    for place in reversed(range(1, number)):
        if morphs[place].tag in _CLAUSE_ENDS:
            return False
        if morphs[place].tag == "JKS":
            return morphs[place - 1].form not in _MINE
    return False


def _find_place(
    morphs: Sequence[Morph], number: int, verb: HomeVerb
) -> tuple[str, ...]:
    """Return the names of where a verb says that the home is.

    Whatever is moved to and has no name is no place.
    """
    marks = _AT if verb is HomeVerb.LIVES else _TOWARDS | {"에"}
    if verb is HomeVerb.MOVED and not _is_done(morphs, number):
        return ()
    for place in reversed(range(number)):
        own = morphs[place]
        if own.tag in _CLAUSE_ENDS:
            return ()
        if own.tag in _NAMES and place == number - 1:
            return _collect_names(morphs, place)
        if own.tag == "JKB" and own.form in marks:
            names = _collect_names(morphs, place - 1)
            if names or own.form in _TOWARDS:
                return names
    return ()


def _is_done(morphs: Sequence[Morph], number: int) -> bool:
    """Tell whether a move is over, and neither a plan nor what it is like."""
    after = morphs[number + 1 : number + 1 + _REACH]
    return not after or any(m.tag == "EP" or m.form == "ᆷ" for m in after)


def _collect_names(morphs: Sequence[Morph], last: int) -> tuple[str, ...]:
    """Return the names that stand together up to a place."""
    names: list[str] = []
    while last >= 0 and morphs[last].tag in _NAMES:
        names.append(morphs[last].form.lower())
        last -= 1
    return tuple(reversed(names))
