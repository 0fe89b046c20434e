"""Puts what somebody asks in Korean to remember as a statement of its own.

"나 부산 사는 거 꼭 기억해 줄래?" becomes "나 부산 산다. 기억해 줘.": what is to be
remembered stands in a clause that ends in 것 or the like, and is told as any other.
What the assistant is to do ("깨워 주는 거 기억해") is an order, and stays one. Whatever
else ends so is left alone: a question, a thing ("내가 말한 거"), what others remember.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gieok.models.rules.korean.conjugation import build_declarative, is_verb
from gieok.models.rules.korean.edits import TextEdit
from gieok.models.rules.korean.endings import (
    ADJECTIVES,
    STEMS,
    find_main_verb,
    get_verb,
)
from gieok.models.rules.korean.phrases import NounPhrase, list_noun_phrases
from gieok.models.rules.korean.sentences import parse_sentence
from gieok.models.rules.korean.subjects import (
    CIRCUMSTANCES,
    ME,
    PLACES,
    ROLES,
    TRANSITIVE,
    get_head,
)
from gieok.models.rules.korean.vocabulary import KIN
from gieok.text.kiwi import Morph, Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_KEEPS: Final = _LISTS.compile_list("requests.keeps")
_ASKS: Final = _LISTS.compile_list("requests.asks")
_POINTED: Final = _LISTS.get_words("requests.pointed")
_FACTS: Final = ("거", "것", "점", "사실")
_YOU: Final = ("너", "네", "니", "당신")
_WILL: Final = ("ᆯ", "을")
_LEADS: Final = ("는", "은", "ᆫ", "던", *_WILL)
_REQUEST: Final = " 기억해 줘."
_SIGNS: Final = " .,!~?？"
_TOLD: Final = compile_lazily(r"(?:다|라)(?:는|던)$|단$|란$")
"""How what is said of something ends before a noun: "있다는", "왼손잡이란"."""
_MEANT: Final = compile_lazily(r"려는$")
_BREAK: Final = compile_lazily(r"[.!?。！？…~\n]\s*")


class _Fact(NamedTuple):
    """A clause before 것 that somebody asks to remember."""

    start: int
    """Where its sentence starts."""
    ending: int
    """Place of the morpheme with which it leads to the noun."""
    end: int
    """Where the request ends."""
    is_curt: bool
    """Whether the request may also state that somebody remembers ("기억해")."""


class _FactReading(NamedTuple):
    """The same clause as Kiwi reads it when it is told."""

    morphemes: tuple[Morph, ...]
    verb: str
    tag: str
    """Of the main verb."""
    phrases: tuple[NounPhrase, ...]
    """Before the predicate, without its own noun ("얘기" of "얘기하")."""

    @property
    def is_mine(self) -> bool:
        """Whether the first person is named; "저" may be read as "that"."""
        opening, *rest = self.morphemes
        pointed = any(m.form in ME and m.tag in ("NP", "MM") for m in rest)
        return pointed or opening.form in ME

    @property
    def has_subject(self) -> bool:
        """Whether a phrase is marked as what it is about."""
        return any(p.is_subject or p.is_topic for p in self.phrases)

    def list_nouns(self, phrase: NounPhrase) -> tuple[Morph, ...]:
        """Return the nouns of a phrase."""
        return self.morphemes[phrase.first : phrase.last + 1]


def rewrite_requests(text: str, morphology: Morphology) -> str:
    """Return a message with what it asks to remember as statements of their own."""
    if not _KEEPS.search(text):
        return text
    morphemes = morphology.analyze(text)
    edits = [
        edit
        for fact in _find_facts(text, morphemes)
        for edit in _rewrite_fact(text, morphemes, fact, morphology)
    ]
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text.rstrip(" ") if edits else text


def _find_facts(text: str, morphemes: Sequence[Morph]) -> Iterator[_Fact]:
    """Yield the clauses before 것, 점 or 사실 that are asked to be remembered."""
    start = 0
    for place, one in enumerate(morphemes[1:], start=1):
        if one.form not in _FACTS or morphemes[place - 1].tag != "ETM":
            continue
        after = place + 1
        while after < len(morphemes) and morphemes[after].tag in ("JKO", "JX"):
            after += 1
        kept = _KEEPS.match(text, morphemes[after - 1].end)
        asked = kept and _ASKS.match(text, kept.end())
        if not asked:
            continue
        ends = [m.end() for m in _BREAK.finditer(text, start, one.start)]
        start = ends[-1] if ends else start
        yield _Fact(start, place - 1, asked.end(), len(asked[0]) < len("줘"))
        start = asked.end()


def _rewrite_fact(
    text: str, morphemes: Sequence[Morph], fact: _Fact, morphology: Morphology
) -> list[TextEdit]:
    """Return the edits that end a clause and its request as sentences, if any."""
    ending = _build_statement(text, morphemes, fact.ending, morphology)
    if ending is None:
        return []
    said = _parse_fact(text, morphemes, fact, morphology)
    if said is None or _is_remembered_by_others(said, fact):
        return []
    after = len(text) - len(text[fact.end :].lstrip(_SIGNS))
    if _is_order(morphemes, fact.ending, said):
        given = morphemes[fact.ending - 1].form.removesuffix("주") + "줘. "
        return [TextEdit(morphemes[fact.ending - 1].start, after, given)]
    told = _TOLD.search(text[: morphemes[fact.ending].end]) is not None
    if not (told or _is_fact(said)):
        return []
    closed = TextEdit(ending.start, after, f"{ending.text}.{_REQUEST} ")
    if not _is_of_nobody(said):
        return [closed]
    start = fact.start + said.morphemes[said.phrases[0].first].start
    return [TextEdit(start, start, "나 "), closed]


def _parse_fact(
    text: str, morphemes: Sequence[Morph], fact: _Fact, morphology: Morphology
) -> _FactReading | None:
    """Return a clause as it is read when it is told; what will be, as if it were."""
    ending = _build_statement(text, morphemes, fact.ending, morphology, as_done=True)
    if ending is None:
        return None
    stated = text[fact.start : ending.start] + ending.text
    sentence = parse_sentence(stated, morphology)
    said, own = sentence.predicate, sentence.morphemes
    if said is None:
        return None
    main = find_main_verb(own, said)
    named = tuple(
        p._replace(last=p.last - (p.last == main - 1 and own[main].tag[0] == "X"))
        for p in list_noun_phrases(own)
        if p.first <= said.place
    )
    phrases = tuple(p for p in named if p.first <= p.last)
    return _FactReading(own, get_verb(own, said), own[main].tag, phrases)


def _build_statement(
    text: str,
    morphemes: Sequence[Morph],
    place: int,
    morphology: Morphology,
    *,
    as_done: bool = False,
) -> TextEdit | None:
    """Return the edit that ends a clause plainly which leads to a noun.

    `as_done` says that what will be is told as if it had been.
    """
    one, before = morphemes[place], morphemes[place - 1]
    written = text[one.start : one.end]
    if _TOLD.search(written) and (written[-2:-1] != "라" or before.tag in ADJECTIVES):
        return TextEdit(one.start, one.end, _TOLD.sub("다", written))
    if _MEANT.search(written):
        return TextEdit(one.start, one.end, written[:-1] + "고 한다")
    if one.form in _WILL and not as_done:
        return TextEdit(one.end, one.end, " 거다")
    if one.form == "던" and before.form in ("었", "았", "였"):
        return TextEdit(one.start, one.end, "다")
    first = place - 1
    while first and morphemes[first].tag == "EP":
        first -= 1
    if morphemes[first].tag not in STEMS or one.form not in _LEADS:
        return None
    start = morphemes[first].start
    told = _conjugate(text[start : one.start], morphemes, first, place, morphology)
    return TextEdit(start, one.end, told)


def _conjugate(
    written: str,
    morphemes: Sequence[Morph],
    first: int,
    place: int,
    morphology: Morphology,
) -> str:
    """Return a predicate in the plain declarative that was said before a noun.

    "사는" is "산다" whether it lives or buys, so the stem stays as it is written there.
    """
    acts, form = is_verb(morphemes, first), morphemes[place].form
    if form == "는":
        return build_declarative(written, verb=acts)
    stem = [(m.form, m.tag) for m in morphemes[first:place]]
    past = [("었", "EP")] if acts or form in ("던", *_WILL) else []
    return morphology.join([*stem, *past, ("다", "EF")])


def _is_fact(said: _FactReading) -> bool:
    """Tell whether a clause before 것 says a fact, and does not mean a thing.

    In "내가 좋아하는 거" and "살 거" 것 is what is liked or bought.
    """
    named = [p for p in said.phrases if _is_named(said, p)]
    if said.verb in _POINTED or (said.verb in TRANSITIVE and said.tag == "VV"):
        return any(_can_be_object(said, p) for p in named)
    if said.verb in ("있", "없"):
        return any(p.tag != "JKB" for p in named)
    return bool(named)


def _is_named(said: _FactReading, phrase: NounPhrase) -> bool:
    """Tell whether a phrase names more than a time or the like."""
    return any(m.form not in CIRCUMSTANCES for m in said.list_nouns(phrase))


def _can_be_object(said: _FactReading, phrase: NounPhrase) -> bool:
    """Tell whether a phrase can be what something is done to."""
    marked = phrase.tag == "JKO" or phrase.is_topic or not phrase.particle
    nouns = [m.form for m in said.list_nouns(phrase)]
    return marked and not CIRCUMSTANCES.union(ME).issuperset(nouns)


def _is_order(morphemes: Sequence[Morph], place: int, said: _FactReading) -> bool:
    """Tell whether a clause says what the assistant is to do: "깨워 주는 거"."""
    stem, form = morphemes[place - 1], morphemes[place].form
    given = stem.form.endswith("주") and form in ("는", *_WILL)
    others = any(
        p.is_subject or (p.is_topic and get_head(said.morphemes, p) in KIN | ROLES)
        for p in said.phrases
    )
    return given and not (others or said.is_mine)


def _is_remembered_by_others(said: _FactReading, fact: _Fact) -> bool:
    """Tell whether it is what somebody does, who is not asked to: "엄마가 … 기억해"."""
    marked = [p for p in said.phrases if p.is_subject or p.is_topic]
    heads = [get_head(said.morphemes, p) for p in marked]
    if not (fact.is_curt and heads):
        return False
    return (heads[0] in KIN | ROLES and said.is_mine) or any(h in _YOU for h in heads)


def _is_of_nobody(said: _FactReading) -> bool:
    """Tell whether a clause says what is done and not by whom: then by the user."""
    if not said.phrases or said.tag not in ("VV", "XSV"):
        return False
    nouns = [m for p in said.phrases for m in said.list_nouns(p)]
    named = nouns[0].tag == "NNP" and nouns[0].form not in PLACES
    persons = {*KIN, *ROLES, *_YOU}
    known = named or said.is_mine or any(m.form in persons for m in nouns)
    return not (known or said.has_subject)
