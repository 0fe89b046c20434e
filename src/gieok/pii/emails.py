"""Finds e-mail addresses, and those that are said: "hong 골뱅이 네이버 점 컴"."""

from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

_LOCAL: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_LONGEST_LOCAL: Final = 64
_WRITTEN: Final = compile_lazily(
    r"@(?=[A-Za-z0-9])[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{2,63}){0,3}"
    r"\.[A-Za-z][A-Za-z0-9\-]{1,62}"
)
_SPACED_LOCAL: Final = compile_lazily(r"(?<!\S)[a-z0-9](?: [a-z0-9._\-]){2,31} ?$")
_SPACED_DOMAIN: Final = compile_lazily(
    r"@(?: ?[a-z0-9\-](?![a-z0-9\-])){3,40}"
    r"(?: ?\.(?: ?[a-z0-9](?![a-z0-9])){2,20}){1,3}"
)
_PATH: Final = compile_lazily(r":(?:[~/]|[\w.\-]{1,64}/)")
_SHELL: Final = compile_lazily(
    r"(?:://|(?<![A-Za-z])(?:ssh|scp|sftp|rsync|mosh)(?:\s[\w\-./~]{1,32}){0,3}\s)$"
)
_SHELL_LINE: Final = 80
"""Characters before a name in which a command may stand."""
_PROVIDERS: Final = (
    r"(?:naver|gmail|g mail|daum|hanmail|nate|kakao|hotmail|outlook|yahoo|icloud"
    r"|i cloud|proton ?mail|proton|네이버|지메일|쥐메일|다음|한메일|네이트|카카오"
    r"|핫메일|아웃룩|야후|아이클라우드)"
)
_DOT: Final = (
    r"(?:\s?[(\[{<_]\s?(?:dot|점)\s?[)\]}>_]\s?|\s?(?:점|쩜|닷|도트)\s?|\sdot\s"
    r"|\s?[.。,]\s?)"
)
_TOP: Final = (
    r"(?:(?:com|net|org|edu|gov|io|dev|me|co|kr|us|uk|jp|ai|app|info)(?![a-z0-9])"
    r"|컴|콤|넷|케이알|씨오|코|오알지|아이오|에이씨)"
)
_AT: Final = (
    r"(?P<sign>\s?[(\[{<_]\s?(?:at|골뱅이|앳)\s?[)\]}>_]\s?|\sat sign\s"
    r"|\s?골뱅이\s?|\s앳\s|\s?@\s?)"
    r"|(?P<word>\sat\s)"
)
_CLEAR_DOT: Final = (
    r"(?:\s?[(\[{<_]\s?(?:dot|점)\s?[)\]}>_]\s?"
    r"|\sdot\s(?!(?:dot|the|and|for|but|on|in|is|of|to)\s))"
)
"""A dot that is said as one, after which any domain may stand."""
_LABEL: Final = r"(?:[a-z0-9][a-z0-9\-]{0,62}|[가-힣]{1,10}?)"
_SPOKEN: Final = compile_lazily(
    rf"(?:{_AT})(?:(?:(?P<known>{_PROVIDERS})|{_LABEL})"
    rf"(?P<top>(?:{_DOT}{_LABEL}){{0,2}}?(?:{_DOT}{_TOP}(?:{_DOT}{_TOP})?"
    rf"|{_CLEAR_DOT}[a-z]{{2,6}}(?![a-z0-9])))"
    rf"|(?P<alone>{_PROVIDERS}))"
)
_MAIL_WORD: Final = _LISTS.compile_list("emails.mail_word")
_LETTER: Final = (
    r"(?:[a-z]|에이|비|씨|시|디|이|에프|지|쥐|에이[치취]|아이|제이|케이|엘|엠|엔|오|피|큐|알|에스|티|유|브이"
    r"|더블유|엑스|와이|제트|지)"
)
_NUMBER: Final = (
    r"(?:\d+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[ \-]?"
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|[공영일이삼사오육칠팔구]+)"
)
_SIGN: Final = (
    r"[(\[{]?(?:dot|underscore|dash|hyphen|plus|minus|점|쩜|닷|언더바|언더스코어|밑줄"
    r"|하이픈|대시)[)\]}]?"
)
_PIECE: Final = compile_lazily(
    rf"(?:(?P<sign>{_SIGN})|(?P<letter>{_LETTER})|(?P<number>{_NUMBER})|(?P<word>[^\s/@<>()\[\]{{}}\"'=:;,]+))$"
)
_MAX_PIECES: Final = 16
_HINT: Final = _LISTS.build_vocabulary("emails.words")
_BROKEN: Final = compile_lazily(
    r"[a-z0-9가-힣]\s?@\s?[a-z0-9가-힣\-]{1,40}\s?[.,。]\s?[a-z가-힣]{2}"
)


def find_emails(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every e-mail address."""
    if "@" in said.text:
        yield from _find_written(said.text)
        yield from _find_spaced(said.low)
    if _HINT.search(said.low) or ("@" in said.text and _BROKEN.search(said.low)):
        yield from _find_spoken(said.low)


def _find_written(text: str) -> Iterator[PiiFinding]:
    for at in _WRITTEN.finditer(text):
        before = text[max(0, at.start() - _LONGEST_LOCAL) : at.start()]
        local = len(before) - len(before.rstrip(_LOCAL))
        if local and not _is_login(text, at.start() - local, at.end()):
            yield PiiFinding(at.start() - local, at.end(), PiiKind.EMAIL, 0.99)


def _find_spaced(low: str) -> Iterator[PiiFinding]:
    """Yield addresses with a space after every letter: "k i m @ ..."."""
    for domain in _SPACED_DOMAIN.finditer(low):
        floor = max(0, domain.start() - _LONGEST_LOCAL)
        local = _SPACED_LOCAL.search(low, floor, domain.start())
        if local:
            yield PiiFinding(local.start(), domain.end(), PiiKind.EMAIL, 0.9)


def _is_login(text: str, start: int, end: int) -> bool:
    """Tell whether it says who logs in where, and no mailbox: git@host:path."""
    return bool(
        _PATH.match(text, end)
        or _SHELL.search(text, max(0, start - _SHELL_LINE), start)
    )


def _find_spoken(low: str) -> Iterator[PiiFinding]:
    for match in _SPOKEN.finditer(low):
        if match["alone"] and "골뱅이" not in (match["sign"] or ""):
            continue
        start, is_spelled = _locate_local_part(low, match.start())
        if start == match.start():
            continue
        if match["word"] and not (is_spelled or match["known"]):
            before = low[max(0, start - 40) : start]
            if not _MAIL_WORD.search(before):
                continue
        if not _is_login(low, start, match.end()):
            yield PiiFinding(start, match.end(), PiiKind.EMAIL, 0.8)


def _locate_local_part(low: str, end: int) -> tuple[int, bool]:
    """Return where a name before the sign starts, and whether it was spelled out.

    A name goes on over a space as long as it is spelled: letter by letter, with signs
    in words, or a word and the number after it.
    """
    start, last, is_spelled = end, "", False
    floor = max(0, end - _LONGEST_LOCAL)
    for _ in range(_MAX_PIECES):
        rest = low[floor:start].rstrip(" ")
        at = rest.rfind(" ") + 1
        piece = _PIECE.search(rest, at)
        if piece is None:
            break
        kind = str(piece.lastgroup)
        goes_on = (
            not last
            or "sign" in (kind, last)
            or (kind in ("letter", "number") if last == "letter" else last == "number")
        )
        if not goes_on or (last == "sign" and kind == "sign"):
            break
        is_spelled = is_spelled or kind != "word" or not piece["word"].isalpha()
        start, last = floor + piece.start(), kind
        if piece.start() > at:
            break
    return start, is_spelled
