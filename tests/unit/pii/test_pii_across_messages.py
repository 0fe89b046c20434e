"""The ends of conversations are remembered for a while, and not for too long (A19)."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok import Actor, Scope
from gieok.pii import MAX_BEFORE
from gieok.sessions.masking import LONGEST, MAX_SESSIONS, TAIL, RecentTexts

pytestmark = pytest.mark.req("A19")

ME, OTHER = (Scope(UUID(int=number), Actor.USER) for number in (1, 2))
HERE, THERE = UUID(int=3), UUID(int=4)


@given(st.lists(st.text(max_size=2 * TAIL), max_size=20))
def test_the_last_messages_are_kept_each_by_its_end(texts: list[str]) -> None:
    recent = RecentTexts()
    for text in texts:
        recent.add_texts(ME, [HERE], [text])
    assert recent.get_texts(ME, HERE) == tuple(t[-TAIL:] for t in texts[-MAX_BEFORE:])
    assert recent.get_texts(ME, THERE) == recent.get_texts(OTHER, HERE) == ()


def test_what_is_not_used_is_forgotten_in_time() -> None:
    now = [0.0]
    recent = RecentTexts(lambda: now[0])
    recent.add_texts(ME, [HERE], ["첫 말"])
    now[0] = LONGEST
    recent.add_texts(ME, [THERE], ["b"])
    now[0] = LONGEST + 1
    assert recent.get_texts(ME, HERE) == ()
    assert recent.get_texts(ME, THERE) == ("b",)
    assert "첫 말" not in str(recent._tails)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is looked at


def test_no_more_sessions_are_remembered_than_fit() -> None:
    recent = RecentTexts()
    for number in range(MAX_SESSIONS + 1):
        recent.add_texts(ME, [UUID(int=number)], ["a"])
    assert recent.get_texts(ME, UUID(int=0)) == ()
    assert recent.get_texts(ME, UUID(int=MAX_SESSIONS)) == ("a",)


def test_what_is_read_counts_only_where_nothing_is_known() -> None:
    recent = RecentTexts()
    recent.seed_texts(ME, HERE, ["a"])
    recent.seed_texts(ME, HERE, ["b"])
    assert recent.get_texts(ME, HERE) == ("a",)


def test_all_of_a_person_is_dropped_and_nothing_of_others() -> None:
    recent = RecentTexts()
    for person in (ME, OTHER):
        recent.add_texts(person, [HERE, THERE], ["a"])
    recent.drop_person(ME)
    assert recent.get_texts(ME, HERE) == recent.get_texts(ME, THERE) == ()
    assert recent.get_texts(OTHER, HERE) == ("a",)
