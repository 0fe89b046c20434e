"""Adds the particles that speech leaves away before Korean predicates.

"비건 시작했다" becomes "비건을 시작했다", "학원 다닌다" "학원에 다닌다", "예약 있다"
"예약이 있다"; what has a particle, a counted thing and a time stay as they are.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.edits import TextEdit
from gieok.models.rules.korean.endings import Predicate, find_main_verb, has_final
from gieok.models.rules.korean.subjects import CIRCUMSTANCES, PLACES, TRANSITIVE
from gieok.models.rules.korean.vocabulary import KIN, SITES
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.korean", "subjects.toml")

_VISITED: Final = _LISTS.get_words("visited")
_EXISTING: Final = _LISTS.get_words("existing")
_SITES: Final = tuple(sorted(SITES))
_NOUNS: Final = ("NNG", "NNP", "XSN")
_JOINED: Final = _LISTS.get_words("joined")
_FELT: Final = frozenset({"싫", "좋", "무섭", "밉", "그립"})
_VERBS: Final = ("VV", "XSV")
_DENIALS: Final = ("안", "못")


def build_particle_edits(
    text: str, morphemes: Sequence[Morph], said: Predicate
) -> list[TextEdit]:
    """Return the edits before the predicates: their particles, and room before them."""
    edits = [
        TextEdit(one.end, one.end, " ")
        for one, other in pairwise(morphemes)
        if one.form in _DENIALS
        and one.tag == "MAG"
        and other.start == one.end
        and other.tag in ("VV", "VA")
        and other.form not in ("되", "하")
        and text[one.start : other.end] not in PLACES
    ]
    edits += [
        TextEdit(one.start, one.end, "도")
        for one in morphemes
        if one.form == "두" and one.tag == "JX"
    ]
    places = {find_main_verb(morphemes, said)}
    places |= {n for n, m in enumerate(morphemes[: said.place]) if m.tag in _VERBS}
    for verb in sorted(places):
        place = verb - 1 if morphemes[verb].tag == "XSV" and verb else verb
        added = _build_particle_edit(text, morphemes, place)
        edits += [] if added is None else [added]
    return edits


def _build_particle_edit(
    text: str, morphemes: Sequence[Morph], place: int
) -> TextEdit | None:
    """Return the edit of the noun before a verb that begins at a place, if any."""
    noun = _find_bare_noun(text, morphemes, place)
    if noun is None or noun.form in KIN or _has_object(morphemes, place):
        return None
    particle = _select_particle(morphemes, place, noun)
    return TextEdit(noun.end, noun.end, particle) if particle else None


def _find_bare_noun(text: str, morphemes: Sequence[Morph], place: int) -> Morph | None:
    """Return the noun directly before a verb, adverbs between them passed over."""
    before = place - 1
    denied = before >= 0 and morphemes[before].form in _DENIALS
    if denied and morphemes[place].tag == "VV":
        before -= 1  # "안" of "굴 안 만들었어" is taken for "inside" now and then
    while before >= 0 and morphemes[before].tag == "MAG":
        before -= 1
    if before < 0:
        return None
    noun = morphemes[before]
    alone = noun.tag in _NOUNS and text[noun.end : noun.end + 1].isspace()
    excepted = noun.form in CIRCUMSTANCES or noun.form in (*_DENIALS, "씩", "째")
    return noun if alone and not excepted else None


def _has_object(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether the clause of a verb has its object already."""
    for one in reversed(morphemes[:place]):
        if one.tag in ("EC", "EF", "ETM"):
            return False
        if one.tag == "JKO":
            return True
    return False


def _select_particle(morphemes: Sequence[Morph], place: int, noun: Morph) -> str:
    """Return the particle that a verb wants of a noun, or none."""
    verb = "".join(m.form for m in morphemes[place : place + 1])
    following = morphemes[place + 1 : place + 2]
    if following and following[0].tag == "XSV":
        verb += following[0].form
    lived = verb == "살" and (noun.form in PLACES or noun.tag == "NNP")
    if verb in _JOINED or lived:
        return "에"
    if verb in _VISITED and (noun.form.endswith(_SITES) or verb != "다니"):
        return "에" if noun.form.endswith(_SITES) else ""
    felt = verb in _FELT and morphemes[place].tag == "VA"
    if felt or (verb in _EXISTING and not noun.form.endswith(_SITES)):
        return "이" if has_final(noun.form) else "가"
    if verb not in TRANSITIVE | {"다니"}:
        return ""
    return "을" if has_final(noun.form) else "를"
