"""Memories over HTTP, as D12's document has them, and the candidates they grow from."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from gieok.kernel.errors import DatabaseUnavailableError
from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from support.rest_people import Person, Script

MEMORIES = "/api/v1/users/me/memories"
CANDIDATES = "/api/v1/users/me/memory-candidates"
NOBODYS = "018f0000-0000-7000-8000-000000000000"


def observed(content: str) -> Finding:
    return Finding(
        operation=FindingOperation.ADD,
        content=content,
        category=Category.HABIT,
        confidence=0.7,
        basis=Basis.OBSERVED,
        evidence=(0,),
    )


async def candidate_of(person: Person, script: Script, content: str) -> str:
    """Return the id of a candidate that a model saw in what the person said."""
    session_id = await person.talks()
    turn = {"user_text": "안방 청정 틀어줘", "assistant_text": "네, 켰습니다."}
    await person.http.post(f"/api/v1/sessions/{session_id}/turns", json=turn)
    script.findings = [observed(content)]
    await person.gieok.settled(person.scope)
    waiting = (await person.http.get(CANDIDATES, params={"status": "pending"})).json()
    return waiting["candidates"][0]["id"]


@pytest.mark.req("D12")
async def test_the_list_has_the_documents_shape(minji: Person) -> None:
    memory_id = await minji.remembers("강남구에 산다", "location")
    answer = await minji.http.get(MEMORIES)
    assert answer.status_code == 200
    body = answer.json()
    (memory,) = body.pop("memories")
    assert body == {"total": 1}
    assert datetime.fromisoformat(memory.pop("created_at")).tzinfo == UTC
    assert memory == {
        "id": memory_id,
        "content": "강남구에 산다",
        "category": "location",
        "subcategory": None,
        "source_type": "explicit",
        "relevance_score": 0.0,
        "confidence": 1.0,
        "last_used_at": None,
        "usage_count": 0,
    }


@pytest.mark.req("D12")
async def test_who_has_no_memories_gets_an_empty_list(minji: Person) -> None:
    assert (await minji.http.get(MEMORIES)).json() == {"memories": [], "total": 0}


@pytest.mark.req("D12")
async def test_one_memory_is_deleted(minji: Person) -> None:
    gone = await minji.remembers("매운 음식을 좋아한다", "preference")
    kept = await minji.remembers("She works at night", "context")
    answer = await minji.http.delete(f"{MEMORIES}/{gone}")
    assert (answer.status_code, answer.content) == (204, b"")
    left = (await minji.http.get(MEMORIES)).json()
    assert [memory["id"] for memory in left["memories"]] == [kept]
    assert left["total"] == 1
    assert (await minji.http.delete(f"{MEMORIES}/{gone}")).status_code == 404


@pytest.mark.req("D12")
async def test_all_memories_of_one_person_are_deleted(
    minji: Person, other: Person
) -> None:
    await minji.remembers("고양이를 키운다")
    await minji.remembers("부산 출신이다", "location")
    await other.remembers("강아지를 키운다")
    answer = await minji.http.delete(MEMORIES)
    assert (answer.status_code, answer.content) == (204, b"")
    everything = await minji.http.get(MEMORIES, params={"include_inactive": True})
    assert everything.json() == {"memories": [], "total": 0}
    assert (await other.http.get(MEMORIES)).json()["total"] == 1
    assert (await minji.http.delete(MEMORIES)).status_code == 204


async def test_pages_follow_each_other_newest_first(minji: Person) -> None:
    texts = [f"memory number {number}" for number in ("one", "two", "three")]
    made = [await minji.remembers(text) for text in texts]
    seen: list[str] = []
    for offset in range(3):
        page = await minji.http.get(MEMORIES, params={"limit": 1, "offset": offset})
        assert page.json()["total"] == 3
        seen += [memory["id"] for memory in page.json()["memories"]]
    assert seen == made[::-1]


async def test_remembering_the_same_again_keeps_one_and_counts_it(
    minji: Person,
) -> None:
    first = await minji.remembers("비건이다", "preference")
    again = await minji.http.post(
        MEMORIES, json={"content": "비건이다", "category": "preference"}
    )
    assert again.status_code == 201
    assert again.json()["id"] == first
    assert again.json()["usage_count"] == 1
    assert (await minji.http.get(MEMORIES)).json()["total"] == 1


async def test_a_category_that_is_sent_holds_for_what_is_known(
    minji: Person,
) -> None:
    await minji.remembers("커피를 좋아한다", "preference")
    for sent, kept in (
        ({}, "preference"),
        ({"category": "feedback"}, "feedback"),
        ({"category": "context"}, "context"),
        ({"category": None}, "context"),
    ):
        new = {"content": "커피를 좋아한다", **sent}
        answer = await minji.http.post("/api/v1/users/me/memories", json=new)
        assert answer.json()["category"] == kept


@pytest.mark.req("D10")
async def test_a_memory_rests_and_comes_back(minji: Person) -> None:
    memory_id = await minji.remembers("아침마다 달린다", "habit")
    one = f"{MEMORIES}/{memory_id}"
    assert (await minji.http.post(f"{one}/deactivate")).status_code == 204
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0
    everything = await minji.http.get(MEMORIES, params={"include_inactive": True})
    assert everything.json()["total"] == 1
    assert (await minji.http.get(one)).json()["is_active"] is False
    back = await minji.http.post(f"{one}/reactivate")
    assert (back.status_code, back.json()["id"]) == (200, memory_id)
    assert (await minji.http.get(MEMORIES)).json()["total"] == 1
    twice = await minji.http.post(f"{one}/reactivate")
    assert (twice.status_code, twice.json()["error"]["code"]) == (409, "conflict")


async def test_one_memory_shows_its_source_and_history(
    minji: Person, script: Script
) -> None:
    candidate_id = await candidate_of(minji, script, "매일 저녁 안방을 청정한다")
    path = f"{CANDIDATES}/{candidate_id}/confirm"
    memory = (await minji.http.post(path)).json()["memory"]
    await minji.http.post(f"{MEMORIES}/{memory['id']}/deactivate")
    detail = (await minji.http.get(f"{MEMORIES}/{memory['id']}")).json()
    assert detail["source"]["extractor"] == "scripted/1"
    assert len(detail["source"]["message_ids"]) == 1
    assert detail["source"]["session_id"]
    assert "preview" in detail["source"]
    steps = [(step["action"], step["trigger"]) for step in detail["history"]]
    assert steps == [("created", "user_review"), ("deactivated", "user_request")]
    assert detail["history"][0]["new_content"] == "매일 저녁 안방을 청정한다"


@pytest.mark.req("A07")
async def test_a_candidate_is_no_memory_until_it_is_confirmed(
    minji: Person, script: Script
) -> None:
    candidate_id = await candidate_of(minji, script, "밤마다 가습기를 켠다")
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0
    question = {"query": "밤마다 가습기를 켠다"}
    block = await minji.http.post("/api/v1/context", json=question)
    assert block.json()["lines"] == []
    (waiting,) = (await minji.http.get(CANDIDATES)).json()["candidates"]
    assert waiting["claim"] == "밤마다 가습기를 켠다"
    assert (waiting["status"], waiting["category"]) == ("pending", "habit")
    assert waiting["reviewed_at"] is None
    path = f"{CANDIDATES}/{candidate_id}/confirm"
    confirmed = await minji.http.post(path)
    assert confirmed.status_code == 200
    assert confirmed.json()["memory"]["content"] == "밤마다 가습기를 켠다"
    assert (await minji.http.get(MEMORIES)).json()["total"] == 1
    assert (await minji.http.post(path)).status_code == 409
    pending = await minji.http.get(CANDIDATES, params={"status": "pending"})
    assert pending.json() == {"candidates": []}


async def test_a_rejected_candidate_stays_out(minji: Person, script: Script) -> None:
    candidate_id = await candidate_of(minji, script, "새벽에 운동한다")
    path = f"{CANDIDATES}/{candidate_id}"
    assert (await minji.http.post(f"{path}/reject")).status_code == 204
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0
    assert (await minji.http.post(f"{path}/confirm")).status_code == 409
    (rejected,) = (await minji.http.get(CANDIDATES)).json()["candidates"]
    assert rejected["status"] == "rejected"
    assert rejected["reviewed_at"] is not None


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", MEMORIES + "/{}"),
        ("DELETE", MEMORIES + "/{}"),
        ("POST", MEMORIES + "/{}/deactivate"),
        ("POST", MEMORIES + "/{}/reactivate"),
    ],
)
@pytest.mark.req("D12")
async def test_someone_elses_memory_answers_like_a_missing_one(
    minji: Person, other: Person, method: str, path: str
) -> None:
    theirs = await other.remembers("은밀한 취미가 있다")
    foreign = await minji.http.request(method, path.format(theirs))
    missing = await minji.http.request(method, path.format(NOBODYS))
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    assert (await other.http.get(MEMORIES)).json()["total"] == 1


@pytest.mark.parametrize("step", ["confirm", "reject"])
async def test_someone_elses_candidate_answers_like_a_missing_one(
    minji: Person, other: Person, script: Script, step: str
) -> None:
    theirs = await candidate_of(other, script, "주말마다 등산한다")
    foreign = await minji.http.post(f"{CANDIDATES}/{theirs}/{step}")
    missing = await minji.http.post(f"{CANDIDATES}/{NOBODYS}/{step}")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


@pytest.mark.parametrize("name", ["x", "1", "%00", NOBODYS + "0", "가나다"])
async def test_a_malformed_id_is_named(minji: Person, name: str) -> None:
    answer = await minji.http.delete(f"{MEMORIES}/{name}")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "memory_id"


@pytest.mark.req("D12", "A15")
async def test_a_wish_to_forget_names_what_it_erased(
    minji: Person, script: Script
) -> None:
    memory_id = await minji.remembers("간호사로 일한다", "context")
    await minji.remembers("강남구에 산다", "location")
    script.findings = [
        Finding(
            FindingOperation.DELETE,
            "간호사로 일한다",
            Category.CONTEXT,
            0.9,
            Basis.REQUESTED,
            (0,),
            memory_id,
        )
    ]
    answer = await minji.http.post(
        f"{MEMORIES}/forget", json={"about": "제 직업은 잊어 주세요"}
    )
    assert answer.status_code == 200
    assert answer.json() == {
        "forgotten": ["간호사로 일한다"],
        "unsure": [],
        "messages": 0,
    }
    left = (await minji.http.get(MEMORIES)).json()["memories"]
    assert [memory["content"] for memory in left] == ["강남구에 산다"]


@pytest.mark.req("A15")
async def test_an_unsure_wish_names_the_candidate_to_confirm(
    minji: Person, script: Script
) -> None:
    memory_id = await minji.remembers("언니 이름은 보라이다", "context")
    script.findings = [
        Finding(
            FindingOperation.DELETE,
            "언니 이름은 보라이다",
            Category.CONTEXT,
            0.4,
            Basis.REQUESTED,
            (0,),
            memory_id,
        )
    ]
    asked = await minji.http.post(f"{MEMORIES}/forget", json={"about": "우리 가족"})
    (unsure,) = asked.json()["unsure"]
    assert unsure["memory_id"] == memory_id
    confirmed = await minji.http.post(f"{CANDIDATES}/{unsure['candidate_id']}/confirm")
    assert confirmed.status_code == 200
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0


async def test_a_wish_without_words_is_refused(minji: Person) -> None:
    answer = await minji.http.post(f"{MEMORIES}/forget", json={"about": "  "})
    assert answer.status_code == 422


@pytest.mark.req("D12", "E23")
async def test_a_list_may_be_of_one_category(minji: Person) -> None:
    home = await minji.remembers("수원에 산다", "location")
    await minji.remembers("두유를 마신다", "habit")
    await minji.remembers("간호사이다", "context")
    for _ in range(2):  # from the database, and from the cache
        found = (await minji.http.get(f"{MEMORIES}?category=location")).json()
        assert found["total"] == 1
        assert [each["id"] for each in found["memories"]] == [home]
        assert (await minji.http.get(MEMORIES)).json()["total"] == 3
    refused = await minji.http.get(f"{MEMORIES}?category=secrets")
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "category"


@pytest.mark.req("D12")
async def test_a_memory_is_pinned_and_let_go(minji: Person) -> None:
    path = f"{MEMORIES}/{await minji.remembers('고양이를 키운다')}"
    assert (await minji.http.get(path)).json()["is_pinned"] is False
    for _ in range(2):
        assert (await minji.http.put(f"{path}/pin")).status_code == 200
    assert (await minji.http.get(path)).json()["is_pinned"] is True
    assert (await minji.http.delete(f"{path}/pin")).status_code == 204
    assert (await minji.http.get(path)).json()["is_pinned"] is False
    assert (await minji.http.put(f"{MEMORIES}/{NOBODYS}/pin")).status_code == 404


@pytest.mark.req("D12")
async def test_a_memory_is_corrected(minji: Person, other: Person) -> None:
    before = await minji.remembers("강남구에 산다", "location")
    path = f"{MEMORIES}/{before}"
    stolen = await other.http.patch(path, json={"content": "부산에 산다"})
    assert stolen.status_code == 404
    answer = await minji.http.patch(
        path, json={"content": "마포구에 산다", "delete_policy": "manual_review"}
    )
    assert answer.status_code == 200
    now = answer.json()
    assert (now["content"], now["category"]) == ("마포구에 산다", "location")
    listed = (await minji.http.get(MEMORIES)).json()["memories"]
    assert [each["id"] for each in listed] == [now["id"]]
    detail = (await minji.http.get(f"{MEMORIES}/{now['id']}")).json()
    assert detail["delete_policy"] == "manual_review"
    old = (await minji.http.get(path)).json()
    assert (old["is_active"], old["superseded_by"]) == (False, now["id"])
    again = {"content": "마포구에서 일한다", "category": "context"}
    moved = await minji.http.patch(f"{MEMORIES}/{now['id']}", json=again)
    assert moved.json()["category"] == "context"


@pytest.mark.req("D12")
async def test_a_correction_that_is_sent_again_is_answered_as_before(
    minji: Person,
) -> None:
    path = f"{MEMORIES}/{await minji.remembers('강남구에 산다', 'location')}"
    change = {"content": "마포구에 산다", "delete_policy": "manual_review"}
    first, again = [await minji.http.patch(path, json=change) for _ in range(2)]
    assert (first.status_code, again.status_code) == (200, 200), again.text
    assert again.json() == first.json()
    now = f"{MEMORIES}/{first.json()['id']}"
    steps = (await minji.http.get(now)).json()["history"]
    assert [each["action"] for each in steps] == ["created"]
    stricter = {**change, "delete_policy": "retention_expire", "category": "context"}
    moved = await minji.http.patch(path, json=stricter)
    assert (moved.status_code, moved.json()["id"]) == (200, first.json()["id"])
    detail = (await minji.http.get(now)).json()
    assert (detail["delete_policy"], detail["category"]) == (
        "retention_expire",
        "context",
    )
    other = await minji.http.patch(path, json={"content": "부산에 산다"})
    assert other.status_code == 404
    last = await minji.http.patch(now, json={"content": "부산에 산다"})
    assert last.status_code == 200
    assert (await minji.http.patch(path, json=change)).status_code == 404


@pytest.mark.req("D12")
async def test_a_correction_whose_policy_fails_is_not_made(
    minji: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{MEMORIES}/{await minji.remembers('강남구에 산다', 'location')}"

    async def fail(*_: object) -> None:
        raise DatabaseUnavailableError("away")

    monkeypatch.setattr("gieok.memories.store.set_policy", fail)
    change = {"content": "마포구에 산다", "delete_policy": "manual_review"}
    assert (await minji.http.patch(path, json=change)).status_code == 503
    monkeypatch.undo()
    listed = (await minji.http.get(MEMORIES)).json()["memories"]
    assert [each["content"] for each in listed] == ["강남구에 산다"]
    assert (await minji.http.patch(path, json=change)).status_code == 200


@pytest.mark.parametrize("change", [{}, {"category": "habit"}, {"content": None}])
async def test_a_change_that_says_nothing_is_refused_by_name(
    minji: Person, change: dict[str, str | None]
) -> None:
    path = f"{MEMORIES}/{await minji.remembers('아침마다 달린다', 'habit')}"
    refused = await minji.http.patch(path, json=change)
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "content"


@pytest.mark.req("D14")
async def test_an_app_shows_what_an_answer_rests_on(
    minji: Person, other: Person
) -> None:
    first = await minji.remembers("사용자는 벌을 키움")
    second = await minji.remembers("사용자는 부산에 삼")
    theirs = await other.remembers("사용자는 여수에 삼")
    block = await minji.http.post("/api/v1/context", json={"query": "벌은 어디서?"})
    ids = {line["memory_id"] for line in block.json()["lines"]}
    assert {first, second} >= ids > set()
    path = f"{MEMORIES}/sources"
    wanted = [second, theirs, str(uuid4()), first]
    asked = {"memory_id": [*wanted, second]}
    answer = await minji.http.get(path, params=asked)
    assert answer.status_code == 200
    sources = answer.json()["sources"]
    assert [each["id"] for each in sources] == [second, first]
    assert sources[1]["content"] == "사용자는 벌을 키움"
    assert sources[1]["path"] == f"/me/memories/{first}"
    await minji.http.delete(f"{MEMORIES}/{first}")
    left = (await minji.http.get(path, params=asked)).json()["sources"]
    assert [each["id"] for each in left] == [second]
    for odd in ([], ["x"], wanted * 30):
        refused = await minji.http.get(path, params={"memory_id": odd})
        assert refused.status_code == 422


@pytest.mark.req("D14", "D03")
async def test_an_app_says_that_memory_was_updated(
    minji: Person, other: Person
) -> None:
    path = f"{MEMORIES}/updates"
    before = datetime.now(UTC).isoformat()
    kept = await minji.remembers("사용자는 부산에 삼")
    gone = await minji.remembers("사용자는 벌을 키움")
    await other.remembers("사용자는 여수에 삼")
    between = datetime.now(UTC).isoformat()
    scope, changed = minji.scope, "대구에 삼"
    after = await minji.gieok.memories.correct(scope, UUID(kept), changed)
    await minji.http.delete(f"{MEMORIES}/{gone}")
    updates = (await minji.http.get(path, params={"since": before})).json()["updates"]
    assert [(each["memory_id"], each["action"]) for each in updates] == [
        (kept, "created"),
        (str(after.memory_id), "created"),
        (kept, "updated"),
    ], "what was forgotten has left no line"
    assert updates[2]["old_content"] == "사용자는 부산에 삼"
    assert updates[2]["new_content"] == changed
    newer = (await minji.http.get(path, params={"since": between})).json()["updates"]
    assert [each["action"] for each in newer] == ["created", "updated"]
    first = (await minji.http.get(path, params={"limit": 1})).json()
    assert (first["updates"], first["has_more"]) == (updates[:1], True)
    rest = (await minji.http.get(path, params={"after": first["cursor"]})).json()
    assert (rest["updates"], rest["has_more"]) == (updates[1:], False)
    bad = await minji.http.get(path, params={"after": "1"})
    assert (bad.status_code, bad.json()["error"]["field"]) == (422, "after")
    naive = await minji.http.get(path, params={"since": "2026-01-01T00:00:00"})
    assert naive.status_code == 422
