"""What says again what was erased goes with it, and says on what else it says."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from gieok import Memory
from gieok.memories.restatement import ErasedWording, Restatement, list_restatements
from gieok.text.terms import MixedTokenizer
from support.plain_memory import PLAIN

SPLIT = MixedTokenizer().terms
SAID = uuid4()


def told(content: str, message_id: UUID = SAID) -> Memory:
    return replace(
        PLAIN, memory_id=uuid4(), content=content, source_message_ids=(message_id,)
    )


def erase(content: str, wish: str, *others: Memory) -> list[Restatement]:
    erased = ErasedWording.from_memory(told(content), wish, SPLIT)
    return list_restatements([erased], others, SPLIT)


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize(
    ("content", "wish", "other", "rest"),
    [
        (
            "The user's gran is in a hospice now, emphysema",
            "forget grans emphysema",
            "The user said: “shes in a hospice now, emphysema. we bake on fridays”",
            "The user said: “we bake on fridays”",
        ),
        (
            "The user's husband was made redundant",
            "forget that my husband was made redundant",
            "The user said: “My husband was made redundant, and he mopes about”",
            None,
        ),
        (
            "The user's sister is going through a divorce",
            "forget my sister's divorce",
            "The user's sister pays a fortune for her divorce",
            None,
        ),
        ("The user is 58", "forget how old i am", "The user said: “im 58 ok”", None),
        (
            "사용자의 조카가 난독증이라고 한다",
            "조카 난독증 얘기는 잊어줘",
            "사용자는 “조카가 난독증이래 또. 토요일마다 양초를 만들어”라고 말했다",
            "사용자는 “토요일마다 양초를 만들어”라고 말했다",
        ),
        (
            "사용자는 작년(2025년)에 개명했다",
            "개명한 거 잊어줘",
            "사용자는 “작년에 개명했어 아무도 몰라”라고 말했다",
            None,
        ),
    ],
)
def test_what_says_it_again_is_found_with_what_else_it_says(
    content: str, wish: str, other: str, rest: str | None
) -> None:
    again = told(other)
    assert erase(content, wish, again) == [Restatement(again, rest)]


@pytest.mark.req("A15", "D12")
@pytest.mark.parametrize(
    ("content", "wish", "other"),
    [
        (
            "The user drinks coffee every morning",
            "forget that i drink coffee every morning",
            "The user drinks tea every morning",
        ),
        (
            "The user works at Aldi",
            "forget that I work at Aldi",
            "The user's husband works at Aldi",
        ),
        (
            "The user's mum has arthritis",
            "forget my mum's arthritis",
            "The user said: “my dad has arthritis, he hates it”",
        ),
        (
            "The user's nan has emphysema",
            "forget nans emphysema",
            "The user visits their nan on Fridays",
        ),
        (
            "The user's daughter plays violin",
            "forget my daughter's violin",
            "The user's daughter is allergic to nuts",
        ),
        ("사용자는 간호사이다", "내 직업 잊어줘", "사용자의 남편은 간호사이다"),
        (
            "사용자의 엄마는 관절염이 있다",
            "엄마 관절염 얘기는 잊어줘",
            "사용자의 아빠는 관절염이 있다",
        ),
    ],
)
def test_what_says_something_else_stays(content: str, wish: str, other: str) -> None:
    assert erase(content, wish, told(other)) == []


@pytest.mark.req("A15")
def test_of_another_message_all_of_it_has_to_be_said_again() -> None:
    same = told("The user said: “his brother is inside for fraud again”", uuid4())
    wish, erased = "forget that my brother is inside", "The user's brother is inside"
    assert erase(erased, wish, same) == [Restatement(same, None)]
    assert erase(f"{erased} for theft", wish, same) == []


@pytest.mark.req("A15")
def test_what_another_memory_tells_already_is_not_kept_again() -> None:
    quoted = told("The user said: “my lads dyslexic, very. i fit kitchens”")
    plain = told("The user fits kitchens")
    again = erase("The user's lad is dyslexic", "forget lads dyslexia", quoted, plain)
    assert again == [Restatement(quoted, None)]
