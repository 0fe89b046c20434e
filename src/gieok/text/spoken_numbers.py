"""Reads numbers that are said in words: of which digits, and between which others.

A number is a chain of groups. A group is written in digits, or said in Sino-Korean,
Korean or English words. Between two groups of a chain stand only signs, hesitations,
joints ("다시", "dash") and corrections ("아니", "sorry"), which undo
the group before.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gieok.text.number_groups import (
    CORRECTIONS,
    ENGLISH,
    GROUP,
    JOINTS,
    MIN_DIGITS,
    MIN_SHORT,
    NATIVE,
    PLACE,
    SINO_OR_UNIT,
    TEENS,
    TENS,
    TIMES,
    UNITS,
    DigitGroup,
    parse_group,
)
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import build_vocabulary

_LISTS: Final = PatternFile("gieok.text", "patterns.toml")

SpellingChange = tuple[int, int, str]
"""A place in a text, and what stands there in plain spelling."""
_HESITATIONS: Final = (
    # Korean: words that lead on, endings that join, answers and sounds; long ones first
    "그다음(?:에|은|이|엔)?|그 ?담(?:에|은|엔)?|그리고|그러니까|다음(?:에|은|이)?|나서"
    "|뒷자리(?:는|가)?|뒷번호(?:는|가)?|뒤(?:에|는|가)?|끝자리(?:는|가)?|끝(?:에|은|이)?"
    "|마지막(?:에|은|이|으로)?|가운데(?:는|가)?|중간(?:은|이)?|잠깐만?요?|잠시만?요?"
    "|뭐더라|맞다|띄(?:고|우고|어)|한 ?칸|쉬고|입니다|이에요|예요|이고요?|이구요"
    "|이요|이며|이랑|랑|하고|고요?|구요|국에?|점|쩜|땡|넵|네+|예|응|요|의"
    "|음+|어+|으+|그+|저|아+|에+"
    # English
    "|uh+|um+|er+m?|hm+|ah|and|then|next|comma|dot|point|space|plus|followed by|so|like"
    "|ok|okay|yeah|yes|let me see|hold on|hang on|one sec(?:ond)?"
    "|the rest is|lastly|finally|last"
)
_SIGNS: Final = r"[ .,\-_~|/()…:;'\"+]|(?<!\*)\*(?!\*)"
_WORDS: Final = f"{CORRECTIONS}|{JOINTS}|{_HESITATIONS}"
_GAP: Final = compile_lazily(rf"(?>{_SIGNS}|(?<![a-z])(?:{_WORDS})(?![a-z])){{0,12}}+")
_CORRECTED: Final = compile_lazily(rf"(?<![a-z])(?:{CORRECTIONS})(?![a-z])")
_JOINT: Final = compile_lazily(rf"(?<![a-z])(?:{JOINTS})(?![a-z])")
_LONGEST_GAP: Final = 24
_LONGEST_SIGNS: Final = 3
"""Signs between two groups that the rules for numbers know as one gap."""
_BIT: Final = 2
"""Digits of a group that, with others like it, was said bit by bit."""
_ODD_SIGN: Final = compile_lazily(r"\s?[*_|~]\s?")
_CLOSING: Final = _LISTS.compile_list("spoken_numbers.closing")
_PLACE_ENDING: Final = compile_lazily(PLACE)
_LOT: Final = compile_lazily(r"번지(?!점)")
_ROAD: Final = compile_lazily(r"[로길동층]\s?$")
_STREET: Final = _LISTS.compile_list("spoken_numbers.street")

_PLUS: Final = compile_lazily(r"(?:(?<![a-z])plus|플러스) ?$")
_MOBILE: Final = 11
_SECOND_NATIVE: Final = "|".join(
    rf"(?<={word[0]}){word[1:]} ?(?:{'|'.join(NATIVE)})" for word in NATIVE
)
_HINT: Final = compile_lazily(
    rf"[{SINO_OR_UNIT}\d{''.join({word[0]: '' for word in NATIVE})}](?:"
    rf"(?<=[{SINO_OR_UNIT}\d])[ \-.]?[{SINO_OR_UNIT}][ \-.]?[{SINO_OR_UNIT}\d]"
    rf"|(?<=[{SINO_OR_UNIT}])(?:[가-힣]?[\s,]{{1,2}}[{SINO_OR_UNIT}]|\d)"
    rf"|(?<=\d)(?: ?(?:{JOINTS})|[*_|~]\d)"
    rf"|{_SECOND_NATIVE})"
)
"""What may be a number: any first character, so that places are found fast, and what
may follow it: numerals, a joint, or the rest of a Korean number and another one."""
_MANY: Final = compile_lazily(r"(?:\d\D{0,24}){7}")
_ENGLISH_WORDS: Final = (*ENGLISH, *TEENS, *TENS, *TIMES)
_LONGER_WORDS: Final = build_vocabulary(*(word for word in _ENGLISH_WORDS if word[1:]))
_TWO_SPOKEN: Final = compile_lazily(
    rf"(?:{_LONGER_WORDS.pattern})"
    rf"[\s_,.\-]{{1,2}}(?:{'|'.join(_ENGLISH_WORDS)})"
)
"""Two English words for digits, one after the other."""


def can_contain_numbers(text: str) -> bool:
    """Tell whether it is worth reading a text for numbers that are said."""
    return has_number_words(text, text.lower()) or _MANY.search(text) is not None


def has_number_words(text: str, low: str) -> bool:
    """Tell the same of a text without digits, which is also given in lower case."""
    if _HINT.search(text):
        return True
    return _TWO_SPOKEN.search(low) is not None


def find_spoken_numbers(text: str) -> Iterator[SpellingChange]:
    """Yield what stands in plain spelling instead of numbers that are said."""
    low = text.lower()
    for chain in _iterate_chains(low):
        if _is_number(low, chain):
            yield from _render_chain(low, _trim_particle(low, chain))


def _iterate_chains(low: str) -> Iterator[list[DigitGroup]]:
    chain: list[DigitGroup] = []
    for match in GROUP.finditer(low):
        group = parse_group(low, match)
        if group is None:
            continue
        if chain and not _is_joined(low, chain[-1].end, group.start):
            yield chain
            chain = []
        chain.append(group)
    if chain:
        yield chain


def _is_joined(low: str, end: int, start: int) -> bool:
    gap = start - end
    return gap <= _LONGEST_GAP and _GAP.fullmatch(low, end, start) is not None


_NUMBERS: Final = frozenset({7, 8, 10, 11, 13, 16})
"""Digits of phones, resident numbers and cards."""


def _is_number(low: str, chain: Sequence[DigitGroup]) -> bool:
    """Tell whether a chain of groups is a number that is to be spelled in digits."""
    said = [group for group in chain if group.form != "digits"]
    digits = sum(len(group.digits) for group in chain)
    if not said:
        return digits >= MIN_DIGITS or _is_jointed(low, chain)
    if digits >= MIN_DIGITS:
        return not _is_day_count(low, chain)
    return _is_short(low, chain, digits) or _is_place(low, chain)


def _is_jointed(low: str, chain: Sequence[DigitGroup]) -> bool:
    """Tell whether nothing but joints stands between written digits: "12다시 3"."""
    return len(chain) > 1 and all(
        _JOINT.search(low, one.end, two.start) for one, two in pairwise(chain)
    )


def _is_day_count(low: str, chain: Sequence[DigitGroup]) -> bool:
    """Tell whether the only words are "일" and the like, right after written digits."""
    return all(
        group.form == "digits"
        or (
            group.end - group.start == 1
            and group.start > 0
            and low[group.start - 1].isdigit()
            and not low[group.end : group.end + 1].isdigit()
        )
        for group in chain
    )


def _is_short(low: str, chain: Sequence[DigitGroup], digits: int) -> bool:
    """Tell whether few digits are said on their own: "비번은 이오팔공이야"."""
    last = chain[-1]
    ends = not ("가" <= low[last.end : last.end + 1] <= "힣")
    if any(group.form == "digits" for group in chain):
        return digits >= MIN_SHORT and not _is_day_count(low, chain)
    if digits >= MIN_SHORT:
        return ends or last.is_sure or bool(_CLOSING.match(low, last.end))
    if digits == MIN_SHORT - 1 and all(one.form == "english" for one in chain):
        return low[chain[0].start : chain[0].end] in ("oh", "o", "zero")
    single = len(chain) == 1 and digits == MIN_SHORT - 1 and last.form == "sino"
    said = low[last.start : last.end]
    prefix = ends and said in ("공일공", "영일영")
    return single and (prefix or bool(_CLOSING.match(low, last.end)))


def _is_place(low: str, chain: Sequence[DigitGroup]) -> bool:
    """Tell whether it is the number of a house or a flat: "백오동 천이백삼호"."""
    if len(chain) != 1:
        return False
    (group,) = chain
    if group.form == "english":
        return _STREET.match(low, group.end) is not None
    said = low[group.start : group.end]
    road = _ROAD.search(low, max(0, group.start - 2), group.start)
    if road and _LOT.match(low, group.end):
        return True
    if len(said) < 2 or (len(said) < 3 and not set(said) & set(UNITS)):  # noqa: PLR2004 - "이사"
        return False
    if _PLACE_ENDING.match(low, group.end):
        return bool(
            road
            or re.match(
                r"(?:동|번?길)\s?[0-9]|동\s?[" + SINO_OR_UNIT + "]{2}|번길|번지",
                low[group.end : group.end + 6],
            )
        )
    return road is not None and low[max(0, group.start - 2)] in "로길"


def _trim_particle(low: str, chain: list[DigitGroup]) -> list[DigitGroup]:
    """Return a chain without the particle "이" that may close it."""
    last = chain[-1]
    digits = sum(len(group.digits) for group in chain)
    particle = last.form == "sino" and low[last.end - 1] == "이"
    mobile = digits == _MOBILE + 1 and "".join(g.digits for g in chain)[:2] == "01"
    if particle and (mobile or digits in (14, 17)):  # or resident or card, and one
        if last.end - last.start == 1:
            return chain[:-1]
        last.digits, last.end = last.digits[:-1], last.end - 1
    return chain


def _render_chain(low: str, chain: Sequence[DigitGroup]) -> Iterator[SpellingChange]:
    """Yield a chain's groups in digits, and between them what sets them apart."""
    taken_back = _find_corrected(low, chain)
    plus = _PLUS.search(low, max(0, chain[0].start - 6), chain[0].start)
    if plus:
        yield *plus.span(), "+"
    tilde = all("~" in low[one.end : two.start] for one, two in pairwise(chain))
    for place, group in enumerate(chain):
        if place in taken_back:
            yield group.start, group.end, ""
        elif group.form != "digits":
            yield group.start, group.end, group.digits
        if place + 1 < len(chain) and group.end < chain[place + 1].start:
            start = chain[place + 1].start
            old = low[group.end : start]
            is_bit = _is_split_group(group, chain[place + 1], old)
            taken = place in taken_back or is_bit
            new = "" if taken else _select_separator(old, tilde=tilde)
            if "," in new and "digits" not in (group.form, chain[place + 1].form):
                new = " "
            if new != old:
                yield group.end, start, new


def _is_split_group(one: DigitGroup, two: DigitGroup, gap: str) -> bool:
    """Tell whether two groups are bits of one: "오 육", "seventy six"."""
    return (
        (gap == " " or (gap == "-" and one.form == "english"))
        and "digits" not in (one.form, two.form)
        and max(len(one.digits), len(two.digits)) <= _BIT
    )


def _select_separator(gap: str, *, tilde: bool) -> str:
    if _JOINT.search(gap):
        return "-"
    if _ODD_SIGN.fullmatch(gap) and (tilde or "~" not in gap):
        return "-"
    said = any(c.isalpha() for c in gap)
    return " " if said or len(gap) > _LONGEST_SIGNS else gap


def _find_corrected(low: str, chain: Sequence[DigitGroup]) -> set[int]:
    """Return which groups were corrected by what follows them."""
    taken: set[int] = set()
    total = sum(len(group.digits) for group in chain)
    before = 0
    for place in range(len(chain) - 1):
        before += len(chain[place].digits)
        if not _CORRECTED.search(low, chain[place].end, chain[place + 1].start):
            continue
        after = total - before
        if before < 9 or after < 9:  # noqa: PLR2004 - otherwise all of it is said anew
            taken |= _select_taken_back(low, chain, place, total)
    return taken


def _select_taken_back(
    low: str, chain: Sequence[DigitGroup], place: int, total: int
) -> set[int]:
    """Return the groups that what follows one replaces: as many bits as are said anew.

    Of "five five five no wait five five six", three; the last one, if that leaves no
    number of a usual size.
    """
    start, end, new = place, place + 1, len(chain[place + 1].digits)
    while end + 1 < len(chain) and _is_next_bit(low, chain, end):
        end += 1
        new += len(chain[end].digits)
    old = len(chain[place].digits)
    while start and old < new and _is_next_bit(low, chain, start - 1):
        start -= 1
        old += len(chain[start].digits)
    whole = old == new and total - old in _NUMBERS
    return set(range(start, place + 1)) if whole else {place}


def _is_next_bit(low: str, chain: Sequence[DigitGroup], place: int) -> bool:
    """Tell whether a group and the next one are bits of one."""
    one, two = chain[place : place + 2]
    return _is_split_group(one, two, low[one.end : two.start])
