"""Turns a Korean clause in the first person into a plain one in the third.

Only two places change: the first person ("저는", "내 …") and the ending of the last
predicate ("키워요" becomes "키운다"). The plain ending is regular for every stem,
irregular ones included, so no model of conjugation is needed; what is no clear
statement (a question, a wish, dialect) is left alone.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.models.rules.korean.conjugation import build_declarative, is_verb
from gieok.models.rules.korean.edits import USER, TextEdit, apply_edits
from gieok.models.rules.korean.endings import STEMS
from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_FINAL: Final = _LISTS.get_words("korean.final")
_CONNECTING: Final = _LISTS.get_words("korean.connecting")
_NOUNLIKE: Final = _LISTS.get_words("korean.nounlike")
_WISHES: Final = _LISTS.get_words("korean.wishes")
_PAST: Final = _LISTS.get_words("korean.past")
_HONORIFIC: Final = _LISTS.get_words("korean.honorific")
_SIGNS: Final = ("S", "W")
_SUBJECT: Final = _LISTS.get_words("korean.subject")
_OWN: Final = _LISTS.get_words("korean.own")
_NOTED: Final = _LISTS.get_words("korean.noted")
"""What people say of themselves with the thing as the subject."""

_LINK: Final = "고"


class FinalPredicate(NamedTuple):
    """Where the last predicate starts, its stem, and whether it is a verb."""

    start: int
    stem: str
    acts: bool

    def build_edit(self, end: int, *, linked: bool) -> TextEdit:
        """Return the edit that ends the clause plainly, or links it to the next."""
        linking = self.stem + _LINK
        said = linking if linked else build_declarative(self.stem, verb=self.acts)
        return TextEdit(self.start, end, said)


def _find_last_ending(morphemes: Sequence[Morph]) -> int | None:
    """Return the place of the ending that closes the clause, signs left out."""
    for place in range(len(morphemes) - 1, 0, -1):
        tag = morphemes[place].tag
        if tag in ("EF", "EC") or morphemes[place].form in _NOUNLIKE:
            return place
        polite = tag == "JX" and morphemes[place].form == "요"
        if not (polite or tag.startswith(_SIGNS)):
            return None
    return None


def _find_copula(
    text: str, morphemes: Sequence[Morph], place: int
) -> FinalPredicate | None:
    """Return the predicate of "… 간호사예요", "… 고3인데", "갈 거야"."""
    noun = morphemes[place - 1] if place else None
    if noun is None or noun.tag[0] not in "NXSV":
        return None
    form = "것" if noun.form in ("거", "것") else noun.form
    whole = text[noun.start : noun.end] == noun.form
    if form == noun.form and not whole:
        return None
    return FinalPredicate(noun.start, form + "이", acts=False)


def _find_clear_predicate(
    text: str, morphemes: Sequence[Morph], ending: int, *, last: bool
) -> FinalPredicate | None:
    """Return the final predicate, if it is clear how it ends plainly."""
    form, tag = morphemes[ending].form, morphemes[ending].tag
    allowed = _FINAL if tag == "EF" else _CONNECTING
    if form not in allowed or (tag == "EC" and not last):
        return None
    return _find_predicate(text, morphemes, ending)


def _is_fear(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether it is "…ㄹ까 봐", which no plain ending fits."""
    return place > 0 and morphemes[place - 1].form in ("ᆯ까", "을까")


def _find_predicate(
    text: str, morphemes: Sequence[Morph], ending: int
) -> FinalPredicate | None:
    """Return what stands before the ending."""
    place = ending - 1
    stem = morphemes[place]
    if stem.tag == "EP" and stem.form in _PAST:
        return FinalPredicate(morphemes[ending].start, "", acts=False)
    if stem.tag == "EP" and stem.form in _HONORIFIC:
        return FinalPredicate(stem.start, stem.form, is_verb(morphemes, place - 1))
    if stem.tag == "VCP":
        return _find_copula(text, morphemes, place)
    if morphemes[ending].form == "야":
        return _find_copula(text, morphemes, ending)
    if stem.tag not in STEMS or stem.form in _WISHES or _is_fear(morphemes, place):
        return None
    return FinalPredicate(stem.start, stem.form, is_verb(morphemes, place))


def _build_ending_edits(
    text: str, morphemes: Sequence[Morph], *, last: bool, linked: bool
) -> tuple[TextEdit, ...] | None:
    """Return the edits of the ending; nothing if the clause is no clear statement."""
    place = _find_last_ending(morphemes)
    if place is None:
        return () if not last else None
    if morphemes[place].form in _NOUNLIKE or (
        not last and morphemes[place].tag == "EC"
    ):
        return ()
    predicate = _find_clear_predicate(text, morphemes, place, last=last)
    return (
        None if predicate is None else (predicate.build_edit(len(text), linked=linked),)
    )


def _has_subject(morphemes: Sequence[Morph]) -> bool:
    """Tell whether the clause has a subject or topic of its own."""
    return any(m.tag == "JKS" or (m.tag == "JX" and m.form != "요") for m in morphemes)


def _find_subject(morphemes: Sequence[Morph], place: int) -> tuple[int, bool] | None:
    """Return where a first-person subject at a place ends, and whether it says 도."""
    one = morphemes[place]
    if one.form not in _OWN or place + 1 == len(morphemes):
        return None
    if one.tag not in ("NP", "IC") and (place or _has_subject(morphemes)):
        return None
    following = morphemes[place + 1]
    if following.tag in ("JX", "JKS") and following.form in _SUBJECT:
        return max(one.end, following.end), following.form in ("도", "두")
    alone = following.start > one.end and following.tag[0] != "J"
    return (one.end, False) if alone and one.form in ("나", "저") else None


def _build_possessive_edit(morphemes: Sequence[Morph], place: int) -> TextEdit | None:
    """Return the edit of "내 …", "우리 …" and "나한테" at a place."""
    one = morphemes[place]
    if one.tag != "NP" or one.form not in _OWN or place + 1 == len(morphemes):
        return None
    following = morphemes[place + 1]
    if following.tag == "JKG":
        return TextEdit(one.start, max(one.end, following.end), USER + "의")
    owned = one.form in ("우리", "저희") or (
        one.form in ("내", "제") and following.start > one.end
    )
    if owned and following.tag.startswith("NN"):
        return TextEdit(one.start, one.end, USER + "의")
    if following.tag in ("JKB", "JKO") and following.start == one.end:
        return TextEdit(one.start, one.end, USER)
    return None


def _build_person_edits(morphemes: Sequence[Morph]) -> tuple[list[TextEdit], str]:
    """Return the edits of the first person, and how the clause now begins."""
    edits: list[TextEdit] = []
    opening = USER + "는 "
    for place, morpheme in enumerate(morphemes):
        subject = _find_subject(morphemes, place)
        owned = _build_possessive_edit(morphemes, place)
        if owned:
            first = not any(m.tag[0] not in "SWIM" for m in morphemes[:place])
            opening = "" if first else opening
            edits.append(owned)
        elif subject:
            end, too = subject
            opening = (USER + "도 ") if too else opening
            edits.append(TextEdit(morpheme.start, end, ""))
    return edits, opening


def _has_noted_subject(morphemes: Sequence[Morph], kin: frozenset[str]) -> bool:
    """Tell whether the clause opens with something of the user's as its subject."""
    if len(morphemes) < 2:  # noqa: PLR2004
        return False
    first, second = morphemes[:2]
    return first.form in kin | _NOTED and second.form in ("은", "는", "이", "가", "ᆫ")


def to_third_person(
    text: str,
    morphemes: Sequence[Morph],
    kin: frozenset[str],
    *,
    first: bool = True,
    last: bool = True,
    linked: bool = False,
) -> str | None:
    """Return the clause as said of the user, or nothing if that is not safe.

    The morphemes' places count within `text`. A clause that is not the first of a
    fact has no opening, one that is not the last keeps a connecting ending, and one
    that is `linked` ends in 고 so that another sentence can follow.
    """
    ending = _build_ending_edits(text, morphemes, last=last, linked=linked)
    edits, opening = _build_person_edits(morphemes)
    run_on = any(text[: e.start][-1:].strip() for e in edits)
    ordered = any(m.form == "말" and m.tag == "VX" for m in morphemes)
    if ending is None or "?" in text or run_on or ordered:
        return None
    if (
        opening
        and all(edit.text for edit in edits)
        and _has_noted_subject(morphemes, kin)
    ):
        opening = USER + "의 "
    plain = apply_edits(text, [*edits, *ending])
    return opening + plain if first else plain


def replace_first_person(text: str, morphemes: Sequence[Morph]) -> str:
    """Return the clause with the first person named and everything else as it is."""
    return apply_edits(text, _build_person_edits(morphemes)[0])
