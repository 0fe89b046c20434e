"""Words what a user said in Korean as indirect speech, where it cannot be told itself.

Whom "갈비 두 개 금 갔어" is about, or what was fixed for the 22nd, only the talk knows;
that the user said so, or answered so, is true and plain a year later, too.
"""

from typing import Final

from gieok.models.rules.korean.conjugation import build_ending
from gieok.models.rules.korean.edits import USER, apply_edits
from gieok.models.rules.korean.endings import Mood, has_final
from gieok.models.rules.korean.particles import build_particle_edits
from gieok.models.rules.korean.pronouns import name_first_person
from gieok.models.rules.korean.quotation import render_indirect_question
from gieok.models.rules.korean.sentences import SpokenSentence
from gieok.models.rules.korean.soundness import WordingFault, find_fault
from gieok.models.rules.korean.texts import is_mostly_korean
from gieok.models.rules.korean.wording import (
    KoreanContext,
    is_of_the_moment,
    list_statements,
)
from gieok.models.rules.questions import extract_question
from gieok.text.kiwi import Morphology

_REPORTED: Final = {"싶어 한다": "싶다고", "아니다": "아니라고"}
_REPORTABLE: Final = (
    None,
    WordingFault.NO_SUBJECT,
    WordingFault.WRONG_SUBJECT,
    WordingFault.THING,
)
"""What does not matter where it is said that the user says so."""
_ANSWERABLE: Final = (WordingFault.NO_OBJECT, WordingFault.ASKS)
_EMPTY: Final = (
    "한다",
    "했다",
    "된다",
    "됐다",
    "그렇다",
    "그랬다",
    "안 한다",
    "안 했다",
)
"""What says nothing without what was said before."""
_MAX_REPORTED: Final = 2


def render_reported_speech(
    text: str, context: KoreanContext, morphology: Morphology
) -> str | None:
    """Return what was said in indirect speech, with the question that it answers.

    "22일로 잡았어요" becomes "사용자는 안과 예약은 잡았느냐는 물음에 22일로 잡았다고
    답했다": whom and what it is about is what the words leave open, and no more.
    """
    if not is_mostly_korean(text):
        return None
    question = render_indirect_question(extract_question(context.asked), morphology)
    parts: list[str] = []
    for sentence in list_statements(text, context, morphology):
        if is_of_the_moment(sentence, context, morphology):
            continue
        if sentence.asks:
            return None
        plain = _render_plainly(sentence, morphology)
        if plain is None or plain in _EMPTY:
            return None
        fault = find_fault(f"{USER}는 {plain}", morphology)
        if fault not in _REPORTABLE and not (question and fault in _ANSWERABLE):
            return None
        parts.append(_render_reported(plain))
    if not parts or len(parts) > _MAX_REPORTED:
        return None
    lead = f"{USER}는 {question} 물음에" if question else f"{USER}는"
    return f"{lead} {', '.join(parts)} {'답했다' if question else '말했다'}"


def _render_plainly(sentence: SpokenSentence, morphology: Morphology) -> str | None:
    """Return a sentence in the plain declarative as the user says it of themselves."""
    said, text, morphemes = sentence.predicate, sentence.text, sentence.morphemes
    ending = said and build_ending(text, morphemes, said, morphology)
    if said is None or ending is None or said.mood is Mood.REQUESTS:
        return None
    named = name_first_person(text, morphemes, said, is_user=True)
    particles = build_particle_edits(text, morphemes, said)
    edits = [e for e in (*named.edits, *particles) if e.end <= ending.start]
    return apply_edits(text, [*edits, ending])


def _render_reported(plain: str) -> str:
    """Return a plain sentence as what is said: "안 간다" becomes "안 간다고"."""
    for ending, reported in _REPORTED.items():
        if plain.endswith(ending):
            return plain.removesuffix(ending) + reported
    if plain.endswith("다고 한다") and "겠" in plain[-7:]:
        return plain.removesuffix(" 한다")
    if plain.endswith("이다"):
        noun = plain.removesuffix("이다")
        return noun + ("이라고" if has_final(noun) else "라고")
    return plain + "고"
