"""Finds passwords and codes near the words that announce them."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

KEYWORD: Final = _LISTS.build_vocabulary("passwords.words")
WIFI: Final = _LISTS.build_vocabulary("passwords.wifi")
_REACH: Final = 44
_REST: Final = 16
_STOP: Final = compile_lazily(r"\n\n|\.\s")
_TOKEN: Final = compile_lazily(
    # dictated bit by bit
    r"(?<![!-~])\d{1,4}(?: \d{1,4}){1,11}(?![!-+\-/-~]|[,.]\w| \d)"
    r"|(?<![!-~])\d(?: \d){2,11}(?!\d)"
    r"|(?<![가-힣])[가-힣]{2,12}[0-9!@#$%^&*_]{2,20}"
    r"|[!-~]{3,64}"
)
_WORD_AND_CODE: Final = compile_lazily(r"[가-힣]{2,12}[!-@_^]{2,20}")
_FOLLOWED: Final = compile_lazily(r" / ([!-~]{4,64})")
_LOGIN: Final = compile_lazily(
    r"(?i:\b(?:log|sign)[ \-]?in|\bcredentials?|로그인|아이디)[^/\n]{0,16}?"
    r"[ :][!-.0-~]{2,40} ?/ ?(?P<value>[!-~]{4,64})"
)
"""A name and what opens its account, side by side."""
_REFERENCE: Final = _LISTS.compile_list("passwords.reference")
"""What stands for a value in a program, or is its type, and is none itself."""
_WRAPPING: Final = "\"'`()[]<>.,;:?"
_AT_ONCE: Final = compile_lazily(
    r"(?:\s|[은는이가를을란:=\-\"'`(]|→|입니다|번호|is\b|was\b|says\b|to\b|설정|code\b|number\b|'s\b|(?:세|네|여섯)\s?자리"
    r"|(?:for|to|of)\s(?:the|my|our|his|her)\s[a-z]{1,16}(?=\s(?:is|was)\b)){0,8}"
)
_ANNOUNCED: Final = compile_lazily(r"\s?[은는이가]?\s?[:=\"'`]\s?[\"'`]?")
_EXCLAIMED: Final = compile_lazily(r"[가-힣]+[!?~^]+")
"""A Korean word that is no password for its signs: "몰라요!!"."""
_COPULA: Final = _LISTS.compile_list("passwords.copula")
_BEFORE_KEY: Final = compile_lazily(
    r"(?<![!-~])([!-~]{4,64})"
    r"(?:\s?(?:이|가|은|는|라는 게)|\s(?:is|was)(?: the| my| our)?)?"
    r"\s(?:[가-힣A-Za-z'\-]{1,8}+\s?){0,3}$"
)
_COUNTED: Final = _LISTS.compile_list("passwords.counted")
_ORDINARY: Final = compile_lazily(
    r"[A-Z]+[a-z]*-?\d{1,2}(?:[A-Z][A-Za-z]*)?|i(?:OS|Phone|Pad)\d{1,2}"
    r"|\d+[A-Za-z]{1,4}|https?:.*|[\d.:/\-]*"
)
_SIX: Final = compile_lazily(
    r"\s?(\d{3}[ \-]?\d{3}|\d(?: \d){3,7})(?!\d|[ \-]\d|\s?(?:원|명|개|회|건))"
)
_YEAR: Final = compile_lazily(r"(?:19|20)\d\d")
_SYMBOL: Final = compile_lazily(r"[!@#$%^&*_+=](?!$)")
_MAIL: Final = compile_lazily(r".@.*\.")
_CODE: Final = compile_lazily(r"[*#]?\d{4,8}[*#]?")
_HALVED: Final = compile_lazily(r"\d{3}-\d{3}")
"""How a code of six digits is shown."""
_TURNS: Final = compile_lazily(r"\d{1,2}-\d{1,2}-\d{1,2}")
"""How the combination of a lock is."""
_TOLD: Final = compile_lazily(r".*\b(?:is|was)\b.*|\s?[:=]\s?")
_JOINING: Final = _LISTS.compile_list("passwords.joining")
_WRITTEN: Final = compile_lazily(r"[0-9]|[!@#$%^&*_+=](?=[A-Za-z])")
"""What no ordinary word has in it, shouted or not."""
_OPENING: Final = 8
"""Characters before the value of an answer: "네, "."""
_SHORTEST: Final = 4
_LONGEST: Final = 64
_DIGITS_OF_A_CODE: Final = range(3, 13)


def find_passwords(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield what stands near a word for a password and looks like one."""
    text = said.text
    yield from _find_announced(said)
    for word in WIFI.finditer(said.low):
        found = _find_after(text, word.end(), wifi=True)
        if found:
            yield found
    yield from _find_logins(text)
    asked = [*KEYWORD.finditer(said.last)]
    if asked and len(said.last) - asked[-1].end() <= _REACH:
        yield from _find_answer(text)


def _find_announced(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield what follows a word for a password, or stands right before one."""
    text, reached = said.text, 0
    for word in KEYWORD.finditer(said.low):
        if word.group() in _LISTS.get_words("passwords.one_time"):
            yield from _find_one_time_code(text, word.end())
            continue
        weak = word.group() in _LISTS.get_words("passwords.weak")
        found = _find_after(text, word.end(), weak=weak)
        if found:
            yield found
        elif before := _find_before(text, word.start()):
            yield before
            yield from _find_more_before(text, before.start)
        if found and found.end > reached:
            for more in _find_more(text, found.end, is_asked=False):
                yield more
                reached = more.end


def _find_after(
    text: str, start: int, *, wifi: bool = False, weak: bool = False
) -> PiiFinding | None:
    """Return the first value that follows a word within its sentence."""
    end = min(len(text), start + _REACH)
    stop = _STOP.search(text, start, end)
    end = stop.start() + 1 if stop else end
    lead = _AT_ONCE.match(text, start, end) if weak else None
    for token in _TOKEN.finditer(text, start, min(len(text), end + 64)):
        if token.start() >= end:
            break
        at, value = _unwrap_token(token)
        gap = text[start:at]
        if lead and at + len(value) <= lead.end():
            continue
        if weak and not _AT_ONCE.fullmatch(gap):
            return None
        if _is_announced_value(text, gap, at, value, wifi=wifi, weak=weak):
            also = _FOLLOWED.match(text, at + len(value)) if value.isalpha() else None
            end = also.end() if also else at + len(value)
            return PiiFinding(at, end, PiiKind.PASSWORD, 0.9)
    return None


def _find_logins(text: str) -> Iterator[PiiFinding]:
    """Yield the password that stands beside a name to log in with."""
    if "/" not in text:
        return
    for pair in _LOGIN.finditer(text):
        value = pair["value"].strip(_WRAPPING)
        if _is_mixed(value):
            at = pair.start("value") + pair["value"].index(value)
            yield PiiFinding(at, at + len(value), PiiKind.PASSWORD, 0.8)


def _find_one_time_code(text: str, start: int) -> Iterator[PiiFinding]:
    """Yield a code of six digits that follows a word at once."""
    gap = _AT_ONCE.match(text, start, start + _REACH)
    code = _SIX.match(text, gap.end() if gap else start)
    if code:
        yield PiiFinding(*code.span(1), PiiKind.PASSWORD, 0.8)


def _find_before(text: str, end: int) -> PiiFinding | None:
    """Return a value right before a word: "haru!2580이 와이파이 비번이야"."""
    match = _BEFORE_KEY.search(text[max(0, end - 96) : end])
    if not match:
        return None
    value = match.group(1).strip(_WRAPPING)
    if _REFERENCE.fullmatch(value) or _YEAR.fullmatch(value):
        return None
    if not (_is_mixed(value) or _CODE.fullmatch(value)):
        return None
    at = max(0, end - 96) + match.start(1) + match.group(1).index(value)
    return PiiFinding(at, at + len(value), PiiKind.PASSWORD, 0.75)


def _find_answer(text: str) -> Iterator[PiiFinding]:
    """Yield the values that answer a question for a password, one or several."""
    for token in _TOKEN.finditer(text[: _OPENING + _REACH]):
        if token.start() > _OPENING:
            return
        at, value = _unwrap_token(token)
        given = _is_mixed(value) and _EXCLAIMED.fullmatch(value) is None
        if given or _is_bare_code(value):
            yield PiiFinding(at, at + len(value), PiiKind.PASSWORD, 0.8)
            yield from _find_more(text, at + len(value), is_asked=True)
            return


def _find_more(text: str, end: int, *, is_asked: bool) -> Iterator[PiiFinding]:
    """Yield what is given after a value as well: "5678이고 hunter2야".

    Unless it was asked for, only what stands beside the one before, or is told in the
    same sentence and can be nothing else.
    """
    place = end
    while token := _TOKEN.search(text, place, end + _REACH + _LONGEST):
        if token.start() - end > _REACH:
            return
        place = token.end()
        at, value = _unwrap_token(token)
        gap = text[end:at]
        is_apart = _STOP.search(gap) is not None
        is_beside = _JOINING.fullmatch(gap) is not None
        rest = text[at + len(value) : at + len(value) + _REST]
        is_near = is_asked or is_beside or (not is_apart and _is_stated(value, rest))
        if is_near and _is_given_as_well(
            value, rest, is_beside=is_beside, is_apart=is_apart
        ):
            end = at + len(value)
            yield PiiFinding(at, end, PiiKind.PASSWORD, 0.8)


def _find_more_before(text: str, start: int) -> Iterator[PiiFinding]:
    """Yield what is given before a value as well: "hunter2x and tiger99x are …"."""
    first = max(0, start - 2 * _REACH)
    for token in reversed([*_TOKEN.finditer(text, first, start)]):
        at, value = _unwrap_token(token)
        gap = text[at + len(value) : start]
        if _JOINING.fullmatch(gap) and _is_given_as_well(
            value, gap, is_beside=True, is_apart=False
        ):
            start = at
            yield PiiFinding(at, at + len(value), PiiKind.PASSWORD, 0.75)


def _is_stated(value: str, rest: str) -> bool:
    """Tell whether a token is said to be something, and looks like a password."""
    is_ordinary = _ORDINARY.fullmatch(value) is not None
    return _is_mixed(value) and not is_ordinary and _COPULA.match(rest) is not None


def _is_given_as_well(
    value: str, rest: str, *, is_beside: bool, is_apart: bool
) -> bool:
    """Tell whether a token after a value is one as well, and no year, count or name."""
    if _COUNTED.match(rest):
        return False
    is_stated = _COPULA.match(rest) is not None
    if _is_bare_code(value):
        return not is_apart and (is_beside or is_stated or not _YEAR.fullmatch(value))
    if not _is_mixed(value) or not _ORDINARY.fullmatch(value):
        return _is_mixed(value) and _WRITTEN.search(value) is not None
    return is_stated or not rest.strip(" .,!?")


def _is_bare_code(value: str) -> bool:
    return _CODE.fullmatch(value.replace(" ", "")) is not None


def _unwrap_token(token: re.Match[str]) -> tuple[int, str]:
    inner = token.group().lstrip(_WRAPPING + "=")
    value = inner.partition("</")[0]
    return token.end() - len(inner), value.rstrip(_WRAPPING)


def _is_dictated(value: str, *, weak: bool) -> bool:
    """Tell whether groups are bits of one code, and not a few numbers."""
    bits = value.split(" ")
    return sum(map(len, bits)) >= _SHORTEST or (
        not weak and all(len(bit) == 1 for bit in bits)
    )


def _is_announced_value(
    text: str, gap: str, at: int, value: str, *, wifi: bool, weak: bool
) -> bool:
    """Tell whether a token that follows a word is the value it announces."""
    at_once = bool(_AT_ONCE.fullmatch(gap))
    if wifi or _REFERENCE.fullmatch(value):
        wpa = _is_mixed(value) and len(value) > 7  # noqa: PLR2004 - WPA wants eight
        return wifi and bool(gap.strip()) and at_once and wpa
    rest = text[at + len(value) : at + len(value) + _REST]
    turns = weak and _TURNS.fullmatch(value)
    if turns or _HALVED.fullmatch(value):
        return bool(_TOLD.fullmatch(gap)) if turns else at_once
    digits = value.replace(" ", "").strip("*#")
    if digits.isdigit():
        dictated = " " not in value or (
            at_once and not _YEAR.match(value) and _is_dictated(value, weak=weak)
        )
        return dictated and _is_code(digits, rest, at_once=at_once)
    if _WORD_AND_CODE.fullmatch(value):
        return at_once and bool(gap.strip()) and not _COUNTED.match(rest)
    if _is_mixed(value):
        return at_once or not _ORDINARY.fullmatch(value)
    plain = value.isascii() and value.isalnum() and len(value) >= _SHORTEST
    return plain and bool(
        _ANNOUNCED.fullmatch(gap) or (at_once and _COPULA.match(rest))
    )


def _is_code(value: str, rest: str, *, at_once: bool) -> bool:
    if len(value) not in _DIGITS_OF_A_CODE or _COUNTED.match(rest):
        return False
    return at_once or (len(value) >= _SHORTEST and not _YEAR.fullmatch(value))


def _is_mixed(value: str) -> bool:
    """Tell whether letters stand beside digits or symbols, as in a password."""
    if len(value) < _SHORTEST or "</" in value or _MAIL.search(value):
        return False
    letters = any(c.isalpha() for c in value)
    others = any(c.isdigit() for c in value) or _SYMBOL.search(value)
    return bool(letters and others) or bool(
        _SYMBOL.search(value) and any(c.isdigit() for c in value)
    )
