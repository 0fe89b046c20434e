"""Recall and context over HTTP."""

from typing import Any

import pytest

from support.rest_people import Person

RECALL = "/api/v1/recall"
CONTEXT = "/api/v1/context"
NOBODYS = "018f0000-0000-7000-8000-000000000000"


async def said(person: Person, *texts: str, persona: str | None = None) -> str:
    """Return a session in which the person said something."""
    session_id = await person.talks(persona)
    for text in texts:
        body = {"role": "user", "content": text}
        await person.http.post(f"/api/v1/sessions/{session_id}/messages", json=body)
    await person.gieok.recall.index(person.scope)
    return session_id


async def hits(person: Person, query: str, **more: Any) -> list[dict[str, Any]]:
    answer = await person.http.post(RECALL, json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["hits"]


async def test_recall_finds_what_was_said_and_what_is_known(minji: Person) -> None:
    session_id = await said(minji, "제주도에서 귤을 땄어", "the weather was grey")
    memory_id = await minji.remembers("제주도에 자주 간다", "location")
    found = await hits(minji, "제주도")
    assert {hit["kind"] for hit in found} == {"message", "memory"}
    message = next(hit for hit in found if hit["kind"] == "message")
    assert message["content"] == "제주도에서 귤을 땄어"
    assert (message["role"], message["session_id"]) == ("user", session_id)
    assert (message["category"], message["position"]) == (None, 0)
    memory = next(hit for hit in found if hit["kind"] == "memory")
    assert (memory["id"], memory["category"]) == (memory_id, "location")
    assert memory["confidence"] == 1.0
    assert [hit["score"] for hit in found] == sorted(
        (hit["score"] for hit in found), reverse=True
    )


async def test_filters_narrow(minji: Person) -> None:
    session_id = await said(minji, "바이올린을 배운다", "바이올린 줄을 샀다")
    await minji.remembers("바이올린을 켠다", "habit")
    question = "바이올린"
    memories = await hits(minji, question, filters={"kinds": ["memory"]})
    assert [hit["kind"] for hit in memories] == ["memory"]
    located = {"categories": ["location"], "kinds": ["memory"]}
    assert await hits(minji, question, filters=located) == []
    in_session = await hits(minji, question, filters={"session_id": session_id})
    assert {hit["session_id"] for hit in in_session} == {session_id}
    assert await hits(minji, question, filters={"session_id": NOBODYS}) == []
    assert len(await hits(minji, question, limit=1)) == 1
    late = {"since": "2999-01-01T00:00:00+09:00"}
    assert await hits(minji, question, filters=late) == []
    early = {"until": "0001-01-01T00:00:00+14:00"}
    assert await hits(minji, question, filters=early) == []
    whole = {"since": "0001-01-01T00:00:00Z", "until": "9999-12-31T23:59:59-12:00"}
    assert len(await hits(minji, question, filters=whole)) == 3


async def test_nobody_finds_what_someone_else_said(
    minji: Person, other: Person
) -> None:
    session_id = await said(other, "내 비밀 이름은 루나야")
    await other.remembers("비밀 이름이 루나다")
    assert await hits(minji, "비밀 이름 루나") == []
    assert await hits(minji, "루나", filters={"session_id": session_id}) == []
    block = await minji.http.post(CONTEXT, json={"query": "루나"})
    assert block.json()["lines"] == []


@pytest.mark.req("D08", "D09")
async def test_context_is_a_fenced_block_with_traceable_lines(minji: Person) -> None:
    memory_id = await minji.remembers("강남구에 산다", "location")
    body = {"query": "강남구에서 플라스틱은 어디에 버려?"}
    answer = await minji.http.post(CONTEXT, json=body)
    assert answer.status_code == 200
    block = answer.json()
    assert "## 사용자 정보 (이전 대화에서 기억)" in block["text"]
    (line,) = block["lines"]
    assert line["memory_id"] == memory_id
    assert line["text"] in block["text"]
    assert line["text"].startswith("- 강남구에 산다 [")
    assert line["at"].endswith("Z")
    assert block["tokens"] > 0
    memories = (await minji.http.get("/api/v1/users/me/memories")).json()["memories"]
    assert memories[0]["usage_count"] == 1
    assert memories[0]["last_used_at"] is not None


async def test_context_speaks_the_language_asked_for(minji: Person) -> None:
    await minji.remembers("lives in Busan", "location")
    body = {"query": "Where is Busan?", "language": "en"}
    block = (await minji.http.post(CONTEXT, json=body)).json()
    assert "## About the user" in block["text"]


async def test_what_one_persona_was_told_is_not_quoted_to_another(
    minji: Person,
) -> None:
    session_id = await said(minji, "제주도에서 귤을 땄어", persona="luna")
    await minji.http.post(f"/api/v1/sessions/{session_id}/close")
    (own, others) = [
        (await minji.http.post(CONTEXT, json=body)).json()["excerpts"]
        for body in ({"query": "제주도", "persona": who} for who in ("luna", "sol"))
    ]
    assert [excerpt["session_id"] for excerpt in own] == [session_id]
    assert others == []


@pytest.mark.req("D08")
async def test_nothing_known_adds_nothing(minji: Person) -> None:
    block = await minji.http.post(CONTEXT, json={"query": "안녕?"})
    nothing = {"text": "", "lines": [], "excerpts": [], "questions": [], "tokens": 0}
    assert block.json() == nothing


async def test_the_token_budget_is_kept(minji: Person) -> None:
    for city in ("서울", "부산", "대구", "광주", "대전"):
        await minji.remembers(f"{city}에서 일한 적이 있다")
    body = {"query": "어디에서 일했지?", "token_budget": 120}
    block = (await minji.http.post(CONTEXT, json=body)).json()
    assert 0 < block["tokens"] <= 120
    assert 0 < len(block["lines"]) < 5


@pytest.mark.parametrize(
    ("path", "change", "field"),
    [
        (RECALL, {"query": ""}, "query"),
        (RECALL, {"query": "가" * 20_000}, "query"),
        (RECALL, {"limit": 0}, "limit"),
        (RECALL, {"limit": 201}, "limit"),
        (RECALL, {"limit": 10**30}, "limit"),
        (RECALL, {"limit": "10"}, "limit"),
        (RECALL, {"filters": []}, "filters"),
        (RECALL, {"filters": {"kinds": ["secrets"]}}, "filters.kinds.0"),
        (RECALL, {"filters": {"session_id": "x"}}, "filters.session_id"),
        (RECALL, {"filters": {"since": "2026-01-01T00:00:00"}}, "filters.since"),
        (RECALL, {"filters": {"since": "gestern"}}, "filters.since"),
        (RECALL, {"filters": {"min_confidence": 1.1}}, "filters.min_confidence"),
        (RECALL, {"filters": {"user_id": "other"}}, "filters.user_id"),
        (CONTEXT, {"query": "\t"}, "query"),
        (CONTEXT, {"language": "jp"}, "language"),
        (CONTEXT, {"token_budget": 0}, "token_budget"),
        (CONTEXT, {"token_budget": "800"}, "token_budget"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_bad_question_is_named(
    minji: Person, path: str, change: dict[str, Any], field: str
) -> None:
    answer = await minji.http.post(path, json={"query": "어디 살아?", **change})
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field
