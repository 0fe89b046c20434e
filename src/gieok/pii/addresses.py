"""Finds street addresses; a district alone is none."""

import re
from collections.abc import Iterator
from typing import Final

from gieok.pii.judge import Said
from gieok.pii.model import Found, Kind
from gieok.pii.words import ADDRESS

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
_FLAT: Final = r"(?:[\dA-Z]{1,4}동\s?)?(?:지하\s?)?\d{1,4}(?:호|층)(?:\s?\d{1,4}호)?"
_BUILDING: Final = (
    r"(?:[가-힣A-Za-z0-9]{1,12}\s){0,2}"
    r"[가-힣A-Za-z0-9]{0,12}(?:아파트|빌딩|타워|청사|센터|스퀘어|프라자|오피스텔|빌라|[\dA-Z]동)"
)
_MEASURE: Final = (
    r"(?!\s?(?:시(?![가-힣])|시[에간쯤반]|분|월|일|년|개|명|번(?!지)|회|원|만|천|%|k|m|등|점|위"
    r"|차|살(?![아고던며지았])|가(?![가-힣])|정거장|인분|잔|병|곡|권|마리|배))"
)
_KOREAN_STREET: Final = re.compile(
    rf"({_PROVINCE})?({_DISTRICT}{{0,2}}){_VILLAGE}"
    r"(?!따로|새로|서로|바로|별로|때로|대로|진로|경로|도로|홀로|스스로|그대로|으로)"
    r"[가-힣0-9]{1,12}?(?:대로|(?<!으)로|길)\s?(?:\d{1,4}번?[가나다라]?길\s?)?"
    rf"\d{{1,4}}(?:-\d{{1,4}})?(?!\d){_MEASURE}"
    rf"((?:,?\s{{0,2}}\(?{_BUILDING}\)?)?(?:,?\s{{0,2}}(?:[가-힣A-Za-z0-9]{{1,12}}\s)?{_FLAT})?)"
)
_KOREAN_LOT: Final = re.compile(
    rf"(?:{_PROVINCE})?{_DISTRICT}{{1,2}}{_VILLAGE}"
    r"[가-힣0-9]{1,6}(?:동|리|가)\s(?:산\s?)?\d{1,4}(?:-\d{1,4}(?:번지)?|번지)"
    rf"(?:,?\s?(?:[가-힣A-Za-z0-9]{{1,12}}\s)?{_FLAT})?"
)
_KOREAN_FLAT: Final = re.compile(r"(?<!\d)\d{1,4}동\s?\d{2,4}호(?![선기실])")
_ENGLISH_STREET: Final = re.compile(
    r"(?<![\w.\-])\d{1,5}[A-Za-z]?\s(?:[NSEW]\.?\s|(?:North|South|East|West)\s)?"
    r"(?:[A-Z][A-Za-z'\-]{1,20}\s|\d{1,3}(?:st|nd|rd|th)\s){1,3}"
    r"(?:St|Street|Ave|Avenue|Rd|Road|Lane|Ln|Drive|Dr|Blvd|Boulevard|Court|Ct|Way"
    r"|Terrace|Close|Crescent|Place|Pl|Square|Parkway|Pkwy|Circle|Highway|Hwy)(?![A-Za-z])\.?"
    r"(?:,?\s(?:Apt|Apartment|Unit|Suite|Ste|Flat|#)\.?\s?#?\w{1,6})?"
    r"(?:,\s?[A-Z][A-Za-z.]{1,15}(?:\s[A-Z][A-Za-z.]{1,15}){0,2}){0,2}"
    r"(?:,?\s?(?:[A-Z]{2}\s)?\d{5}(?:-\d{4})?(?!\d))?"
)
_ROAD_NUMBER: Final = re.compile(r"[로길]\s?\d")
_LOT_NUMBER: Final = re.compile(r"[동리가]\s(?:산\s?)?\d")
_REACH: Final = 60


def addresses(said: Said) -> Iterator[Found]:
    """Yield every address down to a house or a flat."""
    for street in _around(_ROAD_NUMBER, _KOREAN_STREET, said.text):
        sure = _street(said, street)
        if sure:
            yield Found(*street.span(), Kind.ADDRESS, sure)
    for lot in _around(_LOT_NUMBER, _KOREAN_LOT, said.text):
        yield Found(*lot.span(), Kind.ADDRESS, 0.8)
    for form in (_KOREAN_FLAT, _ENGLISH_STREET):
        for match in form.finditer(said.text):
            yield Found(*match.span(), Kind.ADDRESS, 0.75)


def _around(
    hint: re.Pattern[str], form: re.Pattern[str], text: str
) -> Iterator[re.Match[str]]:
    """Yield what matches around a hint; elsewhere it is not worth looking."""
    start = end = 0
    for place in hint.finditer(text):
        if place.start() - _REACH > end:
            yield from form.finditer(text, start, end)
            start = place.start() - _REACH
        end = place.end() + _REACH
    yield from form.finditer(text, start, min(end, len(text)))


def _street(said: Said, street: re.Match[str]) -> float:
    """Return how sure a road and a number are of being where somebody lives."""
    province, district, building = street.groups()
    if province or district:
        return 0.9
    if building:
        return 0.8
    return 0.6 if said.gap(street.span(), ADDRESS) is not None else 0.0
