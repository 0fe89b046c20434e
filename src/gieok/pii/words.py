"""Words that announce what a number is, or that it is something harmless."""

from typing import Final

from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

RESIDENT: Final = _LISTS.build_vocabulary("words.resident")
PHONE: Final = _LISTS.build_vocabulary("words.phone")
PHONE_NUMBER: Final = _LISTS.build_vocabulary("words.phone_number")
CARD: Final = _LISTS.build_vocabulary("words.card")
BANK: Final = _LISTS.build_vocabulary("words.bank")
ACCOUNT: Final = _LISTS.build_vocabulary("words.account")
ACCOUNT_NUMBER: Final = _LISTS.build_vocabulary("words.account_number")
PASSPORT: Final = _LISTS.build_vocabulary("words.passport")
LICENCE: Final = _LISTS.build_vocabulary("words.licence")
SOCIAL: Final = _LISTS.build_vocabulary("words.social")
IBAN: Final = _LISTS.build_vocabulary("words.iban")
BUSINESS: Final = _LISTS.build_vocabulary("words.business")
ADDRESS: Final = _LISTS.build_vocabulary("words.address")


def _join_harmless() -> str:
    """Return what is numbered, with each word for its number, and the rest."""
    numbered = (
        f"{thing} {number}"
        for thing in _LISTS.get_word_list("words.numbered")
        for number in _LISTS.get_word_list("words.number")
    )
    return build_vocabulary(*numbered, *_LISTS.get_forms("words.harmless")).pattern


HARMLESS: Final = compile_lazily(_join_harmless)
"""What makes a number harmless, unless a word of its own kind stands nearer."""
