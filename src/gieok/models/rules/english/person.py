"""Puts the words of an English clause in the third person.

"I" is the user, and the verbs that belong to it agree; "my" is "their" where the user
is the subject and nobody else can be meant. What the user calls "you" is the assistant.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english import words
from gieok.models.rules.english.grammar import OBJECTS, PREPOSITIONS, TIMES
from gieok.models.rules.english.tokens import Token, join_tokens
from gieok.models.rules.english.verbs import (
    NEGATED,
    PRESENT,
    conjugate_word,
    resolve_aint,
)
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    HABITS,
    PAST_TIMES,
    SAME_PAST,
    STATES,
    SUBORDINATORS,
    VERB_ADVERBS,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.english", "patterns.toml")
_ADVERBS: Final = VERB_ADVERBS | _LISTS.get_words("verb.adverbs")
_THEY: Final = frozenset({"they", "them", "their", "they're", "they've", "theirs"})
_JOINING: Final = frozenset({"and", "but", "or"})
_ANYBODY: Final = frozenset({"if", "when", "whenever", "where", "wherever", "so"})
"""What a clause opens with in which "you" is anybody."""
_REPORTING: Final = frozenset(
    {"say", "says", "said", "think", "thinks", "thought", "know", "knows", "hope"}
    | {"hopes", "believe", "believes", "reckon", "reckons", "guess", "feel", "mean"}
)
_GENERIC: Final = frozenset(
    {"have", "can", "need", "know", "get", "could", "want", "go", "must", "should"}
)


_VERBAL: Final = {words.VERB, words.THIRD, words.PAST, words.PARTICIPLE, words.GERUND}
_CONTRACTED: Final = {"m": "is", "re": "is", "ve": "has", "ll": "will"}
_APART: Final = frozenset({"and", "or", "than", "except", "but", ""})
_ALWAYS: Final = {
    "myself": "themselves", "ourselves": "themselves", "your": "the assistant's",
    "yourself": "itself",
}  # fmt: skip
_THEIRS: Final = _ALWAYS | {
    "my": "their",
    "our": "their",
    "mine": "theirs",
    "ours": "theirs",
}
_THE_USERS: Final = _ALWAYS | dict.fromkeys(("my", "our", "mine", "ours"), "the user's")


_SAME_PAST: Final = (SAME_PAST - {"quit"}) | {
    "let", "lay", "beat", "knit", "read",
}  # fmt: skip
_USUAL: Final = HABITS | {"own", "living"}
"""What says of a verb whose past is the same that it is done again and again."""
_YEAR: Final = compile_lazily(r"(?:19|20)\d\d")


def _is_no_verb(low: str, after: str) -> bool:
    """Tell whether a word between the user and their verb is no verb itself."""
    parts = words.get_parts(low)
    if low in AUXILIARIES or low in PRESENT or parts[0] == words.ADVERB:
        return low not in AUXILIARIES and low not in PRESENT
    if words.is_known(low):
        return low in DETERMINERS or not set(parts) & _VERBAL
    return words.get_parts(after)[0] in (words.VERB, words.PAST)


class PersonRewriter:
    """Walks over the words of one clause once.

    `is_user` says that its subject is the user; `opens` that a subject was told
    before, with a verb that may still have to conjugate_word.
    """

    def __init__(
        self, tokens: Sequence[Token], *, is_user: bool, due: bool = False
    ) -> None:
        self._tokens = tokens
        lows = {token.low for token in tokens}
        self._their = is_user and not lows & _THEY
        self._means_assistant = bool(lows & {"me", "us"})
        self._due = due
        self._present = False
        self._governed = False
        self._told: list[Token] = []
        self._since_verb = 0

    def rewrite(self) -> str:
        """Return the clause in the third person."""
        for number, token in enumerate(self._tokens):
            written = self._convert(number, token)
            self._told.append(Token(written, token.spaced))
        return join_tokens(self._told)

    def _get(self, number: int) -> str:
        return self._tokens[number].low if 0 <= number < len(self._tokens) else ""

    def _convert(self, number: int, token: Token) -> str:
        """Return what stands for one word."""
        low = token.low
        subject = self._convert_subject(number, low)
        if subject is not None:
            return subject
        own = self._convert_own(number, low)
        if own is not None:
            return own
        if self._due and token.is_word:
            return self._convert_verb(number, token)
        if self._is_joined_verb(number, low):
            return self._convert_verb(number, token)
        self._note(number, low)
        return NEGATED.get(low, token.text) if low in NEGATED else token.text

    def _note(self, number: int, low: str) -> None:
        """Remember whether an infinitive or a modal governs what follows."""
        if low == "to" and words.can_be(self._get(number + 1), words.VERB):
            self._governed = True

    def _convert_subject(self, number: int, low: str) -> str | None:
        """Return what stands for "I", "we" or "you" and what is contracted to it."""
        stem, _, rest = low.partition("'")
        if stem == "you":
            return self._convert_you(number, rest)
        if stem not in ("i", "we") or low == "i'd've":
            return None
        before, after = self._get(number - 1), self._get(number + 1)
        spoken = before in AUXILIARIES and self._tokens[number - 1].text != "May"
        if not rest and spoken and self._told and after not in AUXILIARIES:
            self._told[-1] = Token(conjugate_word(before, "x"), self._told[-1].spaced)
        else:
            self._due = not rest
        self._governed = False
        verb = self._render_d(number) if rest == "d" else _CONTRACTED.get(rest, "")
        self._present = rest in ("m", "re", "ve")
        self._governed = rest in ("ll", "d")
        return f"the user {verb}".strip()

    def _render_d(self, number: int) -> str:
        """Return what "'d" stands for: "had been", "would like"."""
        following = self._get(number + 1)
        if following in _ADVERBS:
            following = self._get(number + 2)
        if following in ("better", "been", "had"):
            return "had"
        verbal = words.can_be(following, words.VERB)
        return "would" if verbal or following in ("rather", "not") else "had"

    def _convert_you(self, number: int, rest: str) -> str | None:
        """Return the assistant, where "you" is not anybody."""
        after = self._get(number + 1)
        if rest:
            verb = "would" if rest == "d" else _CONTRACTED.get(rest, "")
            return f"the assistant {verb}".strip()
        before = self._get(number - 1)
        generic = after in _GENERIC and number and after != "can"
        anybody = generic or before in _ANYBODY
        if anybody and not self._means_assistant:
            return None
        verbal = words.VERB in words.get_parts(after) or after in AUXILIARIES
        governed = before in PREPOSITIONS - SUBORDINATORS or before in AUXILIARIES
        if verbal and not governed:
            acting = words.get_parts(before)[0] in _VERBAL
            self._due = not before or before in _REPORTING or not acting
        return "the assistant"

    def _convert_own(self, number: int, low: str) -> str | None:
        """Return what stands for "me", "my", "mine" and the like."""
        if low in ("me", "us"):
            return self._convert_object(number)
        return (_THEIRS if self._their else _THE_USERS).get(low)

    def _convert_object(self, number: int) -> str | None:
        """Return what stands for "me": "them" behind a verb of the user's."""
        if self._tokens[number].text == "US":
            return None
        before = self._get(number - 1)
        if before == "of" and self._tokens[number].low == "us":
            return "them"
        apart = self._get(number + 1) == "and" or before in _APART
        governed = before[:1].isalnum() and not apart
        return "them" if self._their and governed else "the user"

    def _convert_verb(self, number: int, token: Token) -> str:
        """Return the verb that belongs to the user, or the adverb before it."""
        low = token.low
        after = self._get(number + 1)
        if _is_no_verb(low, after):
            return token.text
        adverb = low in _ADVERBS
        if adverb and (after and after not in ("and", "but")):
            return token.text
        self._due = False
        if low == "were" and self._get(number - 2) in ("if", "wish", "though"):
            return token.text
        said = token.text.lower() if token.text.isupper() else token.text
        form = conjugate_word(said, "user")
        if low in _SAME_PAST:
            form = self._conjugate_same(said, form)
        if low == "ain't":
            form = resolve_aint(after)
        if low == "done" and after == "with":
            form = "is done"
        self._present = form != token.text or words.PAST in words.get_parts(low)
        self._governed = low in AUXILIARIES and not self._present
        if low in ("do", "don't", "does", "am", "have", "been"):
            self._governed = low in ("do", "don't", "does")
            self._present = True
        return form

    def _conjugate_same(self, said: str, form: str) -> str:
        """Return a verb whose past is the same, by the time that its clause names."""
        lows = {token.low for token in self._tokens}
        dated = any(map(_YEAR.fullmatch, lows)) and "since" not in lows
        if dated or not PAST_TIMES.isdisjoint(lows):
            return said
        return form if _USUAL.isdisjoint(lows) else f"{said}s"

    def _is_joined_verb(self, number: int, low: str) -> bool:
        """Tell whether a second verb of the same subject stands here."""
        before = self._get(number - 1)
        if before in _ADVERBS:
            before = self._get(number - 2)
        if not self._present or self._governed or before not in _JOINING:
            return False
        if low in ("am", "have", "don't", "can't", "haven't"):
            return True
        parts = words.get_parts(low)
        after = self._get(number + 1)
        objective = (
            after in DETERMINERS | PREPOSITIONS | OBJECTS | TIMES
            or words.get_parts(after)[0] in (words.GERUND, words.ADVERB)
        )
        if words.VERB not in parts or words.PAST in parts:
            return False
        if after and not after[0].isalnum():
            return False
        return low in STATES or parts[0] == words.VERB or objective
