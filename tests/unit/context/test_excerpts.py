"""Of a summary a block quotes neither what it shows already nor what is outdated."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gieok.context.excerpts import drop_stated, is_pleasantry, select_bearing
from gieok.kernel.language import Role
from gieok.recall import Hit, HitKind
from gieok.testing import WordTokenizer

SESSION = UUID(int=1)


def _drop(
    summary: str,
    *,
    shown: tuple[str, ...] = (),
    outdated: tuple[str, ...] = (),
    kind: HitKind = HitKind.SESSION_SUMMARY,
) -> list[str]:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    hit = Hit(kind, UUID(int=2), summary, 1.0, at, SESSION)
    kept = drop_stated([hit], shown, {SESSION: outdated}, WordTokenizer())
    return [each.content for each in kept]


@pytest.mark.parametrize(
    ("summary", "shown", "left"),
    [
        ("The user lives in Leeds.", "The user lives in Leeds", []),
        (
            "The user lives in Leeds with her wife Ann and three kids.",
            "The user lives in Leeds",
            ["The user lives in Leeds with her wife Ann and three kids."],
        ),
        (
            "Likes tea. The user lives in Leeds.",
            "The user lives in Leeds",
            ["Likes tea."],
        ),
        (
            "The doctor raised the dose to 20 mg.",
            "The user is a doctor",
            ["The doctor raised the dose to 20 mg."],
        ),
        (
            "의사가 혈압약을 두 알로 늘렸다",
            "사용자는 의사이다",
            ["의사가 혈압약을 두 알로 늘렸다"],
        ),
    ],
)
def test_what_is_shown_is_not_said_again_and_what_says_more_is(
    summary: str, shown: str, left: list[str]
) -> None:
    assert _drop(summary, shown=(shown,)) == left


@pytest.mark.parametrize(
    ("summary", "outdated"),
    [
        ("Takes 10 mg of Lipitor.", "The user takes 10 mg of Lipitor every morning"),
        ("Lives in Leeds with Ann and three kids.", "The user lives in Leeds"),
    ],
)
def test_what_is_outdated_goes_however_much_either_says(
    summary: str, outdated: str
) -> None:
    assert _drop(summary, outdated=(outdated,)) == []


def test_messages_are_left_alone() -> None:
    said = "I live in Leeds"
    assert _drop(said, outdated=(said,), kind=HitKind.MESSAGE) == [said]


@pytest.mark.parametrize(
    ("said", "is_empty"),
    [
        ("ok bye", True),
        ("Right. Bed.", True),
        ("thank you honey", True),
        ("감사합니다 ㅎㅎ", True),
        ("음 고민해볼게", True),
        ("망원동", False),
        ("ok, leeds then", False),
        ("good, the surgery is on monday", False),
    ],
)
def test_a_mere_pleasantry_is_no_excerpt(said: str, *, is_empty: bool) -> None:
    assert is_pleasantry(said) == is_empty


def test_what_only_closes_a_talk_does_not_bear_on_anything() -> None:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    said = [
        Hit(HitKind.MESSAGE, UUID(int=n), text, 1.0, at, role=Role.USER, relevance=2.0)
        for n, text in enumerate(("ok bye", "the surgery is on monday"))
    ]
    assert [hit.content for hit in select_bearing(said)] == ["the surgery is on monday"]
