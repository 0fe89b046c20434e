"""States a Korean question and its short answer as one sentence of the user's own.

"노래교실은 잘 다니고 계세요?" – "네" becomes "저는 노래교실에 잘 다니고 있다". The
question's honorifics and ending go, its question word gives way to the answer; where
either is not plain (an offer, a suggestion, "왜"), nothing is stated.
"""

from typing import Final

from gieok.models.rules.korean.answer_sentences import build_frame
from gieok.models.rules.korean.answer_words import has_predicate, standardize_ending
from gieok.models.rules.korean.echoes import read_echo
from gieok.models.rules.korean.polar_answers import (
    AGREED,
    read_polar,
    render_polar,
    trim_fillers,
)
from gieok.models.rules.korean.questions import (
    QuestionSentence,
    extract_topic,
    read_question,
)
from gieok.models.rules.korean.subjects import BEING, is_honouring
from gieok.models.rules.korean.topic_answers import render_topic
from gieok.models.rules.korean.value_answers import render_value
from gieok.models.rules.korean.vocabulary import ASKING, NO, OF_OTHERS, YES
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_UNSETTLED: Final = _LISTS.compile_list("korean.unsettled")
_DODGED: Final = _LISTS.compile_list("korean.dodged")
_HONOURS: Final = compile_lazily(
    r"(?:세요|신가요|십니까|셔요|시죠|신지요|셨어요)\s*[?？]*$"
)
_HONOURED_NOUN: Final = compile_lazily(r"[가-힣]세요[.!~\s]*$")
_HOW: Final = compile_lazily(r"어떻|어떠|어때|어땠")
_THINGS: Final = ("용", "거", "것", "꺼")


def render_korean_answer(
    question: str, answer: str, morphology: Morphology
) -> str | None:
    """Return question and answer as one sentence in the first person, or nothing."""
    if _UNSETTLED.search(answer) or _DODGED.search(answer):
        return None
    answer = standardize_ending(answer, morphology)
    topic = extract_topic(question, morphology)
    if topic:
        return render_topic(topic, answer, morphology)
    asked = read_question(question, morphology)
    if asked is None or not answer:
        return None
    if any(m.form in ASKING for m in asked.morphemes) or _HOW.search(question):
        return render_value(asked, answer, morphology)
    frame = build_frame(asked, morphology)
    if frame.subject is None:
        unnamed = asked.is_copula and _is_about_another(asked, question)
    else:
        echoed = read_echo(frame, read_polar(answer, morphology).text, morphology)
        unnamed = echoed is None and _is_of_another(answer, morphology)
    return None if unnamed else render_polar(asked, answer, morphology)


def _is_about_another(asked: QuestionSentence, question: str) -> bool:
    """Tell whether a question of a noun alone asks what somebody or something is.

    "담임 선생님이야?" and "출퇴근용이에요?" do, "학생이에요?" asks it of the user.
    """
    noun = asked.text[: asked.stem.start].strip()
    other = noun.endswith((*OF_OTHERS, *KIN_KO, *_THINGS)) and noun not in BEING
    return other and not _HONOURS.search(question)


def _is_of_another(answer: str, morphology: Morphology) -> bool:
    """Tell whether what answers a question about somebody is said of someone else.

    "시어머니도 같이 가세요?" – "아뇨 요양원에 모셨어요" says who did so of nobody.
    """
    said = trim_fillers(NO.sub("", YES.sub("", answer)))
    acts = has_predicate(said, morphology) and not AGREED.match(said)
    of_another = acts and not is_honouring(morphology.analyze(said))
    return of_another or _HONOURED_NOUN.search(answer) is not None
