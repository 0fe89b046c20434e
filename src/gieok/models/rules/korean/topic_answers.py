"""States what a Korean answer says of whom or what its question names.

"어머니는요?" – "어린이집 하세요", "목표 점수는?" – "850", "허리는?" – "아직도 아파요".
"""

import re
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.answer_sentences import find_leading_noun, render_own
from gieok.models.rules.korean.answer_words import (
    ADVERBIAL,
    has_predicate,
    is_description,
    is_person,
    trim_polite,
)
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import EXISTING, QuestionSentence
from gieok.models.rules.korean.subjects import ME
from gieok.models.rules.korean.vocabulary import NO, YES
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_DONE_BY_USER: Final = _LISTS.get_words("korean.done_by_user")
MAX_NAMED: Final = 4
"""Words of what is said of a topic."""


def render_topic(topic: str, answer: str, morphology: Morphology) -> str | None:
    """'어머니는요?' – '어린이집 하세요', '목표 점수는?' – '850'."""
    if YES.match(answer) or NO.match(answer):
        return None
    told = is_person(topic)
    if has_predicate(answer, morphology):
        return _render_person(topic, answer, morphology) if told else None
    words = trim_polite(answer, morphology)
    named = _is_named(words, morphology)
    if not named or (told and not _is_personal(words, morphology)):
        return None
    return f"제 {append_particle(topic, '은', '는')} {words}이다"


def _is_named(words: str, morphology: Morphology) -> bool:
    """Tell whether a few words end in a noun that can be what something is."""
    found = [m for m in morphology.analyze(words) if m.tag not in ("SF", "SP", "W")]
    nouns = bool(found) and (found[-1].tag[0] in "NX" or found[-1].tag in ("SN", "SL"))
    if not nouns or any(m.tag in ("JKS", "JX") for m in found):
        return False
    return found[-1].form not in ADVERBIAL and len(words.split()) <= MAX_NAMED


def _is_personal(words: str, morphology: Morphology) -> bool:
    """Tell whether a noun says what somebody is, and not where: "학생", "일흔"."""
    last = morphology.analyze(words)[-1]
    aged = last.tag in ("NR", "SN") or last.form in ("살", "세", "학년", "대", "년생")
    return aged or is_description(words, morphology)


def _render_person(noun: str, answer: str, morphology: Morphology) -> str | None:
    """Return what an answer says of whom the question asks about.

    Nothing comes back where it says of whom it is itself: "나는 가끔 가".
    """
    found = morphology.analyze(answer)
    own = any(m.tag == "NP" and m.form in ME for m in found)
    named = any(
        one.tag[0] in "NX" and (two.tag == "JKS" or two.form in ("은", "는"))
        for one, two in pairwise(found)
        if two.tag[0] == "J"
    )
    unknown = any(m.tag == "VV" and m.form == "모르" for m in found)
    to_them = any(m.form in _DONE_BY_USER for m in found)
    if own or named or unknown or to_them:
        return None
    return f"우리 {append_particle(noun, '은', '는')} {answer.strip(' .!~')}"


def render_topic_state(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """'허리는 좀 어떠세요?' – '아직도 아파요'."""
    lead = find_leading_noun(asked)
    if lead is None or not re.match(r"[은는이가도](?=\s)", asked.text[lead[1] :]):
        return None
    noun = asked.text[: lead[1]]
    if is_person(noun):
        return _render_person(noun, answer, morphology)
    found = morphology.analyze(answer)
    existing = any(m.form in EXISTING for m in found)
    if (existing and " " in noun) or not has_predicate(answer, morphology):
        return None
    if any(_is_of_another(m) for m in found):
        return None
    state = any(m.tag in ("VA", "XSA") for m in found)
    marked = append_particle(noun, *(("이", "가") if state else ("은", "는")))
    sentence = f"{marked} {answer.strip(' .!~')}"
    return f"저는 {sentence}" if existing else render_own(sentence)


def _is_of_another(one: Morph) -> bool:
    """Tell whether a morpheme of an answer may make it one of something else."""
    noun = one.tag[:2] in ("NN", "NP") and one.form not in ADVERBIAL
    return noun or one.tag in ("JKS", "ETM", "SL")
