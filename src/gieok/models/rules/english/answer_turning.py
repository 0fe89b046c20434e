"""Turns the person of an English question about: "your dog" is "my dog"."""

import re
from typing import Final

from gieok.models.rules.english.names import GIVEN_NAMES
from gieok.models.rules.english.retelling import conjugate_verb
from gieok.models.rules.english.words import ADJECTIVE, NOUN, get_parts
from gieok.models.rules.lexicon import KIN_EN
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")

_PASTS: Final = _LISTS.get_spellings("english.pasts")
_DENIED: Final = _LISTS.get_spellings("english.denied")
_PERSONS: Final = _LISTS.get_spellings("english.persons")
_NAMES: Final = _LISTS.get_words("english.names")
_OWNED: Final = PatternFile("gieok.models.rules.english", "patterns.toml").get_words(
    "noun.owned"
)
_RANKS: Final = frozenset({"other", "younger", "older", "eldest", "oldest", "youngest"})
_PERSON_WORD: Final = compile_lazily(
    r"\b(?:you're|you've|yourself|yours|your|you)\b", re.IGNORECASE
)
_SUBJECT_NEXT: Final = compile_lazily(r"\s+(?:can|can't|do|don't|\w+)\b")


def replace_person(text: str, *, subject: bool = False) -> str:
    """Return words about "you" as words about "I"; "you" is "me" where it is none."""

    def turn(match: re.Match[str]) -> str:
        low = match[0].lower()
        last = not _SUBJECT_NEXT.match(text[match.end() :])
        if low == "you" and not subject and match.start() and last:
            return "me"
        return _PERSONS[low]

    return _PERSON_WORD.sub(turn, text)


def split_subject(text: str) -> tuple[str, str] | None:
    """Return the subject that opens a text, and the rest of it."""
    words = text.split()
    if not words:
        return None
    low = words[0].lower()
    if low == "you" or (low in GIVEN_NAMES and words[0][0].isupper()):
        return words[0], " ".join(words[1:])
    if low != "your" or len(words) < 2:  # noqa: PLR2004
        return None
    size = 2
    while words[size - 1].lower().endswith("'s") and size < len(words):
        size += 1
    while size < len(words) - 1 and _is_describing(words[size - 1], words[size]):
        size += 1
    if words[size - 1].lower() in _RANKS:
        size += 1
    elif words[size - 1].lower() not in KIN_EN | _NAMES and size < len(words) - 1:
        following = words[size].lower()
        size += following in ("job", "name", "course", "class", "school", "level")
    return " ".join(words[:size]), " ".join(words[size:])


def _is_describing(word: str, after: str) -> bool:
    """Tell whether a word only describes the noun behind it: "best friend"."""
    if word.lower() in KIN_EN | _NAMES | _OWNED:
        return False
    parts, following = get_parts(word.lower()), get_parts(after.lower())
    surely = parts[0] == ADJECTIVE and {NOUN, ADJECTIVE} & {*following}
    return bool(surely) or (ADJECTIVE in parts and following[0] == NOUN)


def _correct_denied(said: str) -> str:
    """Return a denied sentence with its small words fitting it."""
    said = re.sub(r"\b(?:still|already) ", "", said) + (
        " anymore" if re.search(r"\bstill\b", said) else ""
    )
    said = re.sub(r" not ever\b", " never", said)
    return re.sub(r"\b(?:some)\b", "any", said)


def _correct_affirmed(said: str) -> str:
    """Return an affirmed sentence without the words that only questions have."""
    said = re.sub(
        r"\bany(?:thing)? ", lambda m: "something " if "thing" in m[0] else "", said
    )
    return re.sub(r" (?:yet|ever)\b", "", said)


def _conjugate_first(said: str) -> str:
    """Return words that open with a verb, the verb in the third person."""
    still = "still " if said.lower().startswith("still ") else ""
    verb, _, rest = said[len(still) :].partition(" ")
    return f"{still}{conjugate_verb(verb)} {rest}".strip()


def convert_past(said: str) -> str:
    """Return words that open with a verb, the verb in the past."""
    verb, _, rest = said.partition(" ")
    low = verb.lower()
    regular = low.removesuffix("e") + "ed"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        regular = low[:-1] + "ied"
    return f"{_PASTS.get(low, regular)} {rest}".strip()


def join_polar(auxiliary: str, subject: str, rest: str, *, denied: bool) -> str:
    """Return a yes-or-no question as a statement."""
    person = "I" if subject.lower() == "you" else replace_person(subject, subject=True)
    verb = {"are": "am", "were": "was"}.get(auxiliary, auxiliary)
    verb = verb if person == "I" else auxiliary
    said = replace_person(" " + rest).strip()
    if denied:
        return _correct_denied(f"{person} {_DENIED[verb]} {said}".strip())
    if verb in ("do", "does", "did"):
        forms = {"does": _conjugate_first, "did": convert_past}
        return _correct_affirmed(f"{person} {forms.get(verb, str)(said)}")
    return _correct_affirmed(f"{person} {verb} {said}".strip())
