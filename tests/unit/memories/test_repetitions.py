"""A message goes with an erased memory that it says again, and not with others."""

import pytest

from gieok.memories.restatement import LONGEST, is_repeating
from gieok.text.kiwi import get_shared_morphology
from gieok.text.relatives import find_subject_relatives
from gieok.text.terms import MixedTokenizer

TERMS = MixedTokenizer().terms
MORPHOLOGY = get_shared_morphology()
COFFEE = "사용자는 커피를 좋아한다"
TENNIS = "The user plays tennis on Sundays"


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("나 커피 진짜 좋아해", COFFEE),
        ("엄마가 좋아하셔서 나도 커피를 좋아해", COFFEE),
        ("엄마랑 커피 마시는 거 좋아해", COFFEE),
        ("나랑 엄마는 커피를 좋아해", COFFEE),
        ("남편이 내려주는 커피를 좋아해", COFFEE),
        ("커피 좋아하거든. 엄마는 싫어하셔", COFFEE),
        ("엄마가 편찮으셔서 대전으로 이사했어", "사용자는 대전으로 이사했다"),
        ("남편이 바람을 피워서 결국 이혼했어", "사용자는 남편과 이혼했다"),
        ("귤 두 개는 매일 아침 먹어", "사용자는 매일 아침 귤을 두 개 먹는다"),
        ("팀장님이 저를 해고했어요", "사용자는 팀장에게 해고됐다"),
        ("my mum knows i play tennis on sundays", TENNIS),
        ("Sundays I play tennis, my dad is too old for it", TENNIS),
        ("tennis with my brother, we play on sundays", TENNIS),
        ("my brother and me play tennis on sundays", TENNIS),
        ("play tennis on sundays while the kids nap", TENNIS),
        ("we moved to leeds when my dad got ill", "The user moved to Leeds"),
        ("moved to leeds near my parents", "The user moved to Leeds"),
        ("allergic to dogs, cats and peanuts", "The user is allergic to peanuts"),
        ("my manager fired me from tesco", "The user was fired from Tesco"),
        ("엄마가 커피를 좋아하셔", "사용자의 엄마는 커피를 좋아한다"),
        ("my dad plays tennis on sundays", "The user's dad plays tennis on Sundays"),
    ],
)
def test_what_says_it_again_repeats_it(text: str, memory: str) -> None:
    assert is_repeating(text, memory, TERMS, MORPHOLOGY)


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("엄마가 커피를 좋아하셔서 자주 사드려", COFFEE),
        ("근데 우리 할머니는 커피를 좋아하셔, 나는 별로", COFFEE),
        ("엄마가 좋아하는 커피를 사드려", COFFEE),
        ("외할머니가 커피를 좋아하셔", COFFEE),
        ("엄만 커피를 좋아하셔", COFFEE),
        ("my dad plays tennis on sundays", TENNIS),
        ("i know my dad plays tennis on sundays", TENNIS),
        ("my hubby plays tennis on sundays", TENNIS),
        ("On Sundays our daughter plays tennis. I just watch.", TENNIS),
        ("나 차 좋아해", COFFEE),
        ("나는 좋아해", "사용자는 좋아한다"),
    ],
)
def test_what_is_told_of_somebody_else_does_not(text: str, memory: str) -> None:
    assert not is_repeating(text, memory, TERMS, MORPHOLOGY)


def test_a_long_text_counts_as_a_whole() -> None:
    """Telling its clauses apart would keep everybody else waiting."""
    text = "엄마가 커피를 좋아하셔. " * (LONGEST // 10)
    assert is_repeating(text, COFFEE, TERMS, MORPHOLOGY)


@pytest.mark.parametrize(
    "text",
    ["I went there with my mum", "went with my mum", "엄마랑 갔어", "mum told me"],
)
def test_whoever_somebody_is_with_is_not_told_of(text: str) -> None:
    assert not find_subject_relatives(text, MORPHOLOGY)


def test_whoever_does_something_is_told_of() -> None:
    said = ("my mum went", "엄마가 가셨어", "우리 엄마도 갔어", "mum's been ill")
    assert len({find_subject_relatives(text, MORPHOLOGY) for text in said}) == 1
