"""Completes Korean notes without a verb: "본가 대구" becomes "본가는 대구야".

Who writes in haste leaves out particles and the verb. Of what is mostly told so it is
known what they were: a name, a home or an age is what something of somebody's is, an
illness is had, and what goes on for years is done. Other nouns stay as they are.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.korean.endings import has_final
from gieok.models.rules.korean.subjects import BEING, PLACES, ROLES
from gieok.models.rules.korean.vocabulary import (
    KIN,
    MEASURED_ATTRIBUTES,
    NAMED_ATTRIBUTES,
    OCCUPATIONS,
    SITES,
)
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "subjects.toml")

_PLACED: Final = _LISTS.get_words("note_placed")
_HAD: Final = tuple(sorted(_LISTS.get_words("note_had")))
_SITES: Final = tuple(sorted(SITES))
_LASTING: Final = _LISTS.compile_list("note_lasting")
_STATES: Final = _LISTS.get_words("note_states")
_DISTRICT: Final = compile_lazily(r"^(?!.*(?:운동|활동|노동|봉사|이동)$)[가-힣]{2,}동$")
_VERBAL: Final = ("V", "E", "XSV", "XSA", "J", "IC")
_OWNING: Final = "JKG"
MAX_WORDS: Final = 5
"""Words of a note."""
MAX_VALUE: Final = 3
"""Words that say what something is."""


def restore_note(text: str, morphology: Morphology) -> str:
    """Return a note of nouns as a sentence, or the text as it is."""
    plain = text.rstrip(" .!~")
    words = plain.split()
    if not 1 < len(words) <= MAX_WORDS:
        return text
    if lasting := _LASTING.match(plain):
        return _restore_lasting(lasting[1], lasting[2].rstrip("임다")) or text
    told = _restore_value(words, morphology)
    if told is not None:
        return told
    nominal = not any(map(_is_verbal, morphology.analyze(plain)))
    if not (nominal and plain.endswith(_HAD)):
        return text
    whose = next((n for n, w in enumerate(words[:-1]) if w in KIN), None)
    if whose is None:
        return f"{plain} 있음"
    topic = f"{words[whose]}{'은' if has_final(words[whose]) else '는'}"
    return " ".join([*words[:whose], topic, *words[whose + 1 :], "있음"])


def _is_verbal(morpheme: Morph) -> bool:
    """Tell whether a morpheme makes more of a text than nouns."""
    return morpheme.tag.startswith(_VERBAL) and morpheme.tag != _OWNING


def _restore_lasting(done: str, since: str) -> str | None:
    """Return "요가 3년째" as what is done, had or lived in for so long."""
    if done in BEING | OCCUPATIONS | KIN | ROLES | _STATES or done.endswith("생"):
        return None
    if done.endswith(_HAD):
        return f"{since} {done}{'이' if has_final(done) else '가'} 있음"
    if done in PLACES or _DISTRICT.search(done):
        return f"{done}에 {since} 삶"
    return f"{done}{'을' if has_final(done) else '를'} {since} 함"


def _restore_value(words: Sequence[str], morphology: Morphology) -> str | None:
    """Return "동생 이름 민지" as what the first noun is."""
    places = [n for n, word in enumerate(words[:-1]) if word in _ATTRIBUTES]
    if not places or len(words) - places[-1] - 1 > MAX_VALUE:
        return None
    place = places[-1]
    before, value = " ".join(words[:place]), " ".join(words[place + 1 :])
    named = words[place] in NAMED_ATTRIBUTES and len(words) - place - 1 == 1
    morphemes = morphology.analyze(value)
    verbal = any(map(_is_verbal, morphemes))
    led = any(map(_is_verbal, morphology.analyze(before))) if before else False
    if led or (verbal and not (named and _is_name(morphemes))):
        return None
    if not (named or _is_value(words[place], value, morphemes)):
        return None
    topic = words[place] + ("은" if has_final(words[place]) else "는")
    return f"{before} {topic} {value}이다".strip()


_ATTRIBUTES: Final = NAMED_ATTRIBUTES | _PLACED | MEASURED_ATTRIBUTES


def _is_name(morphemes: Sequence[Morph]) -> bool:
    """Tell whether a word may be a name that Kiwi reads with a particle: "콩이"."""
    return [m.tag for m in morphemes[1:]] == ["JKS"] and morphemes[1].form == "이"


def _is_value(attribute: str, value: str, morphemes: Sequence[Morph]) -> bool:
    """Tell whether some nouns can be what an attribute is."""
    if attribute in _PLACED:
        last = morphemes[-1]
        placed = last.tag == "NNP" or last.form in PLACES
        return placed or value.endswith(_SITES)
    return any(m.tag in ("SN", "NR", "SL") for m in morphemes)
