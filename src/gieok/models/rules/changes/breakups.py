"""A stated separation ends what says that somebody is the user's partner.

"me and tom broke up" names no word of "The user is dating Tom" but the name, which a
friend may have as well. So it is looked for among those who are known as partners: the
one of that name, or the only one where no name is said. Nothing else ends.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.changes.stated_ends import has_own_subject
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.english.retelling import trim_opening
from gieok.models.rules.flags import NOT_ASSERTED
from gieok.models.rules.lexicon import (
    ACQUAINTANCES_EN,
    ACQUAINTANCES_KO,
    KIN_EN,
    KIN_KO,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.models.rules.changes", "breakups.toml")

_SHORTEST: Final = 2  # syllables of a Korean name
_PARTNER_EN: Final = _LISTS.compile_list("breakups.partner_en")
_PARTNER_KO: Final = _LISTS.compile_list("breakups.partner_ko")
_FORMER: Final = _LISTS.compile_list("breakups.former")
_NAME_EN: Final = _LISTS.compile_list("breakups.name_en")
_NAME_KO: Final = _LISTS.compile_list("breakups.name_ko")
_PARTNERS: Final = _LISTS.get_words("breakups.partners")
_STATED_EN: Final = _LISTS.compile_list("breakups.stated_en")
_LEFT_EN: Final = _LISTS.compile_list("breakups.left_en")
_OTHER_EN: Final = _LISTS.compile_list("breakups.other_en")
_PAIR_EN: Final = _LISTS.compile_list("breakups.pair_en")
_NOT_EN: Final = _LISTS.compile_list("breakups.not_en")
_STATED_KO: Final = _LISTS.compile_list("breakups.stated_ko")
_LEFT_KO: Final = _LISTS.compile_list("breakups.left_ko")
_OTHER_KO: Final = _LISTS.compile_list("breakups.other_ko")
_NOT_KO: Final = _LISTS.compile_list("breakups.not_ko")
_ENDED_KO: Final = _LISTS.get_words("breakups.ended_ko")
_PARTICLES: Final = _LISTS.get_words("breakups.particles") | {""}
_SPACED: Final = compile_lazily(r"(남자|여자) 친구")
_WORD: Final = compile_lazily(r"[A-Za-z]+|[가-힣]+")
_RELATIVES: Final = (KIN_EN | KIN_KO | ACQUAINTANCES_EN | ACQUAINTANCES_KO) - _PARTNERS


class Breakup(NamedTuple):
    """That the user and somebody part."""

    other: str
    """The name of who it is, or nothing."""
    is_plain: bool
    """Whether it is one of whomever it may be said."""


def find_breakup(candidate: ClauseCandidate) -> Breakup | None:
    """Return with whom a clause says that the user parts for good, if it does."""
    if candidate.has_flag(*NOT_ASSERTED):
        return None
    text = candidate.clause.text.replace("’", "'")
    if is_english(text):
        beside = candidate.turn.text if text.lower().startswith("and ") else ""
        return _find_english(trim_opening(text), beside)
    return _find_korean(candidate)


def _find_english(text: str, beside: str) -> Breakup | None:
    """Return what an English clause says, of whom is named in it or just before."""
    plain = _STATED_EN.search(text) is not None
    if not (plain or _LEFT_EN.search(text)) or _NOT_EN.search(text):
        return None
    found = _OTHER_EN.search(text) or _PAIR_EN.search(beside)
    *before, word = found[0].lower().split() if found else [""]
    if word in _PARTNERS or not word:
        return Breakup("", is_plain=True)
    if "my" in before or word in _RELATIVES:
        return None
    return Breakup(word, is_plain=plain)


def _find_korean(candidate: ClauseCandidate) -> Breakup | None:
    """Return what a Korean clause says, if it is of nobody else."""
    text = candidate.clause.text
    plain = _STATED_KO.search(text) is not None
    if not (plain or _LEFT_KO.search(text)) or _NOT_KO.search(text):
        return None
    words = _list_words(text)
    if any(map(_is_relative, words)):
        return None
    other = next((each[0] for each in _OTHER_KO.finditer(text)), "")
    if not other:
        return Breakup("", is_plain=True) if plain else None
    if not has_own_subject(candidate, {other, *_PARTNERS, *_ENDED_KO}):
        return None
    if other in _PARTNERS:
        return Breakup("", is_plain=True)
    return Breakup(other, is_plain=plain)


def resolve_breakups(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what the clauses do, with what separations do to who is known."""
    kept = list(related)
    for place, candidate in enumerate(candidates):
        said = find_breakup(candidate)
        if said is None:
            continue
        ended = _find_ended([item.content for item in known], said)
        kept = [
            one
            for one in kept
            if one.clause != place and (one.is_wish or one.known not in ended)
        ]
        taken = {one.known for one in kept}
        for item in (each for each in ended if each not in taken):
            first = item == ended[0]
            operation = FindingOperation.UPDATE if first else FindingOperation.DELETE
            kept.append(
                ItemRelation(place, item, operation, PLAINLY_STATED, stands=not first)
            )
    return kept


def _find_ended(known: Sequence[str], said: Breakup) -> list[int]:
    """Return the places of what says that who it is, or the only one, is a partner."""
    partners = [place for place, text in enumerate(known) if is_of_partner(text)]
    names = {place: _list_names(known[place]) for place in partners}
    everyone = {name for each in names.values() for name in each}
    other = said.other
    matching = {name for name in everyone if other and _is_same_name(name, other)}
    if matching:
        return [p for p in partners if not names[p] or names[p] & matching]
    if not other:
        return partners if len(everyone) <= 1 else []
    elsewhere = any(
        other in text.lower() for n, text in enumerate(known) if n not in partners
    )
    return partners if said.is_plain and not (everyone or elsewhere) else []


def _is_same_name(one: str, other: str) -> bool:
    """Tell whether two names are one: "지은" is "지은이"."""
    if one == other:
        return True
    korean = len(other) >= _SHORTEST and not other.isascii()
    return korean and (one.endswith(other) or one.removesuffix("이") == other)


def is_of_partner(content: str) -> bool:
    """Tell whether a memory says that somebody is the user's partner."""
    if _FORMER.search(content):
        return False
    if is_english(content):
        return _PARTNER_EN.search(content) is not None
    found = _PARTNER_KO.search(content)
    if found is None:
        return False
    return not any(map(_is_relative, _list_words(found[0])[1:]))


def _list_words(text: str) -> list[str]:
    """Return the words of a Korean text, "남자 친구" as one."""
    return _WORD.findall(_SPACED.sub(r"\1친구", text))


def _is_relative(word: str) -> bool:
    """Tell whether a Korean word names somebody near who is no partner.

    A name that opens like one ("형석이랑") does not.
    """
    if word.startswith(tuple(_PARTNERS)):
        return False
    return any(
        len(one) > 1 or word[len(one) :] in _PARTICLES
        for one in _RELATIVES
        if word.startswith(one)
    )


def _list_names(content: str) -> frozenset[str]:
    """Return the names that a memory of a partner has."""
    pattern = _NAME_EN if is_english(content) else _NAME_KO
    return frozenset(each[0].lower().split()[-1] for each in pattern.finditer(content))
