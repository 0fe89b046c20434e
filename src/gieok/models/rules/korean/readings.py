"""Corrects what Kiwi misreads in spoken Korean, where the words around it tell.

"드세요" is 드시 and not the rare adjective 드세; in "무거운 건 못 들어요" something is
lifted (들), though the same syllables may hear (듣). Which object belongs to which verb
stands in `readings.toml`. And "취준생이고" says what somebody is, though Kiwi finds a
subject and a rare "고" in it, as "나는 지훈이야" does, which calls nobody.
"""

from collections.abc import Sequence
from typing import Final

from gieok.text.kiwi import Morph
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.korean", "readings.toml")

_HONORIFICS: Final = {
    "드세": "드시",
    "계세": "계시",
    "주무세": "주무시",
    "잡수세": "잡수시",
}
_UNTAMED: Final = _LISTS.get_words("untamed")
_HOMOPHONES: Final = {
    "듣": ("들", _LISTS.get_words("lifted")),
    "들": ("듣", _LISTS.get_words("heard")),
    "걷": ("걸", _LISTS.get_words("hung")),
    "묻": ("물", _LISTS.get_words("biting")),
}
"""Stems that sound like another before a vowel, and beside what they are the other."""
_LIVING: Final = _LISTS.get_words("living")
_OWNING: Final = ("내", "제")
_VOWELS: Final = ("어", "었", "아", "으", "을", "ᆯ")
_COPULA: Final = (("이", "JKS"), ("고", "MM"))
"""How Kiwi misreads "이고" behind some nouns."""
_TOPICS: Final = (["은"], ["는"], ["ᆫ"])


def correct_readings(morphemes: Sequence[Morph]) -> tuple[Morph, ...]:
    """Return the morphemes as they are meant."""
    found: list[Morph] = []
    morphemes = _correct_copula(morphemes)
    for place, one in enumerate(morphemes):
        meant = _find_meant(morphemes, place)
        found.append(meant or one)
        if meant and one.form in _HONORIFICS and place + 1 < len(morphemes):
            following = morphemes[place + 1]
            if following.tag == "JX" and following.form == "요":
                found.append(Morph("어", "EC", one.end, 0))
    return tuple(found)


def _correct_copula(morphemes: Sequence[Morph]) -> Sequence[Morph]:
    """Return the morphemes with "이고" read as what somebody or something is."""
    found = [*morphemes]
    for place in range(1, len(found) - 1):
        noun, one, other = found[place - 1 : place + 2]
        joined = noun.end == one.start and one.end == other.start
        read = (one.form, one.tag), (other.form, other.tag)
        if joined and read == _COPULA and noun.tag[0] == "N":
            found[place] = one._replace(tag="VCP")
            found[place + 1] = other._replace(tag="EC")
    return _correct_name(found)


def _correct_name(morphemes: Sequence[Morph]) -> Sequence[Morph]:
    """Return the morphemes with "나는 지훈이야" read as who the user is.

    Of a pet nobody knows whether it is called 복실 or 복실이.
    """
    told = [m.form for m in morphemes if m.tag == "JX"][:1]
    if not any(m.tag == "NP" for m in morphemes[:2]) or told not in _TOPICS:
        return morphemes
    for place in range(2, len(morphemes) - 1):
        name, one, other = morphemes[place - 1 : place + 2]
        if name.tag == "NNP" and (one.tag, other.tag) == ("XSN", "VCP"):
            copula = other._replace(start=one.start, length=one.length)
            return [*morphemes[:place], copula, *morphemes[place + 2 :]]
        if name.tag == "NNP" and (one.form, one.tag) == ("야", "JKV"):
            return [*morphemes[: place - 1], *_split_name(name, one), other]
    return morphemes


def _split_name(name: Morph, call: Morph) -> Sequence[Morph]:
    """Return "지훈이야" as who somebody is."""
    short = name.form.removesuffix("이")
    if name.form == short:
        return [name, call]
    return [
        name._replace(form=short, length=name.length - 1),
        Morph("이", "VCP", name.end - 1, 1),
        call._replace(tag="EF"),
    ]


def _find_meant(morphemes: Sequence[Morph], place: int) -> Morph | None:
    """Return the morpheme at a place as it is meant, if Kiwi misread it."""
    one = morphemes[place]
    following = morphemes[place + 1] if place + 1 < len(morphemes) else None
    if following is None:
        return None
    if one.form == "하" and one.tag in ("XSV", "XSA") and place:
        apart = morphemes[place - 1].end < one.start
        return one._replace(tag="VV") if apart else None
    if one.form in _HONORIFICS and one.tag in ("VA", "NNG"):
        wild = any(m.form in _UNTAMED for m in morphemes[:place])
        return None if wild else one._replace(form=_HONORIFICS[one.form], tag="VV")
    if one.form in _OWNING and one.tag == "MM" and following.tag.startswith("N"):
        return one._replace(tag="NP")
    return _find_stem(morphemes, place) if one.tag == "VV" else None


def _find_stem(morphemes: Sequence[Morph], place: int) -> Morph | None:
    """Return a verb as the one that it is meant to be, of two that sound alike here."""
    one, following = morphemes[place], morphemes[place + 1]
    if one.form in _HOMOPHONES:
        stem, beside = _HOMOPHONES[one.form]
        vowel = following.form.startswith(_VOWELS)
        near = any(m.form in beside for m in morphemes[:place])
        return one._replace(form=stem) if vowel and near else None
    later = morphemes[place + 2 : place + 3]
    past = bool(later) and later[0].form in ("었", "았")
    if one.form == "사" and following.form == "시" and not past:
        return one._replace(form="살") if _is_where(morphemes[:place]) else None
    return None


def _is_where(before: Sequence[Morph]) -> bool:
    """Tell whether words end in where or with whom somebody lives."""
    if not before:
        return False
    one = before[-1]
    named = one.tag == "NNP" or one.form in _LIVING
    return named or (one.form, one.tag) == ("에", "JKB")
