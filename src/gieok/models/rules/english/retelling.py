"""Turns an English clause in the first person into one in the third.

"I live in Leeds and I work as a nurse" becomes "User lives in Leeds and works as a
nurse". Only what is closed is known by heart: pronouns, auxiliaries, irregular pasts;
what the words do not settle ("I'd", "we …", questions, orders) is left alone.
"""

import re
from typing import Final

from gieok.models.rules.english.verbs import conjugate_verb
from gieok.models.rules.english.vocabulary import VERB_ADVERBS
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_WORD: Final = compile_lazily(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_BLOCKING: Final = _LISTS.compile_list("english.blocking")
_VERBS_IN_LY: Final = _LISTS.get_words("english.verbs_in_ly")
_CONTRACTED: Final = {
    "i'm": "is", "im": "is", "i've": "has", "ive": "has", "i'll": "will",
    "i'd": "would",
}  # fmt: skip
_OWN: Final = {
    "my": "the user's", "our": "the user's", "me": "the user", "mine": "the user's",
    "myself": "themselves",
}  # fmt: skip
_COORDINATED: Final = _LISTS.get_words("english.coordinated")
_COORDINATED_BEFORE: Final = _LISTS.compile_list("english.coordinated_before")
_PREPOSITION: Final = _LISTS.get_words("english.preposition")
_OPENING: Final = _LISTS.compile_list("english.opening")
_JOINED: Final = compile_lazily(r"\b(?:and|but|or)\s+$", re.IGNORECASE)


class _PersonRewriter:
    """Walks over the words once; `due` says a verb has still to agree."""

    def __init__(self, text: str, *, first: bool) -> None:
        self._text = text
        self._words = list(_WORD.finditer(text))
        self._first = first
        self._due = False
        self._present = False
        self._named = not first
        self._parts: list[str] = []

    def rewrite_text(self) -> str:
        """Return the text in the third person."""
        at = 0
        for number, match in enumerate(self._words):
            self._parts.append(self._text[at : match.start()])
            self._parts.append(self._convert_word(number, match))
            at = match.end()
        joined = "".join([*self._parts, self._text[at:]])
        return " ".join(joined.split())

    def _convert_word(self, number: int, match: re.Match[str]) -> str:
        """Return what stands for one word."""
        low = match[0].lower().replace("’", "'")
        if low == "i":
            self._due = True
            return self._render_user()
        if low in _CONTRACTED:
            said = f"{self._render_user()} {_CONTRACTED[low]}"
            self._present = low in ("i'm", "im")
            return said.strip()
        if low in _OWN:
            return _OWN[low]
        if self._due:
            return self._convert_verb(match[0], low)
        return self._convert_coordinated(number, match[0], low)

    def _render_user(self) -> str:
        """Return what stands for "I": nothing after "and", where the verb suffices."""
        before = "".join(self._parts)
        if self._named and _JOINED.search(before):
            return ""
        opens = not self._named and not before.strip()
        self._named = True
        return "User" if opens else "the user"

    def _convert_verb(self, said: str, low: str) -> str:
        """Return the verb that belongs to "I", or the adverb before it."""
        if low in VERB_ADVERBS or (low.endswith("ly") and low not in _VERBS_IN_LY):
            return said
        self._due = False
        form = conjugate_verb(said)
        self._present = form != said
        return form

    def _convert_coordinated(self, number: int, said: str, low: str) -> str:
        """Return a second verb of the same subject ("and work as a nurse")."""
        joined = _JOINED.search("".join(self._parts))
        if not (self._present and joined):
            return said
        after = self._words[number + 1 : number + 2]
        following = after[0][0].lower() if after else ""
        verbal = _COORDINATED_BEFORE.match(low) and following in _PREPOSITION
        return conjugate_verb(said) if low in _COORDINATED or verbal else said


_LEAD: Final = _LISTS.compile_list("english.lead")


def trim_opening(text: str) -> str:
    """Return a clause without the small words it opens with, and its last sign."""
    return _LEAD.sub("", text.replace("’", "'")).strip(" ,.!;")


def to_third_person(text: str, *, first: bool = True) -> str | None:
    """Return the clause as said of the user, or nothing if that is not safe.

    A clause that is not the first of a fact goes on about "the user".
    """
    straight = text.replace("’", "'")
    if _BLOCKING.search(straight) or (first and not _OPENING.match(straight)):
        return None
    told = _PersonRewriter(straight, first=first).rewrite_text()
    return told[:1].upper() + told[1:] if first else told
