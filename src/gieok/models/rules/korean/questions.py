"""Reads a Korean question: its plain words, its predicate, and whether it asks at all.

"노래교실은 잘 다니고 계세요?" is read as "노래교실은 잘 다니고 있어요", with 다니 as
what is done. An offer ("불 꺼 드릴까요?") or a suggestion ("쉬시는 게 어때요?") asks
nothing about the user and is not read.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.korean.answer_words import is_person
from gieok.models.rules.korean.endings import ADJECTIVES, DROPPING, STEMS
from gieok.models.rules.korean.subjects import BEING
from gieok.models.rules.korean.vocabulary import OCCUPATIONS
from gieok.models.rules.lexicon import KIN_KO
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_REFUSED: Final = _LISTS.compile_list("korean.refused")
_KEPT_KA: Final = compile_lazily(r"(?:습니까|ㅂ니까|[가-힣]니까)\s*\?*$")
_CALLED: Final = _LISTS.compile_list("korean.called")
_PLAIN: Final = _LISTS.get_spellings("korean.plain")
_CHAINED: Final = frozenset({"어", "아", "고", "어서", "아서", "지"})
_HONORIFIC: Final = ("시", "으시")
_NAMED: Final = compile_lazily(
    r"^(?!아가씨)(?P<name>[가-힣]{2,4}) ?(?P<title>씨|님)"
    r"(?:은|는|께서는|도)?\s+(?!댁|집)"
)
_BOUGHT: Final = compile_lazily(r"^(?:집|차|옷|뭐|땅|새|많이)$")
_ELDER: Final = compile_lazily(
    r"^(?:할머니|할아버지|선생님)(?:은|는|께서는|도)?\s+(?!있)"
)
_HONOURED: Final = compile_lazily(
    r"(?:세요|셔요?|시죠|시나요|십니까|시는지|셨\S+)\s*[?？]*$"
)
_VERBAL: Final = frozenset({"배우"})
_CONFUSED: Final = compile_lazily(
    lambda: (
        r"(?<![가-힣])((?:"
        + "|".join(sorted((KIN_KO | BEING | OCCUPATIONS) - _VERBAL))
        + "))"
        r"(?:세요|셔요|시죠)(?=\s*[?？]*$)"
    )
)
"""A noun that is read as a verb with an honorific: "막내세요"."""
_THINGS: Final = frozenset({"것", "거", "건", "중"})
"""What stands before a copula in "가실 거죠?", which asks about no thing."""
EXISTING: Final = frozenset({"있", "없"})
NEGATIONS: Final = frozenset({"안", "못"})
NEGATIVE: Final = frozenset({"없", "않", "못하", "아니"})
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
        before = self.morphemes[place - 1] if place else None
        if before is not None and before.tag == "MAG":
            attached = before.end == self.morphemes[place].start
            place -= attached and before.form not in NEGATIONS
        if self.morphemes[place].tag.startswith("XS"):
            while (
                place
                and self.morphemes[place - 1].tag[:2] == "NN"
                and (self.morphemes[place - 1].end == self.morphemes[place].start)
            ):
                place -= 1
        return place

    @property
    def is_negated(self) -> bool:
        """Whether it asks whether something is not so: "안 드시죠", "없으세요"."""
        before = self.morphemes[self.chain - 1 : self.chain]
        opposite = self.stem.form in NEGATIVE and self.stem.tag != "VV"
        return opposite or any(m.form in NEGATIONS for m in before)

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
        return self.stem.tag in ("VCP", "VCN")


def drop_honorifics(question: str, morphology: Morphology) -> str:
    """Return a question in plain words: 계세요 → 있어요, 사셨어요 → 살았어요."""
    text = unicodedata.normalize("NFC", " ".join(question.split()))
    text = _CONFUSED.sub(r"\1이에요", text)
    for pattern, plain in _PLAIN.items():
        text = re.sub(pattern, plain, text)
    for _ in range(2):
        text = _drop_address(_CALLED.sub("", text), morphology)
    return _rebuild_verbs(text, morphology).strip()


def _drop_address(text: str, morphology: Morphology) -> str:
    """Return a question without the name that it opens with: "영희님은"."""
    match = _NAMED.match(text)
    if match is None:
        return text
    tags = [m.tag for m in morphology.analyze(match["name"])]
    called = tags == ["NNP"] or match["title"] == "씨"
    return text[match.end() :] if called else text


def _rebuild_verbs(text: str, morphology: Morphology) -> str:
    """Return a question whose verbs have no honorific before their ending."""
    found = morphology.analyze(text)
    if not any(m.tag == "EP" and m.form in _HONORIFIC for m in found):
        return text
    words: list[str] = []
    for match in re.finditer(r"\S+", text):
        within = [m for m in found if match.start() <= m.start < match.end()]
        words.append(_rebuild_word(match[0], within, words, morphology))
    return " ".join(words)


def _rebuild_word(
    word: str, within: Sequence[Morph], before: Sequence[str], morphology: Morphology
) -> str:
    """Return a word without its honorific, or the word if it has none."""
    honoured = any(m.tag == "EP" and m.form in _HONORIFIC for m in within)
    leaving = any(m.form == "돌아가" for m in within)
    if not honoured or (leaving and _is_of_person(before)):
        return word
    parts: list[tuple[str, str]] = []
    for one in within:
        if one.tag == "EP" and one.form in _HONORIFIC:
            continue
        form, tag = one.form, one.tag
        if form == "사" and tag == "VV" and _is_where("".join(before[-1:])):
            form = "살"
        if form == "파" and tag == "VV" and not "".join(before[-1:]).startswith("땅"):
            form = "팔"
        parts.append((form, "VV-I" if form in DROPPING else tag))
    return morphology.join(parts)


def _is_of_person(before: Sequence[str]) -> bool:
    """Tell whether a person may have died, and not gone back: "어머니 돌아가셨어요"."""
    nouns = (re.sub(r"(?:께서는?|은|는|이|가|도)$", "", word) for word in before)
    return any(is_person(noun) for noun in nouns)


def _is_where(word: str) -> bool:
    """Tell whether a word says where, with whom or how long somebody lived."""
    return not re.search(r"[을를]$", word) and not _BOUGHT.match(word)


def extract_topic(question: str, morphology: Morphology) -> str:
    """Return of whom or what alone a question asks: "어머니는요?"; else nothing.

    One that asks of the user is left out.
    """
    found = _TOPIC_ALONE.match(drop_honorifics(question, morphology))
    topic = found["topic"] if found else ""
    return "" if topic in _ASKED_THEMSELVES else topic


def read_question(question: str, morphology: Morphology) -> QuestionSentence | None:
    """Return what is asked, or nothing if it offers, suggests or is not plain."""
    refused = _REFUSED.search(question) and not _KEPT_KA.search(question)
    if refused or "요," in question:
        return None
    text = drop_honorifics(question, morphology).rstrip("?？ ")
    if _is_of_elder(text, question):
        return None
    found = morphology.analyze(text + "?")
    morphemes = tuple(_correct_morphemes([m for m in found if m.tag != "SF"]))
    places = [n for n, m in enumerate(morphemes) if m.tag == "EF"]
    if len(places) != 1 or any(m.form == "겠" for m in morphemes):
        return None
    place = places[-1] - 1
    past = False
    while place >= 0 and morphemes[place].tag == "EP":
        past = past or morphemes[place].form in ("었", "았", "였")
        place -= 1
    if place < 1 or not _is_plain(morphemes, place):
        return None
    end = morphemes[places[-1]].start
    return QuestionSentence(text, morphemes, morphemes[place], place, end, past)


def _is_plain(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether a question's predicate is one that can be stated."""
    stem = morphemes[place]
    if stem.tag not in STEMS:
        return False
    if stem.form.endswith("세") or stem.form == "드시":
        return False  # an honorific that was read as part of the verb
    return stem.tag != "VCP" or morphemes[place - 1].form not in _THINGS


def _is_of_elder(text: str, question: str) -> bool:
    """Tell whether it is not plain if a grandparent is asked, or asked about."""
    honoured = _HONOURED.search(question) is not None
    return honoured and _ELDER.match(text) is not None and "돌아가" not in text


def _correct_morphemes(found: Sequence[Morph]) -> Iterator[Morph]:
    """Yield "아이" as the noun that it is, not as a cry, and "돌아가시" as one verb."""
    died = False
    for one in found:
        if died and one.form == "시":
            continue
        died = one.form == "돌아가" and any(m.form == "시" for m in found)
        if died:
            yield one._replace(form="돌아가시", length=one.length)
        elif one.tag == "IC" and is_person(one.form):
            yield one._replace(tag="NNG")
        else:
            yield one
