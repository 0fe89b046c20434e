"""Picks the sentences about the user that a stranger would understand by themselves.

What is said is cut into clauses; each is told in the third person with what its
pronouns mean. A clause that leaves a pronoun open, is no whole sentence or orders
something of the moment is not among them: nothing is better than half a sentence.
"""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.articles import select_article
from gieok.models.rules.english.clause import ClauseKind, EnglishClause, rewrite
from gieok.models.rules.english.continued import find_last_subject
from gieok.models.rules.english.fragments import (
    EVENTS,
    convert_small,
    render_fragment,
    render_named_action,
    restore_colon,
)
from gieok.models.rules.english.grammar import (
    ARTICLES,
    PREPOSITIONS,
    TIMES,
    find_verb,
    has_verb,
)
from gieok.models.rules.english.joined_statements import split_joined
from gieok.models.rules.english.openings import trim_fillers
from gieok.models.rules.english.people import claim_kin
from gieok.models.rules.english.reference import find_things, is_perfect
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.statements import StatedClause, render_statements
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    DAYS,
    DETERMINERS,
    OCCUPATIONS,
    PASSIVE,
    PERFECT,
    PERSONS,
)
from gieok.models.rules.questions import extract_question
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_SLANG: Final = _LISTS.compile_list("sound.slang")
_OPEN_ENDED: Final = _LISTS.get_words("sound.open_ended")
_POINTING: Final = _LISTS.compile_list("sound.pointing")
_VAGUE: Final = _LISTS.compile_list("sound.vague")
_LASTING: Final = _LISTS.compile_list("order.lasting")
_HOURS: Final = frozenset(
    {"half", "quarter", "noon", "midnight", "six", "seven", "eight"}
)
_SINCE: Final = compile_lazily(
    r"\b([Ss])ince(?= (?:a|two|three|four|five|six|ten|\d+) (?:week|month|year|day)s?\b"
    r"(?! ago))"
)
_BEING: Final = _LISTS.compile_list("sound.being")
_OCCUPATIONS: Final = tuple(OCCUPATIONS)
_REPORT: Final = compile_lazily(r"\b(?:say|says|said|thinks?|reckons?)\b")
_OWN: Final = compile_lazily(r"\b(?:i|we|i'\w+|we'\w+|me|us)\b", re.IGNORECASE)
_THEIRS: Final = compile_lazily(
    r"\W*(?:s?he\b|they\b(?! (?:say|said|tell|told|reckon|think|want|asked)\b))",
    re.IGNORECASE,
)
"""What opens with somebody else; "they said" is told to the user."""
_OF_OTHERS: Final = _LISTS.compile_list("sound.of_others")
_MASS: Final = _LISTS.get_words("sound.mass")
MAX_ADVERBIAL: Final = 22
"""Words and signs that say when or where the sentence before them is."""
FEWEST: Final = 3
"""Words of a sentence that says enough."""
MOST: Final = 28
"""Words of a sentence that says one thing."""
_ALREADY: Final = frozenset({"just", "already", "finally", "recently", "since"})
"""Adverbs behind which a participle is what somebody has done: "'s just started"."""
_BE: Final = frozenset({"is", "was", "are", "were"})
_BASE_AFTER: Final = frozenset(
    {"does", "did", "can", "cannot", "could", "will", "would"}
)


def select_statements(
    said: str,
    beside: Sequence[str],
    before: Sequence[str],
    asked: str = "",
    *,
    strict: bool = True,
) -> tuple[str, ...]:
    """Return what stands by itself in a clause that was said, each as one memory.

    `beside` are the clauses of the same message before it and `before` what was said
    earlier, both the nearest first; `asked` is what the assistant said right before.
    What is not `strict` has its pronouns resolved, and may be an order or clumsy.
    """
    found: list[str] = []
    beside, before = ([claim_kin(text) for text in texts] for texts in (beside, before))
    last = _get_last(beside, before, asked)
    text = _add_topic(said, asked)
    if beside and last is not None and (more := _render_adverbial(text)):
        return (f"{last}, {more}",)
    theirs = not _OWN.search(normalize_spelling(text)) and (
        _is_of_others(asked)
        or _has_topic(beside)
        or any(map(_THEIRS.match, (text, *beside[:1])))
    )
    reported = False
    if not beside and (answered := render_named_action(said, asked)):
        text = answered
    for one in render_statements(text, [*beside, *before], asked):
        own = one.clause is not None and one.clause.is_user
        skipped = (own and theirs) or (reported and one.joint.isalpha())
        last = None if skipped else _take(one, last, found, strict=strict)
        whole = text if one.clause is None else one.clause.text
        reported = _REPORT.search(whole) is not None
    near = [*beside, asked] if asked else beside
    alone = find_last_subject(near, asked) is None
    question = asked if not beside else ""
    if not found and (stated := render_fragment(said, question, is_own=alone)):
        for one in render_statements(stated, []):
            _take(one, None, found, strict=strict)
    told = (restore_colon(each) for text in found for each in _split_sound(text))
    return tuple(dict.fromkeys(told))


def _split_sound(text: str) -> tuple[str, ...]:
    """Return the facts that a sentence joins, if each stands by itself."""
    parts = split_joined(text)
    whole = len(parts) == 1 or any(has_flaw(each, is_user=True) for each in parts)
    return (text,) if whole else parts


def _is_of_others(asked: str) -> bool:
    """Tell whether what an answer leaves out is somebody else: "Was she Welsh?"."""
    return _OF_OTHERS.search(extract_question(asked)) is not None


def _has_topic(beside: Sequence[str]) -> bool:
    """Tell whether what was said right before only names something: "The cat."."""
    return (
        bool(beside)
        and not has_verb(split_tokens(beside[0]))
        and bool(list(find_things(split_tokens(beside[0]))))
    )


def _add_topic(said: str, asked: str) -> str:
    """Return "we never skip" with what the question named: "we never skip my walk"."""
    text = said.strip(" .!,")
    last = text.rpartition(" ")[2].lower()
    verbal = words.VERB in words.get_parts(last) and last not in AUXILIARIES
    if last not in _OPEN_ENDED or not verbal:
        return said
    question = split_tokens(extract_question(asked))
    named = {m.told for m in find_things(question) if m.told.startswith("my ")}
    return f"{text} {named.pop()}" if len(named) == 1 else said


def _render_adverbial(said: str) -> str | None:
    """Return when or where something is, said in no sentence, or nothing."""
    tokens = split_tokens(trim_fillers(normalize_spelling(said)))
    if not tokens or has_verb(tokens) or len(tokens) > MAX_ADVERBIAL:
        return None
    low = tokens[0].low
    if low not in PREPOSITIONS | TIMES | _HOURS and not low[:1].isdigit():
        return None
    text = rewrite(tokens, is_user=True)
    return None if _SLANG.search(text) else convert_small(text)


def _get_last(
    beside: Sequence[str], before: Sequence[str], asked: str = ""
) -> str | None:
    """Return the sentence right before, if it stands by itself."""
    if not beside:
        return None
    said = _add_topic(beside[0], asked)
    told = render_statements(said, [*beside[1:], *before], asked)
    return _render(told[-1].clause) if told else None


def _take(
    one: StatedClause, last: str | None, found: list[str], *, strict: bool
) -> str | None:
    """Add a clause to what was found, and return what the next may go on with."""
    text = _render(one.clause, strict=strict)
    if text is None and one.leaning is not None and last is not None:
        text = _render(one.leaning, carried=True, strict=strict)
        text = None if text is None else f"{last.rstrip('.')}. {text}"
    if text is None:
        return None
    joined = one.joint == "because" and found and found[-1] == last
    if joined:
        found[-1] = f"{last} because {convert_small(text)}"
        return found[-1]
    found.append(text)
    return text


def _render(
    one: EnglishClause | None, *, carried: bool = False, strict: bool = True
) -> str | None:
    """Return a clause as a sentence, or nothing if it does not stand by itself.

    One that is `carried` stands behind the sentence that it points at.
    """
    if one is None or one.kind in (ClauseKind.QUESTION, ClauseKind.FRAGMENT):
        return None
    text = one.text.strip(" .,;:-")
    text = text if one.is_user else _render_verb(text)
    text = _SINCE.sub(_render_for, _BEING.sub(_insert_article, text))
    if not carried and _POINTING.search(text):
        return None
    if strict and one.kind is ClauseKind.ORDER and not _LASTING.search(text):
        return None
    return None if strict and has_flaw(text, is_user=one.is_user) else text


def _insert_article(match: re.Match[str]) -> str:
    """Return "is pharmacist" as "is a pharmacist"."""
    if not match[2].lower().endswith(_OCCUPATIONS):
        return match[0]
    return f"{match[1]}{select_article(match[2])} {match[2]}"


def _render_for(match: re.Match[str]) -> str:
    return "For" if match[1] == "S" else "for"


def _render_verb(text: str) -> str:
    """Return "Terry's in Brisbane" with its verb written out."""
    tokens = split_tokens(text)
    place = find_verb(tokens)
    stem, mark, _ = (
        tokens[place].text.rpartition("'s") if place is not None else [""] * 3
    )
    if place is None or not mark:
        return text
    verb = "has" if _is_done(tokens, place + 1) else "is"
    told = [Token(stem, tokens[place].spaced), Token(verb)]
    return join_tokens([*tokens[:place], *told, *tokens[place + 1 :]])


def _is_done(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether "'s" before a word stands for "has"; "rent's covered" is covered."""
    skipped = len(tokens) > number + 1 and tokens[number].low in _ALREADY
    number += skipped
    low = tokens[number].low if number < len(tokens) else ""
    if skipped and is_perfect(low):
        return True
    after = tokens[number + 1].low if number + 1 < len(tokens) else ""
    direct = after in DETERMINERS | {"him", "her", "them", "it", "me"}
    done = is_perfect(low) or (direct and words.can_be(low, words.PARTICIPLE))
    thing = after not in TIMES | PREPOSITIONS and after.isalpha()
    thing = thing and words.get_parts(after)[0] == words.NOUN
    return low in PERFECT or (done and low not in PASSIVE and (direct or thing))


def has_flaw(text: str, *, is_user: bool) -> bool:
    """Tell whether a sentence in the third person is none, or says too little."""
    if _SLANG.search(text) or _VAGUE.search(text):
        return True
    tokens = split_tokens(text)
    count = sum(token.is_word for token in tokens)
    if not FEWEST <= count <= MOST or _is_open_ended(tokens, len(tokens) - 1):
        return True
    return (
        (not is_user and find_verb(tokens, int("'" not in tokens[0].text)) is None)
        or (not is_user and _has_bare_noun(tokens))
        or any(_is_broken(tokens, number) for number in range(1, len(tokens)))
        or _has_two_subjects(tokens)
    )


def _is_open_ended(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether a word asks for more behind it; "the third try" does not."""
    if tokens[number].low not in _OPEN_ENDED:
        return False
    parts = words.get_parts(tokens[number].low)
    before = tokens[number - 1].low if number else ""
    opened = before in ARTICLES or words.get_parts(before)[0] == words.ADJECTIVE
    return not (opened and words.NOUN in parts)


def _is_broken(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether a word cannot stand behind the one before it."""
    before, low = tokens[number - 1].low, tokens[number].low
    after = tokens[number + 1].low if number + 1 < len(tokens) else ""
    parts = words.get_parts(low)
    if before in _BE and parts == words.VERB:
        return True  # "is work"
    if before in _BASE_AFTER and parts[0] in (words.THIRD, words.PAST):
        return words.VERB not in parts
    if before == "user" and parts == words.NOUN and words.is_known(low):
        return True  # "the user heart"
    if low == "," and _is_open_ended(tokens, number - 1):
        return True
    doubled = before == low and low not in ("had", "that")
    return doubled or (before in ARTICLES and low in AUXILIARIES and after != "")


def _has_bare_noun(tokens: Sequence[Token]) -> bool:
    """Tell whether a sentence opens with no subject that anybody would know."""
    low = tokens[0].low.partition("'")[0]
    parts = words.get_parts(low)
    if parts[0] in (words.THIRD, words.PAST):
        return True
    if low == "the" and tokens[1].low in PERSONS:
        return not any(token.low.startswith("user") for token in tokens)
    plural = low.endswith("s") and not low.endswith("ss")
    timed = parts[0] == words.NOUN and low in TIMES - DAYS and not low.endswith("s")
    if timed and tokens[1].low in AUXILIARIES:
        return low not in _MASS
    common = words.is_known(low) or low in EVENTS
    return parts[0] == words.NOUN and common and not plural and low not in _MASS


def _has_two_subjects(tokens: Sequence[Token]) -> bool:
    """Tell whether two nouns stand side by side before the verb."""
    verb = find_verb(tokens, 1) or 0
    for number in range(2, verb):
        opens = tokens[number].low in DETERMINERS and tokens[number].low != "one"
        before = tokens[number - 1]
        joined = before.low in PREPOSITIONS | {"and", "or", "both", "all"}
        related = tokens[number + 1].low.startswith("user")
        if opens and before.is_word and not (joined or related):
            return not has_verb(tokens[number + 1 :])
    return False
