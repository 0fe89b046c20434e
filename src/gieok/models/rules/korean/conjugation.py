"""Ends a Korean clause in the plain declarative, whatever ending it was said with.

Kiwi's joiner conjugates. What asks or only leads on to something else is no statement;
what was ordered is wished for, and what is told of others stays told.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.korean.edits import TextEdit
from gieok.models.rules.korean.endings import (
    ADJECTIVES,
    DROPPING,
    GIVEN,
    STEMS,
    Mood,
    Predicate,
    get_verb,
    has_final,
)
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.korean", "endings.toml")
_STATIVE: Final = PatternFile("gieok.models.rules", "patterns.toml").get_words(
    "korean.stative"
)
_NIEUN: Final = "\u11ab"
_RIEUL: Final = "\u11af"

_MOMENTARY: Final = _LISTS.get_words("momentary")
_LASTING: Final = _LISTS.get_words("lasting")
_ONGOING: Final = _LISTS.get_words("ongoing")
_AHEAD: Final = _LISTS.get_words("ahead")
_OVER: Final = _LISTS.get_words("past")
_MUST: Final = ("어야", "아야")
_ABLE: Final = frozenset({"어야", "수", "있", "못하"})
_GUESSED: Final = ("나", "ᆫ가", "은가", "는가", "ᆯ까", "을까")
_PROPOSED: Final = ("자", "ᆸ시다", "읍시다")
_TOLD_AS: Final = {"재": "자고", "재요": "자고", "자고": "자고", "냐고": "냐고"}


def build_declarative(stem: str, *, verb: bool) -> str:
    """Return the plain declarative of a stem: 살 → 산다, 먹 → 먹는다, 춥 → 춥다."""
    if not verb:
        return stem + "다"
    last = unicodedata.normalize("NFD", stem[-1])
    if last[-1] == _RIEUL:
        last = last[:-1]
    elif last[-1] >= "\u11a8":
        return stem + "는다"
    return stem[:-1] + unicodedata.normalize("NFC", last + _NIEUN) + "다"


def is_verb(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether the stem is a verb, so that it takes ㄴ다 rather than 다."""
    stem = morphemes[place]
    if stem.form in _STATIVE or stem.tag in ADJECTIVES:
        return False
    if stem.form == "않":
        before = [m for m in morphemes[:place] if m.tag.startswith(STEMS)]
        return not (
            before and (before[-1].tag in ADJECTIVES or before[-1].form == "싶")
        )
    return True


def build_ending(
    text: str, morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> TextEdit | None:
    """Return the edit that ends a clause plainly, or nothing if it states nothing.

    What was ordered is wished for, and what is told of others stays told.
    """
    start, end = said.start, len(text)
    build = _BUILDERS.get(said.mood)
    if build is None:
        return None
    if said.supposes:
        return _build_supposed(morphemes, said, end)
    told = build(morphemes, said, morphology)
    if told is not None and text[:start].endswith("싶었"):
        return TextEdit(start - 1, end, "어 했" + told)
    return None if told is None else TextEdit(start, end, told)


def _build_supposed(
    morphemes: Sequence[Morph], said: Predicate, end: int
) -> TextEdit | None:
    """Return the edit of what is supposed: "못 먹겠다" is "못 먹는다".

    "꺼야겠다" is "꺼야 한다"; whether "가겠다" means or guesses, nobody can tell.
    """
    stem = morphemes[said.place]
    before = morphemes[said.place - 1] if said.place else None
    infix = next((m for m in morphemes[said.place :] if m.form == "겠"), None)
    if infix is None:
        return None
    if stem.form.endswith(_MUST) or (infix.start == stem.end and stem.tag == "EC"):
        return TextEdit(infix.start, end, " 한다")
    denied = before is not None and before.form in ("못", "안")
    plain = infix.start == stem.end and stem.form != "되"
    if denied and plain and said.tag == "VV":
        told = build_declarative(stem.form, verb=True)
        return TextEdit(stem.start, end, told)
    return TextEdit(said.start, end, "다고 한다")


def _build_plain(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str:
    """Return the plain ending of what is stated."""
    if said.stem == "싶":
        return "싶어 한다"
    if not said.stem:
        return "다"
    if said.form == "기" and said.mood is Mood.NOTES:
        return said.stem + "기로 한다"
    if said.mood in (Mood.NOTES, Mood.REASONS) and _is_done(morphemes, said):
        return _build_past(said, morphology)
    return build_declarative(said.stem, verb=_is_deed(morphemes, said))


def _is_deed(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether the stem is a verb, so that it takes ㄴ다 rather than 다."""
    before = morphemes[said.place - 1].form if said.place else ""
    guessed = said.stem == "보" and said.tag == "VX" and before in _GUESSED
    mimetic = (
        said.stem == "하"
        and said.tag == "XSV"
        and (morphemes[said.place - 1].tag == "MAG")
        and before not in _DENIALS
    )
    adjective = said.tag in ADJECTIVES or said.stem in _LIKE_ADJECTIVES
    return not (guessed or mimetic or adjective) and is_verb(morphemes, said.place)


_DENIALS: Final = ("못", "안", "잘")
_LIKE_ADJECTIVES: Final = ("만하", "듯하", "듯싶", "뻔하", "것이")


def _is_done(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a note or a reason tells of something done, not of how it is."""
    if said.tag in ADJECTIVES:
        return False
    forms = [m.form for m in morphemes[: said.place + 1]]
    if not (_LASTING | _AHEAD).isdisjoint(forms) or _ABLE & set(forms[-2:]):
        return False
    verb = get_verb(morphemes, said)
    momentary = verb in _MOMENTARY or verb.removesuffix("하") in _MOMENTARY
    own = said.tag != "VX" and forms[-1] in _MOMENTARY
    becomes = said.tag == "VX" and said.stem == "지"
    return momentary or own or becomes or not _OVER.isdisjoint(forms)


def has_certain_time(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a reason says if it was or is: "끊어서" was, "다녀서" is."""
    lasting = (
        said.tag in ADJECTIVES or not said.stem or not is_verb(morphemes, said.place)
    )
    going_on = get_verb(morphemes, said) in _ONGOING or said.stem in _ONGOING
    return lasting or going_on or _is_done(morphemes, said)


def _build_past(said: Predicate, morphology: Morphology) -> str:
    """Return the past of the stem."""
    if said.tag == "VCP":
        return said.stem + "었다"
    tag = f"{said.tag}-I" if said.stem in DROPPING else said.tag
    return morphology.join([(said.stem, tag), ("었", "EP"), ("다", "EF")])


def _build_recalled(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str:
    """Return what somebody saw for themselves: it was so."""
    if not said.stem:
        return "다"
    if any(m.tag == "EC" and m.form in ("면", "으면") for m in morphemes):
        return build_declarative(said.stem, verb=_is_deed(morphemes, said))
    return _build_past(said, morphology)


def _build_reported(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str:
    """Return what somebody else says."""
    del morphology
    if said.tag == "VCP" and said.stem:
        noun = morphemes[said.place - bool(said.form)].form
        short = said.stem == "이" and not has_final(noun)
        return ("" if short else said.stem) + "라고 한다"
    if not said.stem:
        return "다고 한다"
    return build_declarative(said.stem, verb=_is_deed(morphemes, said)) + "고 한다"


def _build_command(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str:
    """Return what somebody else orders, proposes or asks."""
    del morphemes
    form = _TOLD_AS.get(said.form, "으라고")
    return morphology.join([(said.stem, said.tag), (form, "EC")]) + " 한다"


def _build_intended(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str | None:
    """Return what somebody means to do."""
    del morphemes
    if not said.stem:
        return None
    return morphology.join([(said.stem, said.tag), ("려고", "EC")]) + " 한다"


def _build_expected(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str:
    """Return what will probably be."""
    del morphemes
    if not said.stem:
        return "을 것이다"
    return morphology.join([(said.stem, said.tag), ("ᆯ", "ETM")]) + " 것이다"


def _build_requested(
    morphemes: Sequence[Morph], said: Predicate, morphology: Morphology
) -> str | None:
    """Return what somebody wants to be done, or not to be done."""
    if not said.stem:
        return None
    if said.stem in GIVEN or said.form in _PROPOSED or said.mood is Mood.WISHES:
        return said.stem + "기를 바란다"
    del morphemes
    return morphology.join([(said.stem, said.tag), ("어", "EC")]) + " 주기를 바란다"


_BUILDERS: Final = {
    Mood.STATES: _build_plain,
    Mood.REASONS: _build_plain,
    Mood.NOTES: _build_plain,
    Mood.REPORTS: _build_reported,
    Mood.TOLD: _build_command,
    Mood.INTENDS: _build_intended,
    Mood.RECALLS: _build_recalled,
    Mood.EXPECTS: _build_expected,
    Mood.REQUESTS: _build_requested,
    Mood.WISHES: _build_requested,
}
