"""Quotes what a user said in Korean where it cannot be told, with what it answers.

"육아휴직이 8월까지라" is no sentence of the third person, yet it is true to quote it:
사용자는 “육아휴직이 8월까지라”라고 말했다. What answers a question is quoted
with it, since the words mean nothing without: 안과 예약은 잡았느냐는 물음에 ….
"""

from typing import Final

from gieok.models.rules.korean.edits import USER
from gieok.models.rules.korean.endings import append_particle, has_final
from gieok.models.rules.korean.questions import (
    QuestionSentence,
    extract_topic,
    read_question,
)
from gieok.models.rules.korean.sentences import split_sentences
from gieok.models.rules.korean.soundness import is_leaning
from gieok.models.rules.questions import extract_question
from gieok.text.cleaning import remove_emoji
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

LONGEST_QUOTED: Final = 90
LONGEST_ASKED: Final = 40
_LAUGHTER: Final = compile_lazily(r"\s*(?:[ㄱ-ㅎㅏ-ㅣ]{2,}|[~^♡♥]+|[“”\"])\s*")
_OPENING: Final = compile_lazily(
    r"^(?:(?:근데|그런데|그래서|그리고|글고|그니까|그러니까|아니|아|어|음|참|와)[\s,.!]+)+"
)
_CLOSING: Final = " .,;~!-—"


def render_quotation(said: str, asked: str, morphology: Morphology) -> str | None:
    """Return a sentence that quotes what was said, with the question that it answers.

    Nothing comes back for what is too long, asks, or points at what was said before.
    """
    words = " ".join(_LAUGHTER.sub(" ", remove_emoji(said)).split()).strip(_CLOSING)
    words = _OPENING.sub("", words)
    if not words or len(words) > LONGEST_QUOTED or not has_hangul(words):
        return None
    question = render_indirect_question(extract_question(asked), morphology)
    quoted = f"“{words}”{'이' if _is_closed(words) else ''}라고"
    if question is not None:
        return f"{USER}는 {question} 물음에 {quoted} 답했다"
    if _is_question(words, morphology) or is_leaning(words, morphology):
        return None
    return f"{USER}는 {quoted} 말했다"


def _is_closed(words: str) -> bool:
    """Tell whether words end in a consonant, Latin ones by their last letter."""
    return has_final(words) and words[-1].lower() not in "aeiouy"


def _is_question(words: str, morphology: Morphology) -> bool:
    """Tell whether a sentence of what was said asks."""
    return any(sentence.asks for sentence in split_sentences(words, morphology))


def render_indirect_question(question: str, morphology: Morphology) -> str | None:
    """Return a question as indirect speech: "잘 다니세요?" becomes "잘 다니느냐는".

    "둘째는요?" asks how they are.
    """
    topic = extract_topic(question, morphology) if has_hangul(question) else ""
    if topic:
        return f"{append_particle(topic, '은', '는')} 어떠냐는"
    asked = read_question(question, morphology) if has_hangul(question) else None
    if asked is None or len(asked.text) > LONGEST_ASKED:
        return None
    return _render_indirect_ending(asked, morphology)


def _render_indirect_ending(asked: QuestionSentence, morphology: Morphology) -> str:
    """Return a question that ends in 느냐는 or 냐는."""
    stem, body = asked.stem, asked.text[: asked.stem.start]
    if asked.past:
        return f"{asked.text[: asked.end].rstrip()}느냐는"
    if asked.is_copula:
        noun = body.rstrip()
        return f"{noun}{'이' if has_final(noun) else ''}냐는"
    form = "느냐" if asked.is_verb or stem.form in ("있", "없") else "냐"
    return f"{body}{morphology.join([(stem.form, stem.tag), (form, 'EC')])}는"
