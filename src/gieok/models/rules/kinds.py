"""Marks of the eight kinds of fact, and which kind a plain statement is of.

General vocabulary and morphemes; each mark is a feature of the classifiers, and
where a statement is plain (see `plain.py`) the marks alone say what kind it is.
"""

import re
from itertools import pairwise
from typing import Final

from gieok.kernel.language import Category
from gieok.models.rules.clauses import Clause
from gieok.models.rules.flags import ClauseWords, Flags, collect_words
from gieok.models.rules.lexicon import HABIT_EN, HABIT_KO
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_set

RESIDING_KO: Final = parse_word_set("거주 이사 자취 상경 거주지 본가 고향 전입")
RESIDING_EN: Final = compile_lazily(
    r"\b(?:liv(?:e|es|ing) (?:in|near|at|on|outside|around|out in|here|by|with)|"
    r"(?:moved|relocated) (?:back |out |over |up |down )*(?:to|from|in|into)|"
    r"based (?:in|near|out of)|resid(?:e|es|ing) in|"
    r"my (?:home ?town|home|city|neighbou?rhood|place) is|"
    r"(?:i'm|i am|im|we're) from|settled in)\b",
    re.IGNORECASE,
)
LIKING_KO: Final = parse_word_set(
    "좋아하 싫어하 선호 선호하 사랑하 즐기 최애 취향 질색 미워하 "
    "싫증 애정하 즐겨 입맛 마니아 매니아 덕후"
)
LIKING_EN: Final = compile_lazily(
    r"\b(?:(?:i|we|and|but|also|really|still|absolutely|do|don't|dont|not|never|always|"
    r"would|i'd|truly|actually|quite) (?:like|love|loved|hate|hated|prefer|enjoy|"
    r"dislike|adore|detest)|loves|hates|prefers|enjoys|dislikes|favou?rites?|"
    r"can't stand|cannot stand|not (?:a fan|fond)|"
    r"fan of|fond of|obsessed with|keen on|(?:would|i'd) rather)\b",
    re.IGNORECASE,
)
UNABLE_KO: Final = parse_word_set(
    "알레르기 알러지 앨러지 불내증 유당불내증 당뇨 고혈압 비건 채식 채식주의자 "
    "금지 공포증 폐소공포증 고소공포증 할랄 천식 임신 색맹 색약 난청"
)
UNABLE_EN: Final = compile_lazily(
    r"\b(?:allergic|allergy|allergies|intolerant|intolerance|coeliac|celiac|diabetic|"
    r"diabetes|vegan|vegetarian|asthma|asthmatic|halal|kosher|pregnant|"
    r"(?:can't|cannot|can not|cant|can never) (?:eat|drink|have|drive|swim|hear|see|"
    r"walk|use|fly|lift|take|tolerate|digest|ride|run|climb|read|cook|afford)|"
    r"not allowed|"
    r"unable to|(?:don't|do not|dont) (?:(?:have|own) (?:a|an|any)|eat|drink|drive))\b",
    re.IGNORECASE,
)
DEVICES_KO: Final = parse_word_set(
    "에어컨 조명 불 전등 스탠드 무드등 보일러 난방 온풍기 히터 "
    "공기청정기 공청기 제습기 가습기 청소기 로봇청소기 세탁기 건조기 "
    "식기세척기 커튼 블라인드 티비 텔레비전 스피커 냉장고 오븐 전자레인지 "
    "밥솥 커피머신 선풍기 환풍기 알람 도어락 온도 볼륨 음량 밝기 티브이"
)
DEVICES_EN: Final = parse_word_set(
    "light lights lamp lamps heating heater thermostat ac aircon conditioner vacuum "
    "purifier humidifier dehumidifier washer washing dryer dishwasher blinds curtains "
    "tv speaker speakers oven fan kettle boiler alarm lock brightness volume hoover "
    "temperature radiator sprinkler sprinklers"
)
ANSWERS_KO: Final = parse_word_set(
    "대답 답변 답 말투 반말 존댓말 높임말 설명 이모지 이모티콘 말 호칭 "
    "요약 예시 농담 잔소리 부르 설명하 대답하 답하 답변하 말하"
)
ANSWERS_EN: Final = parse_word_set(
    "answer answers answering reply replies respond explain explanation explanations "
    "call emoji emojis tone jokes examples bullet shorter short brief briefly concise "
    "formal casual detail detailed lecture lecturing advice"
)
_OWNED: Final = parse_word_set(
    "차 자동차 면허 운전면허 면허증 알레르기 엘리베이터 주차장 오븐 와이파이"
)
_PLACE: Final = compile_lazily(r"(?:시|구|동|군|읍|면|도|집|빌라|아파트|원룸|기숙사)$")
_HOUSED: Final = parse_word_set("집 고향 본가 자취방 사는곳 동네 주소")
_ORDER: Final = ("request_korean", "request_english", "order_negated", "standing")


def _is_residence(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says where somebody lives."""
    morphemes = spoken.morphemes
    nouns = [m for m in morphemes if m.tag[0] == "N"]
    forms = {m.form for m in morphemes if m.tag[0] in "NVX"}
    somewhere = any(
        one.form in ("에", "에서") and other.form in ("살", "사")
        for one, other in pairwise(morphemes)
    )
    placed = somewhere or any(m.tag == "NNP" or _PLACE.search(m.form) for m in nouns)
    lives = any(m.form in ("살", "사") and m.tag == "VV" for m in morphemes)
    buys = any(m.form in ("를", "을") for m in morphemes)
    housed = bool(forms & _HOUSED) and any(m.tag == "NNP" for m in morphemes)
    is_one = any(m.tag == "VCP" or m.form in ("야", "이야") for m in morphemes)
    return (
        bool(forms & RESIDING_KO)
        or (lives and placed and not buys)
        or (housed and is_one)
    )


def _is_liking(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says what somebody likes or dislikes."""
    tasting = any(
        one.form in ("싫", "좋") and other.form == "어" and third.form == "하"
        for one, other, third in zip(
            spoken.morphemes,
            spoken.morphemes[1:],
            spoken.morphemes[2:],
            strict=False,
        )
    )
    forms = {m.form for m in spoken.morphemes}
    best = bool({"좋", "싫"} & forms and {"제일", "가장"} & forms)
    return tasting or best or spoken.has_korean(LIKING_KO)


def _is_inability(spoken: ClauseWords) -> bool:
    """Tell whether a Korean clause says what cannot or must not be."""
    if spoken.has_korean(UNABLE_KO):
        return True
    morphemes = spoken.morphemes
    forms = [m.form for m in morphemes]
    cannot = any(m.form in ("못", "못하") and m.tag[0] in "MV" for m in morphemes)
    lacks = "없" in forms and not _OWNED.isdisjoint(forms)
    barred = "안" in forms and any(m.form == "되" for m in morphemes)
    return cannot or lacks or barred


def detect_kinds(clause: Clause, flags: Flags) -> Flags:
    """Return the marks of each kind, named `is_…`."""
    spoken, text = collect_words(clause), clause.text.replace("’", "'")
    ordered = any(flags[name] for name in _ORDER)
    device = spoken.has_any(DEVICES_KO, DEVICES_EN)
    answers = spoken.has_any(ANSWERS_KO, ANSWERS_EN)
    resides = _is_residence(spoken) or RESIDING_EN.search(text) is not None
    likes = _is_liking(spoken) or LIKING_EN.search(text) is not None
    unable = _is_inability(spoken) or UNABLE_EN.search(text) is not None
    habit = spoken.has_any(HABIT_KO - _DEGREES, HABIT_EN - _DEGREES) or "마다" in text
    return {
        "is_device": float(device),
        "is_device_order": float(device and ordered),
        "is_answers": float(answers),
        "is_answers_order": float(answers and ordered and not device),
        "is_residing": float(resides),
        "is_liking": float(likes),
        "is_unable": float(unable),
        "is_regular": float(habit),
    }


_DEGREES: Final = parse_word_set("원래 평소 보통 주말 평일 generally each routine")
_ORDERED: Final = (
    ("is_device_order", Category.DEVICE_PATTERN),
    ("is_answers_order", Category.FEEDBACK),
    ("is_liking", Category.PREFERENCE),
    ("is_unable", Category.CONSTRAINT),
    ("is_residing", Category.LOCATION),
    ("is_regular", Category.HABIT),
)


def select_plain_kind(flags: Flags) -> Category | None:
    """Return the kind that the marks of a plain statement say, if any does."""
    return next((kind for name, kind in _ORDERED if flags[name]), None)
