"""Words what was said in English as a sentence about the user.

A clause is told by its subject. "I" and "we" are the user; a subject that was left out
("sold the cows", "allergic to bees") is the user too; "she" is whom the words before
name; an order is what the user wants of the assistant. What fits none of these is no
sentence, and is left to the caller.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.asking import is_question
from gieok.models.rules.english.clause import (
    FIRST,
    THIRD,
    ClauseKind,
    EnglishClause,
    get_stem,
    render_other_clause,
    render_user_clause,
    rewrite,
)
from gieok.models.rules.english.continued import (
    PERSONAL,
    find_last_subject,
    has_person_object,
    render_continued,
)
from gieok.models.rules.english.elided import render_elided
from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES, find_verb, has_verb
from gieok.models.rules.english.joint_actions import name_company, needs_company
from gieok.models.rules.english.openings import drop_vocative, trim_fillers
from gieok.models.rules.english.orders import render_order, render_request
from gieok.models.rules.english.people import claim_kin, find_person
from gieok.models.rules.english.reference import is_perfect
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.splitting import split_run
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.verbs import conjugate_word
from gieok.models.rules.english.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    OWNED,
    PERSONS,
    SUBORDINATORS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_DUMMY: Final = _LISTS.compile_list("clause.dummy")
_TAG: Final = _LISTS.compile_list("opening.tags")
_JOINT: Final = compile_lazily(r"\W*(and|but|so|because)\b(?! that)", re.IGNORECASE)
_OWN_NAME: Final = compile_lazily(
    r"^(?:it's|this is|it is) ([A-Z][a-z]+)(?: here| again| this side)?$", re.IGNORECASE
)
_POSSESSIVES: Final = {"his": "he", "her": "she", "their": "they"}
_WE: Final = {
    "we": "they", "we're": "they are", "we've": "they have", "we'll": "they will",
    "we'd": "they would",
}  # fmt: skip
_DOING: Final = (words.GERUND, words.PARTICIPLE, words.PAST, words.ADVERB)
_MAX_OPENING: Final = 8
"""Words that may stand before the subject ("Since January I …")."""
_MAX_FRONTED: Final = 6
MAX_NAMED: Final = 3
"""Words that only name what several are."""


def render_clauses(
    text: str, before: Sequence[str], asked: str = ""
) -> list[EnglishClause]:
    """Return each clause of a text in the third person, or said to be no sentence.

    `before` are the texts said before it, the nearest first; `asked` is that of them
    which the assistant said.
    """
    told: list[EnglishClause] = []
    said: list[str] = [claim_kin(each) for each in before]
    for joint, clause in split_text(text):
        tokens = name_company(split_tokens(clause), said)
        one = render_clause(tokens, said) or keep_fragment(tokens, clause)
        one = _resolve_subject(one, tokens, said, asked)
        said.insert(0, clause)
        told.append(replace(one, joint=joint))
    return told


def split_text(text: str) -> Iterator[tuple[str, str]]:
    """Yield each clause of a text without fillers, with the joint before it."""
    plain = claim_kin(normalize_spelling(_TAG.sub("", text)))
    opened = _JOINT.match(plain)
    runs = split_run(split_tokens(trim_fillers(plain)))
    for number, (between, run) in enumerate(runs):
        clause = trim_fillers(join_tokens(run))
        if clause:
            yield (opened[1].lower() if opened and not number else between), clause


def keep_fragment(tokens: Sequence[Token], clause: str) -> EnglishClause:
    """Return what is no sentence in the words that were said."""
    asks = is_question(tokens)
    kind = ClauseKind.QUESTION if asks else ClauseKind.FRAGMENT
    return EnglishClause(clause, is_user=False, kind=kind)


def render_clause(said: Sequence[Token], before: Sequence[str]) -> EnglishClause | None:
    """Return one clause in the third person, by what its subject is."""
    tokens = drop_vocative(said) if said else said
    if not tokens:
        return None
    found = render_request(tokens) or _render_pair(tokens) or _render_own(tokens)
    if found is not None or is_question(tokens):
        return found
    if get_stem(tokens[0]) in THIRD | _POSSESSIVES.keys():
        return _render_pronoun(tokens, before)
    if tokens[0].low in SUBORDINATORS:
        return _render_subordinate(tokens) or _render_opened(tokens)
    return (
        _render_opened(tokens)
        or render_order(tokens)
        or render_elided(tokens)
        or _render_noun(tokens)
    )


def _resolve_subject(
    one: EnglishClause, tokens: Sequence[Token], before: Sequence[str], asked: str
) -> EnglishClause:
    """Return 'sold the cows' told of whom the words before are about."""
    if not one.is_elided:
        return one
    last = find_last_subject(before, asked)
    named = last is not None and last.told in PERSONAL
    if last is not None and named and not has_person_object(tokens):
        spaced = Token(tokens[0].text)
        resumed = [Token(last.told), spaced, *tokens[1:]]
        found = _render_pronoun(resumed, before)
    else:
        found = render_continued(one, tokens, before, asked)
    return found or keep_fragment(tokens, join_tokens(tokens))


def _render_own(tokens: Sequence[Token]) -> EnglishClause | None:
    """'I live in Leeds', 'we keep two goats'; "we are five" is what the user says."""
    if get_stem(tokens[0]) not in FIRST or len(tokens) == 1:
        return None
    if not needs_company(tokens):
        return render_user_clause(_name_one(tokens))
    rest = rewrite(tokens[1:], is_user=False)
    return EnglishClause(f"The user says {_WE[tokens[0].low]} {rest}", is_user=True)


def _name_one(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return "we're vegetarians" as "I'm a vegetarian"."""
    rest = tokens[1 + (tokens[1].low == "are") :]
    being = tokens[0].low == "we're" or len(rest) + 1 < len(tokens)
    opening = rest[0].low if rest else ""
    doing = words.get_parts(opening)[0] in _DOING and opening != "all"
    if not being or doing or not _is_many(rest):
        return tokens
    *before, last = (token.text for token in rest if token.low != "all")
    one = last[:-3] + "y" if last.endswith("ies") else last[:-1]
    one = last[:-2] if last.endswith(("sses", "shes", "ches", "xes")) else one
    named = " ".join([*before, one])
    return split_tokens(f"I'm {select_article(named)} {named}")


def _is_many(tokens: Sequence[Token]) -> bool:
    """Tell whether a few words only name several: "all translators"."""
    low = tokens[-1].low if tokens else ""
    plural = low.endswith("s") and not low.endswith("ss")
    nominal = words.get_parts(low)[0] == words.NOUN and low not in TIMES
    named = not any(token.low in PREPOSITIONS | DETERMINERS for token in tokens[:-1])
    few = len(tokens) <= MAX_NAMED and (named or tokens[0].low == "all")
    return plural and nominal and few


def _render_pair(tokens: Sequence[Token]) -> EnglishClause | None:
    """'me and Tammy are …', 'my wife and I go …': both are told."""
    lows = [token.low for token in tokens]
    if lows[0] in ("me", "i") and lows[1:2] == ["and"]:
        verb = _find_plural_verb(tokens, 3)
        return None if verb is None else _render_both(tokens[2:verb], tokens[verb:])
    pairs = (["and", "i"], ["and", "me"])
    for number in range(1, min(_MAX_FRONTED, len(lows) - 2)):
        paired = lows[number : number + 2] in pairs and tokens[number + 2].is_word
        if paired and _is_person(tokens[:number]):
            return _render_both(tokens[:number], tokens[number + 2 :])
    return None


def _find_plural_verb(tokens: Sequence[Token], start: int) -> int | None:
    """Return the place of the first word that may be what two people do."""
    for number in range(start, len(tokens)):
        parts = words.get_parts(tokens[number].low)
        verbal = {words.VERB, words.PAST} & set(parts) and parts[0] != words.ADJECTIVE
        if verbal or tokens[number].low in AUXILIARIES:
            return number
    return None


def _render_both(who: Sequence[Token], rest: Sequence[Token]) -> EnglishClause:
    name = rewrite(who, is_user=True)
    if " " not in name and not words.is_known(name.lower()):
        name = name[:1].upper() + name[1:]
    told = f"The user and {name} {rewrite(rest, is_user=False)}"
    return EnglishClause(told, is_user=True)


def _is_person(tokens: Sequence[Token]) -> bool:
    """Tell whether words name somebody: "my wife", "Rhys"."""
    if tokens[0].low in ("my", "our"):
        common = [token for token in tokens if not token.text[:1].isupper()]
        return all(token.is_word for token in tokens) and find_verb(common) is None
    return len(tokens) == 1 and not words.is_known(tokens[0].low)


def _render_pronoun(
    tokens: Sequence[Token], before: Sequence[str]
) -> EnglishClause | None:
    """'she says …', 'his wife is …', where the words before tell who it is."""
    stem, _, rest = tokens[0].low.partition("'")
    if name := _find_own_name(tokens):
        return EnglishClause(f"The user is called {name}", is_user=True)
    if not rest and find_verb(tokens, int(stem in _POSSESSIVES)) is None:
        return None
    pronoun = _POSSESSIVES.get(stem, stem)
    who = find_person(pronoun, before) if pronoun in ("he", "she", "they") else None
    if who is not None and stem in _POSSESSIVES:
        return render_other_clause([*split_tokens(f"{who}'s"), *tokens[1:]])
    if who is not None:
        return _render_named(who, rest, tokens[1:])
    explained = stem == "it" and _DUMMY.match(join_tokens(tokens))
    return render_other_clause(
        tokens, ClauseKind.SENTENCE if explained else ClauseKind.LEANING
    )


def _find_own_name(tokens: Sequence[Token]) -> str:
    """Return the name of "it's Gaz here", which only opens a talk."""
    match = _OWN_NAME.match(join_tokens(tokens))
    name = match[1] if match else ""
    return "" if words.is_known(name.lower()) or name.lower() in TIMES else name


def _render_named(who: str, rest: str, tokens: Sequence[Token]) -> EnglishClause:
    """Return a clause with somebody named in the place of a pronoun."""
    after = tokens[0].low if tokens else ""
    verb = {"re": "are", "ve": "have", "ll": "will"}.get(rest, "")
    if rest == "s":
        verb = "has" if is_perfect(_get_after_adverb(tokens)) else "is"
    if rest == "d":
        verb = "would" if words.can_be(after, words.VERB) else "had"
    auxiliary = [Token(verb)] if verb else []
    return render_other_clause([*split_tokens(who), *auxiliary, *tokens])


def _get_after_adverb(tokens: Sequence[Token]) -> str:
    """Return the first word that is no adverb like "just"."""
    lows = [token.low for token in tokens[:2]]
    adverb = len(lows) > 1 and lows[0] in ADVERBS
    return lows[adverb] if lows else ""


def _render_subordinate(tokens: Sequence[Token]) -> EnglishClause | None:
    """'If I were rich, I would …': both clauses, in their order."""
    comma = next((n for n, t in enumerate(tokens) if t.text == ","), None)
    if comma is None:
        subjects = [n for n, t in enumerate(tokens) if n > 1 and get_stem(t) in FIRST]
        own = len(tokens) > 1 and get_stem(tokens[1]) in FIRST
        if len(subjects) + own < 2:  # noqa: PLR2004  (of both clauses)
            return None
        comma = subjects[-1] - 1
    main = tokens[comma + 1 :]
    wanted = (render_request(main) or render_order(main)) if main else None
    if wanted is not None:
        opening = rewrite(tokens[:comma], is_user=False)
        return replace(wanted, text=f"{wanted.text} {opening[:1].lower()}{opening[1:]}")
    leans = bool(main) and get_stem(main[0]) in THIRD
    if not main or leans or find_verb(main) is None:
        return None
    return render_other_clause(tokens)


def _render_opened(tokens: Sequence[Token]) -> EnglishClause | None:
    """'Since January I …', 'after 9 my shop …': what stands before stays."""
    if tokens[0].low not in PREPOSITIONS and tokens[0].low not in TIMES:
        return None
    for number in range(1, min(len(tokens), _MAX_OPENING)):
        if has_verb(tokens[:number]):
            return None
        if get_stem(tokens[number]) in FIRST:
            return replace(render_other_clause(tokens), is_user=True)
        governed = tokens[number - 1].low in PREPOSITIONS
        owned = tokens[number].low in ("my", "our", "there", "the") and not governed
        if owned and find_verb(tokens[number:], 1) is not None:
            return render_other_clause(tokens)
    return None


def _render_noun(tokens: Sequence[Token]) -> EnglishClause | None:
    """'my goat is called Pip', 'the preacher compared …', 'exam is on Monday'."""
    if tokens[0].low in ("mine", "ours"):
        return None
    kept = _drop_resumed(tokens)
    verb = find_verb(kept, int("'" not in kept[0].low))
    if verb is None:
        verb = _find_fronted(kept)
    if verb is None:
        return None
    several = any(token.low == "and" for token in kept[:verb])
    if verb and kept[verb - 1].low in PERSONS and not several:
        is_base = words.get_parts(kept[verb].low)[0] == words.VERB
        kept[verb] = Token(conjugate_word(kept[verb].text)) if is_base else kept[verb]
    if get_stem(kept[0]) in OWNED:
        noun = kept[0].text if kept[0].text.isupper() else kept[0].text.lower()
        kept = [Token("my", spaced=False), Token(noun), *kept[1:]]
    return render_other_clause(kept)


def _drop_resumed(tokens: Sequence[Token]) -> list[Token]:
    """Return "my mother she is" without the pronoun that says the subject again."""
    if tokens[0].low not in ("my", "our", "the"):
        return list(tokens)
    for number in range(2, min(_MAX_FRONTED - 1, len(tokens) - 1)):
        stem, _, rest = tokens[number].low.partition("'")
        if stem in ("he", "she") and find_verb(tokens[:number]) is None:
            verb = [Token("is")] if rest == "s" else []
            return [*tokens[:number], *verb, *tokens[number + 1 :]]
    return list(tokens)


def _find_fronted(tokens: Sequence[Token]) -> int | None:
    """Return where "Group 1 I have cleared" has its subject, if it is the user."""
    for number in range(1, min(_MAX_FRONTED, len(tokens) - 1)):
        if tokens[number].low == "i" and tokens[number - 1].is_word:
            return None if has_verb(tokens[:number]) else number
    return None
