"""Names the user where a Korean clause has the first person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.korean.edits import USER, TextEdit
from gieok.models.rules.korean.endings import Predicate, has_final
from gieok.models.rules.korean.phrases import find_next_ending
from gieok.models.rules.korean.subjects import ME, OWNED, ROLES, TO_PLACES, is_time_at
from gieok.models.rules.korean.vocabulary import (
    KIN,
    MEASURED_ATTRIBUTES,
    NAMED_ATTRIBUTES,
)
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.korean", "subjects.toml")
_SHOWN: Final = _LISTS.get_words("shown")
_ATTRIBUTES: Final = NAMED_ATTRIBUTES | MEASURED_ATTRIBUTES
SELF: Final = "자신"
_AS_SUBJECT: Final = ("는", "ᆫ", "은", "가", "이", "도", "두", "만")
_ALONE: Final = ("나", "저", "우리", "저희")
_OWNING: Final = ("내", "제", "우리", "저희", "저", "나")
_ALL_OF_US: Final = ("우리", "저희")


@dataclass(frozen=True, slots=True)
class PersonEdits:
    """How the first person of a clause is named, and whether it is the subject."""

    edits: tuple[TextEdit, ...]
    opening: str
    """"사용자는", "사용자도" …; empty if the first person is not the subject."""


def name_first_person(
    text: str, morphemes: Sequence[Morph], said: Predicate, *, is_user: bool = False
) -> PersonEdits:
    """Return the edits of the pronouns before the predicate.

    `is_user` says that the sentence is about the user though no pronoun says so.
    """
    own = [
        place
        for place in range(len(morphemes))
        if place < said.place and _is_pronoun(text, morphemes, place)
    ]
    subjects = [place for place in own if _is_main_subject(morphemes, place, own[0])]
    main = subjects[0] if subjects else -1
    if not subjects and is_user:
        subjects = [
            p
            for p in own[:1]
            if morphemes[p + 1 : p + 2][:1] and (morphemes[p + 1].tag == "JKS")
        ]
    named = SELF if subjects or is_user else USER
    edits: list[TextEdit] = []
    for place in own:
        left = "" if place in subjects else named
        edits.append(_build_edit(text, morphemes, place, left))
    opening = "" if main < 0 else _build_opening(morphemes, main)
    return PersonEdits(tuple(edits), opening)


def _is_pronoun(text: str, morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a morpheme is the first person; 제기 and 내부 only look like it."""
    one = morphemes[place]
    if one.form not in ME or not _can_be_pronoun(morphemes, place):
        return False
    if one.start and text[one.start - 1].isalnum():
        return False
    following = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if following is None:
        return True
    owning = following.tag == "JKG" and following.form == "의"
    end = max(one.end, following.end) if owning else one.end
    joined = owning and text[one.start] in "제내" and text[end : end + 1].isalnum()
    return not joined


def _can_be_pronoun(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a word can be a pronoun where it stands; "저 사람" is somebody."""
    one = morphemes[place]
    if one.tag != "MM":
        return one.tag in ("NP", "IC")
    following = morphemes[place + 1].form if place + 1 < len(morphemes) else ""
    return one.form == "저" and not place and following not in _SHOWN


def _is_main_subject(morphemes: Sequence[Morph], place: int, first: int) -> bool:
    """Tell whether a pronoun is the subject of the whole clause."""
    following = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if following is None:
        return False
    marked = following.tag in ("JX", "JKS") and following.form in _AS_SUBJECT
    one = morphemes[place]
    bare = (
        place == first
        and one.form in _ALONE
        and following.start > one.end
        and following.tag[0] != "J"
        and not (one.form in _ALL_OF_US and _is_owner(morphemes, place))
        and not _is_owner_of_topic(morphemes, place)
        and not any(m.tag == "JKS" for m in morphemes[:place])
    )
    if not (marked or bare):
        return False
    ending = find_next_ending(morphemes, place + 1)
    embedded = ending is not None and ending.tag == "ETM" and following.tag == "JKS"
    return not embedded


def _is_owner(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether "우리" owns what follows; in "우리 이사 가" it is the subject."""
    noun, *after = morphemes[place + 1 : place + 3]
    if not noun.tag.startswith(("NN", "XPN")):
        return False
    placed = noun.tag == "NNP" and bool(after) and after[0].form in TO_PLACES
    if placed or is_time_at(morphemes, place + 1):
        return False
    does = bool(after) and after[0].tag in ("VV", "XSV")
    return not does or noun.form in KIN | ROLES | OWNED


def _is_owner_of_topic(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a name or the like follows of which something is said.

    In "나 이름은 지훈이야" that is the user's.
    """
    noun, *after = morphemes[place + 1 : place + 3]
    told = any(m.tag == "JX" and m.form in ("은", "는") for m in after)
    return told and noun.form in _ATTRIBUTES


def _build_opening(morphemes: Sequence[Morph], place: int) -> str:
    """Return the user as a subject, with 도 where the pronoun has it."""
    following = morphemes[place + 1]
    who = USER + ("네" if morphemes[place].form in _ALL_OF_US else "")
    if following.tag == "JX" and following.form in ("도", "두", "만"):
        return f"{who}{'만' if following.form == '만' else '도'} "
    return f"{who}는 "


def _build_edit(
    text: str, morphemes: Sequence[Morph], place: int, named: str
) -> TextEdit:
    """Return the edit of one pronoun; the one that becomes the opening goes."""
    one = morphemes[place]
    following = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if following is None:
        return TextEdit(one.start, one.end, named)
    touching = following.start <= one.end
    if not named:
        marked = touching and following.tag in ("JX", "JKS")
        end = max(one.end, following.end) if marked else one.end
        return TextEdit(one.start, end, "")
    particle = _select_particle(text, named, following) if touching else ""
    if particle:
        return TextEdit(one.start, max(one.end, following.end), named + particle)
    owned = one.form in _OWNING and following.tag.startswith(("NN", "MM", "V", "XPN"))
    gap = " " if following.start == one.end else ""
    return TextEdit(one.start, one.end, named + (f"의{gap}" if owned else ""))


def _select_particle(text: str, named: str, following: Morph) -> str:
    """Return the particle that stands behind a pronoun as it fits the noun."""
    if following.tag == "JKG":
        return "의"
    if following.tag == "JKO":
        return _select_form(named, "를", "을")
    if following.tag in ("JKS", "JX") and following.form in _AS_SUBJECT:
        return _select_subject_particle(named, following.form)
    if following.tag in ("JKB", "JC"):
        return _select_other_particle(named, text, following)
    return ""


def _select_form(noun: str, vowel: str, consonant: str) -> str:
    """Return the particle that fits the noun's last letter."""
    return consonant if has_final(noun) else vowel


def _select_subject_particle(noun: str, form: str) -> str:
    if form in ("가", "이"):
        return _select_form(noun, "가", "이")
    if form in ("도", "두", "만"):
        return "만" if form == "만" else "도"
    return _select_form(noun, "는", "은")


def _select_other_particle(noun: str, text: str, following: Morph) -> str:
    """Return "에게", "랑" and such behind the noun as it is written."""
    if following.form in ("랑", "이랑"):
        return _select_form(noun, "랑", "이랑")
    if following.form in ("와", "과"):
        return _select_form(noun, "와", "과")
    if following.form in ("게", "에게"):
        return "에게"
    return text[following.start : following.end] or following.form
