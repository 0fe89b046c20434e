"""Writes what a Korean question asks as a statement: affirmed, denied, as past.

Honorifics and the ending are gone from the question (`questions.py`); the particles
that talk leaves out are written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from typing import Final

from gieok.models.rules.korean.answer_words import is_person, is_relative
from gieok.models.rules.korean.conjugation import build_declarative
from gieok.models.rules.korean.constituents import (
    Constituent,
    Kind,
    read_constituents,
)
from gieok.models.rules.korean.endings import (
    ADJECTIVES,
    DROPPING,
    STEMS,
    append_particle,
    has_final,
)
from gieok.models.rules.korean.questions import (
    EXISTING,
    NEGATIONS,
    NEGATIVE,
    QuestionSentence,
)
from gieok.models.rules.korean.subjects import BEING
from gieok.models.rules.korean.vocabulary import ASKING, NAMED
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_TO_PERSONS: Final = _LISTS.get_words("korean.done_to_persons")
_FELT: Final = _LISTS.get_words("korean.felt")
_INTRANSITIVE: Final = _LISTS.get_words("korean.intransitive")
_UNDERTAKEN: Final = tuple(_LISTS.get_words("korean.undertaken"))
_PLACED: Final = ("다니", "가", "오", "살")
_ME: Final = frozenset({"저", "나", "제", "내", "저희", "우리", "전", "난"})
_UNMARKED: Final = (Kind.NOUN, Kind.TOPIC)


class Polarity(Enum):
    """Whether a statement says that something is so, is not, or cannot be."""

    AFFIRMED = auto()
    DENIED = auto()
    UNABLE = auto()
    """It is not done because it cannot be: "못 먹는다"."""


@dataclass(frozen=True, slots=True)
class StatementFrame:
    """What stands before a question's predicate, in constituents, and the predicate."""

    asked: QuestionSentence
    parts: tuple[Constituent, ...]
    past: bool
    morphology: Morphology

    @property
    def argument(self) -> int | None:
        """The place of what the verb is done to, or of what there is."""
        places = [
            n
            for n, one in enumerate(self.parts)
            if one.kind in (Kind.OBJECT, *_UNMARKED) and not self.is_subject(one)
        ]
        return places[-1] if places else None

    @property
    def subject(self) -> int | None:
        """The place of who does it, if the question names them."""
        found = (n for n, one in enumerate(self.parts) if self.is_subject(one))
        return next(found, None)

    @property
    def verb(self) -> str:
        """The verb with the noun that it is made of: "산책시키", "보고싶"."""
        asked = self.asked
        begins = asked.morphemes[asked.chain].start
        before = asked.text[begins : asked.stem.start].replace(" ", "")
        return before + get_stem(asked).form

    def is_subject(self, one: Constituent) -> bool:
        """Tell whether a constituent says who does it, or of whom it is so."""
        if one.kind is Kind.SUBJECT:
            return is_person(one.noun)
        if one.kind not in _UNMARKED or not is_person(one.noun):
            return False
        if self.asked.is_copula and one.particle == "만":
            return False
        return one is not self._predicate_noun and not self.is_of_persons

    @property
    def _predicate_noun(self) -> Constituent | None:
        return self.parts[-1] if self.asked.is_copula and self.parts else None

    @property
    def is_of_persons(self) -> bool:
        """Whether a person without a case is had, felt for, or has it done to them."""
        verbs = {self.verb, self.asked.main.form, self.verb.removesuffix("고있")}
        placed = any(one.kind is Kind.PLACE or one.noun == "어디" for one in self.parts)
        if "살아있" in self.verb or (placed and self.asked.main.form in EXISTING):
            return False
        return not verbs.isdisjoint(EXISTING | _TO_PERSONS | _FELT)

    def find(self, *kinds: Kind) -> int | None:
        """Return the place of the last constituent of some kinds."""
        places = [n for n, one in enumerate(self.parts) if one.kind in kinds]
        return places[-1] if places else None

    def replace_part(self, place: int, part: Constituent) -> "StatementFrame":
        """Return the frame with another constituent at a place."""
        return replace(
            self, parts=(*self.parts[:place], part, *self.parts[place + 1 :])
        )

    def drop_words(self, *words: str) -> "StatementFrame":
        """Return the frame without some words."""
        kept = tuple(one for one in self.parts if one.text not in words)
        return replace(self, parts=kept)

    def insert_part(self, part: Constituent, *, first: bool) -> "StatementFrame":
        """Return the frame with one more, after its subject or before its verb."""
        place = len(self.parts)
        if first:
            place = 0 if self.subject is None else self.subject + 1
        return replace(self, parts=(*self.parts[:place], part, *self.parts[place:]))

    def as_past(self) -> "StatementFrame":
        """Return the frame of what was so."""
        return replace(self, past=True)


def get_stem(asked: QuestionSentence) -> Morph:
    """Return the stem of what a question asks, of "외롭지 않다" the first."""
    if asked.stem.tag == "VX" and asked.stem.form in NEGATIVE:
        return asked.morphemes[asked.place - 2]
    if asked.stem.form == "없":
        return asked.stem._replace(form="있")
    return asked.stem


def build_frame(asked: QuestionSentence, morphology: Morphology) -> StatementFrame:
    """Return what a question asks, affirmed: "안 드시죠" as "먹는다"."""
    copula = asked.stem.tag in ("VCP", "VCN")
    ends = asked.stem.start if copula else asked.morphemes[asked.chain].start
    before = [m for m in asked.morphemes if m.start < ends and m.end <= ends]
    parts = read_constituents(asked.text[:ends], before)
    if parts and parts[-1].text in NEGATIONS:
        parts.pop()
    if copula and len(parts) > 1 and _is_parent(parts[-2], parts[-1]):
        text = f"{parts[-2].text} {parts[-1].text}"
        parts[-2:] = [Constituent(text, text, Kind.NOUN)]
    return StatementFrame(asked, tuple(parts), asked.past, morphology)


def _is_parent(one: Constituent, two: Constituent) -> bool:
    """Tell whether two words say whose mother or father somebody is: "아이 엄마"."""
    both = is_relative(one.noun) and is_relative(two.noun)
    return both and not one.particle and two.noun not in BEING


def is_plain(frame: StatementFrame) -> bool:
    """Tell whether it is plain what each word before the predicate belongs to."""
    counted = any(one.kind is Kind.COUNT for one in frame.parts[:-1])
    if frame.asked.is_copula and counted:
        return False
    return not any(
        one.kind is Kind.OTHER and two.kind is Kind.NOUN and is_person(two.noun)
        for two, one in pairwise(frame.parts)
    )


def select_particle(noun: str, frame: StatementFrame) -> tuple[str, str]:
    """Return the particle that a noun takes before the predicate, in both forms."""
    stem, verb = frame.asked.main, frame.verb
    if verb in _TO_PERSONS or stem.form == "나오":
        return ("을", "를")
    existing = stem.form in EXISTING and stem.tag != "VX"
    if existing or stem.tag in ADJECTIVES or verb in _FELT | _INTRANSITIVE:
        return ("이", "가")
    going = stem.form in ("가", "오", "다니", "다녀오", "나가")
    if going and noun.endswith(_UNDERTAKEN):
        return ("이", "가") if verb == "오" else ("을", "를")
    if stem.form.endswith(_PLACED) and verb not in _TO_PERSONS:
        return ("에", "에")
    return ("을", "를")


def mark_argument(noun: str, frame: StatementFrame) -> str:
    """Return a noun with the particle that it has before the predicate."""
    if is_person(noun) and not frame.is_of_persons:
        return append_particle(noun, "은", "는")
    return append_particle(noun, *select_particle(noun, frame))


def _mark_part(one: Constituent, frame: StatementFrame) -> str:
    """Return a constituent as it is written, the particles that talk leaves out too."""
    if frame.is_subject(one):
        bare = one.kind is Kind.NOUN and not one.particle
        return append_particle(one.noun, "은", "는") if bare else one.text
    if one.last in ("지", "줄"):
        return one.text
    if one.kind is Kind.NOUN and not one.particle:
        return mark_argument(one.noun, frame)
    if one.kind is Kind.TOPIC and one.noun not in _ME:
        alone = [p for p in frame.parts if p.kind in (Kind.OBJECT, *_UNMARKED)]
        alone += [p for p in frame.parts if p.kind in (Kind.SUBJECT, Kind.PLACE)]
        return mark_argument(one.noun, frame) if len(alone) == 1 else one.text
    return one.text


def _write_parts(frame: StatementFrame) -> str:
    """Return the constituents, opened by the user or by what is theirs."""
    texts = [_mark_part(one, frame) for one in frame.parts]
    if frame.asked.is_copula and texts:
        texts[-1] = frame.parts[-1].text
    subject = frame.subject
    if subject is not None and not texts[subject].startswith(("제 ", "우리 ")):
        texts[subject] = "제 " + texts[subject]
        return " ".join(texts)
    first = frame.parts[0] if frame.parts else None
    if first is not None and _is_own(first, frame):
        return " ".join(texts)
    if first is not None and _is_of_user(first, frame):
        return " ".join(["제", *texts])
    return " ".join(["저는", *texts])


def _is_own(first: Constituent, frame: StatementFrame) -> bool:
    """Tell whether a statement opens with the user: "저만 마신다"."""
    cased = first.kind in (Kind.SUBJECT, *_UNMARKED)
    return cased and first.noun in _ME and not frame.is_subject(first)


def _is_of_user(first: Constituent, frame: StatementFrame) -> bool:
    """Tell whether a statement is of what is the user's: their name, their pet's."""
    if first.kind not in (Kind.SUBJECT, *_UNMARKED):
        return False
    if frame.asked.is_copula and len(frame.parts) == 1:
        return False
    having = frame.asked.main.form in EXISTING
    owned = first.noun in NAMED and not having
    opening, space, _ = first.noun.partition(" ")
    return owned or (bool(space) and is_relative(opening))


def render_statement(
    frame: StatementFrame, polarity: Polarity, *, link: bool = False
) -> str:
    """Return a frame as a sentence, or as a clause that another follows."""
    body = _write_parts(frame)
    if frame.asked.stem.tag in ("VCP", "VCN"):
        return _render_copula(body, frame, polarity, link=link)
    return f"{body} {render_predicate(frame, polarity, link=link)}".lstrip()


def render_predicate(
    frame: StatementFrame, polarity: Polarity, *, link: bool = False
) -> str:
    """Return the predicate of a frame alone: "먹는다", "먹지 않고"."""
    asked, stem = frame.asked, get_stem(frame.asked)
    before = asked.text[asked.morphemes[asked.chain].start : stem.start]
    if polarity is not Polarity.AFFIRMED:
        return before + _build_denial(frame, stem, polarity, link=link)
    if frame.past:
        return before + _conjugate(frame, stem.form, stem.tag, link=link)
    verb = stem.tag not in ADJECTIVES and stem.form not in EXISTING | {"싶"}
    return before + (
        stem.form + "고" if link else build_declarative(stem.form, verb=verb)
    )


def _conjugate(frame: StatementFrame, form: str, tag: str, *, link: bool) -> str:
    """Return a stem as past."""
    tag = "VV-I" if form in DROPPING else tag
    ending = ("고", "EC") if link else ("다", "EF")
    return frame.morphology.join([(form, tag), ("었", "EP"), ending])


def _build_denial(
    frame: StatementFrame, stem: Morph, polarity: Polarity, *, link: bool
) -> str:
    """Return a stem denied: "없다", "모른다", "먹지 않는다", "먹지 못한다"."""
    verb = stem.tag not in ADJECTIVES and stem.form not in EXISTING | {"싶"}
    last = frame.parts[-1].last if frame.parts else ""
    lead, form, tag = f"{stem.form}지 ", "않", "VX"
    if polarity is Polarity.UNABLE and verb:
        form = "못하"
    if stem.form == "있" and stem.tag != "VX":
        lead, form, tag, verb = "", "없", "VA", False
    elif stem.form == "알" and last == "줄":
        lead, form, tag = "", "모르", "VV"
    if frame.past:
        return lead + _conjugate(frame, form, tag, link=link)
    return lead + (form + "고" if link else build_declarative(form, verb=verb))


def _render_copula(
    body: str, frame: StatementFrame, polarity: Polarity, *, link: bool
) -> str:
    """Return what somebody or something is, or is not."""
    if polarity is Polarity.AFFIRMED:
        return body + _conjugate_copula("이", frame, link=link)
    return (
        append_particle(body, "이", "가")
        + " "
        + _conjugate_copula("아니", frame, link=link)
    )


def _conjugate_copula(form: str, frame: StatementFrame, *, link: bool) -> str:
    past = "아니었"
    if form == "이":
        past = "이었" if has_final(frame.parts[-1].text) else "였"
    return (past if frame.past else form) + ("고" if link else "다")


def name_state(noun: str, frame: StatementFrame) -> str:
    """Return what somebody is, in the tense of the question: "주부이다", "약사였다"."""
    if not frame.past or not frame.asked.is_copula:
        return f"{noun}이다"
    return noun + ("이었다" if has_final(noun) else "였다")


def find_stems(morphemes: Sequence[Morph]) -> list[int]:
    """Return the places of the stems of verbs and adjectives."""
    return [n for n, m in enumerate(morphemes) if m.tag in STEMS]


def render_own(sentence: str) -> str:
    """Return a sentence opened by the user, or by what is theirs."""
    first = sentence.strip().partition(" ")[0]
    noun = first
    for particle in ("께서는", "께서", "은", "는", "이", "가", "의", "도"):
        if first.endswith(particle):
            noun = first.removesuffix(particle)
            break
    if is_relative(noun) or noun in NAMED:
        return "제 " + sentence
    return "저는 " + sentence


def find_leading_noun(asked: QuestionSentence) -> tuple[int, int] | None:
    """Return where the nouns that open a question begin and end in it."""
    last = None
    for morpheme in asked.morphemes:
        if morpheme.tag[0] not in "NX" or morpheme.tag.startswith(("XSV", "XSA")):
            break
        if morpheme.form in ASKING:
            break
        last = morpheme
    return None if last is None else (0, last.end)
