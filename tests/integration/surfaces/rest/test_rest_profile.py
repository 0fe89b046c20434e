"""The profile card over HTTP: read, added to, replaced, and forgotten by value."""

import pytest

from gieok.kernel.language import Category
from support.rest_people import Person

PROFILE = "/api/v1/users/me/profile"
CARD = {
    "name": "영광",
    "occupation": "개발자",
    "interests": ["AI", "영어", "여행"],
    "learning_goals": ["비즈니스 영어", "해외 취업"],
    "preferences": ["천천히 말해주세요"],
    "mentioned_facts": ["서울에 살아요", "고양이를 키워요"],
}


@pytest.mark.req("C01")
async def test_of_whom_nothing_is_known_the_card_is_empty(minji: Person) -> None:
    answer = await minji.http.get(PROFILE)
    assert answer.status_code == 200
    assert answer.json() == {"profile": {}, "values": [], "history": []}


@pytest.mark.req("C01")
async def test_a_card_is_put_and_read_with_what_it_rests_on(minji: Person) -> None:
    put = await minji.http.put(PROFILE, json=CARD)
    assert (put.status_code, put.json()["profile"]) == (200, CARD)
    body = (await minji.http.get(PROFILE)).json()
    assert body == put.json()
    name = body["values"][0]
    kept = await minji.http.get(f"/api/v1/users/me/memories/{name['memory_ids'][0]}")
    assert kept.json()["content"] == "사용자의 이름: 영광"
    assert (name["field"], name["confidence"], name["session_id"]) == ("name", 1, None)


@pytest.mark.req("C02")
async def test_patching_merges_and_keeps_what_was_before(minji: Person) -> None:
    await minji.http.patch(PROFILE, json={"occupation": "개발자", "interests": ["AI"]})
    more = {"occupation": "기획자", "interests": ["여행", "AI"], "name": None}
    body = (await minji.http.patch(PROFILE, json=more)).json()
    assert body["profile"] == {"occupation": "기획자", "interests": ["AI", "여행"]}
    assert [past["value"] for past in body["history"]] == ["개발자"]


@pytest.mark.req("C01")
async def test_a_value_or_everything_is_deleted(minji: Person) -> None:
    await minji.http.put(PROFILE, json=CARD)
    english = {"field": "interests", "value": "영어"}
    gone = await minji.http.delete(PROFILE, params=english)
    assert (gone.status_code, gone.content) == (204, b"")
    left = (await minji.http.get(PROFILE)).json()["profile"]
    assert left == {**CARD, "interests": ["AI", "여행"]}
    assert (await minji.http.delete(PROFILE, params=english)).status_code == 404
    everything = {"all": "true"}
    both = {**everything, "field": "name"}
    for params in ({}, {"all": "false"}, both):
        assert (await minji.http.delete(PROFILE, params=params)).status_code == 422
    assert (await minji.http.get(PROFILE)).json()["profile"] == left
    assert (await minji.http.delete(PROFILE, params=everything)).status_code == 204
    assert (await minji.http.get(PROFILE)).json()["profile"] == {}
    memories = (await minji.http.get("/api/v1/users/me/memories")).json()
    assert memories["total"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"age": "7"}, "age"),
        ({"name": ["영광"]}, "name"),
        ({"interests": "AI"}, "interests"),
        ({"interests": ["AI", {}]}, "interests"),
        ({"name": "x" * 3_000}, "name"),
        ({"name": "a\x00b"}, "name"),
    ],
    ids=str,
)
async def test_a_wrong_card_is_named_and_nothing_changes(
    minji: Person, body: dict[str, object], field: str
) -> None:
    for method in ("PUT", "PATCH"):
        refused = await minji.http.request(method, PROFILE, json=body)
        assert refused.status_code == 422
        assert refused.json()["error"]["field"].startswith(field)
    assert (await minji.http.get(PROFILE)).json()["profile"] == {}


async def test_deleting_less_than_all_says_where(minji: Person) -> None:
    await minji.http.put(PROFILE, json=CARD)
    for params, field in (({"field": "age"}, "field"), ({"value": "AI"}, "field")):
        refused = await minji.http.delete(PROFILE, params=params)
        assert refused.status_code == 422
        assert refused.json()["error"]["field"] == field
    assert (await minji.http.get(PROFILE)).json()["profile"] == CARD


async def test_what_the_settings_do_not_allow_is_refused(minji: Person) -> None:
    await minji.gieok.settings.update(
        minji.scope, {"allowed_categories": [Category.PREFERENCE.value]}
    )
    refused = await minji.http.patch(PROFILE, json={"name": "영광"})
    assert refused.status_code == 403
    assert "allowed_categories" in refused.json()["error"]["message"]
    assert (await minji.http.get(PROFILE)).json()["profile"] == {}
