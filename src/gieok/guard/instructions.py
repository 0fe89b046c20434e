"""What counts as an item that could be taken for an instruction, defined once.

A line of a prompt is instruction-capable when its value, in plain spelling,

1. carries something that acts by itself: an address that can be followed, an image or
   link in markup, a tag, a code fence, a role's token, a tool call, hidden characters;
2. or holds a sentence that tells an assistant what to do, allows it, says what it must
   or may do, or what it is to say when something happens, and asks for more than
   manners (tone, language, form of address, form and length of answers, reminders, what
   to leave out or to talk about) or a service that favours nobody and risks nothing.

What holds at work, at home or in a game, or what others said, orders nothing while it
names no assistant.

Everything else is a statement: it may be false, but it asks for nothing.
"""

import re
import unicodedata
from typing import Final

from gieok.guard import instructions_en, instructions_ko
from gieok.guard.fence import LONGEST_VALUE
from gieok.guard.suspicion import deobfuscate_text, has_hidden_text
from gieok.text.kiwi import Morphology, get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.normalization import normalize_spelling as seen
from gieok.text.patterns import compile_lazily

_ACTIVE: Final = compile_lazily(
    r"\b(?:https?|ftp|data|javascript|file|vbscript)\s?:(?=\s?\S)|\bwww\.\w|\S@\w+\.\w"
    r"|\]\s?\(|!\[|</?[a-z!][^>]*>|```|~~~|<\||\|>|\[/?(?:inst|sys|system)\b|\{\{|\}\}"
    r"|(?:^|\n)[ \t]*#{1,6}\s|(?:^|\n)[ \t]*(?:system|assistant|tool|developer"
    r"|시스템)\s?:"
    r"|\"(?:tool|function|name|arguments|role)\"\s?:|\b\w+\((?:[\"'{]|\w+\s?=)",
    re.IGNORECASE,
)
_BLANKS: Final = compile_lazily(r"[^\S\n]+")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs"})


_ADDRESS: Final = compile_lazily(
    r"https?:|\bwww\.|\b[\w-]+\.(?:com|net|org|io|example|kr|ai|dev|app|xyz|ru|cn)\b"
    r"|\S@\w|\bdot (?:com|net|org|io)\b",
    re.IGNORECASE,
)
_OWN: Final = compile_lazily(
    r"\b(?:blog|portfolio)\b|\b(?:my|our|user's|own)\b(?: [\w']+){0,3} (?:site"
    r"|website|blog|page|homepage|e-?mail"
    r"|portfolio|channel|shop|account|address|handle)|\b(?:reads?|visits?|uses?"
    r"|watch(?:es)?"
    r"|buys?|orders?|subscribes?|writes?|runs?|works?|owns?)\b"
    r"|블로그|홈페이지|포트폴리오|채널|(?:내|제|우리|사용자의|개인"
    r"|회사)(?: [가-힣]+){0,2} ?(?:블로그|홈페이지|사이트"
    r"|메일|이메일|주소"
    r"|채널|가게|쇼핑몰"
    r"|계정)|읽|이용|구독|운영|즐겨|자주|방문|시청|산다|사요|쓴다|써요",
    re.IGNORECASE,
)
"""An address is part of a statement about oneself when it is one's own or used."""


def is_directive(text: str, morphology: Morphology | None = None) -> bool:
    """Tell whether a text tells an assistant what to do, beyond its manners.

    Only as much of it is read as a prompt would ever show.
    """
    text = _BLANKS.sub(" ", text)[:LONGEST_VALUE]
    plain = unicodedata.normalize("NFKC", seen(text).text).replace("\u2019", "'")
    if any(map(instructions_en.has_order, {plain, deobfuscate_text(plain)})):
        return True
    if _ADDRESS.search(plain) and not _OWN.search(plain):
        return True
    return has_hangul(plain) and instructions_ko.has_order(
        deobfuscate_text(plain), morphology or get_shared_morphology()
    )


def is_impersonal(text: str) -> bool:
    """Tell whether an English text says nothing of the person; Korean drops them."""
    text = text[:LONGEST_VALUE]
    return not has_hangul(text) and instructions_en.is_impersonal(text)


def has_active_content(text: str) -> bool:
    """Tell whether a text carries something that acts by itself."""
    hidden = any(unicodedata.category(c) in _HIDDEN for c in text if c not in "\n\t")
    return hidden or has_hidden_text(text) or _ACTIVE.search(text) is not None


def is_instruction_capable(line: str) -> bool:
    """Tell whether a line of a prompt could be taken for an instruction."""
    return has_active_content(line) or is_directive(line)
