"""Reads a Korean question: its plain words, its predicate, and whether it asks at all.

"노래교실은 잘 다니고 계세요?" is read as "노래교실은 잘 다니고 있어요", with 다니 as
what is done. An offer ("불 꺼 드릴까요?") or a suggestion ("쉬시는 게 어때요?") asks
nothing about the user and is not read.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_REFUSED: Final = _LISTS.compile_list("korean.refused")
_KEPT_KA: Final = compile_lazily(r"(?:습니까|ㅂ니까|[가-힣]니까)\s*\?*$")
_CALLED: Final = _LISTS.compile_list("korean.called")
_PLAIN: Final = _LISTS.get_spellings("korean.plain")
_PAST_VOWELS: Final = {
    "ㅏ": "ㅏ", "ㅓ": "ㅓ", "ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅐ": "ㅐ", "ㅔ": "ㅔ",
    "ㅕ": "ㅕ", "ㅡ": "ㅓ", "ㅚ": "ㅙ",
}  # fmt: skip
_VOWELS: Final = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_SYLLABLES: Final = 0xAC00
_FINALS: Final = 28
_SSANG_SIOT: Final = 20
ADJECTIVES: Final = ("VA", "XSA", "VCP", "VCN")
_CHAINED: Final = frozenset({"어", "아", "고", "어서", "아서"})
STEMS: Final = (*ADJECTIVES, "VV", "XSV", "VX")
_THINGS: Final = frozenset({"것", "거", "건", "중"})
"""What stands before a copula in "가실 거죠?", which asks about no thing."""
EXISTING: Final = frozenset({"있", "없"})
_TOPIC_ALONE: Final = compile_lazily(
    r"^(?:그럼|그러면|그리고)?\s*(?P<topic>[가-힣]{1,8}(?: [가-힣]{1,8})?)"
    r"(?:은|는)(?:요|여)?\s*\?*$"
)
_ASKED_THEMSELVES: Final = _LISTS.get_words("korean.asked_themselves")


@dataclass(frozen=True, slots=True)
class QuestionSentence:
    """A question without honorifics, its morphemes, and its final predicate."""

    text: str
    morphemes: tuple[Morph, ...]
    stem: Morph
    place: int
    """Of the stem among the morphemes."""
    end: int
    """Where the ending begins."""
    past: bool

    @property
    def chain(self) -> int:
        """The place of the first verb of "챙겨 먹", "다니고 있", or of its noun."""
        place = self.place
        while (
            place > 1
            and self.morphemes[place - 1].tag == "EC"
            and self.morphemes[place - 1].form in _CHAINED
            and self.morphemes[place - 2].tag in STEMS
        ):
            place -= 2
        if self.morphemes[place].tag.startswith("XS"):
            while (
                place
                and self.morphemes[place - 1].tag[:2] == "NN"
                and (self.morphemes[place - 1].end == self.morphemes[place].start)
            ):
                place -= 1
        return place

    @property
    def main(self) -> Morph:
        """The verb that says what is done."""
        first = self.morphemes[self.chain]
        if self.stem.tag == "VX" and first.tag in STEMS:
            return first
        return self.stem

    @property
    def is_verb(self) -> bool:
        """Whether the predicate takes ㄴ다."""
        return self.stem.tag not in ADJECTIVES and self.stem.form not in (
            EXISTING | {"싶"}
        )

    @property
    def is_copula(self) -> bool:
        """Whether it asks what something is."""
        return self.stem.tag == "VCP"


def _drop_past_honorific(match: re.Match[str]) -> str:
    """'배우셨' → '배웠', '받으셨' → '받았'."""
    stem = match[1]
    if match[2]:
        bright = _VOWELS[(ord(stem) - _SYLLABLES) // _FINALS % len(_VOWELS)] in "ㅏㅗ"
        return stem + ("았" if bright else "었")
    if stem == "하":
        return "했"
    code = ord(stem) - _SYLLABLES
    vowel = _VOWELS[code // _FINALS % len(_VOWELS)]
    if code % _FINALS or vowel not in _PAST_VOWELS:
        return match[0]
    place = _VOWELS.index(_PAST_VOWELS[vowel])
    lead = code // (_FINALS * len(_VOWELS))
    return chr(_SYLLABLES + (lead * len(_VOWELS) + place) * _FINALS + _SSANG_SIOT)


def drop_honorifics(question: str) -> str:
    """Return a question in plain words: 계세요 → 있어요, 아드님 → 아들."""
    text = unicodedata.normalize("NFC", " ".join(question.split()))
    for pattern, plain in _PLAIN.items():
        text = re.sub(pattern, plain, text)
    for _ in range(2):
        text = _CALLED.sub("", text)
    text = re.sub(r"([가-힣])(으)?셨", _drop_past_honorific, text)
    return text.strip()


def extract_topic(question: str) -> str:
    """Return of whom or what alone a question asks: "어머니는요?"; else nothing.

    One that asks of the user is left out.
    """
    found = _TOPIC_ALONE.match(drop_honorifics(question))
    topic = found["topic"] if found else ""
    return "" if topic in _ASKED_THEMSELVES else topic


def read_question(question: str, morphology: Morphology) -> QuestionSentence | None:
    """Return what is asked, or nothing if it offers, suggests or is not plain."""
    refused = _REFUSED.search(question) and not _KEPT_KA.search(question)
    if refused or "요," in question:
        return None
    text = drop_honorifics(question).rstrip("?？ ")
    morphemes = tuple(morphology.analyze(text))
    places = [n for n, m in enumerate(morphemes) if m.tag == "EF"]
    if len(places) != 1 or any(m.form == "겠" for m in morphemes):
        return None
    place = places[-1] - 1
    past = False
    while place >= 0 and morphemes[place].tag == "EP":
        past = past or morphemes[place].form in ("었", "았", "였")
        place -= 1
    if place < 1 or morphemes[place].tag not in STEMS:
        return None
    if morphemes[place].form.endswith("세") or morphemes[place].form == "드시":
        return None  # an honorific that was read as part of the verb
    if morphemes[place].tag == "VCP" and morphemes[place - 1].form in _THINGS:
        return None
    end = morphemes[places[-1]].start
    return QuestionSentence(text, morphemes, morphemes[place], place, end, past)
