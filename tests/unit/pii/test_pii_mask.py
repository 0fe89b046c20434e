"""What is found is replaced for good (A19)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.pii import (
    MaskingPolicy,
    MaskTokens,
    PiiKind,
    SensitivityLevel,
    TextMasker,
    find,
    find_all,
    mask,
)
from gieok.pii.mask import PERSONAL
from support.pii_corpus import Corpus

pytestmark = pytest.mark.req("A19")


def masked(text: str, policy: MaskingPolicy | None = None) -> str:
    return mask(text, find(text), policy or MaskingPolicy())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("주민번호 900101-1234567 이야", "주민번호 [주민등록번호] 이야"),
        ("my SSN is 123-45-6789.", "my SSN is [social security number]."),
        ("제 번호는 010-1234-5678이에요", "제 번호는 010-****-5678이에요"),
        ("010 1234 5678", "010 **** 5678"),
        ("02-123-4567로", "02-***-4567로"),
        ("공일공 일이삼사 오육칠팔", "[전화번호]"),
        ("메일은 hong.gd@naver.com", "메일은 h***@naver.com"),
        ("나 부산 해운대구 푸른길 12 살아", "나 부산 해운대구 [주소] 살아"),
        ("비번은 qwer!234 야", "비번은 [비밀번호] 야"),
        ("사업자번호 123-45-67891", "사업자번호 123-45-67891"),
        ("당뇨 진단 받았어", "당뇨 진단 받았어"),
    ],
)
def test_what_remains_of_a_text(text: str, kept: str) -> None:
    assert masked(text) == kept


def test_a_person_may_keep_or_hide_s2_and_never_keep_s3() -> None:
    text = "010-1234-5678 hong@naver.com 900101-1234567"
    keep = MaskingPolicy(keep=frozenset(PiiKind))
    assert masked(text, keep) == "010-1234-5678 hong@naver.com [resident number]"
    hide = MaskingPolicy(hide=frozenset({PiiKind.PHONE, PiiKind.EMAIL}))
    assert masked(text, hide) == "[phone number] [e-mail] [resident number]"


def test_the_same_value_has_the_same_token_all_session() -> None:
    tokens = MaskTokens()
    texts = [
        "내 카드 4111-1111-1111-1111",
        "엄마 카드 5500-0055-5555-5559",
        "다시 카드 4111 1111 1111 1111",
    ]
    said = [
        mask(text, found, tokens=tokens)
        for text, found in zip(texts, find_all(texts), strict=True)
    ]
    assert said == [
        "내 카드 [카드번호]",
        "엄마 카드 [카드번호#2]",
        "다시 카드 [카드번호]",
    ]
    assert "4111" not in repr(tokens)


def test_masking_again_changes_nothing() -> None:
    for case in Corpus(99).positives(40):
        once = masked(case.messages[0])
        assert masked(once) == once


def test_no_digit_of_an_s3_number_is_left() -> None:
    cases = Corpus(7).positives(60)
    grave = [case for case in cases if PiiKind(case.kind).level is SensitivityLevel.S3]
    left = [
        case
        for case in grave
        if any(piece in masked(case.messages[0]) for piece in case.values[0].split("-"))
    ]
    assert len(left) <= len(grave) * 0.01, left[:3]


@given(st.text())
def test_a_text_without_findings_stays_as_it_is(text: str) -> None:
    assert mask(text, ()) == text


@pytest.mark.parametrize(
    "said",
    [
        "내 번호는 010-1234-5678이야",
        "call me at +82 10-1234-5678 please",
        "write to hong@naver.com please",
        "우리 집은 서울 마포구 월드컵북로 21야",
    ],
)
def test_who_hides_hides_what_others_left_to_be_seen(said: str) -> None:
    """A device masks before it sends, and does not know what the server hides."""
    hide = MaskingPolicy(hide=PERSONAL)
    shown = TextMasker(MaskingPolicy()).mask_text(said)
    masker = TextMasker(hide)
    assert masker.mask_text(shown) == TextMasker(hide).mask_text(said) != shown
    assert masker.is_masked
    assert TextMasker(MaskingPolicy()).mask_text(shown) == shown
