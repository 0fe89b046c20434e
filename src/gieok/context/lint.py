"""Looks at an assistant's answer for addresses that only memory can have given it.

A planted memory takes what it learned away in an address: an image that is fetched, a
link to click, a mail to write (SpAIware). An app checks the answer before it is shown.
"""

import re
from typing import Final

from gieok.context.model import Block
from gieok.text.patterns import compile_lazily

_ADDRESS: Final = compile_lazily(
    r"(?:https?://|www\.)[^\s<>()\[\]\"']+"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+",
    re.IGNORECASE,
)
"""A mail's name begins where no other sign of one stands before: each is read once."""
_HOST: Final = compile_lazily(r"^(?:https?://)?(?:[^/@\s]*@)?(?:www\.)?([^/?#:\s]+)")
_SHOWN: Final = (("[:]", ":"), ("[.]", "."), ("[at]", "@"), ("&amp;", "&"))


def find_foreign_addresses(
    answer: str, block: Block, said: str = ""
) -> tuple[str, ...]:
    """Return the addresses of an answer whose host stands in the block alone.

    `said` is what the person wrote now: an address they gave themselves is theirs.
    Take the ones returned out of the answer, or ask the person, before showing it.
    """
    remembered = "\n".join(line.text for line in block.lines)
    for shown, written in _SHOWN:
        remembered = remembered.replace(shown, written)
    hosts = _extract_hosts(remembered) - _extract_hosts(said)
    return tuple(
        address
        for address in dict.fromkeys(_ADDRESS.findall(answer))
        if _parse_host(address) in hosts
    )


def _extract_hosts(text: str) -> set[str]:
    return {_parse_host(address) for address in _ADDRESS.findall(text)}


def _parse_host(address: str) -> str:
    found = _HOST.match(address.lower())
    return found[1].rstrip(".,;") if found else address.lower()
