"""Tells each clause of English talk with what its words mean, or says it stays open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import FIRST, EnglishClause, get_stem
from gieok.models.rules.english.clause_wording import (
    keep_fragment,
    render_clause,
    split_text,
)
from gieok.models.rules.english.continued import render_continued
from gieok.models.rules.english.grammar import PRONOUNS, find_verb
from gieok.models.rules.english.joint_actions import name_company
from gieok.models.rules.english.reference import (
    MAX_TEXTS,
    find_owned,
    find_things,
    resolve_references,
)
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.splitting import split_loose_ends
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import OWNED
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_PARTING: Final = frozenset({"and", "so", "because", "but", "where", "which"})
_CARRIED_ON: Final = frozenset({"it", "that", "they"})
_GOING: Final = frozenset({"go", "went", "going", "been"})
_DIRECTED: Final = frozenset(
    {"to", "home", "out", "back", "away", "for", "with", "by", "through", "in"}
    | {"off", "up", "down", "into", "round", "over", "from", "at"}
)
_PLACE: Final = compile_lazily(
    r"\b(?:to|at) (?P<place>(?:the|my|our|a|an) \w+(?: \w+){0,3}?)"
    r"(?=[,.!?;]|$| (?:on|in|at|every|for|with|and|so|because)\b)",
    re.IGNORECASE,
)
_COPULAS: Final = frozenset({"isn't", "aren't", "is", "are", "not"})
_BEING: Final = frozenset({"i'm", "we're", "am", "are", "is"})
_RESUMED: Final = frozenset({"he", "she", "it", "they"})
_NAMING: Final = frozenset({"is", "was"})
_GAINED: Final = compile_lazily(
    r"\b(?:i|we|i've|we've) (?:just |now |finally )?"
    r"(?:have|had|got|adopted|bought|rescued|welcomed|are getting)\b",
    re.IGNORECASE,
)
_BROUGHT: Final = compile_lazily(
    r"\b(?:i|we) (?:just |finally )?(?:got|bought|adopted|rescued) an? .*,$",
    re.IGNORECASE,
)
_OWNERS: Final = frozenset({"my", "our", "the"})
_PARTICIPLES: Final = _LISTS.get_spellings("verb.participles")
MAX_NAMED: Final = 4
"""Words of a subject that is named behind its sentence."""
MIN_KEPT: Final = 3
"""Words of a clause that is cut short."""


@dataclass(frozen=True, slots=True)
class StatedClause:
    """One clause whose words all mean something, or what keeps it from that."""

    clause: EnglishClause | None
    leaning: EnglishClause | None = None
    """The clause where only its subject is open, which the sentence before explains."""
    joint: str = ""


def render_statements(
    text: str, before: Sequence[str], asked: str = ""
) -> list[StatedClause]:
    """Return each clause of a text with what its pronouns mean, without loose ends.

    `before` are the texts said before it, the nearest first; `asked` is that of them
    which the assistant said.
    """
    told: list[StatedClause] = []
    said: list[str] = list(before)
    for joint, clause in split_text(text):
        tokens = _resume_subject(split_tokens(clause))
        for number, part in enumerate(split_loose_ends(tokens)):
            stated = _render_shortened(part, said, "" if number else joint)
            told.append(_resolve_subject(stated, part, said, asked))
            said.insert(0, f"{join_tokens(part)},")
    return told


def _resolve_subject(
    stated: StatedClause, tokens: Sequence[Token], said: Sequence[str], asked: str
) -> StatedClause:
    """Return what is told without its subject with whom the words before are about."""
    one = stated.clause
    if one is None or not one.is_elided:
        return stated
    return replace(stated, clause=render_continued(one, tokens, said, asked))


def _render_shortened(
    tokens: Sequence[Token], said: Sequence[str], joint: str
) -> StatedClause:
    """Return a clause, up to the joint behind which a pronoun stays open if need be."""
    stated = _render_stated(tokens, said, joint)
    for end in range(len(tokens) - 1, MIN_KEPT - 1, -1):
        if stated.clause is not None or stated.leaning is not None:
            break
        if tokens[end].low in _PARTING and find_verb(tokens[:end], 1) is not None:
            stated = _render_stated(tokens[:end], said, joint)
    return stated


def _render_stated(
    tokens: Sequence[Token], said: Sequence[str], joint: str
) -> StatedClause:
    """Return one clause, or where its subject is open, that."""
    tokens = name_company(_drop_open_time(tokens), said)
    tokens = _convert_noun(_render_heard(tokens), said)
    tokens = _name_place(_restore_predicate(tokens, said), said)
    meant = resolve_references(tokens, said) or resolve_references(
        _render_anonymous(tokens), said
    )
    if meant is not None:
        one = render_clause(meant, ()) or keep_fragment(meant, join_tokens(meant))
        return StatedClause(one, joint=joint)
    opens = tokens[0].low.partition("'")[0] in _CARRIED_ON
    rest = resolve_references(tokens[1:], said) if opens and tokens[1:] else None
    if rest is None:
        return StatedClause(None, joint=joint)
    return StatedClause(None, render_clause([tokens[0], *rest], ()), joint)


def _drop_open_time(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "before that I was a cook" without the time that others name."""
    lows = [token.low for token in tokens[:2]]
    if len(tokens) < MIN_KEPT + 1 or lows[0] not in ("before", "after", "since"):
        return tokens
    opened = lows[1] in ("that", "this", "then") and get_stem(tokens[2]) in FIRST
    return tokens[2:] if opened else tokens


def _convert_noun(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return "turtle is ill" as "my turtle is ill", where it is the user's."""
    stem, mark, rest = tokens[0].text.partition("'")
    if stem.lower() == "name":
        bearer = _render_bearer(tokens, said)
        name = Token(tokens[0].text.lower()) if bearer else tokens[0]
        return [*bearer, name, *tokens[1:]]
    if words.get_parts(stem.lower())[0] != words.NOUN or stem.lower() in OWNED:
        return tokens
    whose = find_owned(stem.lower(), said)
    if whose is None:
        return tokens
    *opening, noun = split_tokens(whose)
    return [*opening, Token(noun.text + mark + rest), *tokens[1:]]


def _render_bearer(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return whose a name is that is told after "we got a puppy": the puppy's.

    Nothing, so that it is the user's, if nobody came into their home just before; open
    where several did, or a thing of the same sentence: "we got a vacuum, name's Dusty".
    """
    after = {token.low for token in tokens[1:2]}
    if tokens[0].low != "name's" and after.isdisjoint(_NAMING):
        return ()
    sentences = [text for text in said[:MAX_TEXTS] if _GAINED.search(text)]
    if not sentences:
        return ()
    gained = split_tokens(sentences[0])
    bearers = {m.told for m in find_things(gained) if m.is_person}
    if not bearers and not _BROUGHT.search(sentences[0]):
        return ()
    return split_tokens(f"{bearers.pop()}'s" if len(bearers) == 1 else "its")


def _name_place(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return "I go there", or "I go on Mondays", with the one place named before."""
    lows = [token.low for token in tokens]
    if get_stem(tokens[0]) not in FIRST | {"my"} or not said:
        return tokens
    there = lows.index("there") if "there" in lows[1:] else None
    goes = len(lows) > 1 and lows[1] in _GOING and not _DIRECTED & {*lows}
    if there is None and not goes:
        return tokens
    found = [*_PLACE.finditer(normalize_spelling(said[0]))]
    named = found[0]["place"].split() if len(found) == 1 else []
    if not named or find_verb(split_tokens(f"it {found[0]['place']}"), 1) is not None:
        return tokens
    place = there if there is not None else 2
    stays = "been" in lows and bool({"since", "for"} & {*lows})
    moving = goes or (bool(_GOING & {*lows[:there]}) and not stays)
    phrase = split_tokens(f"{'to' if moving else 'at'} {' '.join(named)}")
    spaced = [Token(token.text) for token in phrase]
    return [*tokens[:place], *spaced, *tokens[place + (there is not None) :]]


def _restore_predicate(tokens: Sequence[Token], said: Sequence[str]) -> Sequence[Token]:
    """Return "my wife isn't", behind "I'm vegan", with what she is not."""
    if tokens[-1].low not in _COPULAS or len(tokens) < MIN_KEPT or not said:
        return tokens
    before = split_tokens(normalize_spelling(said[0]).rstrip(" .!?,"))
    own = [n for n, t in enumerate(before[:MAX_NAMED]) if t.low in _BEING]
    rest = before[own[0] + 1 :] if own else ()
    whole = 0 < len(rest) <= MAX_NAMED and not any(t.low in PRONOUNS for t in rest)
    return [*tokens, *rest] if whole else tokens


def _render_anonymous(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "they put me on pills" as what was done to the user by somebody."""
    stem, _, rest = tokens[0].low.partition("'")
    if stem != "they" or len(tokens) < MIN_KEPT:
        return tokens
    perfect = rest == "ve" or tokens[1].low == "have"
    place = 1 + (tokens[1].low in ("have", "just")) + (tokens[2].low == "just")
    verb, *others = tokens[place:] or [tokens[1]]
    done = _PARTICIPLES.get(verb.low, verb.low)
    parts = words.get_parts(verb.low)
    usual = words.PAST in parts or words.PARTICIPLE in parts
    if not others or others[0].low not in ("me", "us") or not usual:
        return tokens
    return [*split_tokens(f"I {'have been' if perfect else 'was'} {done}"), *others[1:]]


def _resume_subject(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "she's a nurse, my aunt" with its subject where a pronoun stands."""
    stem, mark, rest = tokens[0].low.partition("'")
    place = next((n for n in range(len(tokens) - 1, 1, -1) if not tokens[n].is_word), 0)
    named = tokens[place + 1 :]
    if stem not in _RESUMED or not place or tokens[place].text != "," or not named:
        return tokens
    whole = named[0].low in _OWNERS and len(named) <= MAX_NAMED
    if not whole or find_verb(named, 1) is not None:
        return tokens
    subject = [*named[:-1], Token(named[-1].text + mark + rest)]
    return [*subject, *tokens[1:place]]


def _render_heard(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "they said Orla is ill" as what the user was told."""
    lows = [token.low for token in tokens[:4]]
    if lows[:2] not in (["they", "said"], ["they", "say"], ["they", "told"]):
        return tokens
    rest = tokens[3 if lows[2:3] in (["me"], ["us"], ["that"]) else 2 :]
    if not rest or find_verb(rest, 1) is None or get_stem(rest[0]) in ("it", "that"):
        return tokens
    return [*split_tokens("I was told that"), *rest]
