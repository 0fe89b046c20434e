"""Turns the person of an English question about: "your dog" is "my dog"."""

import re
from collections.abc import Sequence
from typing import Final

from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.verbs import conjugate_verb
from gieok.models.rules.english.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    OWNED,
    PERSONS,
)
from gieok.models.rules.english.words import (
    ADJECTIVE,
    ADVERB,
    GERUND,
    NOUN,
    PARTICIPLE,
    PAST,
    VERB,
    get_parts,
)
from gieok.models.rules.lexicon import KIN_EN
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_PASTS: Final = _LISTS.get_spellings("english.pasts")
_DENIED: Final = _LISTS.get_spellings("english.denied")
_PERSONS: Final = _LISTS.get_spellings("english.persons")
_NAMES: Final = _LISTS.get_words("english.names")
_COMPOUNDED: Final = frozenset(
    {"job", "name", "course", "class", "school", "number", "level"}
)
_FORMER: Final = frozenset({"ex", "step", "late", "baby"})
_RANKS: Final = frozenset({"other", "younger", "older", "eldest", "oldest", "youngest"})
_BASES: Final = {past: base for base, past in _PASTS.items()}
_PLURALS: Final = frozenset({"two", "both", "all", "guys", "lot", "lads", "folks"})
_OPENING_CLAUSE: Final = _LISTS.get_words("english.opening_clause")
_LEADING: Final = _LISTS.get_words("english.leading_adverbs")
_PERSON_WORD: Final = compile_lazily(
    r"\b(?:you are|you were|you're|you've|yourself|yours|your|you)\b", re.IGNORECASE
)
_BEING: Final = {"you are": "I am", "you were": "I was"}
_CAUSING: Final = frozenset({"let", "make", "help", "see", "hear", "have", "watch"})
_SHORT_VERB: Final = compile_lazily(r"^[^aeiou]*[aeiou][bdgklmnprt]$")
_DOING: Final = frozenset({"do", "does", "did"})


def replace_person(text: str) -> str:
    """Return words about "you" as words about "I"; "you" is "me" where it is none."""

    def turn(match: re.Match[str]) -> str:
        low = match[0].lower()
        before, after = text[: match.start()].split(), text[match.end() :].split()
        if low.startswith("you ") and not _is_subject(before, low.split()[1:]):
            return f"me {low[4:]}"
        if low == "you" and not _is_subject(before, after):
            return "me"
        return _BEING.get(low) or _PERSONS[low]

    return _PERSON_WORD.sub(turn, text)


def _is_subject(before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether "you" between words is who does what follows."""
    if not before:
        return True
    last, following = before[-1].lower(), after[0].lower() if after else ""
    verbal = following in AUXILIARIES or VERB in get_parts(following)
    if not after or not verbal or last in _CAUSING:
        return False
    opened = last in _OPENING_CLAUSE or following in AUXILIARIES
    determined = len(before) > 1 and before[-2].lower() in DETERMINERS
    related = get_parts(following)[0] == VERB or determined
    return opened or (get_parts(last)[0] == NOUN and related)


def split_subject(text: str, auxiliary: str = "") -> tuple[str, str] | None:
    """Return the subject that opens a text, and the rest of it."""
    words = text.split()
    if not words:
        return None
    low = words[0].lower()
    if low == "you":
        together = len(words) > 1 and words[1].lower() in _PLURALS
        return words[0], " ".join(words[1 + together :])
    if low in GIVEN_NAMES and words[0][0].isupper():
        return words[0], " ".join(words[1:])
    if low != "your" or len(words) < 2:  # noqa: PLR2004
        return None
    size = 2
    while words[size - 1].lower().endswith("'s") and size < len(words):
        size += 1
    while size < len(words) and _is_extended(words, size, auxiliary):
        size += 1
    return " ".join(words[:size]), " ".join(words[size:])


def _is_extended(words: Sequence[str], size: int, auxiliary: str) -> bool:
    """Tell whether the subject of so many words goes on with the next one."""
    last, following = words[size - 1].lower(), words[size].lower()
    person = last in KIN_EN or last in PERSONS
    doing = auxiliary in _DOING and size < len(words) - 1
    if person and words[size][0].isupper() and (doing or following in GIVEN_NAMES):
        return True
    ranked = last in _RANKS and size == 2  # noqa: PLR2004
    if size == len(words) - 1:
        return False
    if ranked or (last in _FORMER and following in KIN_EN):
        return True
    if person or last in _NAMES:
        return False
    if last in OWNED:
        return _is_compound(following, words[size + 1].lower(), auxiliary)
    return (
        following in KIN_EN
        or following in PERSONS
        or _is_describing(last, following)
        or _is_compound(following, words[size + 1].lower(), auxiliary)
    )


def _is_compound(following: str, after: str, auxiliary: str) -> bool:
    """Tell whether a noun is the last of a compound: "washing machine work"."""
    if following in _COMPOUNDED:
        return True
    if get_parts(following)[0] != NOUN or following in DETERMINERS:
        return False
    part = get_parts(after)[0]
    if auxiliary in _DOING:
        return part == VERB
    return part in (ADJECTIVE, ADVERB, PARTICIPLE) or after in DETERMINERS


def _is_describing(word: str, after: str) -> bool:
    """Tell whether a word only describes the noun behind it: "best friend"."""
    parts, following = get_parts(word), get_parts(after)
    surely = parts[0] in (ADJECTIVE, GERUND) and {NOUN, ADJECTIVE} & {*following}
    return bool(surely) or (ADJECTIVE in parts and following[0] == NOUN)


def _correct_denied(said: str) -> str:
    """Return a denied sentence with its small words fitting it."""
    said = re.sub(r"\b(?:still|already) ", "", said) + (
        " anymore" if re.search(r"\bstill\b", said) else ""
    )
    said = re.sub(r" not ever\b", " never", said)
    return re.sub(r"\b(?:some)\b", "any", said)


def correct_affirmed(said: str) -> str:
    """Return an affirmed sentence without the words that only questions have."""
    said = re.sub(r"\bany(thing|one|body|where)\b", r"some\1", said)
    said = re.sub(r"\bany ", "", said)
    return re.sub(r" (?:yet|ever)\b", "", said)


def _split_verb(said: str) -> tuple[str, str, str]:
    """Return the adverbs before the verb that words open with, the verb, the rest."""
    words = said.split()
    at = 0
    while at < len(words) - 1 and _is_leading(words[at].lower()):
        at += 1
    before = "".join(f"{word} " for word in words[:at] if word.lower() != "ever")
    return before, words[at] if words else "", " ".join(words[at + 1 :])


def _is_leading(low: str) -> bool:
    """Tell whether a word stands before the verb: "always"."""
    return low in _LEADING or (get_parts(low)[0] == ADVERB and low.endswith("ly"))


def _conjugate_first(said: str) -> str:
    """Return words that open with a verb, the verb in the third person."""
    before, verb, rest = _split_verb(said)
    low = verb.lower()
    if not verb.isalpha():
        return said
    form = f"{verb}s" if _PASTS.get(low) == low else conjugate_verb(verb)
    return f"{before}{form} {rest}".strip()


def convert_past(said: str) -> str:
    """Return words that open with a verb, the verb in the past."""
    before, verb, rest = _split_verb(said)
    if not verb.isalpha():
        return said
    return f"{before}{derive_past(verb.lower())} {rest}".strip()


def derive_past(verb: str) -> str:
    """Return the past of a verb: "go" is "went"."""
    if verb in _PASTS:
        return _PASTS[verb]
    regular = f"{verb.removesuffix('e')}ed"
    doubled = f"{verb}{verb[-1:]}ed"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        regular = f"{verb[:-1]}ied"
    short = _SHORT_VERB.match(verb) or PAST in get_parts(doubled)
    return doubled if short and PAST not in get_parts(regular) else regular


def derive_base(past: str) -> str | None:
    """Return the verb of which a word is the past, or nothing: "went" is of "go"."""
    low = past.lower()
    if low in _BASES:
        return _BASES[low]
    stem = low.removesuffix("ed")
    if stem == low or PAST not in get_parts(low):
        return None
    found = (f"{stem[:-1]}y" if stem.endswith("i") else stem, f"{stem}e", stem[:-1])
    return next(
        (
            each
            for each in found
            if VERB in get_parts(each) and derive_past(each) == low
        ),
        None,
    )


def join_polar(auxiliary: str, subject: str, rest: str, *, denied: bool) -> str:
    """Return a yes-or-no question as a statement."""
    person = "I" if subject.lower() == "you" else replace_person(subject)
    verb = {"are": "am", "were": "was"}.get(auxiliary, auxiliary)
    verb = verb if person == "I" else auxiliary
    said = replace_person(" " + rest).strip()
    if denied and verb in ("have", "has", "had") and re.match(r"(?:any|an?)\b", said):
        return f"{person} {verb}n't {said}"
    if denied:
        return _correct_denied(f"{person} {_DENIED[verb]} {said}".strip())
    if verb in ("do", "does", "did"):
        forms = {"does": _conjugate_first, "did": convert_past}
        return correct_affirmed(f"{person} {forms.get(verb, str)(said)}")
    return correct_affirmed(f"{person} {verb} {said}".strip())
