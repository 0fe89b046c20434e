"""Reads what the words of an English answer are, before they are put anywhere.

"Two cats" is a thing, "until May" a time that is over, "gave up" what was done, "hmm"
nothing. Whatever is not surely of one kind is `OTHER`, and stated nowhere.
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from gieok.models.rules.english.grammar import PREPOSITIONS, TIMES, has_third_person
from gieok.models.rules.english.tokens import split_tokens
from gieok.models.rules.english.vocabulary import (
    ADJECTIVES,
    DETERMINERS,
    NUMBERS,
    OVER,
    PERSONS,
    TIMED,
)
from gieok.models.rules.english.words import (
    ADJECTIVE,
    ADVERB,
    GERUND,
    NOUN,
    PARTICIPLE,
    PAST,
    THIRD,
    VERB,
    get_parts,
    is_known,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")
_HESITATION: Final = _LISTS.compile_list("english.hesitation")
_CLOSING: Final = _LISTS.compile_list("english.closing")
_DODGED: Final = _LISTS.compile_list("english.dodged")
_POLARITY: Final = _LISTS.compile_list("english.polarity")
_NO: Final = _LISTS.compile_list("english.denying")
_YES: Final = _LISTS.compile_list("english.affirming")
_UNSETTLED: Final = _LISTS.compile_list("english.unsettled")
_FINITE: Final = _LISTS.compile_list("english.finite")
_COMING: Final = _LISTS.compile_list("english.coming")
_WHOLE: Final = _LISTS.compile_list("english.whole")
_APPROXIMATE: Final = _LISTS.get_words("english.approximate")
_NOTHING: Final = _LISTS.get_words("english.unspecific")
_NUMBERS: Final = "|".join(sorted(NUMBERS))
_COUNT: Final = rf"(?:\d+(?:[.,]\d+)?|one|an?|{_NUMBERS})"
_COUNTED: Final = compile_lazily(
    rf"^{_COUNT}(?:(?: or |-| to | )(?:\d+|{_NUMBERS}))*\b"
)
_SARCASTIC: Final = compile_lazily(
    r"^(?:yeah|yes|yep|sure),? right[\s.!]*$", re.IGNORECASE
)
_STRESSING: Final = frozenset(
    {"right", "correct", "exactly", "sure", "true", "absolutely", "definitely"}
    | {"certainly", "totally"}
)
_TIMING: Final = frozenset({"in", "on", "at", "since", "for", "from", "during", "by"})
_MORE_PREPOSITIONS: Final = _LISTS.get_words("english.placing")
_UNFINISHED: Final = compile_lazily(
    r"(?:\b(?:no|not|neither|yes|never|me)|^(?:my|his|her|our|[a-z]+)(?: \w+)?'s)$"
)
_SUBORDINATE: Final = compile_lazily(
    r"^(?:when|whenever|if|because|although|though|so|but|unless)\b"
)


class AnswerKind(StrEnum):
    """What the words of an answer are."""

    CLAUSE = "clause"
    DEED = "deed"
    OVER = "over"
    COMING = "coming"
    TIME = "time"
    COUNT = "count"
    PHRASE = "phrase"
    THING = "thing"
    QUALITY = "quality"
    DOING = "doing"
    OTHER = "other"


_BY_PART: Final = {
    GERUND: AnswerKind.DOING,
    VERB: AnswerKind.DEED,
    THIRD: AnswerKind.DEED,
    NOUN: AnswerKind.THING,
}


class YesOrNo(NamedTuple):
    """Whether an answer opens with a yes or a no, and what stands behind it."""

    is_denied: bool
    is_sure: bool
    rest: str


def trim_answer(said: str) -> str:
    """Return an answer without hesitations before it and politeness behind it."""
    before = None
    while before != said:
        before = said
        said = _HESITATION.sub("", said)
        said = _CLOSING.sub("", said) or said
    return said


def is_dodged(said: str) -> bool:
    """Tell whether words do not answer: "no idea", "depends", "mind your business"."""
    return not said or _DODGED.search(said) is not None


def read_polarity(said: str) -> YesOrNo | None:
    """Return the yes or no that words open with, or nothing if they open with none.

    Unsure is what says both ("yes and no"), or takes back what it said ("yes, wait").
    """
    rest, last, found = said, "", list[bool]()
    while match := _POLARITY.match(rest):
        word = match["word"].lower()
        if _is_attached(word, rest[match.end("word") :]):
            break
        if _NO.match(word):
            found.append(True)
        elif _YES.match(word):
            found.append(False)
        rest = rest[match.end() :]
        last = word
    if not found:
        return None
    if last in ("never", "none"):
        rest = ""  # "never had one", "none of my own"
    sure = len({*found}) == 1 or (not found[0] and _is_intensified(said))
    sure = sure and _SARCASTIC.match(said) is None
    sure = sure and _UNSETTLED.match(rest) is None
    return YesOrNo(found[-1], sure, rest.strip(" ,.!;"))


def _is_attached(word: str, after: str) -> bool:
    """Tell whether a word belongs to what is behind it: "right hip", "no brothers"."""
    following = after.strip().lower()
    if word in _STRESSING:
        return after[:1] == " " and not re.match(
            r"(?:i|yes|not|no|do|don't|am|is|it's)\b", following
        )
    return False


def _is_intensified(said: str) -> bool:
    """Tell whether the yes that opens words only stresses a no: "of course not"."""
    return (
        re.match(
            r"(?:definitely|absolutely|certainly|of course|sure|obviously|clearly) "
            r"(?:do|am|is|are|have|did|can)?(?:not|n't|no)\b",
            said.lower(),
        )
        is not None
    )


def trim_approximate(said: str) -> str:
    """Return words without what they are approximated by: "about", "just"."""
    words = said.split()
    while len(words) > 1 and words[0].lower() in _APPROXIMATE - DETERMINERS:
        words.pop(0)
    return " ".join(words)


def read_kind(said: str) -> AnswerKind:
    """Return what the words of an answer are, by what they open and end with."""
    text = trim_approximate(said.strip(" ,.!;"))
    low = text.lower()
    if not low or _UNFINISHED.search(low):
        return AnswerKind.OTHER
    timed = _read_time(low)
    if timed is not AnswerKind.OTHER:
        return timed
    if is_clause(text):
        return AnswerKind.CLAUSE
    if low.partition(" ")[0] in _NOTHING:
        return AnswerKind.OTHER
    return _read_opening(text, low)


def is_clause(said: str) -> bool:
    """Tell whether words have a finite verb, or a subject, of their own."""
    low = said.lower()
    if _WHOLE.search(low) or _FINITE.search(low) or _SUBORDINATE.match(low):
        return True
    return has_third_person(split_tokens(said))


def _read_time(low: str) -> AnswerKind:
    """Return which time words name, `OTHER` if none."""
    if low.startswith("since "):
        return AnswerKind.TIME
    if OVER.search(low):
        return AnswerKind.OVER
    if _COMING.search(low):
        return AnswerKind.COMING
    return AnswerKind.TIME if is_of_time(low) else AnswerKind.OTHER


def is_of_time(said: str) -> bool:
    """Tell whether a few words say when, how often or how long."""
    lows = [word.strip(",.!") for word in said.lower().split()]
    while lows and lows[0] in _APPROXIMATE:
        lows.pop(0)
    opening = lows[0] if lows else ""
    placed = opening in PREPOSITIONS and opening not in _TIMING
    timed = TIMED.search(said)
    if placed or timed is None or OVER.search(said):
        return False
    before = said[: timed.start()].lower()
    left = [word for word in before.split() if word not in _TIMING | _APPROXIMATE]
    named = [word for word in left if not _COUNTED.match(word)]
    settled = all(get_parts(word)[0] in (ADVERB, ADJECTIVE) for word in named)
    return len(left) < 2 and settled and "," not in before  # noqa: PLR2004


def _read_opening(text: str, low: str) -> AnswerKind:
    """Return what words are by the part of speech that opens them."""
    words = [word.strip(",.!;:") for word in low.split()]
    first, rest = words[0], words[1:]
    if first in PREPOSITIONS | _MORE_PREPOSITIONS:
        return AnswerKind.PHRASE if rest else AnswerKind.OTHER
    if counted := _COUNTED.match(low):
        return _read_counted(low, low[counted.end() :].strip())
    if first in DETERMINERS:
        return AnswerKind.THING if rest else AnswerKind.OTHER
    if text[:1].isupper() and not is_known(first):
        return AnswerKind.THING
    return _read_word(first, rest)


def _read_word(first: str, rest: list[str]) -> AnswerKind:
    """Return what words are of which the first is no word of grammar."""
    parts = get_parts(first)
    described = parts[0] in (ADJECTIVE, PARTICIPLE) or first in ADJECTIVES
    if described:
        return _read_described(first, rest, deed=PAST in parts)
    if PAST in parts and (parts[0] == PAST or rest):
        return AnswerKind.DEED
    last = rest[-1] if rest else ""
    if parts[0] == NOUN and _is_described(last):
        return AnswerKind.QUALITY
    if parts[0] == ADVERB and rest and get_parts(rest[0])[0] == ADJECTIVE:
        return AnswerKind.QUALITY
    return _BY_PART.get(parts[0], AnswerKind.OTHER)


def _is_described(low: str) -> bool:
    """Tell whether a word is surely how somebody is."""
    return low in ADJECTIVES or get_parts(low)[0] == PARTICIPLE


def _read_described(first: str, rest: list[str], *, deed: bool) -> AnswerKind:
    """Return a thing for "black lab", a quality for "allergic to fur"."""
    if not rest:
        return AnswerKind.QUALITY
    if is_agent(rest[-1]):
        return AnswerKind.THING
    if first in ADJECTIVES:
        return AnswerKind.QUALITY
    if get_parts(rest[-1])[0] == NOUN and rest[0] not in PREPOSITIONS:
        plain = all(get_parts(w)[0] in (NOUN, ADJECTIVE, GERUND) for w in rest)
        return AnswerKind.THING if plain else AnswerKind.OTHER
    return AnswerKind.DEED if deed else AnswerKind.QUALITY


def _read_counted(low: str, rest: str) -> AnswerKind:
    """Return a count for "two or three", a thing for "two cats"."""
    if not rest or rest == "now":
        return AnswerKind.COUNT if low not in ("a", "an") else AnswerKind.OTHER
    first = rest.partition(" ")[0].strip(",.")
    if first in ("bit", "little", "few", "lot", "while"):
        return AnswerKind.OTHER
    if first in TIMES | PREPOSITIONS or first in ("a", "and", "each", "per", "times"):
        return AnswerKind.OTHER
    if get_parts(first)[0] in (NOUN, ADJECTIVE, GERUND, PARTICIPLE) or "n" in get_parts(
        first
    ):
        return AnswerKind.THING
    return AnswerKind.OTHER


def is_agent(low: str) -> bool:
    """Tell whether a noun is of somebody by what they do: "engineer"."""
    ending = low.endswith(("er", "or", "ist", "ian", "wife", "man", "woman", "ess"))
    return low in PERSONS or ending
