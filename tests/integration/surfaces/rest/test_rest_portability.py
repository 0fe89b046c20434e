"""An export is prepared and fetched by its person, and by nobody else."""

import json

import pytest

from support.rest_people import Person

EXPORT = "/api/v1/users/me/export"


@pytest.mark.req("E19")
async def test_a_person_prepares_and_fetches_an_export(
    minji: Person, other: Person
) -> None:
    await minji.remembers("고양이를 키운다")
    made = await minji.http.post(EXPORT)
    assert made.status_code == 201
    path = made.json()["path"]
    answer = await minji.http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[-1]["manifest"]["parts"]["memories"]["count"] == 1
    assert "고양이를 키운다" in answer.text
    for who, where in ((other, path), (minji, f"{path}x"), (minji, f"{EXPORT}/ㅎ")):
        assert (await who.http.get(where)).status_code == 404
