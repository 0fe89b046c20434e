"""The life of a session as a table: moves, layers, and when it is over."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.errors import ConflictError, SessionExpiredError
from gieok.sessions import Layer, Session, Status
from gieok.sessions.lifecycle import (
    ENDED,
    LAYERS,
    MOVES,
    OPEN,
    SessionLimits,
    is_expired,
    require_next_layer,
    require_open,
    require_transition,
)

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
IDLE, PATIENCE = timedelta(minutes=30), timedelta(hours=24)
STATUSES, ANY_LAYER = st.sampled_from(Status), st.sampled_from(Layer)


def session(
    status: Status, *, rested: timedelta, expires_in: timedelta | None = None
) -> Session:
    """Return a session in which something happened last `rested` after its start."""
    return Session(
        session_id=UUID(int=1),
        status=status,
        language="ko",
        device_id=None,
        persona_id=None,
        current_layer=None,
        active_workflow_id=None,
        last_route=None,
        message_count=0,
        pair_count=0,
        total_turns=0,
        total_tokens=0,
        total_cost=Decimal(0),
        created_at=START,
        updated_at=START + rested,
        expires_at=None if expires_in is None else START + expires_in,
        completed_at=None,
        max_pairs=None,
        continues=None,
        continued_by=None,
        ended_reason=None,
    )


def moves(status: Status, to: Status) -> bool:
    try:
        require_transition(status, to)
    except ConflictError:
        return False
    return True


@pytest.mark.req("B04")
def test_the_whole_road_is_open() -> None:
    road = (Status.CREATED, Status.ACTIVE, Status.PAUSED, Status.ACTIVE)
    for end in ENDED:
        assert all(moves(a, b) for a, b in pairwise((*road, end)))
    assert all(moves(status, end) for status in set(Status) - ENDED for end in ENDED)


@pytest.mark.req("B04")
@given(st.lists(STATUSES, max_size=20))
def test_there_is_no_way_out_of_an_end(wishes: list[Status]) -> None:
    status, ended = Status.CREATED, False
    for wish in wishes:
        if moves(status, wish):
            assert not ended
            status = wish
        ended = status in ENDED
    assert set(MOVES) == set(Status)
    assert not any(MOVES[end] for end in ENDED)


@pytest.mark.req("B04")
@given(STATUSES, STATUSES)
def test_a_refused_move_names_both_statuses(status: Status, to: Status) -> None:
    if moves(status, to):
        return
    with pytest.raises(ConflictError) as caught:
        require_transition(status, to)
    if status is Status.EXPIRED:
        assert isinstance(caught.value, SessionExpiredError)
        return
    for language in ("ko", "en"):
        message = caught.value.message(language)
        assert status.value in message
        assert to.value in message
    assert "대화" in caught.value.message("ko")
    assert "session" in str(caught.value)


@given(STATUSES)
def test_only_an_open_session_takes_messages(status: Status) -> None:
    if status in OPEN:
        require_open(status)
        return
    with pytest.raises(ConflictError, match=status.value):
        require_open(status)


@pytest.mark.req("B05")
def test_a_run_goes_through_its_layers_in_order() -> None:
    assert [layer.value for layer in LAYERS] == [
        "cognitive",
        "planning",
        "execution",
        "response",
    ]
    for current, following in pairwise((None, *LAYERS, LAYERS[0])):
        assert following is not None
        require_next_layer(current, following)


@pytest.mark.req("B05")
@given(st.none() | ANY_LAYER, ANY_LAYER)
def test_no_layer_is_left_out_or_gone_back_to(
    current: Layer | None, wanted: Layer
) -> None:
    step = LAYERS.index(wanted) - (-1 if current is None else LAYERS.index(current))
    if wanted is Layer.COGNITIVE or (step == 1 or wanted is current):
        require_next_layer(current, wanted)
        return
    with pytest.raises(ConflictError) as caught:
        require_next_layer(current, wanted)
    for language in ("ko", "en"):
        assert wanted.value in caught.value.message(language)
        assert (current or Layer.COGNITIVE).value in caught.value.message(language)


@pytest.mark.req("E01")
@given(
    STATUSES,
    st.timedeltas(timedelta(0), timedelta(days=400)),
    st.none() | st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_a_session_is_over_when_it_rested_or_at_its_end(
    status: Status, rested: timedelta, expires_in: timedelta | None
) -> None:
    limits = SessionLimits(
        pair_retention=IDLE, extraction_pause=IDLE, idle=IDLE, patience=PATIENCE
    )
    end = limits.compute_expiry(session(status, rested=rested, expires_in=expires_in))
    if status in ENDED:
        assert end is None
        assert not is_expired(end, datetime.max.replace(tzinfo=UTC))
        return
    span = PATIENCE if status is Status.PAUSED else IDLE
    latest = rested + span
    assert end is not None
    assert end == START + (latest if expires_in is None else min(latest, expires_in))
    assert is_expired(end, end)
    assert not is_expired(end, end - timedelta(microseconds=1))
