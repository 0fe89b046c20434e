"""What a text from outside must be."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.errors import InvalidInputError
from gieok.text.cleaning import (
    MAX_MARKS,
    MAX_MESSAGE_BYTES,
    clean_name,
    clean_text,
    normalize_unicode,
)

MARKS = st.text(
    st.sampled_from("\u0301\u0323\u0344\u0f73\u093c\u302e가a"), max_size=200
)


@given(st.text())
def test_a_text_is_kept_in_nfc_or_refused_by_name(text: str) -> None:
    if "\x00" in text or not text.strip():
        with pytest.raises(InvalidInputError) as caught:
            clean_text("user_text", text)
        assert caught.value.field == "user_text"
    else:
        kept = clean_text("user_text", text)
        assert kept == unicodedata.normalize("NFC", text)
        assert clean_text("user_text", kept) == kept


@given(MARKS)
def test_no_run_of_marks_is_longer_than_the_stream_safe_format_allows(
    text: str,
) -> None:
    kept = normalize_unicode(text)
    run = longest = 0
    for character in kept:
        run = run + 1 if unicodedata.combining(character) else 0
        longest = max(longest, run)
    assert longest <= MAX_MARKS
    assert normalize_unicode(kept) == kept
    assert unicodedata.is_normalized("NFC", kept)


@given(st.text(st.characters(exclude_categories=["Mn", "Cs"])))
def test_a_text_without_marks_is_composed_as_unicode_says(text: str) -> None:
    assert normalize_unicode(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "string"),
        (b"bytes", "string"),
        (["list"], "string"),
        ("", "empty"),
        ("\u3000\n", "empty"),
        ("a\x00", "NUL"),
        ("\udc80", "surrogate"),
        ("x" * (MAX_MESSAGE_BYTES + 1), "1,000,000 bytes"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_reason(
    value: object, problem: str
) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        clean_text("field", value)


def test_the_limit_counts_bytes_and_includes_the_longest() -> None:
    assert len(clean_text("f", "x" * MAX_MESSAGE_BYTES)) == MAX_MESSAGE_BYTES
    with pytest.raises(InvalidInputError):
        clean_text("f", "가" * (MAX_MESSAGE_BYTES // 3 + 1))
    assert clean_text("f", "가", max_bytes=3) == "가"


def test_decomposed_hangul_is_composed() -> None:
    assert clean_text("f", unicodedata.normalize("NFD", "서울")) == "서울"


@pytest.mark.parametrize("name", ["a@b.kr", "민지", "🥹", "x" * 128, "with space"])
def test_opaque_names_are_kept(name: str) -> None:
    assert clean_name("user_id", name) == name


@pytest.mark.parametrize(
    ("name", "problem"),
    [("x" * 129, "128"), ("a\nb", "control"), ("a\x7f", "control"), (" ", "empty")],
)
def test_unusable_names_are_refused(name: str, problem: str) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        clean_name("user_id", name)
