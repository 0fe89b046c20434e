"""The ends of conversations are remembered for a while, and not for too long (A19)."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok import Actor, Scope
from gieok.pii import MOST_BEFORE
from gieok.sessions.screening import LONGEST, MOST_SESSIONS, TAIL, Recent

pytestmark = pytest.mark.req("A19")

ME, OTHER = (Scope(UUID(int=number), Actor.USER) for number in (1, 2))
HERE, THERE = UUID(int=3), UUID(int=4)


@given(st.lists(st.text(max_size=2 * TAIL), max_size=20))
def test_the_last_messages_are_kept_each_by_its_end(texts: list[str]) -> None:
    recent = Recent()
    for text in texts:
        recent.add(ME, [HERE], [text])
    assert recent.of(ME, HERE) == tuple(t[-TAIL:] for t in texts[-MOST_BEFORE:])
    assert recent.of(ME, THERE) == recent.of(OTHER, HERE) == ()


def test_what_is_not_used_is_forgotten_in_time() -> None:
    now = [0.0]
    recent = Recent(lambda: now[0])
    recent.add(ME, [HERE], ["첫 말"])
    now[0] = LONGEST
    recent.add(ME, [THERE], ["b"])
    now[0] = LONGEST + 1
    assert recent.of(ME, HERE) == ()
    assert recent.of(ME, THERE) == ("b",)
    assert "첫 말" not in str(recent._tails)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is looked at


def test_no_more_sessions_are_remembered_than_fit() -> None:
    recent = Recent()
    for number in range(MOST_SESSIONS + 1):
        recent.add(ME, [UUID(int=number)], ["a"])
    assert recent.of(ME, UUID(int=0)) == ()
    assert recent.of(ME, UUID(int=MOST_SESSIONS)) == ("a",)


def test_what_is_read_counts_only_where_nothing_is_known() -> None:
    recent = Recent()
    recent.seed(ME, HERE, ["a"])
    recent.seed(ME, HERE, ["b"])
    assert recent.of(ME, HERE) == ("a",)


def test_all_of_a_person_is_dropped_and_nothing_of_others() -> None:
    recent = Recent()
    for person in (ME, OTHER):
        recent.add(person, [HERE, THERE], ["a"])
    recent.drop_person(ME)
    assert recent.of(ME, HERE) == recent.of(ME, THERE) == ()
    assert recent.of(OTHER, HERE) == ("a",)
