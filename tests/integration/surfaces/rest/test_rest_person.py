"""A person's language and time zone over HTTP."""

import pytest

from support.rest_people import Person

ME = "/api/v1/users/me"


@pytest.mark.req("A03", "B02")
async def test_language_and_time_zone_are_read_and_changed_one_by_one(
    minji: Person,
) -> None:
    before = (await minji.http.get(ME)).json()
    assert before["language"] == "ko"
    assert before["time_zone"] == "Asia/Seoul"
    assert before["plan"] == "free"
    answer = await minji.http.patch(ME, json={"time_zone": "America/New_York"})
    assert answer.json() == {**before, "time_zone": "America/New_York"}
    answer = await minji.http.patch(ME, json={"language": "en", "time_zone": None})
    moved = {**before, "language": "en", "time_zone": "America/New_York"}
    assert answer.json() == moved
    assert (await minji.http.get(ME)).json() == moved


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"time_zone": "Mars/Base"}, "time_zone"),
        ({"time_zone": 9}, "time_zone"),
        ({"plan": "premium"}, "plan"),
        ({"language": "en", "time_zone": ""}, "time_zone"),
    ],
    ids=str,
)
async def test_a_wrong_change_is_named_and_nothing_changes(
    minji: Person, change: dict[str, object], field: str
) -> None:
    before = (await minji.http.get(ME)).json()
    refused = await minji.http.patch(ME, json=change)
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == field
    assert (await minji.http.get(ME)).json() == before


@pytest.mark.req("B02")
async def test_a_session_is_in_the_persons_language_unless_it_says_so(
    minji: Person,
) -> None:
    await minji.http.patch(ME, json={"language": "en"})
    for body, language in (({}, "en"), ({"language": "ko"}, "ko")):
        session = (await minji.http.post("/api/v1/sessions", json=body)).json()
        assert session["language"] == language
