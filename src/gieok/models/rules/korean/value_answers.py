"""Puts a Korean answer in the place of a question word: "어디 사세요?" – "일산이요"."""

import re
from typing import Final

from gieok.models.rules.korean.answer_nouns import is_state
from gieok.models.rules.korean.answer_sentences import (
    Polarity,
    StatementFrame,
    build_frame,
    mark_argument,
    render_statement,
)
from gieok.models.rules.korean.answer_slots import append_same_particle, is_lessening
from gieok.models.rules.korean.answer_words import (
    has_predicate,
    is_adverbial,
    is_person,
    trim_polite,
)
from gieok.models.rules.korean.constituents import (
    Constituent,
    Kind,
    read_constituents,
)
from gieok.models.rules.korean.endings import append_particle, has_final
from gieok.models.rules.korean.questions import EXISTING, QuestionSentence
from gieok.models.rules.korean.topic_answers import render_topic_state
from gieok.models.rules.korean.vocabulary import ASKING, HEADS, NO, YES
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_WH_WITH_NOUN: Final = _LISTS.get_words("korean.asking_with_noun")
_CAUSES: Final = ("왜", "어떻")
_KEPT_NOUNS: Final = _LISTS.get_words("korean.kept_nouns")
_UNCLEAR: Final = _LISTS.get_words("korean.unclear")
_FINITE: Final = frozenset({("EC", "다"), ("EC", "ᆫ다")})
_WORK: Final = ("일", "")


def render_value(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """'어디 사세요?' – '일산이요', '이름이 뭐예요?' – '보리'."""
    if YES.match(answer) or NO.match(answer) or _has_two(asked):
        return None
    if has_predicate(answer, morphology):
        return render_topic_state(asked, answer, morphology)
    words = trim_polite(answer, morphology)
    told = {m.form for m in morphology.analyze(answer)}
    over = asked.is_copula and not asked.past and not told.isdisjoint({"었", "았"})
    if over or not words or _is_unclear(asked, words, morphology):
        return None
    return _render_words(asked, words, morphology)


def _render_words(
    asked: QuestionSentence, words: str, morphology: Morphology
) -> str | None:
    """Return what the words of an answer say in the place of the question word."""
    wh = next(m for m in asked.morphemes if m.form in ASKING | {"어떻"})
    before = asked.text[: wh.start]
    if asked.is_copula:
        words = _append_question_noun(asked, re.sub(r"(?<=[가-힣])에$", "", words))
        return _name_value(asked, before, words)
    if wh.form.startswith("어떻"):
        return _name_value(asked, before, words)
    return _put_value(asked, words, morphology)


def _has_two(asked: QuestionSentence) -> bool:
    """Tell whether a question asks for two things: "언제 어디서 만났어"."""
    found = [m for m in asked.morphemes if m.form in ASKING]
    parts = {asked.text[m.start : m.end] for m in found}
    return len(parts) > 1 and not any(m.form in _WH_WITH_NOUN for m in found)


def _is_unclear(asked: QuestionSentence, words: str, morphology: Morphology) -> bool:
    """Tell whether an answer does not say what the question word asks for."""
    wh = next((m for m in asked.morphemes if m.form in ASKING | {"어떻"}), None)
    said = read_constituents(words, morphology.analyze(words))
    if wh is None or not said:
        return True
    place = asked.morphemes.index(wh)
    others = wh.form == "누구" and asked.morphemes[place + 1].tag == "JKS"
    caused = wh.form.startswith(_CAUSES) and asked.stem.form != "되"
    vague = any(is_lessening(one) for one in said) or words in _UNCLEAR
    another = any(one.kind in (Kind.SUBJECT, Kind.TOPIC) for one in said[:-1])
    found = morphology.analyze(words)
    odd = re.search(r"요 \S", words) or (
        asked.is_copula and said[-1].kind is Kind.OTHER
    )
    called = any(m.form in ("라고", "이라고") for m in asked.morphemes)
    finite = any(m.tag == "EF" or (m.tag, m.form) in _FINITE for m in found)
    unsaid = bool(odd) or called or finite or not found
    return others or caused or vague or another or unsaid


def _append_question_noun(asked: QuestionSentence, words: str) -> str:
    """Return an answer with the noun of what was asked: "베트남" → "베트남 사람"."""
    noun = asked.morphemes[asked.place - 1]
    if noun.form in ASKING or noun.tag not in ("NNG", "NNB", "XSN"):
        return words
    if noun.form == "생" and words.endswith("년"):
        return words + "생"
    counted = noun.tag != "NNG" and words.isdigit()
    if words.endswith(noun.form) or not (counted or noun.form in HEADS):
        return words
    joined = counted or noun.form in ("띠", "과", "약")
    return words + ("" if joined else " ") + noun.form


def _name_value(asked: QuestionSentence, before: str, words: str) -> str | None:
    """'제일 좋아하는 음식이 뭐예요?': what stands before the question word is named."""
    if not before.strip():
        return f"저는 {words}이다"
    subject = re.sub(r"(?:이|가|은|는)?\s*$", "", before)
    whole = [m for m in asked.morphemes if m.end <= len(before.rstrip())]
    if whole and whole[-1].tag[0] == "N":
        subject = before.rstrip()
    shown = append_particle(subject, "은", "는")
    if re.search(r"[가-힣](?:은|는) ", before):
        shown = append_particle(subject, "이", "가")
    if subject.endswith("이름"):
        words = re.sub(r"(?<=[가-힣]{2})이$", "", words)
    described = any(
        m.tag in ("ETM", "MAG") for m in asked.morphemes if m.end <= len(before)
    )
    return f"{'제가' if described else '제'} {shown} {words}이다"


def _put_value(
    asked: QuestionSentence, words: str, morphology: Morphology
) -> str | None:
    """Put the answer where the question word stands, with the particle after it."""
    frame = build_frame(asked, morphology)
    place = _find_question_word(frame)
    if place is None:
        return None
    part = frame.parts[place]
    if _is_about_work(frame, place):
        if len(words) == 1 or is_person(words):
            return None
        if is_state(words, frame, morphology):
            return _render_work(frame, place, words)
    begins = min(part.noun.find(wh) for wh in ASKING if wh in part.noun)
    opening, wh = part.noun[:begins], part.noun[begins:]
    said = _mark_value(frame, part, wh, words, morphology)
    if said is None:
        return None
    kind = Kind.PLACE if said.kind is Kind.NOUN else said.kind
    rest = _drop_question_adverb(frame, place, wh)
    if said.kind in (Kind.OBJECT, Kind.PLACE):
        rest = _mark_topic(rest, place)
    shown = said._replace(text=opening + said.text, kind=kind)
    return render_statement(rest.replace_part(place, shown), Polarity.AFFIRMED)


def _mark_topic(frame: StatementFrame, place: int) -> StatementFrame:
    """Return a frame whose bare noun before the answer is its topic: "대학은 …"."""
    for number, one in enumerate(frame.parts[:place]):
        if one.kind is Kind.NOUN and not one.particle and not is_person(one.noun):
            text = append_particle(one.noun, "은", "는")
            part = one._replace(text=text, kind=Kind.OTHER)
            frame = frame.replace_part(number, part)
    return frame


def _find_question_word(frame: StatementFrame) -> int | None:
    """Return the place of the question word."""
    found = (
        n for n, one in enumerate(frame.parts) if any(wh in one.noun for wh in ASKING)
    )
    return next(found, None)


def _is_about_work(frame: StatementFrame, place: int) -> bool:
    """Tell whether it is asked what somebody does: "뭐 하세요", "무슨 일 하세요"."""
    asked = re.sub(r"^(?:뭐|무엇|뭘|무슨|어떤) ?", "", frame.parts[place].noun)
    return frame.verb == "하" and asked in _WORK


def _render_work(frame: StatementFrame, place: int, words: str) -> str:
    """'아드님은 뭐 하세요?' – '은행원이요'."""
    parts = [one for n, one in enumerate(frame.parts) if n != place]
    subject = frame.subject
    past = ("이었다" if has_final(words) else "였다") if frame.past else "이다"
    if subject is None:
        return f"저는 {words}{past}"
    who = append_particle(parts[min(subject, len(parts) - 1)].noun, "은", "는")
    return f"제 {who} {words}{past}"


def _drop_question_adverb(frame: StatementFrame, place: int, wh: str) -> StatementFrame:
    """Return a frame without the adverb that a question word asks of: "얼마나 자주"."""
    following = frame.parts[place + 1 : place + 2]
    degree = (Kind.FREQUENCY, Kind.DEGREE)
    if wh == "얼마나" and following and following[0].kind in degree:
        return frame.drop_words(following[0].text)
    return frame


def _mark_value(
    frame: StatementFrame,
    part: Constituent,
    wh: str,
    words: str,
    morphology: Morphology,
) -> Constituent | None:
    """Return the answer as it stands in the question's place."""
    said = read_constituents(words, morphology.analyze(words))
    last = said[-1]
    words = _append_head(wh, words)
    if (
        part.particle
        and wh.startswith("누구")
        and (
            last.kind in (Kind.MANNER, Kind.COMPANION)
            or any(one.kind is Kind.COMPANION for one in said)
        )
    ):
        return last._replace(text=words)
    if part.particle:
        return part._replace(
            text=append_same_particle(words, part.particle, morphology)
        )
    if wh == "언제":
        return _mark_time(last, words)
    if wh in ("얼마나", "얼마", "몇"):
        return last._replace(text=words) if _is_quantity(last) else None
    if wh == "누구" and not frame.is_of_persons:
        return None
    return _mark_bare(frame, wh, last, words, morphology)


def _mark_time(last: Constituent, words: str) -> Constituent | None:
    if last.kind not in (Kind.TIME, Kind.FREQUENCY, Kind.COUNT, Kind.OTHER):
        return None
    bare = last.kind is Kind.TIME and not last.particle
    today = words in ("오늘", "어제", "내일", "그때")
    return last._replace(text=words + ("에" if bare and not today else ""))


def _is_quantity(last: Constituent) -> bool:
    counting = (Kind.COUNT, Kind.FREQUENCY, Kind.DEGREE, Kind.TIME)
    return (
        last.kind in counting or last.noun in ("평생", "백칠십") or last.last.isdigit()
    )


def _mark_bare(
    frame: StatementFrame,
    wh: str,
    last: Constituent,
    words: str,
    morphology: Morphology,
) -> Constituent:
    """Return an answer with the particle that the verb wants, if it needs one."""
    place = frame.asked.main.form
    if wh == "어디" and place in EXISTING and not last.particle:
        return last._replace(text=words + "에", kind=Kind.PLACE)
    going = place.endswith(("다니", "살"))
    adjunct = last.kind not in (Kind.NOUN, Kind.OTHER) or bool(last.particle)
    placed = (Kind.NOUN, Kind.COUNT, Kind.OTHER)
    if last.kind not in placed:
        return last._replace(text=words)
    if adjunct and not (going and not last.particle and not _has_number(words)):
        return last._replace(text=words)
    if going and wh.partition(" ")[0] in ("몇", "어디", "어느", "어떤", "무슨"):
        return last._replace(text=words + "에", kind=Kind.PLACE)
    if is_adverbial(words, morphology) and last.kind is Kind.OTHER:
        return last._replace(text=words)
    return last._replace(text=mark_argument(words, frame), kind=Kind.OBJECT)


def _has_number(words: str) -> bool:
    return re.search(r"[개번명]$", words) is not None


def _append_head(wh: str, words: str) -> str:
    """Return an answer with the noun that a question word stands before."""
    opening, _, noun = wh.partition(" ")
    if opening != "무슨" or noun not in _KEPT_NOUNS or words.endswith(noun):
        return words
    if noun == "자격증" and words.endswith(("면허", "기사", "사")):
        return words
    return words + ("" if noun == "약" else " ") + noun
