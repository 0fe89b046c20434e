"""Restores the subject that talk leaves out: "sold the cows", "vegan since October"."""

from collections.abc import Callable, Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.clause import (
    FIRST,
    THIRD,
    EnglishClause,
    get_stem,
    rewrite,
)
from gieok.models.rules.english.grammar import OBJECTS, PREPOSITIONS, TIMES, find_verb
from gieok.models.rules.english.openings import trim_fillers
from gieok.models.rules.english.orders import (
    AFTER_START,
    is_habit,
    is_of_oneself,
    render_order,
)
from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.tokens import Token, join_tokens, split_tokens
from gieok.models.rules.english.verbs import (
    conjugate_verb,
    conjugate_word,
    resolve_aint,
)
from gieok.models.rules.english.vocabulary import (
    ADJECTIVES,
    ADVERBS,
    DETERMINERS,
    LIVED,
    ORDERS,
    PASSIVE,
    SAME_PAST,
    STATES,
)
from gieok.models.rules.questions import extract_question
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")

_AUXILIARIES: Final = _LISTS.get_words("predicate.auxiliaries")
_FOLLOWING: Final = PREPOSITIONS | TIMES | {"", "now", "and", "intolerant", "free", ","}
_OBJECTIVE: Final = DETERMINERS | PREPOSITIONS | OBJECTS | TIMES | {"us", "and"}
_LOOSE: Final = (words.ADVERB, words.ADJECTIVE, words.GERUND)
_INNER: Final = FIRST | THIRD | {"who", "which", "what", ","}
_NO_OBJECTS: Final = OBJECTS | {"", "us", "that", "this", "your"}
_AIMED: Final = frozenset({"for", "with", "towards"})
_LIKING: Final = frozenset({"love", "hate", "adore", "dislike", "loathe"})
_FIRST_PERSON: Final = frozenset({"am", "have", "haven't", "don't", "do"})
_LIMITING: Final = frozenset({"only", "mostly", "mainly"})
FEW: Final = 2
_OF_USER: Final = _LISTS.compile_list("question.of_user")
_OF_ASSISTANT: Final = _LISTS.compile_list("question.of_assistant")
_OPENING: Final = frozenset({"don't", "do", "not", "never", "always", "just", "only"})
_ADDRESSED: Final = frozenset({"please", "kindly", "me", "you", "your", "us"})


def restore_subject(said: str, asked: str) -> str:
    """Return "quit in January", asked "Do you smoke?", as what the user did.

    Elsewhere it would be an order. Who orders something in spite of such a question
    speaks to the assistant ("don't tell me") or uses a verb of orders ("set a timer").
    """
    question = extract_question(asked)
    if not _OF_USER.search(question) or _OF_ASSISTANT.search(question):
        return said
    tokens = split_tokens(trim_fillers(normalize_spelling(said)))
    lows = [token.low for token in tokens]
    acted = next((low for low in lows if low not in _OPENING), "")
    if _ADDRESSED & set(lows) or acted in ORDERS or not _is_verb_first(acted, tokens):
        return said
    text = join_tokens(tokens)
    return f"I {text[:1].lower()}{text[1:]}"


def _is_verb_first(acted: str, tokens: Sequence[Token]) -> bool:
    """Tell whether words open with a verb: an order, or a statement of the user's."""
    if not words.can_be(acted, words.VERB):
        return False
    denied = tokens[0].low in ("don't", "do")
    usual = denied or words.get_parts(acted)[0] == words.VERB
    return usual or render_order(tokens) is not None


def render_elided(tokens: Sequence[Token]) -> EnglishClause | None:
    """Return a clause without a subject as what the user did, does or is."""
    limited = len(tokens) == FEW and tokens[1].low in _LIMITING
    if limited and words.get_parts(tokens[0].low)[0] == words.NOUN:
        return None  # "fish only"
    lead = 0
    while lead < len(tokens) - 1 and tokens[lead].low in ADVERBS:
        lead += 1
    adverbs = " ".join(token.low for token in tokens[:lead])
    for restore in _WAYS:
        found = restore(tokens[lead:])
        if found is not None:
            auxiliary, rest = found
            spaced = f"The user {auxiliary} {adverbs} {rest}".replace(" ,", ",")
            told = " ".join(spaced.split())
            return EnglishClause(told, is_user=True, is_elided=True)
    return None


def is_of_first_person(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause without a subject can only be what "I" or several do.

    "Love my job" is, "quit in May" may be of anybody.
    """
    low = next((t.low for t in tokens if t.low not in ADVERBS), "")
    if low in _FIRST_PERSON:
        return True
    other = {words.PAST, words.PARTICIPLE, words.ADJECTIVE, words.THIRD}
    return words.VERB in words.get_parts(low) and other.isdisjoint(words.get_parts(low))


Restored = tuple[str, str]
"""The auxiliary verb, before which adverbs do not stand, and the rest."""


def _get_after(tokens: Sequence[Token]) -> str:
    return tokens[1].low if len(tokens) > 1 else ""


def _render_rest(tokens: Sequence[Token], start: int = 1) -> str:
    """Return what follows the verb."""
    return rewrite(tokens[start:], is_user=True)


def _is_objective(after: str) -> bool:
    """Tell whether a verb may stand before a word."""
    return (
        after in _OBJECTIVE
        or after[:1].isdigit()
        or (words.get_parts(after)[0] in _LOOSE)
    )


def _restore_auxiliary(tokens: Sequence[Token]) -> Restored | None:
    """'been at it two winters', 'can't eat dairy', 'am allergic'."""
    low, after = tokens[0].low, _get_after(tokens)
    if not after:
        return None
    if low in ("been", "gone", "seen", "done"):
        return "has", f"{low} {_render_rest(tokens)}"
    if low == "am":
        return "is", _render_rest(tokens)
    if low in _AUXILIARIES:
        verb = resolve_aint(after) if low == "ain't" else conjugate_word(low, "user")
        return "", f"{verb} {_render_rest(tokens)}"
    return None


def _restore_past(tokens: Sequence[Token]) -> Restored | None:
    """'sold the cows', 'got a dog'; not "rang me", which somebody else did."""
    low, after = tokens[0].low, _get_after(tokens)
    parts = words.get_parts(low)
    if low == "got":
        nominal = after in DETERMINERS or after[:1].isdigit()
        nominal = nominal or words.get_parts(after)[0] in (words.NOUN, words.ADJECTIVE)
        return "", f"{'has got' if nominal else 'got'} {_render_rest(tokens)}"
    only = words.VERB not in parts and after in DETERMINERS
    usual = parts[0] in (words.PAST, words.PARTICIPLE) or only
    habitual = low in LIVED or (low in SAME_PAST and is_habit(tokens))
    past = words.PAST in parts and usual and not habitual
    if not past or low in PASSIVE or after in ("", "me", "us"):
        return None
    objective = _is_objective(after)
    if not objective and (len(tokens) <= FEW or find_verb(tokens[1:4], 1) is not None):
        return None
    return "", f"{low} {_render_rest(tokens)}"


def _restore_gerund(tokens: Sequence[Token]) -> Restored | None:
    """'working nights'; not "swimming is fun"."""
    low, after = tokens[0].low, _get_after(tokens)
    parts = words.get_parts(low)
    doing = parts[0] == words.GERUND or (words.GERUND in parts and after in _AIMED)
    if not doing or not after:
        return None
    verb = find_verb(tokens, 1)
    if verb is not None and not any(get_stem(t) in _INNER for t in tokens[1:verb]):
        return None
    return "is", f"{low} {_render_rest(tokens)}"


def _restore_present(tokens: Sequence[Token]) -> Restored | None:
    """'love my job', 'swim every day'."""
    low, after = tokens[0].low, _get_after(tokens)
    parts = words.get_parts(low)
    states = low in STATES | LIVED or (is_habit(tokens) and parts[0] == words.VERB)
    if not states or words.VERB not in parts or not after:
        return None
    objective = _is_objective(after)
    sure = parts[0] == words.VERB or low in _LIKING
    if not objective and (not sure or find_verb(tokens, 1) is not None):
        return None
    return "", f"{conjugate_word(low)} {_render_rest(tokens)}"


def _restore_bare(tokens: Sequence[Token]) -> Restored | None:
    """'manage a pub', 'carry antihistamines', 'quit the boxing'."""
    low, after = tokens[0].low, _get_after(tokens)
    parts = words.get_parts(low)
    usual = parts[0] == words.VERB
    begins = low == "start" and after in AFTER_START
    ordered = low in ORDERS and not begins and not is_of_oneself(tokens)
    if ordered or words.VERB not in parts or after in _NO_OBJECTS:
        return None
    if len(tokens) == FEW and after in PREPOSITIONS:  # "carry on"
        return None
    usual = usual or is_of_oneself(tokens)
    governs = after in DETERMINERS or (usual and _can_follow(after))
    if not governs or _is_addressed(tokens) or find_verb(tokens, 1) is not None:
        return None
    verb = conjugate_word(low)
    if low in SAME_PAST:
        verb = conjugate_verb(low) if is_habit(tokens) else low
    return "", f"{verb} {_render_rest(tokens)}"


def _is_addressed(tokens: Sequence[Token]) -> bool:
    return any(token.low in ("you", "your", "yourself") for token in tokens)


def _can_follow(after: str) -> bool:
    return _is_objective(after) or words.get_parts(after)[0] == words.NOUN


def _restore_be(tokens: Sequence[Token]) -> Restored | None:
    """'vegan since October', 'back to Saturday runs', 'home as of Saturday'."""
    low, after = tokens[0].low, _get_after(tokens)
    if low not in ADJECTIVES or find_verb(tokens[:4]) is not None:
        return None
    said = f"{tokens[0].low} {_render_rest(tokens)}"
    if after in ("since", "for"):
        return "has", f"been {said}"
    if low in ("born", "raised"):
        return "was", said
    return ("is", said) if after in _FOLLOWING else None


_WAYS: Final[tuple[Callable[[Sequence[Token]], Restored | None], ...]] = (
    _restore_auxiliary,
    _restore_past,
    _restore_gerund,
    _restore_present,
    _restore_be,
    _restore_bare,
)
