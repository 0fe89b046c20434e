"""A message goes with an erased memory that it says again, and not with others."""

import pytest

from gieok.erasure.repetitions import is_repeating
from gieok.text.relatives import find_told_relatives
from gieok.text.terms import MixedTokenizer

TERMS = MixedTokenizer().terms
COFFEE = "사용자는 커피를 좋아한다"
TENNIS = "The user plays tennis on Sundays"


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("나 커피 진짜 좋아해", COFFEE),
        ("엄마가 좋아하셔서 나도 커피를 좋아해", COFFEE),
        ("엄마랑 커피 마시는 거 좋아해", COFFEE),
        ("커피 좋아하거든. 엄마는 싫어하셔", COFFEE),
        ("my mum knows i play tennis on sundays", TENNIS),
        ("Sundays I play tennis, my dad is too old for it", TENNIS),
        ("tennis with my brother, we play on sundays", TENNIS),
        ("엄마가 커피를 좋아하셔", "사용자의 엄마는 커피를 좋아한다"),
        ("my dad plays tennis on sundays", "The user's dad plays tennis on Sundays"),
    ],
)
def test_what_says_it_again_repeats_it(text: str, memory: str) -> None:
    assert is_repeating(text, memory, TERMS)


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("엄마가 커피를 좋아하셔서 자주 사드려", COFFEE),
        ("우리 할머니는 커피를 좋아하셔, 나는 별로", COFFEE),
        ("친구네 커피가 좋아", COFFEE),
        ("my dad plays tennis on sundays", TENNIS),
        ("On Sundays our daughter plays tennis. I just watch.", TENNIS),
        ("나 차 좋아해", COFFEE),
        ("나는 좋아해", "사용자는 좋아한다"),
    ],
)
def test_what_is_told_of_somebody_else_does_not(text: str, memory: str) -> None:
    assert not is_repeating(text, memory, TERMS)


def test_whoever_somebody_is_with_is_not_told_of() -> None:
    assert not find_told_relatives("I went there with my mum")
    assert not find_told_relatives("went with my mum")
    assert find_told_relatives("my mum went") == find_told_relatives("엄마가 가셨어")
    assert find_told_relatives("mum's been ill")
    assert not find_told_relatives("엄마랑 갔어")
