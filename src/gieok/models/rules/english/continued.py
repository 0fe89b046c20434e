"""Whom a clause without a subject goes on about: the user, or somebody spoken of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import FIRST, EnglishClause, get_stem
from gieok.models.rules.english.elided import is_of_first_person, render_elided
from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES, find_verb
from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.openings import trim_fillers
from gieok.models.rules.english.people import list_people
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.splitting import split_run
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import PERSONS, SEVERAL_PERSONS
from gieok.text.patterns import compile_lazily
from gieok.text.sentences import split_sentences

PERSONAL: Final = ("he", "she", "they")
_OWNING: Final = {"his": "he", "him": "he", "her": "she", "their": "they"}
_OBJECTS: Final = frozenset({"her", "him", "them"})
_LOOSE: Final = PREPOSITIONS | TIMES | {"", "and", "but", "now", "again", "too"}
_EMPTY: Final = frozenset({"it", "that", "this", "there"})
_OWN: Final = frozenset({"my", "me", "myself", "our", "us", "mine", "ours", "i", "we"})
_ELIDED: Final = (words.PAST, words.PARTICIPLE, words.GERUND)
_HEARD: Final = compile_lazily(
    r"\byou(?:'ve|'d)? (?:say|said|mention|mentioned|told|tell|think|know|mean)\b",
    re.IGNORECASE,
)
_GOVERNED: Final = compile_lazily(
    r"\b(?:with|for|to|at|from|by|of|in|on|between|about|after|over) (?:your|the) ",
    re.IGNORECASE,
)
_ASKED_TO_TELL: Final = compile_lazily(r"^\W*tell me(?: more)? about ", re.IGNORECASE)
_OPEN: Final = frozenset({"", "they"})
_GIVEN: Final = compile_lazily(
    r"\b(?:got|bought|gave|made|sent|told|getting|buying|giving|making|sending)"
    r" (?:her|them) ",
    re.IGNORECASE,
)
"""What has "her" as its object, be there a noun behind it: "got her flowers"."""
_EVENT: Final = compile_lazily(r"\bhappen\w*\b[^.!?]*\?", re.IGNORECASE)
"""What asks on about whom the user had just spoken of."""
_DEATH: Final = compile_lazily(
    r"(?:\w+ )??(?:died|passed (?:away|on))\b", re.IGNORECASE
)
"""What nobody says of themselves."""
MAX_SENTENCES: Final = 3
"""Sentences of a text in which a subject is looked for, its last ones."""
MAX_TEXTS: Final = 3
"""Texts before in which a subject is looked for, the nearest."""


@dataclass(frozen=True, slots=True)
class LastSubject:
    """Whom the words before are about, if that is not the user."""

    told: str
    """In the words of the user: "my mum Ruth", "she"; nothing if that is open."""
    is_asked: bool
    """Whether the assistant asked on about them."""


def find_last_subject(said: Sequence[str], asked: str) -> LastSubject | None:
    """Return whom a clause without a subject goes on about, nothing for the user.

    `said` are the texts before it, the nearest first; `asked` is that of them which the
    assistant said. A text that is about nobody leaves it to the one before.
    """
    is_asked = False
    for text in said[:MAX_TEXTS]:
        of_asked = bool(asked) and text == asked
        told = _find_question_subject(text) if of_asked else _find_subject(text)
        if told is not None:
            return None if told in FIRST else LastSubject(told, is_asked or of_asked)
        is_asked = is_asked or (of_asked and _EVENT.search(text) is not None)
    return None


def render_continued(
    found: EnglishClause, tokens: Sequence[Token], said: Sequence[str], asked: str
) -> EnglishClause | None:
    """Return a clause told of the user of whom it is, or nothing if that is open."""
    last = find_last_subject(said, asked)
    if last is None and _DEATH.match(join_tokens(tokens)):
        return None
    own = any(get_stem(token) in _OWN for token in tokens)
    if last is None or (is_of_first_person(tokens) and last.told not in _OPEN):
        return found
    if has_person_object(tokens) or (own and not last.is_asked):
        return found
    if own or not last.is_asked or last.told in ("", *PERSONAL):
        return None
    name = last.told.removeprefix("my ")
    owned = "The user's " if name != last.told else ""
    done = (render_elided(tokens) or found).text.removeprefix("The user ")
    told = f"{owned}{name} {done}"
    return EnglishClause(told, is_user=False)


def has_person_object(tokens: Sequence[Token]) -> bool:
    """Tell whether "her", "him" or "them" is what something is done to.

    Who leaves the subject out then is not that person: "taking her to Bath".
    """
    for number, token in enumerate(tokens):
        after = tokens[number + 1].low if number + 1 < len(tokens) else ""
        owning = token.low == "her" and words.is_known(after) and after not in _LOOSE
        if token.low in _OBJECTS and not owning:
            return True
    return _GIVEN.search(join_tokens(tokens)) is not None


def _list_last_sentences(text: str) -> list[str]:
    """Return the last sentences of a text, the last first."""
    sentences = split_sentences(text, at_semicolons=False)
    return sentences[: -MAX_SENTENCES - 1 : -1]


def _find_subject(text: str) -> str | None:
    """Return whom the last clause of the user's words is about, or nothing."""
    for sentence in _list_last_sentences(text):
        tokens = split_tokens(trim_fillers(normalize_spelling(sentence)))
        for _, clause in reversed(split_run(tokens)):
            verb = find_verb(clause)
            if not verb and words.get_parts(clause[0].low)[0] in _ELIDED:
                continue  # "went to Spain with my mum"
            end = len(clause) if verb is None else verb + ("'" in clause[verb].low)
            told = _find_in(clause[:end]) if end else None
            if told and verb is None and words.can_be(clause[0].low, words.VERB):
                told = ""  # "book a table for my mum"
            if told is not None:
                return told
            if end and verb is not None and get_stem(clause[0]) not in _EMPTY:
                return "i"
    return None


def _find_in(tokens: Sequence[Token]) -> str | None:
    """Return whom the subject of a clause is: "i", "she", "my mum"; nothing if nobody.

    Of several, as of somebody unknown, it is only said that there is one: "".
    """
    stems = [get_stem(token) for token in tokens]
    if own := [stem for stem in stems if stem in FIRST]:
        return own[0]
    pronouns = [_OWNING.get(stem, stem) for stem in stems]
    if meant := [pronoun for pronoun in pronouns if pronoun in PERSONAL]:
        return meant[0]
    named = any(stem in PERSONS | SEVERAL_PERSONS | GIVEN_NAMES for stem in stems)
    people = list_people(join_tokens(tokens))
    if not named and not people:
        return None
    many = "and" in stems or not SEVERAL_PERSONS.isdisjoint(stems)
    owning = any("'" in t.low and get_stem(t) in PERSONS for t in tokens[1:-1])
    unknown = any(one.startswith(("the ", "his ", "her ", "their ")) for one in people)
    sure = len(people) == 1 and not (many or unknown or owning)
    return people[0] if sure else ""


def _find_question_subject(text: str) -> str | None:
    """Return whom the assistant's last words ask about, or nothing."""
    for sentence in _list_last_sentences(text):
        asking = _ASKED_TO_TELL.match(sentence) is not None
        heard = _HEARD.sub("", trim_fillers(_ASKED_TO_TELL.sub("", sentence)))
        tokens = _drop_address(split_tokens(heard))
        stems = [get_stem(token) for token in tokens]
        place = stems.index("you") if "you" in stems else len(stems)
        kept = [token for token in tokens[:place] if get_stem(token) not in FIRST]
        told = _find_in(kept)
        governed = _GOVERNED.search(join_tokens(kept)) is not None
        if told is not None:
            real = asking or sentence.rstrip().endswith("?")
            return told if real and (told in PERSONAL or not governed) else ""
        if place < len(stems):
            return "i"
    return None


def _drop_address(tokens: Sequence[Token]) -> list[Token]:
    """Return what the assistant said without the name that it calls the user by."""
    kept: list[Token] = []
    for number, token in enumerate(tokens):
        closed = not tokens[number + 1 : number + 2] or not tokens[number + 1].is_word
        called = closed and (not number or tokens[number - 1].text == ",")
        if not (called and token.low in GIVEN_NAMES):
            kept.append(token)
    return kept
