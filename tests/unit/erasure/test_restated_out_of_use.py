"""What is out of use goes with an erased memory that it says again, of the same."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from gieok.erasure.mention_search import MentionSearch
from gieok.text.terms import MixedTokenizer


def _is_restated(erased: str, content: str) -> bool:
    recall = cast("Any", SimpleNamespace(tokenizer=MixedTokenizer()))
    search = MentionSearch.__new__(MentionSearch)
    object.__setattr__(search, "recall", recall)
    return search._is_restated(erased, content)  # noqa: SLF001


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("erased", "content"),
    [
        ("사용자는 병원 간호사이다", "사용자는 마포 병원 간호사이다"),
        ("사용자의 딸은 땅콩 알레르기가 있다", "사용자의 딸은 땅콩 알레르기가 있다"),
        ("The user works as a nurse", "The user works as a nurse in Leeds"),
    ],
)
def test_what_says_it_of_the_same_person_goes(erased: str, content: str) -> None:
    assert _is_restated(erased, content)


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("erased", "content"),
    [
        ("사용자는 땅콩 알레르기가 있다", "사용자의 딸은 땅콩 알레르기가 있다"),
        ("사용자는 땅콩 알레르기가 있다", "사용자의 친구 민수는 땅콩 알레르기가 있다"),
        ("The user lives in Leeds", "The user's sister lives in Leeds"),
        ("User works as a nurse", "User's mother works as a nurse"),
        ("The user drinks coffee", "The user does not drink coffee"),
    ],
)
def test_what_says_it_of_another_or_denies_it_stays(erased: str, content: str) -> None:
    assert not _is_restated(erased, content)
