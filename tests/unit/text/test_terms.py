"""The terms by which a text is found: Korean, English, both, and anything else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.text.english import stem_word
from gieok.text.korean import KiwiTokenizer, has_hangul
from gieok.text.terms import MixedTokenizer

TOKENIZER = MixedTokenizer()


@pytest.mark.req("D13")
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("우리 고양이가 병원에 갔어요", ("고양이", "병원")),
        ("3월 15일에 부산에서 먹은 회", ("3", "3월", "15", "15일", "부산", "먹", "회")),
        ("I was running with my dogs", ("run", "dog")),
        ("Melanie's paintings", ("melani", "paint")),
        ("I don't like it in May", ("like", "may")),
        ("I won, you won’t, let's", ("won", "let")),
        ("on 2023-05-07 for 1,250 won", ("2023", "5", "7", "1250", "won")),
        ("어제 PlayStation5로 game을 했어", ("어제", "playstat", "5", "game")),
        ("KTX를 탔다", ("ktx", "타")),
        ("7th of July", ("7", "juli")),
        ("3.5 and 007", ("3.5", "7")),
        ("", ()),
        ("!? ... 👍", ()),
    ],
)
def test_what_a_text_is_found_by(text: str, terms: tuple[str, ...]) -> None:
    assert TOKENIZER.terms(text) == terms


def test_a_particle_does_not_hide_a_noun() -> None:
    for text in ("고양이가", "고양이를", "고양이한테", "고양이는요"):
        assert "고양이" in TOKENIZER.terms(text)


def test_both_ways_of_writing_a_syllable_are_one() -> None:
    for text in ("고양이 병원", "café"):
        split = unicodedata.normalize("NFD", text)
        assert TOKENIZER.terms(split) == TOKENIZER.terms(text)


def test_repeats_are_kept_in_order() -> None:
    assert TOKENIZER.terms("boat 병원 boat") == ("boat", "병원", "boat")


def test_the_korean_tokenizer_passes_over_everything_else() -> None:
    assert KiwiTokenizer().terms("PlayStation으로 게임 3번") == ("게임", "3번")


def test_what_cannot_be_read_is_passed_over() -> None:
    assert TOKENIZER.terms("\ud800고양이\x00boat\udfff") == ("고양이", "boat")


def test_a_text_without_hangul_never_wakes_kiwi() -> None:
    class Asleep:
        def locate_terms(self, text: str) -> list[tuple[int, str]]:
            raise AssertionError(text)

    asleep = MixedTokenizer(Asleep())  # pyright: ignore[reportArgumentType]
    assert asleep.terms("hello 東京 мир 12") == ("hello", "東京", "мир", "12")


def test_endless_words_and_texts_are_cut() -> None:
    assert max(map(len, TOKENIZER.terms("가나" * 5_000 + " " + "x" * 5_000))) <= 64
    assert len(TOKENIZER.terms("boat " * 100_000)) <= 20_000


@given(st.text(max_size=60) | st.text("가고양이ㅋabe1.,'’ \x00\ud800", max_size=40))
def test_any_text_gives_clean_terms(text: str) -> None:
    terms = TOKENIZER.terms(text)
    assert all(term and term == term.strip() and len(term) <= 64 for term in terms)
    assert terms == TOKENIZER.terms(text)


def test_stopwords_have_no_stem() -> None:
    assert stem_word("the") == ""
    assert stem_word("studies") == stem_word("studying") == "studi"


def test_hangul_is_syllables() -> None:
    assert has_hangul("a가")
    assert not has_hangul("ㅋㅋ abc 東京")
