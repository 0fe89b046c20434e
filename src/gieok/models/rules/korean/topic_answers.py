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
    is_person,
    trim_polite,
)
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import QuestionSentence
from gieok.models.rules.korean.subjects import ME
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

YES: Final = _LISTS.compile_list("korean.yes")
NO: Final = _LISTS.compile_list("korean.no")
MOST_NAMED: Final = 4
"""Words of what is said of a topic."""


def render_topic(topic: str, answer: str, morphology: Morphology) -> str | None:
    """'어머니는요?' – '어린이집 하세요', '목표 점수는?' – '850'."""
    if YES.match(answer) or NO.match(answer):
        return None
    if has_predicate(answer, morphology):
        told = is_person(topic)
        return _render_person(topic, answer, morphology) if told else None
    words = trim_polite(answer, morphology)
    nouns = [m for m in morphology.analyze(words) if m.tag[0] in "NS"]
    if not nouns or nouns[-1].form in ADVERBIAL or len(words.split()) > MOST_NAMED:
        return None
    return f"제 {append_particle(topic, '은', '는')} {words}이다"


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
    if own or named or unknown:
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
    if any(m.tag[:2] in ("NN", "NP") and m.form not in ADVERBIAL for m in found):
        return None
    state = any(m.tag in ("VA", "XSA") for m in morphology.analyze(answer))
    marked = append_particle(noun, *(("이", "가") if state else ("은", "는")))
    return render_own(f"{marked} {answer.strip(' .!~')}")
