"""Finds street addresses; a district alone is none."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.model import PiiFinding, PiiKind
from gieok.pii.scoring import ScannedText
from gieok.pii.words import ADDRESS
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.pii", "patterns.toml")

_PROVINCE: Final = (
    r"(?:(?:서울|부산|대구|인천|광주|대전|울산|세종)(?:특별자치시|특별시|광역시|시)?"
    r"|(?:경기|강원|충청[남북]|전라[남북]|전북|경상[남북]|제주)(?:특별자치도|도)?"
    r"|충북|충남|전남|경북|경남)\s{1,2}"
)
_DISTRICT: Final = (
    r"(?:(?!즉시|다시|혹시|역시|잠시|택시|일시|친구|요구|연구|야구|축구|농구|배구|입구|출구|누구"
    r"|도구|가구|[0-9가-힣]몇시)[가-힣]{1,5}(?:시|군|구)\s{1,2})"
)
_VILLAGE: Final = r"(?:[가-힣]{1,5}(?:읍|면)\s)?"
_FLAT: Final = (
    r"(?:(?:[\dA-Z]{1,4}동\s?)?(?:지하\s?)?\d{1,4}(?:호|층)(?:\s?\d{1,4}호)?"
    r"|[일이삼사오육칠팔구십]{1,3}층)"
)
_BUILDING: Final = (
    r"(?:[가-힣A-Za-z0-9]{1,12}\s){0,2}"
    r"[가-힣A-Za-z0-9]{0,12}(?:아파트|빌딩|타워|청사|센터|스퀘어|프라자|오피스텔|빌라|[\dA-Z]동)"
)
_MEASURE: Final = (
    r"(?!\s?(?:시(?![가-힣])|시[에간쯤반]|분|월|일|년|개|명|번(?!지)|회|원|만|천|%|k|m|등|점|위"
    r"|차|살(?![아고던며지았])|가(?![가-힣])|가[에로역]|번지점|초|세트|정거장|인분|잔|병|곡|권|마리|배))"
)
_KOREAN_STREET: Final = compile_lazily(
    rf"({_PROVINCE})?({_DISTRICT}{{0,2}}){_VILLAGE}"
    r"(?!따로|새로|서로|바로|별로|때로|대로|진로|경로|도로|홀로|스스로|그대로|으로)"
    r"[가-힣0-9]{1,12}?(?:대로|(?<!으)로|길)\s?(?:\d{1,4}번?[가나다라]?길\s?)?"
    rf"\d{{1,4}}(?:\s\d(?!\d|\s?[호층])){{0,3}}(?:-\d{{1,4}})?(?!\d)(?:번지(?!점))?{_MEASURE}"
    rf"((?:,?\s{{0,2}}\(?{_BUILDING}\)?)?(?:,?\s{{0,2}}(?:[가-힣A-Za-z0-9]{{1,12}}\s)?{_FLAT})?)"
)
_KOREAN_LOT: Final = compile_lazily(
    rf"(?:{_PROVINCE})?{_DISTRICT}{{1,2}}{_VILLAGE}"
    r"[가-힣0-9]{1,6}(?:동|리|가)\s(?:산\s?)?\d{1,4}(?:-\d{1,4}(?:번지)?|번지)"
    rf"(?:,?\s?(?:[가-힣A-Za-z0-9]{{1,12}}\s)?{_FLAT})?"
)
_KOREAN_VILLAGE: Final = compile_lazily(
    rf"(?:{_PROVINCE})?{_DISTRICT}{{1,2}}[가-힣]{{1,5}}[읍면]\s[가-힣0-9]{{1,6}}리\s(?:산\s?)?\d{{1,4}}(?!\d){_MEASURE}"
)
_KOREAN_LOT_ALONE: Final = compile_lazily(
    r"(?<![가-힣])[가-힣]{1,4}\d?동\s\d{1,4}-\d{1,4}(?![\d-])" + _MEASURE
)
_NAME_OF_HOUSE: Final = (
    r"(?:(?:(?!\d)[가-힣A-Za-z0-9]{1,12}(?:아파트|빌라|오피스텔|타운|단지|맨션|주공|캐슬|팰리스|자이"
    r"|래미안|푸르지오|힐스테이트|아이파크|더샵|파크|타워|빌)|(?:자이|래미안|푸르지오|힐스테이트"
    r"|아이파크|더샵))(?:\s\d{1,2}(?:차|단지))?,?\s)"
)
_KOREAN_FLAT: Final = compile_lazily(
    rf"(?:{_DISTRICT}{{0,2}}(?:[가-힣]{{1,5}}동\s)?{_NAME_OF_HOUSE})?(?<!\d)\d{{1,4}}동,?\s?\d{{2,4}}호(?![선기실])"
    rf"|{_NAME_OF_HOUSE}(?:\d{{3,4}}호(?![선기실])|[1-9]\d{{2,3}}-\d{{1,2}}(?:0[1-9]|1[0-2])"
    r"(?![\d\-]|\s?(?:동|호[선기실]|세대|분양|년)))"
)
_NEAR_DISTRICT: Final = _LISTS.compile_list("addresses.near_district")
_AROUND: Final = 24
_SMALL_WORD: Final = r"(?!(?:and|or|by|the|of|in|on|to|for|from|a|an|with|is)\s)"
_ENGLISH_SPOKEN: Final = compile_lazily(
    r"(?<![\w.\-])\d{1,5}[a-z]?\s(?:[nsew]\.?\s)?"
    rf"(?:{_SMALL_WORD}(?:[a-z][a-z'\-]{{1,20}}|\d{{1,3}}(?:st|nd|rd|th))\s){{1,3}}?"
    r"(?:(?:street|st|avenue|ave|lane|ln|blvd|boulevard|terrace|crescent|parkway)"
    r"|(?P<ambiguous>road|rd|drive|dr|court|ct|place|square|close|way|highway))(?![a-z])\.?"
    r"(?P<flat>,?\s(?:apt|apartment|unit|suite|ste|flat|#)\.?\s?#?\w{1,6})?"
)
_ENGLISH_STREET: Final = _LISTS.compile_list("addresses.english_street")
_ENGLISH_UNIT: Final = _LISTS.compile_list("addresses.english_unit")
"""A number, a name and a flat, whatever the street is called."""
_ROAD_NUMBER: Final = compile_lazily(r"[로길]\s?\d")
_LOT_NUMBER: Final = compile_lazily(r"[동리가]\s(?:산\s?)?\d")
_FLAT_NUMBER: Final = compile_lazily(r"\d\s?[동호]|\d{3,4}-\d{3}")
_HOUSE_NUMBER: Final = compile_lazily(r"\d[a-z]?\s[a-z\d]")
"""How every English form begins, in lower case."""
_REACH: Final = 60


def find_addresses(said: ScannedText) -> Iterator[PiiFinding]:
    """Yield every address down to a house or a flat."""
    yield from _find_korean(said)
    yield from _find_english(said)


def _find_korean(said: ScannedText) -> Iterator[PiiFinding]:
    for street in _match_near_hints(_ROAD_NUMBER, _KOREAN_STREET, said.text):
        sure = _score_street(said, street)
        if sure:
            yield PiiFinding(*street.span(), PiiKind.ADDRESS, sure)
    for form in (_KOREAN_LOT, _KOREAN_VILLAGE):
        for lot in _match_near_hints(_LOT_NUMBER, form, said.text):
            yield PiiFinding(*lot.span(), PiiKind.ADDRESS, 0.8)
    for lot in _match_near_hints(_LOT_NUMBER, _KOREAN_LOT_ALONE, said.text):
        if _is_lot_number(said, lot.span()):
            yield PiiFinding(*lot.span(), PiiKind.ADDRESS, 0.7)
    for flat in _match_near_hints(_FLAT_NUMBER, _KOREAN_FLAT, said.text):
        yield PiiFinding(*flat.span(), PiiKind.ADDRESS, 0.75)


def _find_english(said: ScannedText) -> Iterator[PiiFinding]:
    if not _HOUSE_NUMBER.search(said.low):
        return
    for street in _ENGLISH_STREET.finditer(said.text):
        if len(street.group().split()[0]) > 1 or _is_announced(said, street.span()):
            yield PiiFinding(*street.span(), PiiKind.ADDRESS, 0.75)
    for street in _ENGLISH_UNIT.finditer(said.text):
        if (
            street["home"]
            or "," in street.group()
            or _is_announced(said, street.span())
        ):
            yield PiiFinding(*street.span(), PiiKind.ADDRESS, 0.75)
    for street in _ENGLISH_SPOKEN.finditer(said.low):
        number = street.group().split()[0]
        sure = not street["ambiguous"] or street["flat"] or len(number) > 2  # noqa: PLR2004 - "10 minutes drive"
        if sure and _is_announced(said, street.span()):
            yield PiiFinding(*street.span(), PiiKind.ADDRESS, 0.7)


def _is_announced(said: ScannedText, span: tuple[int, int]) -> bool:
    return said.measure_gap(span, ADDRESS) is not None


def _is_lot_number(said: ScannedText, span: tuple[int, int]) -> bool:
    """Tell whether a village and two numbers are a plot of land, and no count."""
    around = (
        said.low[max(0, span[0] - _AROUND) : span[0]],
        said.low[span[1] : span[1] + _AROUND],
    )
    return _is_announced(said, span) or any(map(_NEAR_DISTRICT.search, around))


def _match_near_hints(
    hint: re.Pattern[str], form: re.Pattern[str], text: str
) -> Iterator[re.Match[str]]:
    """Yield what matches around a hint; elsewhere it is not worth looking."""
    start = end = 0
    for place in hint.finditer(text):
        if place.start() - _REACH > end:
            yield from form.finditer(text, start, end)
            start = place.start() - _REACH
        end = place.end() + _REACH
    if end:
        yield from form.finditer(text, start, min(end, len(text)))


def _score_street(said: ScannedText, street: re.Match[str]) -> float:
    """Return how sure a road and a number are of being where somebody lives."""
    province, district, building = street.groups()
    if province or district:
        return 0.9
    if building:
        return 0.8
    return 0.6 if said.measure_gap(street.span(), ADDRESS) is not None else 0.0
