"""Settings over HTTP, and that what they forbid does not happen."""

from typing import Any

import pytest

from gieok import ALL_CATEGORIES
from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from support.rest_people import Person, Script

SETTINGS = "/api/v1/users/me/memory-settings"
MEMORIES = "/api/v1/users/me/memories"


@pytest.mark.req("D04", "D12")
async def test_settings_have_the_documents_fields(minji: Person) -> None:
    answer = await minji.http.get(SETTINGS)
    assert answer.status_code == 200
    assert answer.json() == {
        "is_enabled": True,
        "auto_extraction": True,
        "allowed_categories": list(ALL_CATEGORIES),
        "max_memories": 50,
        "retention_days": None,
        "promotion_policy": "stated",
        "words_days": None,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"is_enabled": False},
        {"auto_extraction": False},
        {"allowed_categories": ["location", "feedback"]},
        {"allowed_categories": []},
        {"max_memories": 3},
        {"retention_days": 30},
        {"promotion_policy": "strict"},
        {"words_days": 365},
        {"is_enabled": False, "retention_days": 1},
    ],
    ids=str,
)
@pytest.mark.req("D12")
async def test_a_change_changes_what_it_names(
    minji: Person, change: dict[str, Any]
) -> None:
    before = (await minji.http.get(SETTINGS)).json()
    answer = await minji.http.patch(SETTINGS, json=change)
    assert answer.status_code == 200
    assert answer.json() == {**before, **change}
    assert (await minji.http.get(SETTINGS)).json() == {**before, **change}


async def test_null_leaves_a_setting_alone_but_ends_a_retention(
    minji: Person,
) -> None:
    change = {"is_enabled": False, "retention_days": 30}
    await minji.http.patch(SETTINGS, json=change)
    nothing = {"is_enabled": None, "retention_days": None, "max_memories": None}
    after = (await minji.http.patch(SETTINGS, json=nothing)).json()
    assert after["is_enabled"] is False
    assert after["retention_days"] is None
    assert after["max_memories"] == 50


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"is_enabled": "yes"}, "is_enabled"),
        ({"is_enabled": 1}, "is_enabled"),
        ({"max_memories": 0}, "max_memories"),
        ({"max_memories": "7"}, "max_memories"),
        ({"max_memories": 10**30}, "max_memories"),
        ({"retention_days": -1}, "retention_days"),
        ({"retention_days": 1.5}, "retention_days"),
        ({"promotion_policy": "never"}, "promotion_policy"),
        ({"allowed_categories": "location"}, "allowed_categories"),
        ({"allowed_categories": ["secrets"]}, "allowed_categories.0"),
        ({"allowed_categories": [["location"]]}, "allowed_categories.0"),
        ({"is_admin": True}, "is_admin"),
        ({"user_id": "someone"}, "user_id"),
        ([], "body"),
    ],
    ids=str,
)
async def test_a_bad_change_is_named_and_changes_nothing(
    minji: Person, change: object, field: str
) -> None:
    before = (await minji.http.get(SETTINGS)).json()
    answer = await minji.http.patch(SETTINGS, json=change)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field
    assert (await minji.http.get(SETTINGS)).json() == before


@pytest.mark.req("D04")
async def test_memory_that_is_off_remembers_nothing_and_shows_nothing(
    minji: Person,
) -> None:
    await minji.remembers("두유를 마신다", "preference")
    await minji.http.patch(SETTINGS, json={"is_enabled": False})
    refused = await minji.http.post(MEMORIES, json={"content": "고기를 먹는다"})
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "not_permitted"
    block = await minji.http.post("/api/v1/context", json={"query": "두유 있어?"})
    nothing = {"text": "", "lines": [], "excerpts": [], "questions": [], "tokens": 0}
    assert block.json() == nothing


@pytest.mark.req("D04")
async def test_a_category_that_is_not_allowed_is_refused(minji: Person) -> None:
    await minji.http.patch(SETTINGS, json={"allowed_categories": ["location"]})
    body = {"content": "매운 것을 못 먹는다", "category": "preference"}
    assert (await minji.http.post(MEMORIES, json=body)).status_code == 403
    body = {"content": "수원에 산다", "category": "location"}
    assert (await minji.http.post(MEMORIES, json=body)).status_code == 201


@pytest.mark.req("D04")
async def test_without_auto_extraction_nothing_is_read(
    minji: Person, script: Script
) -> None:
    await minji.http.patch(SETTINGS, json={"auto_extraction": False})
    session_id = await minji.talks()
    turn = {"user_text": "나 수원 살아", "assistant_text": "네!"}
    await minji.http.post(f"/api/v1/sessions/{session_id}/turns", json=turn)
    script.findings = [
        Finding(
            FindingOperation.ADD,
            "수원에 산다",
            Category.LOCATION,
            0.9,
            Basis.STATED,
            (0,),
        )
    ]
    await minji.gieok.settled(minji.scope)
    script.findings = []
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0


@pytest.mark.req("D04")
async def test_no_more_memories_are_kept_than_allowed(minji: Person) -> None:
    await minji.http.patch(SETTINGS, json={"max_memories": 2})
    for text in ("likes red apples", "plays the violin", "두 아이의 부모이다"):
        await minji.remembers(text)
    assert (await minji.http.get(MEMORIES)).json()["total"] == 2


async def test_settings_of_one_person_are_nobody_elses(
    minji: Person, other: Person
) -> None:
    await minji.http.patch(SETTINGS, json={"is_enabled": False})
    assert (await other.http.get(SETTINGS)).json()["is_enabled"] is True


@pytest.mark.req("D14")
async def test_what_is_remembered_is_told_in_numbers(minji: Person) -> None:
    await minji.remembers("고양이를 키운다")
    found = (await minji.http.get("/api/v1/users/me/memory-usage")).json()
    assert found == {
        "active": 1,
        "inactive": 0,
        "unused": 1,
        "waiting": 0,
        "uses": 0,
        "last_used_at": None,
        "most": 50,
        "categories": {"context": {"active": 1, "uses": 0}},
    }


@pytest.mark.req("A06")
async def test_a_memorys_policy_is_set_and_a_wrong_one_is_named(minji: Person) -> None:
    path = f"/api/v1/users/me/memories/{await minji.remembers('고양이를 키운다')}"
    assert (await minji.http.get(path)).json()["delete_policy"] == "user_delete"
    answer = await minji.http.patch(path, json={"delete_policy": "manual_review"})
    assert answer.status_code == 200
    assert (await minji.http.get(path)).json()["delete_policy"] == "manual_review"
    for wrong in ({"delete_policy": "never"}, {"delete_policy": None}, {}):
        refused = await minji.http.patch(path, json=wrong)
        assert refused.status_code == 422
        assert "delete_policy" in refused.text


@pytest.mark.req("D14")
async def test_a_special_category_without_consent_is_refused_by_name(
    minji: Person,
) -> None:
    await minji.http.put("/api/v1/users/me/consents", json={"sensitive": False})
    refused = await minji.http.post(
        "/api/v1/users/me/memories", json={"content": "우울증 약을 먹는다"}
    )
    assert refused.status_code == 403
    assert "sensitive" in refused.text
