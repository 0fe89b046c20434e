"""Whether what was said has been read yet, over HTTP, and that what is over is over."""

from datetime import timedelta
from uuid import UUID

import pytest

from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from gieok.memories.reading import EXTRACTION_EVENTS
from support.rest_people import Person, Script

ME = "/api/v1/users/me"
TURN = {"user_text": "나는 민지고 수원 살아", "assistant_text": "네!"}


async def said(person: Person) -> str:
    """Return the address of a conversation with one turn."""
    path = f"/api/v1/sessions/{await person.talks()}"
    assert (await person.http.post(f"{path}/turns", json=TURN)).status_code == 201
    return path


@pytest.mark.req("D05")
async def test_what_was_said_is_pending_until_it_is_read(
    minji: Person, script: Script
) -> None:
    path = await said(minji)
    before = (await minji.http.get(path)).json()
    assert before["reading"] == {"state": "pending", "unread_count": 2, "not_kept": {}}
    assert before["unread_count"] == 2
    assert [each["is_read"] for each in before["messages"]] == [False, False]
    script.findings = []
    await minji.gieok.settled(minji.scope)
    after = (await minji.http.get(path)).json()
    assert after["reading"] == {"state": "read", "unread_count": 0, "not_kept": {}}
    assert [each["is_read"] for each in after["messages"]] == [True, True]
    alone = await minji.http.get(f"{path}/reading")
    assert alone.json() == after["reading"]


@pytest.mark.req("D04")
async def test_what_the_settings_drop_is_counted_by_category(
    minji: Person, script: Script
) -> None:
    await minji.http.patch(
        f"{ME}/memory-settings", json={"allowed_categories": ["location"]}
    )
    path = await said(minji)
    for last in (0, 2):
        script.findings = [
            Finding(FindingOperation.ADD, content, category, 0.9, Basis.STATED, (last,))
            for content, category in (
                ("사용자의 이름은 민지이다", Category.CONTEXT),
                ("사용자는 간호사이다", Category.CONTEXT),
                ("사용자는 두유를 마신다", Category.HABIT),
                ("사용자는 수원에 산다", Category.LOCATION),
            )
        ]
        await minji.gieok.settled(minji.scope)
        await minji.http.post(f"{path}/turns", json=TURN)
    told = (await minji.http.get(f"{path}/reading")).json()
    assert told["not_kept"] == {"context": 4, "habit": 2}
    assert (await minji.http.get(f"{ME}/memories")).json()["total"] == 1


async def test_nothing_is_read_of_who_switched_extraction_off(minji: Person) -> None:
    await minji.http.patch(f"{ME}/memory-settings", json={"auto_extraction": False})
    path = await said(minji)
    assert (await minji.http.get(f"{path}/reading")).json()["state"] == "off"


async def test_a_job_that_was_given_up_is_told(minji: Person) -> None:
    path = await said(minji)
    about = path.rpartition("/")[2]
    async with minji.gieok.maintenance.database.connection() as connection:
        changed = await connection.execute(
            """
            UPDATE procrastinate_jobs SET status = 'failed'
            WHERE task_name = ANY(%s) AND args->>'about' = %s
            """,
            [list(EXTRACTION_EVENTS), about],
        )
        assert changed.rowcount == 1
    assert (await minji.http.get(f"{path}/reading")).json()["state"] == "failed"
    await minji.http.post(f"{path}/close")
    again = await minji.http.get(f"{path}/reading")
    assert again.json()["state"] == "pending", "another job tries"


async def test_nobody_learns_of_the_sessions_of_others(
    minji: Person, other: Person
) -> None:
    path = await said(minji)
    foreign = await other.http.get(f"{path}/reading")
    missing = await other.http.get(f"/api/v1/sessions/{UUID(int=7)}/reading")
    assert (foreign.status_code, foreign.json()) == (404, missing.json())


@pytest.mark.req("B04", "E01")
async def test_a_session_that_is_over_says_so_at_once(minji: Person) -> None:
    clock = minji.gieok.clock
    start = {"expires_at": (clock() + timedelta(milliseconds=40)).isoformat()}
    session = (await minji.http.post("/api/v1/sessions", json=start)).json()
    path = f"/api/v1/sessions/{session['id']}"
    while clock().isoformat() < start["expires_at"]:
        await minji.http.get("/health/live")
    listed = (await minji.http.get("/api/v1/sessions?status=expired")).json()
    assert [each["id"] for each in listed["sessions"]] == [session["id"]]
    shown = (await minji.http.get(path)).json()
    assert (shown["status"], shown["ended_reason"]) == ("expired", "expires_at")
    for refused in (
        await minji.http.post(f"{path}/turns", json=TURN),
        await minji.http.post(f"{path}/resume"),
        await minji.http.post(f"{path}/close"),
    ):
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "session_expired"
