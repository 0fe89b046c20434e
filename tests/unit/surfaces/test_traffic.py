"""The figures of requests: what is counted, what is forgotten, what the budget says."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from gieok.surfaces.rest.traffic import Traffic

SINCE = datetime(2026, 1, 1, tzinfo=UTC)


def test_half_and_95_of_100_are_answered_within_p50_and_p95() -> None:
    traffic = Traffic(SINCE)
    for hundredth in range(100):
        traffic.record_request("GET /a", 200, hundredth / 100, None)
    summary = traffic.summarize()
    assert (summary.count, summary.p50, summary.p95) == (100, 0.5, 0.95)


def test_nothing_is_a_summary_too() -> None:
    summary = Traffic(SINCE).summarize()
    assert (summary.count, summary.p50, summary.p95) == (0, 0.0, 0.0)
    assert Traffic(SINCE).compute_budget().spent == 0


def test_a_span_holds_what_is_young_enough() -> None:
    now = [0.0]
    traffic = Traffic(SINCE, lambda: now[0])
    for at in (0.0, 50.0, 100.0):
        now[0] = at
        traffic.record_request("GET /a", 200, 0.1, None)
    assert traffic.summarize(60).count == 2
    assert traffic.summarize().count == 3


def test_refusals_and_faults_are_counted_apart_by_route_and_key() -> None:
    traffic, key = Traffic(SINCE), uuid4()
    for route, status, key_id in (
        ("GET /a", 200, key),
        ("GET /a", 429, key),
        ("GET /a", 404, None),
        ("GET /b", 503, key),
    ):
        traffic.record_request(route, status, 0.1, key_id)
    routes = traffic.summarize_routes()
    assert list(routes) == ["GET /a", "GET /b"]
    assert (routes["GET /a"].refused, routes["GET /a"].failed) == (1, 0)
    assert (routes["GET /b"].refused, routes["GET /b"].failed) == (0, 1)
    assert {key: each.count for key, each in traffic.summarize_keys().items()} == {
        key: 3,
        None: 1,
    }


def test_the_oldest_makes_way_and_the_budget_forgets_none() -> None:
    traffic = Traffic(SINCE, most=10)
    for _ in range(999):
        traffic.record_request("GET /a", 200, 0.1, None)
    traffic.record_request("GET /a", 500, 0.1, None)
    assert traffic.summarize().count == 10
    budget = traffic.compute_budget()
    assert (budget.requests, budget.failed) == (1_000, 1)
    assert budget.spent == pytest.approx(1.0)
    traffic.record_request("GET /a", 502, 0.1, None)
    assert traffic.compute_budget().spent > 1.9
