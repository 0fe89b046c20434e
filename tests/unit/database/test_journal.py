"""The audit log's hash chain."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.database import Audit
from gieok.database.journal import compute_chain_hash, encode_entry
from gieok.kernel.scope import Actor

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
ID = UUID(int=1)
LINE = Audit("create", "user_memories", UUID(int=2), "user_request", {"n": 1})
SPOKEN = encode_entry(LINE, audit_id=ID, actor=Actor.USER, at=NOW)


@pytest.mark.parametrize(
    "written",
    [
        encode_entry(
            replace(LINE, event_type="delete"), audit_id=ID, actor=Actor.USER, at=NOW
        ),
        encode_entry(
            replace(LINE, target_table="x"), audit_id=ID, actor=Actor.USER, at=NOW
        ),
        encode_entry(
            replace(LINE, target_id=ID), audit_id=ID, actor=Actor.USER, at=NOW
        ),
        encode_entry(replace(LINE, reason="x"), audit_id=ID, actor=Actor.USER, at=NOW),
        encode_entry(
            replace(LINE, details={"n": 2}), audit_id=ID, actor=Actor.USER, at=NOW
        ),
        encode_entry(replace(LINE, details={}), audit_id=ID, actor=Actor.USER, at=NOW),
        encode_entry(LINE, audit_id=UUID(int=9), actor=Actor.USER, at=NOW),
        encode_entry(LINE, audit_id=ID, actor=Actor.ADMIN, at=NOW),
        encode_entry(
            LINE, audit_id=ID, actor=Actor.USER, at=NOW + timedelta(microseconds=1)
        ),
    ],
)
def test_every_field_of_a_line_is_covered(written: bytes) -> None:
    assert written != SPOKEN


def test_the_order_of_details_and_the_zone_of_the_time_do_not_matter() -> None:
    turned = encode_entry(
        replace(LINE, details={"b": 1, "a": "x"}), audit_id=ID, actor=Actor.USER, at=NOW
    )
    again = encode_entry(
        replace(LINE, details={"a": "x", "b": 1}), audit_id=ID, actor=Actor.USER, at=NOW
    )
    assert turned == again


lines = st.lists(st.binary(min_size=1, max_size=20), min_size=2, max_size=6)


def end_of(chain: list[bytes]) -> bytes:
    last = b"\x00"
    for line in chain:
        last = compute_chain_hash(last, line)
    return last


@given(lines, st.data())
def test_a_changed_removed_or_swapped_line_changes_the_end(
    chain: list[bytes], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(chain) - 1))
    changed = [*chain[:place], chain[place] + b"!", *chain[place + 1 :]]
    removed = [*chain[:place], *chain[place + 1 :]]
    assert len({end_of(chain), end_of(changed), end_of(removed)}) == 3
    turned = chain[::-1]
    assert (end_of(turned) == end_of(chain)) == (turned == chain)
