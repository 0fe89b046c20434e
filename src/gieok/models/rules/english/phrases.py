"""What the words of an English sentence name: numbers, days, people and things."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from gieok.models.rules.english import words
from gieok.models.rules.english.grammar import (
    OBJECTS,
    PREPOSITIONS,
    PRONOUNS,
    TIMES,
    is_finite,
)
from gieok.models.rules.english.tokens import Token, split_tokens
from gieok.models.rules.english.vocabulary import AUXILIARIES, DETERMINERS, NOMINATIVES
from gieok.models.rules.lexicon import KIN_EN
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "corrections.toml")

MAX_WORDS: Final = 6
"""Words of what is right."""

_IDLE: Final = _LISTS.get_words("idle_en")
NUMBERS: Final = _LISTS.get_words("numbers_en")
_DAYS: Final = _LISTS.get_words("days_en")
_MONTHS: Final = _LISTS.get_words("months_en")
_PARTS_OF_DAY: Final = _LISTS.get_words("parts_of_day_en")
NUMBER: Final = compile_lazily(r"\d[\d:.,/]*(?:am|pm|st|nd|rd|th|k|kg|cm|m|s)?")
GRAMMAR: Final = (
    AUXILIARIES | PRONOUNS | OBJECTS | NOMINATIVES | {"to", "and", "or", "but", "not"}
)
_BE: Final = frozenset({"am", "is", "are", "was", "were", "been", "be"})


class WordKind(Enum):
    """What kind of thing a word names."""

    NUMBER = auto()
    DAY = auto()
    MONTH = auto()
    PART_OF_DAY = auto()
    PERSON = auto()
    NAME = auto()
    NOUN = auto()
    QUALITY = auto()


class EnglishPhrase(NamedTuple):
    """Words of a sentence that name one thing."""

    first: int
    last: int
    kind: WordKind
    determiner: bool
    """Whether the word before it is one."""
    preposition: str


class EnglishSentence(NamedTuple):
    """A sentence with its words and where each begins."""

    text: str
    tokens: tuple[Token, ...]
    starts: tuple[int, ...]
    is_opened: bool = False
    """Whether it stands behind other words, so that its first capital means a name."""

    def get_span(self, first: int, last: int) -> tuple[int, int]:
        """Return where words begin and end in the text."""
        return self.starts[first], self.starts[last] + len(self.tokens[last].text)

    def get_words(self, phrase: EnglishPhrase) -> str:
        """Return the words of a phrase."""
        start, end = self.get_span(phrase.first, phrase.last)
        return self.text[start:end]


def read_sentence(text: str, *, is_opened: bool = False) -> EnglishSentence:
    """Return a sentence with its words; `is_opened` as `EnglishSentence` has it."""
    tokens = split_tokens(text)
    starts: list[int] = []
    place = 0
    for token in tokens:
        place = text.index(token.text, place)
        starts.append(place)
        place += len(token.text)
    return EnglishSentence(text, tokens, tuple(starts), is_opened)


def classify_word(said: EnglishSentence, place: int) -> WordKind | None:
    """Return what kind of thing a word names, if any."""
    token = said.tokens[place]
    counted = _classify_counted(said.tokens, place)
    if counted is not None or not token.is_word:
        return counted
    grammar = DETERMINERS | PREPOSITIONS | TIMES | GRAMMAR | _IDLE
    if token.low in grammar or "'" in token.low or "’" in token.low:
        return None
    is_named = place or said.is_opened or not words.is_known(token.low)
    if token.text[0].isupper() and is_named:
        return WordKind.NAME
    return _classify_common(said.tokens, place)


def _classify_counted(tokens: Sequence[Token], place: int) -> WordKind | None:
    """Return of which of the kinds a word is that hold few words."""
    low = tokens[place].low
    kinds = {
        WordKind.NUMBER: NUMBER.fullmatch(low) is not None or low in NUMBERS,
        WordKind.DAY: low in _DAYS,
        WordKind.PART_OF_DAY: low in _PARTS_OF_DAY,
        WordKind.MONTH: low in _MONTHS and _is_month(tokens, place),
        WordKind.PERSON: low in KIN_EN or low.removesuffix("s") in KIN_EN,
    }
    return next((kind for kind, is_one in kinds.items() if is_one), None)


def _is_month(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a word that may be a verb ("may", "march") is a month."""
    if tokens[place].low not in ("may", "march", "mar", "sep", "dec"):
        return True
    around = [*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2]]
    return tokens[place].text[0].isupper() or any(
        NUMBER.fullmatch(one.low) or one.low in ("in", "of", "since") for one in around
    )


def _classify_common(tokens: Sequence[Token], place: int) -> WordKind | None:
    """Return whether a common word names a thing, or says how one is."""
    low, before = tokens[place].low, tokens[place - 1].low if place else ""
    if is_finite(tokens, place):
        return None
    parts = words.get_parts(low)
    behind = before in DETERMINERS or before in PREPOSITIONS
    if parts[0] == words.ADJECTIVE:
        return WordKind.QUALITY
    if parts[0] == words.GERUND:
        moving = before in _BE or before.endswith(("'m", "'s", "'re", "’m", "’s"))
        return None if moving else WordKind.NOUN
    if parts[0] == words.NOUN or (behind and words.NOUN in parts):
        return WordKind.NOUN
    return None


def find_phrases(said: EnglishSentence) -> list[EnglishPhrase]:
    """Return what a sentence names, in order; things of several words as one."""
    tokens, found = said.tokens, list[EnglishPhrase]()
    place = 0
    while place < len(tokens):
        kind = classify_word(said, place)
        if kind is None:
            place += 1
            continue
        first = place
        while place + 1 < len(tokens) and _is_continued(said, place, kind):
            place += 1
            after = classify_word(said, place)
            kind = WordKind.NOUN if kind is WordKind.QUALITY and after else kind
        opening = first - 1
        has_determiner = opening >= 0 and tokens[opening].low in DETERMINERS
        opening -= has_determiner
        before = tokens[opening].low if opening >= 0 else ""
        found.append(
            EnglishPhrase(
                first,
                place,
                kind,
                has_determiner,
                before if before in PREPOSITIONS else "",
            )
        )
        place += 1
    return found


def _is_continued(said: EnglishSentence, place: int, kind: WordKind) -> bool:
    """Tell whether the next word belongs to the same name or thing."""
    after = classify_word(said, place + 1)
    if kind is WordKind.NAME:
        return after is WordKind.NAME
    if kind is WordKind.QUALITY:
        return after in (WordKind.NOUN, WordKind.QUALITY)
    return kind is WordKind.NOUN and after is WordKind.NOUN


def parse_phrases(right: EnglishSentence) -> list[EnglishPhrase] | None:
    """Return what is right as the things it names; None if it says anything else."""
    if len(right.tokens) > MAX_WORDS:
        return None
    phrases = find_phrases(right)
    named = {n for one in phrases for n in range(one.first, one.last + 1)}
    for place, token in enumerate(right.tokens):
        opens = token.low in DETERMINERS or token.low in PREPOSITIONS
        if place not in named and not (opens and place + 1 < len(right.tokens)):
            return None
    return phrases or None
