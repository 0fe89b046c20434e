"""What ends a memory ends what says just the same."""

from dataclasses import replace

import pytest

from gieok.kernel.language import (
    Basis,
    Category,
    Finding,
    FindingOperation,
    KnownMemory,
)
from gieok.models.rules.changes.restated_memories import end_restated_memories
from gieok.text.kiwi import get_shared_morphology

ENDED = Finding(
    operation=FindingOperation.DELETE,
    content="",
    category=Category.CONTEXT,
    confidence=0.9,
    basis=Basis.STATED,
    evidence=(3,),
    target="0",
)


def _end(*contents: str, finding: Finding = ENDED) -> list[str | None]:
    """Return which of memories end with the first."""
    known = [
        KnownMemory(str(n), t, Category.PREFERENCE) for n, t in enumerate(contents)
    ]
    found = [*end_restated_memories([finding], known, get_shared_morphology())]
    assert all(each.operation is FindingOperation.DELETE for each in found)
    assert all(each.evidence == finding.evidence for each in found)
    return [each.target for each in found]


@pytest.mark.parametrize(
    ("ended", "again"),
    [
        ("The user is vegan.", "The user said: “im vegan btw”"),
        ("The user said: “i work at lidl now”", "The user works at Lidl"),
        ("사용자는 비건이다", "사용자는 “저 비건이에요”라고 말했다"),
        ("사용자는 커피를 좋아한다", "사용자는 “나 커피 좋아해”라고 말했다"),
    ],
)
def test_what_says_the_same_ends_with_it(ended: str, again: str) -> None:
    assert _end(ended, again) == ["1"]
    changed = replace(ENDED, operation=FindingOperation.UPDATE, content="new")
    assert _end(ended, again, finding=changed) == ["1"]


@pytest.mark.parametrize(
    ("ended", "other"),
    [
        ("The user is vegan.", "The user's sister is vegan."),
        ("The user is vegan.", "The user said: “im vegan and i have coeliac”"),
        ("The user plays tennis", "The user plays tennis on Mondays"),
        ("The user works at Lidl", "Tom works at Lidl"),
        ("사용자는 커피를 좋아한다", "사용자는 커피를 안 좋아한다"),
        ("사용자는 커피를 좋아한다", "사용자의 엄마는 커피를 좋아한다"),
        ("The user is.", "The user said: “ok”"),
        ("The user gets up at 6", "The user gets in at 6"),
        ("The user has 2 cats", "The user has 3 cats"),
    ],
)
def test_what_says_more_or_is_of_another_stays(ended: str, other: str) -> None:
    assert _end(ended, other) == []


def test_a_wish_and_what_is_said_again_end_nothing_else() -> None:
    memories = ("The user is vegan.", "The user said: “im vegan btw”")
    wish = replace(ENDED, basis=Basis.REQUESTED)
    again = replace(ENDED, operation=FindingOperation.REINFORCE)
    assert _end(*memories, finding=wish) == []
    assert _end(*memories, finding=again) == []
