"""Where one clause ends in run-on English."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.asking import is_inverted
from gieok.models.rules.english.clause import FIRST, get_stem
from gieok.models.rules.english.grammar import (
    ARTICLES,
    OBJECTS,
    PREPOSITIONS,
    PRONOUNS,
    TIMES,
    find_verb,
    has_verb,
    is_finite,
)
from gieok.models.rules.english.tokens import Token
from gieok.models.rules.english.vocabulary import (
    ASKING,
    AUXILIARIES,
    DAYS,
    DETERMINERS,
    NOMINATIVES,
    SUBORDINATORS,
    SURE_ORDERS,
)
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")
_COMPLEMENT: Final = _LISTS.get_words("clause.complement")
_DEFINITE: Final = _LISTS.get_words("clause.definite")
_JOINING: Final = frozenset({"and", "but", "so", "because", "plus"})
_LINKING: Final = _JOINING | {"when", "if", "that"}
_ASKED_OF: Final = FIRST | {"you", "he", "she", "they", "it"}
_ECHOING: Final = frozenset({"neither", "so", "nor"})
_ORDERED: Final = SURE_ORDERS - {"make", "put", "use"}
_GIVEN: Final = ARTICLES | {"me"}
"""What follows the verb of an order that no sign parts from a statement."""
_GIVING: Final = frozenset({"give", "tell", "show", "ask", "call", "send"})
_CAUSING: Final = frozenset(
    {"help", "helps", "let", "lets", "make", "makes", "made", "see", "sees", "saw"}
)
_SIGNS: Final = frozenset({",", ";", ":", "-", "–", "—"})
FEWEST: Final = 2
"""Words of a clause beside its joint."""


def split_run(tokens: Sequence[Token]) -> list[tuple[str, tuple[Token, ...]]]:
    """Return the clauses that talk without signs runs together, with their joints.

    A clause ends before the subject of the next, where it has a verb of its own and
    the word before does not govern what follows ("I said I was", "the van I bought").
    """
    found: list[tuple[str, tuple[Token, ...]]] = []
    start, joint = 0, ""
    for number in range(1, len(tokens)):
        size = _measure_joint(tokens, start, number)
        if size is None:
            continue
        found.append((joint, tuple(tokens[start:number])))
        joint = tokens[number].low if size else ""
        if tokens[number].text in _SIGNS and size > 1:
            joint = tokens[number + 1].low
        start = number + size
    found.append((joint, tuple(tokens[start:])))
    return [(one, _trim(part)) for one, part in found if _trim(part)]


def _trim(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return tokens without signs at either end, closing ones kept."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].text in _SIGNS | {".", "!", "…"}:
        first += 1
    while last > first and tokens[last - 1].text in _SIGNS | {".", "!", "…"}:
        last -= 1
    return tuple(tokens[first:last])


def _measure_joint(tokens: Sequence[Token], start: int, number: int) -> int | None:
    """Return how many tokens join two clauses that meet at a place, if any do."""
    place = _find_clause_start(tokens, number)
    if place >= len(tokens) or not _is_clause_opening(tokens, place):
        return None
    left = tokens[start:number]
    if _is_topic(left, tokens[number].text) and _is_own(tokens[place]):
        return place - number
    if sum(t.is_word for t in left) < FEWEST or not _has_own_verb(left):
        return None
    if place == number and not _is_run_on(tokens, left, place):
        return None
    if (
        tokens[start].low in SUBORDINATORS
        and place - number <= 1
        and not _is_closed(tokens, start, number)
    ):
        return None
    return place - number


def _is_run_on(tokens: Sequence[Token], left: Sequence[Token], place: int) -> bool:
    """Tell whether a clause ends here without a sign, and the next begins."""
    if not _is_turned(tokens, place):
        return _is_bare_subject(tokens, place) and _can_end(left)
    last = left[-1].low
    if last in _COMPLEMENT | ARTICLES | AUXILIARIES | _ECHOING or not left[-1].is_word:
        return False
    return tokens[place].low not in _ORDERED or _is_stated(left, tokens[place].low)


def _is_stated(left: Sequence[Token], order: str) -> bool:
    """Tell whether an order may follow; of "lights give me …" it is the verb."""
    last, parts = left[-1].low, words.get_parts(left[-1].low)
    caused = any(token.low in _CAUSING for token in left)
    asked = left[0].low in AUXILIARIES | ASKING
    acting = order in _GIVING and last.endswith("s") and parts[0] == words.NOUN
    unfinished = parts[0] == words.ADVERB or last in PRONOUNS or _is_subject(left)
    return not (caused or asked or acting or unfinished)


def _is_subject(left: Sequence[Token]) -> bool:
    """Tell whether words end in a subject without its verb: "but people"."""
    joints = [n for n, token in enumerate(left) if token.low in _LINKING]
    after = left[joints[-1] + 1 :] if joints else ()
    named = bool(after) and words.get_parts(after[-1].low)[0] == words.NOUN
    return named and not has_verb(after) and not _has_own_verb(after)


def _is_turned(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a question or an order begins here: "can I …", "set a timer"."""
    rest = tokens[place:]
    after = rest[1].low if len(rest) > 1 else ""
    if rest[0].low in AUXILIARIES and rest[0].low not in ("used", "have", "had"):
        return get_stem(rest[1]) in _ASKED_OF if after else False
    if rest[0].low in ASKING:
        return after in AUXILIARIES and is_inverted(rest[1:])
    return rest[0].low in _ORDERED and after in _GIVEN


def _is_bare_subject(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a clause may begin here without a sign: "I …", "Dana's a nurse"."""
    token, before = tokens[place], tokens[place - 1].low
    if token.low in NOMINATIVES:
        return True
    verbal = words.get_parts(before)[0] in (words.VERB, words.THIRD, words.GERUND)
    if before in PREPOSITIONS or verbal or words.can_be(before, words.PAST):
        return False
    noun = words.get_parts(before)[0] == words.NOUN and before not in TIMES
    return (token.low == "my" and not noun) or (
        token.text[0].isupper() and token.low.endswith("'s")
    )


def _find_clause_start(tokens: Sequence[Token], place: int) -> int:
    """Return where a clause would begin behind a sign and "and then"."""
    if tokens[place].text in _SIGNS:
        place += 1
    start = place
    if place < len(tokens) and tokens[place].low in _JOINING:
        place += 1
    signed = place > start or (start and tokens[start - 1].text in _SIGNS)
    adverb = place + 1 < len(tokens) and tokens[place].low in ("now", "then", "also")
    return place + 1 if signed and adverb else place


def _is_own(token: Token) -> bool:
    """Tell whether a word is "I", be it with a verb."""
    return token.low.partition("'")[0] == "i"


def _is_topic(left: Sequence[Token], sign: str) -> bool:
    """Tell whether "peanuts, I'm allergic" has its topic before the sign."""
    opens = left[0].low if left else ""
    adverbial = opens in PREPOSITIONS | TIMES | SUBORDINATORS
    few = 0 < len(left) <= MAX_TOPIC and all(token.is_word for token in left)
    return sign in _SIGNS and few and not adverbial and not _has_own_verb(left)


MAX_TOPIC: Final = 4
"""Words of a topic."""


def _is_closed(tokens: Sequence[Token], start: int, number: int) -> bool:
    """Tell whether a subordinate clause is followed by its main clause already."""
    left = tokens[start:number]
    subjects = [n for n, t in enumerate(left) if t.low in NOMINATIVES and n > 0]
    return len(subjects) > 1


def _has_own_verb(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause says something already, be it without its subject."""
    first = words.get_parts(tokens[0].low)
    elided = first[0] in (words.PAST, words.PARTICIPLE, words.GERUND)
    own = tokens[0].low in FIRST and len(tokens) == FEWEST  # "I smoke"
    acting = own and words.can_be(tokens[1].low, words.VERB)
    return elided or acting or has_verb(tokens)


def _can_end(left: Sequence[Token]) -> bool:
    """Tell whether a clause may end here without any sign before the next subject."""
    last = left[-1].low
    elided = last.endswith("n't") and len(left) == FEWEST  # "I can't I'm allergic"
    if last in _COMPLEMENT | ARTICLES or (last in AUXILIARIES and not elided):
        return False
    if last in OBJECTS and len(left) > 1 and left[-2].low in _COMPLEMENT:
        return False
    if not left[-1].is_word:
        return left[-1].text != '"'
    return not _is_relative(left)


def _is_relative(left: Sequence[Token]) -> bool:
    """Tell whether the last noun is one that a clause beside it may tell of."""
    if words.get_parts(left[-1].low)[0] != words.NOUN or left[-1].low in DETERMINERS:
        return False
    for place, token in enumerate(reversed(left[-4:])):
        if token.low in PREPOSITIONS or token.low in AUXILIARIES:
            return False
        adjective = place and words.get_parts(token.low)[0] == words.ADJECTIVE
        if token.low in _DEFINITE or adjective:
            return True
    return False


def _is_clause_opening(tokens: Sequence[Token], number: int) -> bool:
    """Tell whether a subject with its verb begins at a place."""
    low = tokens[number].low
    rest = tokens[number + 1 : number + 5]
    if _is_turned(tokens, number):
        return True
    if low in NOMINATIVES:
        return "'" in low or (bool(rest) and rest[0].is_word)
    if low in DAYS and number and tokens[number - 1].low in _JOINING:
        return bool(rest) and rest[0].low in NOMINATIVES
    if tokens[number].text[0].isupper() and low.endswith("'s"):
        return number > 0 and is_finite(tokens, number)
    if low in ("it", "my", "our", "the"):
        verb = find_verb(tokens[number : number + 7], 1)
        return verb is not None and verb >= (1 if low == "it" else 2)
    return False


def split_loose_ends(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """Return a clause without what only stands beside it, and that as further clauses.

    "I sell parts, and at dinner" goes on as "at dinner"; "every day", "when it rains"
    and a few words that name something stay with the clause.
    """
    parts = _split_at_commas(tokens)
    found: list[tuple[Token, ...]] = []
    own = parts[0]
    for part in parts[1:]:
        parted = part[0].text in (":", ";")
        if not found and not parted and (_is_opening(own) or is_tail(part[1:])):
            own = (*own, *part)
        else:
            found.append(part[1:])
    return [one for one in (_trim(own), *map(_trim, found)) if one]


def _split_at_commas(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """Return the parts of a clause, each but the first with its comma."""
    places = [n for n, t in enumerate(tokens) if t.text in _SIGNS - {"-"} and n]
    edges = [0, *places, len(tokens)]
    return [tuple(tokens[a:b]) for a, b in pairwise(edges) if a < b]


def _is_opening(tokens: Sequence[Token]) -> bool:
    """Tell whether words before a comma only open a sentence."""
    low = tokens[0].low
    placing = low in PREPOSITIONS | TIMES and not has_verb(tokens)
    return low in SUBORDINATORS or placing


def is_tail(tokens: Sequence[Token]) -> bool:
    """Tell whether words behind a comma say more of the clause before it."""
    if not tokens:
        return True
    low = tokens[0].low
    count = sum(token.is_word for token in tokens)
    if low in _JOINING | {"or"} and len(tokens) > 1:
        return (
            count <= MAX_TAIL
            and (has_verb(tokens) or low != "but")
            and not (tokens[1].low in PREPOSITIONS and not has_verb(tokens))
        )
    if low in _TAIL:
        return count <= MAX_TAIL
    open_words = (t for n, t in enumerate(tokens) if not n or tokens[n - 1].low != "of")
    if has_verb(tokens) or any(t.low in PRONOUNS | OBJECTS for t in open_words):
        return False
    return count <= MAX_TAIL


_TAIL: Final = _LISTS.get_words("sound.tail")
MAX_TAIL: Final = 9
"""Words behind a comma that go with what stands before it."""
