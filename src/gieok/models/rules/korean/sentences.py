"""Cuts spoken Korean into sentences, also where nobody wrote a full stop.

Plain speech ("화투도 안 쳐 회관도 안 가") has connecting and closing endings of the
same shape, and notes end in ㅁ; where such a word is followed by a new noun, a sentence
is over. What is added after the predicate ("취직한대, 강릉에") belongs before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.korean.endings import Mood, Predicate, find_predicate
from gieok.models.rules.korean.phrases import list_noun_phrases
from gieok.models.rules.korean.readings import correct_readings
from gieok.models.rules.korean.spoken import standardize_phrases, trim_sentence
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.korean", "endings.toml")

_STOP: Final = compile_lazily(r"[.?!。]+(?=\s|$)|\n+|;|\s[-–—]+\s|—")
_PLAIN: Final = ("어", "아", "여")
_ADVERBIAL: Final = (
    "따르",
    "통하",
    "위하",
    "대하",
    "의하",
    "관하",
    "비하",
    "향하",
    "가지",
)
"""Verbs whose connecting form is an adverb: "아들 따라 서울로"."""
_DECLARES: Final = ("다", "ᆫ다", "는다")
_TELLS: Final = _LISTS.get_words("closing")
_AFTERTHOUGHTS: Final = _LISTS.get_words("added")
_POLITE: Final = ("습니다", "ᆸ니다", "어요", "아요", "에요", "예요")
_OPENS: Final = ("NN", "NP", "NR", "MAG", "MAJ", "MM", "IC", "XR", "SN", "SL", "XPN")
_STEM: Final = ("VV", "VA", "XSV", "XSA")
_SHORTEST: Final = 2  # words before a break that no sign marks


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence in standard spelling with its morphemes and its predicate."""

    text: str
    morphemes: tuple[Morph, ...]
    predicate: Predicate | None
    asks: bool

    @property
    def is_note(self) -> bool:
        """Whether it is a few nouns, none of which is marked as a subject."""
        said = self.predicate
        if said is not None and (said.form or said.stem != "이"):
            return False
        closing = self.morphemes[-1].tag if self.morphemes else ""
        return (
            closing[:1] != "J"
            and not any(
                p.is_subject or p.is_topic for p in list_noun_phrases(self.morphemes)
            )
            and not any(m.tag in ("EC", "EF") for m in self.morphemes)
        )


def parse_sentence(
    text: str, morphology: Morphology, *, asks: bool = False, ordered: bool = False
) -> SpokenSentence:
    """Return a sentence with its predicate; a full stop helps to read the ending."""
    found = correct_readings(morphology.analyze(text + "."))
    morphemes = tuple(m for m in found if m.start < len(text) or not m.length)
    said = find_predicate(text, morphemes, ordered=ordered)
    asking = asks or (said is not None and _is_question(morphemes, said))
    return SpokenSentence(text, morphemes, said, asking)


def _is_question(morphemes: Sequence[Morph], said: Predicate) -> bool:
    """Tell whether a sentence asks, also with an ending that may state ("어딨지")."""
    asked = any(m.form.startswith(("어딨", "어디", "누구", "언제")) for m in morphemes)
    return said.mood is Mood.ASKS or (asked and said.form == "지")


def split_sentences(
    text: str, morphology: Morphology, *, ordered: bool = False
) -> list[SpokenSentence]:
    """Return the sentences of a text in standard spelling."""
    parts = [
        (standardize_phrases(trim_sentence(part)), asks)
        for piece, asks in _split_at_signs(text)
        for part in _split_unmarked(piece, morphology)
    ]
    parts = [(part, asks) for part, asks in parts if any(c.isalnum() for c in part)]
    ordered = ordered and len(parts) == 1
    found = [
        parse_sentence(part, morphology, asks=asks, ordered=ordered)
        for part, asks in parts
    ]
    return _join_leading(found, morphology, ordered=ordered)


def _split_at_signs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what stands between the signs that end sentences."""
    start = 0
    for match in _STOP.finditer(text):
        yield text[start : match.start()], "?" in match[0]
        start = match.end()
    yield text[start:], False


def _split_unmarked(text: str, morphology: Morphology) -> Iterator[str]:
    """Yield the sentences of a text without signs."""
    morphemes = morphology.analyze(text)
    plain = not any(m.form in _POLITE for m in morphemes[-3:] if m.tag in ("EF", "EC"))
    start = 0
    for place, one in enumerate(morphemes[:-1]):
        end = _find_break(text, morphemes, place, plain=plain)
        signed = one.tag in ("EF", "JX") or text[end : end + 1] == ","
        enough = len(text[start:end].split()) >= _SHORTEST or signed
        if end > start and enough:
            yield text[start:end]
            start = end
    yield text[start:]


def _find_break(
    text: str, morphemes: Sequence[Morph], place: int, *, plain: bool
) -> int:
    """Return where a sentence ends after a morpheme, or 0 if none does."""
    one, other = morphemes[place], morphemes[place + 1]
    if other.form == "요" and other.start <= one.end and place + 2 < len(morphemes):
        one, other = other, morphemes[place + 2]
    end = one.end
    if end >= len(text) or text[end] not in " ,\n":
        return 0
    if other.tag == "SP" and place + 2 < len(morphemes):
        other = morphemes[place + 2]
    glued = one.start > 0 and not text[one.start - 1].isspace()
    if one.form == "다" and one.tag == "MAG" and glued:
        return end
    if one.tag == "EF" or (one.tag == "JX" and one.form in ("야", "요", "이야")):
        return end
    opens = other.tag.startswith(_OPENS) and other.start >= end
    declares = one.form in _DECLARES and other.tag in ("VV", "VA")
    closes = (opens or declares) and _is_closing(morphemes, place, plain=plain)
    return end if closes else 0


def _is_closing(morphemes: Sequence[Morph], place: int, *, plain: bool) -> bool:
    """Tell whether a word before a new noun closes a sentence."""
    one, stem = morphemes[place], morphemes[place - 1] if place else None
    if stem is None or one.form in ("ᆷ", "음"):
        return stem is not None
    if one.tag != "EC":
        return plain and one.tag.startswith(_STEM)
    if one.form == "지" and morphemes[place + 1].tag == "NP":
        return True
    if one.form in _DECLARES:
        spoken = stem.tag in ("EP", "VA", "XSA", "VCP") or one.form != "다"
        return spoken and not _is_to_and_fro(morphemes, place)
    if stem.tag == "VCP":
        return one.form in ("야", "여", "이야")
    carried = stem.form in _ADVERBIAL
    return one.form in _TELLS or (plain and one.form in _PLAIN and not carried)


def _is_to_and_fro(morphemes: Sequence[Morph], place: int) -> bool:
    """Tell whether it is the first half of "왔다 갔다" or of "싫다 그랬어"."""
    if morphemes[place + 1].form in ("그러", "그렇"):
        return True
    came = [m.form for m in morphemes[max(0, place - 2) : place]] == ["오", "었"]
    return came and morphemes[place + 1].form == "가"


def _join_leading(
    sentences: Sequence[SpokenSentence], morphology: Morphology, *, ordered: bool
) -> list[SpokenSentence]:
    """Return the sentences, those that only lead on joined to their neighbours."""
    found: list[SpokenSentence] = []
    waiting = ""
    for sentence in sentences:
        if _is_empty(sentence):
            continue
        text = f"{waiting} {sentence.text}".strip()
        waiting = ""
        if found and _is_afterthought(sentence):
            before = found.pop()
            text = f"{text.rstrip(' ,')} {before.text}"
            asks = before.asks
        elif _is_leading(sentence) and not (found and sentence.is_note):
            waiting = text
            continue
        else:
            asks = sentence.asks
        same = text == sentence.text
        found.append(
            sentence
            if same
            else parse_sentence(text, morphology, asks=asks, ordered=ordered)
        )
    if not waiting:
        return found
    rest = f"{waiting.rstrip(' ,')} {found.pop().text}" if found else waiting
    return [*found, parse_sentence(rest, morphology, ordered=ordered)]


def _is_empty(sentence: SpokenSentence) -> bool:
    """Tell whether a sentence is an adverb or an interjection by itself."""
    return all(
        m.tag in ("IC", "MAG", "MAJ") or m.tag[0] == "S" for m in (sentence.morphemes)
    ) and not any(m.tag in ("SL", "SN") for m in sentence.morphemes)


def _is_leading(sentence: SpokenSentence) -> bool:
    """Tell whether a sentence has no end of its own."""
    said = sentence.predicate
    if sentence.asks:
        return False
    return said is None or said.mood is Mood.LEADS_ON


def _is_afterthought(sentence: SpokenSentence) -> bool:
    """Tell whether what stands behind a sentence belongs into it."""
    said = sentence.predicate
    if sentence.asks or (sentence.is_note and len(sentence.text.split()) > 1):
        return False
    if said is None or said.mood in (Mood.LEADS_ON, Mood.REASONS):
        return True
    polite = sentence.morphemes[-1].form == "요"
    return said.form in _AFTERTHOUGHTS and not polite
