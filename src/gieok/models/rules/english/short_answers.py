"""Reads the short answers of English: "they do", "I can't", "my mum is".

Who answers so repeats of the question the auxiliary verb alone, for somebody, affirmed
or denied. Another time of the verb, or another verb, is an answer of its own: "I did"
to "Do you smoke?" is what was, "I can't" to "Do you drive?" what cannot be.
"""

import re
from typing import Final, NamedTuple

from gieok.models.rules.english.answer_turning import (
    correct_affirmed,
    join_polar,
    replace_person,
)
from gieok.models.rules.english.grammar import SEVERAL
from gieok.models.rules.english.vocabulary import PERSONS
from gieok.models.rules.english.words import NOUN, get_parts
from gieok.models.rules.lexicon import KIN_EN
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "answers.toml")
_ADDED: Final = _LISTS.compile_list("english.added")
_SHORT: Final = _LISTS.compile_list("english.short")
_CUT: Final = {"m": "am", "re": "are", "s": "is"}
_PRESENT: Final = {
    **dict.fromkeys(("do", "does", "did"), "do"),
    **dict.fromkeys(("am", "are", "is", "was", "were"), "are"),
    **dict.fromkeys(("have", "has", "had"), "have"),
    **dict.fromkeys(("can", "could"), "can"),
}
_PAST: Final = frozenset({"did", "was", "were", "had", "could"})
_OF_USER: Final = {"does": "do", "is": "are", "has": "have", "was": "were"}
_SINGULAR: Final = {"do": "does", "are": "is", "have": "has", "were": "was"}
_REFLEXIVE: Final = compile_lazily(r"\b(?:yourself|own)\b", re.IGNORECASE)
_OWN_THING: Final = compile_lazily(r"\byour (?:\w+ )?(\w+)\b", re.IGNORECASE)
_PERSONAL: Final = compile_lazily(
    r"\b(?:you|your|her|his|their|himself|herself)\b", re.IGNORECASE
)
_KNOWING: Final = compile_lazily(r"^know how to +", re.IGNORECASE)
_OWNING: Final = compile_lazily(r"^(?:have|got)\b", re.IGNORECASE)
_BOTH: Final = compile_lazily(r"^(?:both|all) +", re.IGNORECASE)
_GOT: Final = compile_lazily(r"^got +", re.IGNORECASE)
_STILL: Final = compile_lazily(r"\bstill +", re.IGNORECASE)
_SAID_OF_USER: Final = ("i", "we")


class ShortAnswer(NamedTuple):
    """Whom a short answer is about, its auxiliary verb, and what stands behind."""

    subject: str
    verb: str
    is_denied: bool
    rest: str

    @property
    def is_of_user(self) -> bool:
        """Whether the user answers for themselves."""
        return self.subject.lower() in _SAID_OF_USER

    @property
    def is_named(self) -> bool:
        """Whether it says anew who it is about: "my mum is"."""
        return " " in self.subject


def read_short_answer(said: str) -> ShortAnswer | None:
    """Return the short answer that words open with, or nothing.

    Nothing either where the verb goes on: "I do yoga", "she is a nurse".
    """
    match = _SHORT.match(said.strip())
    if match is None or (match["rest"].strip() and not _ADDED.match(match["rest"])):
        return None
    verb = _CUT[match["cut"].lower()] if match["cut"] else match["verb"].lower()
    denied = match["cut"] is not None or match["denied"] is not None
    return ShortAnswer(match["subject"], verb, denied, match["rest"].strip(" ,.!;"))


def render_short_answer(polar: tuple[str, str, str], short: ShortAnswer) -> str | None:
    """Return what a short answer says of a question's auxiliary, subject and rest.

    "I do" is of the user, whoever was asked about. Nothing where "she does" answers
    what was asked of the user, or the verb answers another question.
    """
    asked = polar[1].lower()
    polar = (polar[0], polar[1], _BOTH.sub("", polar[2]))
    if short.is_named:
        subject = short.subject
        if not _is_sayable_of(subject, polar):
            return None
    elif short.is_of_user:
        subject = "you"
        if asked != subject and _PERSONAL.search(f" {polar[2]}"):
            return None  # "Does your wife like her job?" – "I do"
        if polar[2].startswith("and "):
            return None  # "Do you and your wife drive?"
        polar = (_OF_USER.get(polar[0], polar[0]), subject, polar[2])
    elif asked != "you":
        subject = polar[1]
    else:
        return None
    return _render_verb(polar, short, subject)


def _is_sayable_of(subject: str, polar: tuple[str, str, str]) -> bool:
    """Tell whether what was asked of somebody can be said of somebody else.

    "Are your parents teachers?" – "My mum is"; "Do you have your own room?" – "my
    sister does"; "Are you older than your wife?" – "my wife is".
    """
    rest = polar[2].lower()
    last = rest.rpartition(" ")[2]
    if polar[1].lower() != "you":
        return get_parts(last)[0] != NOUN or not last.endswith("s") or _is_done(polar)
    owned = {word for word in _OWN_THING.findall(rest) if word not in KIN_EN | PERSONS}
    kin = subject.lower().removeprefix("my ")
    several = _is_several(subject) and re.match(r"an? ", rest) is not None
    if several or _REFLEXIVE.search(rest):
        return False
    return not owned and re.search(rf"\byour {re.escape(kin)}\b", rest) is None


def _is_done(polar: tuple[str, str, str]) -> bool:
    """Tell whether it was asked what somebody does, not what they are."""
    return polar[0] in ("do", "does", "did", "can")


def _is_several(subject: str) -> bool:
    """Tell whether a subject is of more than one: "my kids", not "my boss"."""
    last = subject.lower().rpartition(" ")[2]
    plural = last.endswith("s") and not last.endswith("ss")
    return last in SEVERAL or (plural and last not in KIN_EN | PERSONS)


def _render_verb(
    polar: tuple[str, str, str], short: ShortAnswer, subject: str
) -> str | None:
    """Return the question's predicate with the verb of the answer."""
    auxiliary, _, rest = polar
    asked, said = _PRESENT.get(auxiliary), _PRESENT[short.verb]
    owning = _OWNING.match(rest) is not None
    if asked != said and not (owning and {asked, said} == {"do", "have"}):
        able = (asked, said) == ("do", "can") and auxiliary in ("do", "does")
        if not able or owning or short.verb in _PAST:
            return None
        rest = _KNOWING.sub("", rest)
        return join_polar("can", subject, rest, denied=short.is_denied)
    was_asked, was = auxiliary in _PAST, short.verb in _PAST
    if was and not was_asked and short.is_named and said == "are":
        verb = "were" if _is_several(short.subject) else "was"
        return join_polar(verb, subject, rest, denied=short.is_denied)
    if was and not was_asked:
        return None if short.is_denied else render_former(said, subject, rest)
    verb = auxiliary if was_asked == was else said
    return join_polar(
        _conjugate_auxiliary(verb, short), subject, rest, denied=short.is_denied
    )


def _conjugate_auxiliary(verb: str, short: ShortAnswer) -> str:
    """Return the auxiliary verb as it stands beside who is named in the answer."""
    if not short.is_named or _is_several(short.subject):
        return verb
    return _SINGULAR.get(verb, verb)


def render_former(auxiliary: str, subject: str, rest: str) -> str | None:
    """Return "I used to smoke", asked "Do you smoke?", answered "I did"."""
    asked = _PRESENT.get(auxiliary)
    if asked not in ("do", "are"):
        return None
    person = "I" if subject.lower() == "you" else replace_person(subject)
    being = "be " if asked == "are" else ""
    owned = _GOT.sub("have ", _STILL.sub("", rest))
    said = replace_person(f" {owned}").strip()
    return correct_affirmed(f"{person} used to {being}{said}")
