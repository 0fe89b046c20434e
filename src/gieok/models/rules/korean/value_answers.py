"""Puts a Korean answer in the place of a question word: "어디 사세요?" – "일산이요"."""

import re
import unicodedata
from typing import Final

from gieok.models.rules.korean.answer_sentences import (
    WH,
    mark_argument,
    render_own,
    render_plainly,
)
from gieok.models.rules.korean.answer_words import (
    TIME,
    has_predicate,
    is_adverbial,
    trim_polite,
)
from gieok.models.rules.korean.endings import append_particle
from gieok.models.rules.korean.questions import QuestionSentence
from gieok.models.rules.korean.topic_answers import NO, YES, render_topic_state
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_WH_WITH_NOUN: Final = _LISTS.get_words("korean.asking_with_noun")
_CAUSES: Final = ("왜", "어떻")
_KEPT_NOUNS: Final = _LISTS.get_words("korean.kept_nouns")


def render_value(
    asked: QuestionSentence, answer: str, morphology: Morphology
) -> str | None:
    """'어디 사세요?' – '일산이요', '이름이 뭐예요?' – '보리'."""
    if YES.match(answer) or NO.match(answer):
        return None
    place = next(
        (n for n, m in enumerate(asked.morphemes) if m.form in WH | {"어떻"}), None
    )
    if place is None:
        return None
    if has_predicate(answer, morphology):
        return render_topic_state(asked, answer, morphology)
    words = trim_polite(answer, morphology)
    wh = asked.morphemes[place]
    others = wh.form == "누구" and asked.morphemes[place + 1].tag == "JKS"
    unclear = wh.form.startswith(_CAUSES) and asked.stem.form != "되"
    if not words or others or unclear:
        return None
    before = asked.text[: wh.start]
    if asked.is_copula:
        words = re.sub(r"(?<=[가-힣])에$", "", words)
    if asked.is_copula or wh.form.startswith("어떻"):
        return _name_value(asked, before, words)
    return _put_value(asked, place, words, morphology)


def _name_value(asked: QuestionSentence, before: str, words: str) -> str | None:
    """'제일 좋아하는 음식이 뭐예요?': what stands before the question word is named."""
    if not before.strip():
        return f"저는 {words}이다"
    subject = re.sub(r"(?:이|가|은|는)?\s*$", "", before)
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
    asked: QuestionSentence, place: int, words: str, morphology: Morphology
) -> str:
    """Put the answer where the question word stands, with the particle after it."""
    end = place
    kept = ""
    if asked.morphemes[place].form in _WH_WITH_NOUN or (
        asked.morphemes[place].form == "얼마나"
        and asked.morphemes[place + 1].tag == "MAG"
    ):
        while end + 1 < asked.chain and asked.morphemes[end + 1].tag in (
            "NNG", "NNP", "NNB", "MAG",
        ):  # fmt: skip
            end += 1
        noun = asked.morphemes[end]
        if noun.form in _KEPT_NOUNS and asked.morphemes[place].form == "무슨":
            kept = " " + noun.form
    begins, ends = asked.morphemes[place].start, asked.morphemes[end].end
    after = asked.text[ends : asked.stem.start]
    said = words + kept
    if after.strip() and not after.startswith(" "):
        particle = after.partition(" ")[0]
        said = _append_same_particle(said, particle, morphology)
        after = after[len(particle) :]
    elif not is_adverbial(words, morphology):
        said = mark_argument(said, asked)
    elif asked.morphemes[place].form == "언제" and TIME.search(words):
        said += "에"
    body = f"{asked.text[:begins]}{said}{after}"
    if not asked.stem.tag.startswith("XS"):
        body = body.rstrip() + " "
    return render_own(render_plainly(body, asked, denied=False, link=False))


def _append_same_particle(words: str, particle: str, morphology: Morphology) -> str:
    """Return the answer with the question's particle, unless it has its own."""
    last = [m for m in morphology.analyze(words) if m.tag[0] not in "SW"][-1:]
    if last and last[0].tag in ("JKB", "JX", "JC"):
        return words
    pairs = (("이", "가"), ("을", "를"), ("은", "는"), ("이랑", "랑"), ("과", "와"))
    for pair in pairs:
        if particle in pair:
            return append_particle(words, *pair)
    if particle in ("로", "으로"):
        plain = unicodedata.normalize("NFD", words)[-1:] == "\u11af"
        return words + "로" if plain else append_particle(words, "으로", "로")
    return words + particle
