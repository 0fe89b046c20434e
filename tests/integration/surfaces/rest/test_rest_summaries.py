"""Summaries over HTTP: what one's own conversations, days and weeks were about."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from gieok import Turn
from support.rest_people import Person

pytestmark = [pytest.mark.req("A02"), pytest.mark.req("A03"), pytest.mark.req("A04")]


async def summed_up(person: Person) -> str:
    """Return a session that is summed up with its day and week."""
    session = await person.talks()
    turn = Turn("부산으로 이사했어", "네", route_family="FRG")
    await person.gieok.sessions.record(person.scope, UUID(session), turn)
    today = datetime.now(UTC).date()
    for day in (today, today.fromordinal(today.toordinal() + 1)):
        await person.gieok.summaries.day(person.scope, day)
        year, week, _ = day.isocalendar()
        await person.gieok.summaries.week(person.scope, f"{year}-W{week:02}")
    return session


async def test_a_conversation_says_what_it_was_about(minji: Person) -> None:
    session = await summed_up(minji)
    answer = await minji.http.get(f"/api/v1/sessions/{session}/summary")
    assert answer.status_code == 200, answer.text
    summary = answer.json()["summary"]
    assert summary["session_id"] == session
    assert summary["summary"] == "User said: 부산으로 이사했어"
    assert (summary["emotion"], summary["importance"]) == ("calm", 5)
    assert summary["is_fallback"] is False
    assert len(summary["message_ids"]) == 2


async def test_a_conversation_without_a_word_has_no_summary(minji: Person) -> None:
    session = await minji.talks()
    answer = await minji.http.get(f"/api/v1/sessions/{session}/summary")
    assert answer.json() == {"summary": None}


async def test_days_and_weeks_are_listed(minji: Person) -> None:
    session = await summed_up(minji)
    answer = await minji.http.get("/api/v1/summaries/days")
    assert answer.status_code == 200, answer.text
    (day,) = answer.json()["summaries"]
    assert day["summary_text"] == "User said: 부산으로 이사했어"
    assert day["source_session_ids"] == [session]
    weeks = (await minji.http.get("/api/v1/summaries/weeks")).json()["summaries"]
    assert weeks[0]["source_summary_ids"] == [day["summary_id"]]
    assert weeks[0]["device_usage_patterns"] == []


async def test_older_ones_are_reached(minji: Person) -> None:
    await summed_up(minji)
    for what, name in (("days", "date_key"), ("weeks", "week_key")):
        path = f"/api/v1/summaries/{what}"
        newest = (await minji.http.get(path)).json()["summaries"][0]
        older = await minji.http.get(path, params={"before": newest[name]})
        assert newest not in older.json()["summaries"]
        later = await minji.http.get(
            path, params={"before": "2099-12-31" if what == "days" else "2099-W01"}
        )
        assert later.json()["summaries"][0] == newest
        for wrong in ("2026-13", "soon", ""):
            refused = await minji.http.get(path, params={"before": wrong})
            assert refused.status_code == 422
            assert refused.json()["error"]["field"] == "before"


async def test_nobody_reads_somebody_else_s(minji: Person, other: Person) -> None:
    session = await summed_up(minji)
    assert (await other.http.get("/api/v1/summaries/days")).json() == {"summaries": []}
    assert (await other.http.get("/api/v1/summaries/weeks")).json() == {"summaries": []}
    answer = await other.http.get(f"/api/v1/sessions/{session}/summary")
    assert answer.status_code == 404


@pytest.mark.parametrize("limit", ["0", "-1", "201", "many", "1e3", ""])
@pytest.mark.parametrize("what", ["days", "weeks"])
async def test_a_bad_limit_is_named(minji: Person, what: str, limit: str) -> None:
    answer = await minji.http.get(f"/api/v1/summaries/{what}?limit={limit}")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "limit"
