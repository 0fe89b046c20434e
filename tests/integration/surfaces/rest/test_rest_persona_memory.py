"""Memories of conversations over HTTP, as the persona document writes them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from gieok import Gieok
from gieok.database.transaction import assert_no_open_transaction
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import Conversation, Emotion, Gist
from gieok.testing import ScriptedModel
from support.rest_people import Person, StandIn

MEMORY = "/api/v1/memory"
KOREAN = {"Accept-Language": "ko"}
NOBODYS = "018f0000-0000-7000-8000-000000000000"
FILM = {
    "sessionId": "session_456",
    "personaId": "persona_123",
    "messages": [
        {
            "id": "m2",
            "role": "assistant",
            "content": "오, 어땠어?",
            "timestamp": "2025-10-27T12:00:05Z",
        },
        {
            "id": "m1",
            "role": "user",
            "content": "어제 새로 나온 영화를 봤어",
            "timestamp": "2025-10-27T21:00:00+09:00",
        },
        {
            "id": "m3",
            "role": "user",
            "content": "정말 재미있었어! 다음 주에 또 갈 거야",
            "timestamp": "2025-10-27T12:00:09Z",
        },
    ],
}
MemoryBody = dict[str, Any]
Sums = Callable[[Conversation], Gist | Exception]


def film(conversation: Conversation) -> Gist:
    evidence = tuple(message.index for message in conversation.messages)
    topics = ("영화", "여가활동")
    summary = "사용자가 새로운 영화를 봤고 다음 주에 또 갈 예정."
    return Gist(summary, topics, Emotion.JOY, 7, evidence=evidence)


def numbered(conversation: Conversation) -> Gist:
    """Sum up "주제 7" as the topic of that name and importance 7."""
    said = conversation.messages[0].content
    return Gist(said, (said,), importance=int(said.split()[1]), evidence=(0,))


@pytest.fixture
def sums() -> list[Sums]:
    """How the model sums up, the last way."""
    return [film]


@pytest.fixture
def hana(gieok: Gieok, stand_in: StandIn, sums: list[Sums], minji: Person) -> Person:
    """Minji, at a server whose model sums up as the test says."""

    def sum_up(conversation: Conversation) -> Gist | Exception:
        return sums[-1](conversation)

    model = ScriptedModel(summarizes=sum_up, guard=assert_no_open_transaction)
    summaries = replace(gieok.summaries, model=model)
    episodes = replace(gieok.episodes, summaries=summaries)
    chat = replace(gieok.chat, episodes=episodes, model=model)
    telling = replace(gieok, summaries=summaries, episodes=episodes, chat=chat)
    stand_in(telling)
    return Person(minji.user_id, minji.http, telling)


async def post(person: Person, path: str, body: Any = None) -> MemoryBody:
    answer = await person.http.post(f"{MEMORY}/{path}", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["success"] is True
    return answer.json()


async def get(person: Person, path: str, **query: Any) -> MemoryBody:
    answer = await person.http.get(f"{MEMORY}/{path}", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.json()["success"] is True
    return answer.json()


def talk(number: int, persona: str = "persona_123") -> MemoryBody:
    said = {"role": "user", "content": f"주제 {number}"}
    return {"sessionId": f"s{number}", "personaId": persona, "messages": [said]}


@pytest.mark.req("E04", "E05")
async def test_a_conversation_is_summed_up_as_in_the_document(hana: Person) -> None:
    kept = await post(hana, "summarize", FILM)
    memory = kept["memory"]
    assert memory | {"id": "", "createdAt": "", "updatedAt": ""} == {
        "id": "",
        "personaId": "persona_123",
        "sessionId": "session_456",
        "summary": "사용자가 새로운 영화를 봤고 다음 주에 또 갈 예정.",
        "topics": ["영화", "여가활동"],
        "tags": [],
        "emotion": "기쁨",
        "importance": 7,
        "fallback": False,
        "createdAt": "",
        "updatedAt": "",
        "archivedAt": None,
    }
    assert memory["createdAt"].endswith("Z")
    assert datetime.fromisoformat(memory["createdAt"]).tzinfo is not None
    assert (kept["fallback"], kept["archived"], kept["notice"]) == (False, [], None)
    (session,) = (await hana.http.get("/api/v1/sessions")).json()["sessions"]
    held = (await hana.http.get(f"/api/v1/sessions/{session['id']}")).json()
    said = [message["content"] for message in held["messages"]]
    assert said == [FILM["messages"][at]["content"] for at in (1, 0, 2)]


@pytest.mark.req("E05")
async def test_a_message_is_of_the_time_its_timestamp_says(
    hana: Person, sums: list[Sums]
) -> None:
    seen: list[Conversation] = []

    def sum_up(told: Conversation) -> Gist:
        seen.append(told)
        return film(told)

    sums.append(sum_up)
    kept = await post(hana, "summarize", FILM)
    (told,) = seen
    assert told.at == datetime.fromisoformat("2025-10-27T12:00:09Z")
    assert told.messages[0].at == datetime.fromisoformat("2025-10-27T12:00:00Z")
    memory_id = UUID(kept["memory"]["id"])
    episode = await hana.gieok.episodes.get(hana.scope, memory_id)
    assert episode.said_at == told.at


@pytest.mark.req("E05")
async def test_asking_again_changes_nothing_and_more_is_added(hana: Person) -> None:
    first = await post(hana, "summarize", FILM)
    again = await post(hana, "summarize", FILM)
    assert again["memory"]["id"] == first["memory"]["id"]
    more = [*FILM["messages"], {"id": "m4", "role": "user", "content": "고마워"}]
    added = await post(hana, "summarize", FILM | {"messages": more})
    assert added["memory"]["id"] == first["memory"]["id"]
    (session,) = (await hana.http.get("/api/v1/sessions")).json()["sessions"]
    assert session["message_count"] == 4
    listed = await get(hana, "list")
    assert listed["total"] == 1


@pytest.mark.req("E04")
@pytest.mark.parametrize(
    ("emotion", "name"),
    [
        (Emotion.JOY, "기쁨"),
        (Emotion.SADNESS, "슬픔"),
        (Emotion.STRESS, "스트레스"),
        (Emotion.CALM, "평온"),
        (Emotion.EXCITEMENT, "흥분"),
    ],
)
async def test_emotions_have_the_documents_names(
    hana: Person, sums: list[Sums], emotion: Emotion, name: str
) -> None:
    sums.append(lambda told: replace(film(told), emotion=emotion))
    kept = await post(hana, "summarize", FILM)
    assert kept["memory"]["emotion"] == name


@pytest.mark.req("E10", "E22")
async def test_a_manual_summary_is_kept_as_it_is(hana: Person) -> None:
    own = FILM | {"manualSummary": "영화가 재미있었음"}
    kept = await post(hana, "create", own)
    assert kept["memory"]["summary"] == "영화가 재미있었음"
    without = await post(hana, "create", FILM | {"sessionId": "session_457"})
    assert without["memory"]["summary"].startswith("사용자가 새로운 영화")


@pytest.mark.req("E08", "E20")
async def test_memories_are_loaded_for_one_persona(
    hana: Person, other: Person, sums: list[Sums]
) -> None:
    sums.append(numbered)
    for number in (3, 9, 6):
        await post(hana, "summarize", talk(number))
    await post(hana, "summarize", talk(1, "persona_9"))
    loaded = await get(hana, "load", personaId="persona_123")
    assert [memory["importance"] for memory in loaded["memories"]] == [9, 6, 3]
    fewer = await get(hana, "load", personaId="persona_123", limit=1)
    assert [memory["importance"] for memory in fewer["memories"]] == [9]
    assert (await get(hana, "load", personaId="nobody"))["memories"] == []
    assert (await get(other, "load", personaId="persona_123"))["memories"] == []
    missing = await hana.http.get(f"{MEMORY}/load")
    assert (missing.status_code, missing.json()["field"]) == (422, "personaId")


@pytest.mark.req("E11")
async def test_memories_are_listed_in_pages(hana: Person, sums: list[Sums]) -> None:
    sums.append(numbered)
    kept = [await post(hana, "summarize", talk(number)) for number in (3, 9, 6)]
    await post(hana, "summarize", talk(1, "persona_9"))
    everywhere = await get(hana, "list")
    assert (everywhere["total"], everywhere["hasMore"]) == (4, False)
    page = await get(hana, "list", personaId="persona_123", limit=2)
    assert [memory["importance"] for memory in page["memories"]] == [6, 9]
    assert (page["total"], page["hasMore"]) == (3, True)
    rest = await get(hana, "list", personaId="persona_123", limit=2, offset=2)
    assert [memory["importance"] for memory in rest["memories"]] == [3]
    assert rest["hasMore"] is False
    await post(hana, f"{kept[0]['memory']['id']}/archive")
    active = await get(hana, "list", personaId="persona_123")
    assert active["total"] == 2
    both = await get(hana, "list", personaId="persona_123", includeArchived="true")
    assert both["total"] == 3
    assert [m["archivedAt"] is None for m in both["memories"]] == [True, True, False]


@pytest.mark.req("E21")
async def test_memories_are_searched(hana: Person, other: Person) -> None:
    kept = await post(hana, "summarize", FILM)
    found = await get(hana, "search", q="영화")
    assert [memory["id"] for memory in found["memories"]] == [kept["memory"]["id"]]
    assert (await get(hana, "search", q="영화", personaId="x"))["memories"] == []
    assert (await get(other, "search", q="영화"))["memories"] == []
    empty = await hana.http.get(f"{MEMORY}/search", params={"q": ""})
    assert (empty.status_code, empty.json()["error"]) == (422, "INVALID_INPUT")


@pytest.mark.req("E23")
async def test_memories_are_listed_and_searched_by_tag(
    hana: Person, sums: list[Sums]
) -> None:
    sums.append(numbered)
    made = [(await post(hana, "create", talk(n)))["memory"]["id"] for n in (1, 2, 3)]
    for at, tags in zip(made, (["여행", "Food"], ["여행"], []), strict=True):
        await hana.http.patch(f"{MEMORY}/{at}", json={"tags": tags})
    listed = await get(hana, "list", tag="여행", limit=1)
    assert len(listed["memories"]) == 1
    assert listed["memories"][0]["id"] in made[:2]
    assert (listed["total"], listed["hasMore"]) == (2, True)
    both = await get(hana, "list", tag=["여행", "food"])
    assert [each["id"] for each in both["memories"]] == [made[0]]
    assert (await get(hana, "list", tag="없음"))["total"] == 0
    assert len((await get(hana, "search", q="주제"))["memories"]) == 3
    found = await get(hana, "search", q="주제", tag="food")
    assert [each["id"] for each in found["memories"]] == [made[0]]


@pytest.mark.req("E12", "E22", "E23")
async def test_a_memory_is_changed_by_hand(hana: Person) -> None:
    where = f"{MEMORY}/{(await post(hana, 'summarize', FILM))['memory']['id']}"
    change = {"summary": "수정된 요약", "importance": 9, "tags": ["주말", "취미"]}
    changed = (await hana.http.patch(where, json=change)).json()
    assert changed["success"] is True
    memory = changed["memory"]
    assert {name: memory[name] for name in change} == change
    assert memory["sessionId"] == "session_456"
    same = (await hana.http.patch(where, json={"summary": None})).json()["memory"]
    assert same == memory
    again = await post(hana, "summarize", FILM)
    assert again["memory"]["summary"] == "수정된 요약"


@pytest.mark.req("E13", "E14")
async def test_a_memory_is_archived_restored_and_deleted(hana: Person) -> None:
    memory = (await post(hana, "summarize", FILM))["memory"]
    archived = await post(hana, f"{memory['id']}/archive")
    assert set(archived) == {"success", "archivedAt"}
    assert archived["archivedAt"].endswith("Z")
    assert await post(hana, f"{memory['id']}/archive") == archived
    assert (await get(hana, "load", personaId="persona_123"))["memories"] == []
    restored = await post(hana, f"{memory['id']}/restore")
    assert restored["memory"]["archivedAt"] is None
    gone = await hana.http.delete(f"{MEMORY}/{memory['id']}")
    assert (gone.status_code, gone.json()) == (200, {"success": True})
    assert (await get(hana, "list", includeArchived="true"))["total"] == 0


@pytest.mark.req("E07", "E16", "E24")
async def test_at_the_plans_limit_the_least_important_one_gives_way(
    hana: Person, sums: list[Sums]
) -> None:
    sums.append(numbered)
    ids = {
        number: (await post(hana, "summarize", talk(number)))["memory"]["id"]
        for number in (6, 3, 9, 7, 8)
    }
    sixth = await post(hana, "summarize", talk(5))
    assert sixth["archived"] == [ids[3]]
    assert "아카이브" in sixth["notice"]
    assert sixth["memory"]["archivedAt"] is None
    active = await get(hana, "list", personaId="persona_123")
    assert active["total"] == 5
    lowest = await post(hana, "summarize", talk(1))
    assert lowest["memory"]["archivedAt"] is not None
    assert lowest["archived"] == [lowest["memory"]["id"]]
    assert "아카이브" in lowest["notice"]
    assert (await get(hana, "list", includeArchived="true"))["total"] == 7
    full = await hana.http.post(f"{MEMORY}/{ids[3]}/restore", headers=KOREAN)
    assert full.status_code == 409
    assert (full.json()["success"], full.json()["error"]) == (
        False,
        "MEMORY_LIMIT_REACHED",
    )
    assert "5" in full.json()["message"]


@pytest.mark.req("E15", "E24")
async def test_a_failing_model_leaves_a_part_of_the_original(
    hana: Person, sums: list[Sums]
) -> None:
    sums.append(lambda _: ModelUnavailableError("model", "it is away"))
    kept = await post(hana, "summarize", FILM)
    memory = kept["memory"]
    assert (kept["fallback"], memory["fallback"], memory["importance"]) == (
        True,
        True,
        5,
    )
    assert "어제 새로 나온 영화를 봤어" in memory["summary"]
    assert len(memory["summary"]) <= 500
    assert "요약하지 못해" in kept["notice"]
    sums.append(film)
    better = await post(hana, "summarize", FILM)
    assert better["memory"]["id"] == memory["id"]
    assert better["fallback"] is False


@pytest.mark.req("E10")
@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "assistant", "content": "안녕!"}],
        [{"role": "system", "content": "사용자는 면접을 앞두고 있다."}],
        [{"role": "user", "content": " "}],
    ],
)
async def test_nothing_is_made_of_what_nobody_said(
    hana: Person, messages: list[MemoryBody]
) -> None:
    for path in ("summarize", "create"):
        asked = FILM | {"messages": messages}
        answer = await hana.http.post(f"{MEMORY}/{path}", json=asked, headers=KOREAN)
        assert answer.status_code == 422
        assert answer.json() == {
            "success": False,
            "error": "LLM_SUMMARY_FAILED",
            "message": (
                "`messages` 값을 받을 수 없습니다: 기억할 만한 내용이 없습니다."
            ),
            "field": "messages",
        }
    assert (await hana.http.get("/api/v1/sessions")).json()["sessions"] == []


async def test_nothing_is_kept_of_who_switched_memory_off(hana: Person) -> None:
    off = {"is_enabled": False}
    await hana.http.patch("/api/v1/users/me/memory-settings", json=off)
    answer = await hana.http.post(f"{MEMORY}/summarize", json=FILM)
    assert (answer.status_code, answer.json()["error"]) == (403, "NOT_PERMITTED")


@pytest.mark.req("E20")
async def test_another_persons_memory_answers_like_a_missing_one(
    hana: Person, other: Person
) -> None:
    mine = (await post(hana, "summarize", FILM))["memory"]["id"]
    for memory_id in (mine, NOBODYS):
        where = f"{MEMORY}/{memory_id}"
        answers = [
            await other.http.patch(where, json={"importance": 1}, headers=KOREAN),
            await other.http.delete(where, headers=KOREAN),
            await other.http.post(f"{where}/archive", headers=KOREAN),
            await other.http.post(f"{where}/restore", headers=KOREAN),
        ]
        for answer in answers:
            assert answer.status_code == 404
            assert answer.json() == {
                "success": False,
                "error": "MEMORY_NOT_FOUND",
                "message": "이 아이디의 대화 기억을(를) 찾을 수 없습니다.",
            }
    assert (await get(hana, "list"))["total"] == 1


def one(**message: Any) -> MemoryBody:
    return {"messages": [{"role": "user", "content": "응"} | message]}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"personaId": None}, "personaId"),
        ({"personaId": " "}, "personaId"),
        ({"sessionId": "a" * 129}, "sessionId"),
        ({"sessionId": 456}, "sessionId"),
        ({"messages": "응"}, "messages"),
        ({"messages": [{"role": "user", "content": "응"}] * 501}, "messages"),
        (one(role="tool"), "messages.0.role"),
        (one(content=None), "messages.0.content"),
        (one(content="\x00"), "messages.0.content"),
        (one(id=""), "messages.0.id"),
        (one(timestamp="2999-01-01T00:00:00Z"), "messages.0.timestamp"),
        (one(timestamp="1969-12-31T23:59:59Z"), "messages.0.timestamp"),
        (one(timestamp="yesterday"), "messages.0.timestamp"),
        (one(timestamp="2025-10-27T12:00:00"), "messages.0.timestamp"),
        (one(mood="sad"), "messages.0.mood"),
        ({"manualSummary": " "}, "manualSummary"),
        ({"manualSummary": "가" * 2_001}, "manualSummary"),
        ({"user_id": "someone"}, "user_id"),
    ],
)
async def test_what_cannot_be_kept_is_named(
    hana: Person, wrong: MemoryBody, field: str
) -> None:
    answer = await hana.http.post(f"{MEMORY}/create", json=FILM | wrong)
    assert answer.status_code == 422
    body = answer.json()
    assert (body["success"], body["error"]) == (False, "INVALID_INPUT")
    assert body["field"] == field
    assert (await hana.http.get("/api/v1/sessions")).json()["sessions"] == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"offset": -1}, "offset"),
        ({"offset": 2**40}, "offset"),
        ({"includeArchived": "perhaps"}, "includeArchived"),
        ({"personaId": ""}, "personaId"),
        ({"personaId": "a" * 129}, "personaId"),
    ],
)
async def test_a_list_has_bounds(hana: Person, query: MemoryBody, field: str) -> None:
    answer = await hana.http.get(f"{MEMORY}/list", params=query)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"importance": 0}, "importance"),
        ({"importance": 11}, "importance"),
        ({"importance": "9"}, "importance"),
        ({"summary": ""}, "summary"),
        ({"summary": "가" * 2_001}, "summary"),
        ({"tags": "주말"}, "tags"),
        ({"tags": [""]}, "tags"),
        ({"emotion": "기쁨"}, "emotion"),
    ],
)
async def test_a_wrong_change_changes_nothing(
    hana: Person, change: MemoryBody, field: str
) -> None:
    memory = (await post(hana, "summarize", FILM))["memory"]
    where = f"{MEMORY}/{memory['id']}"
    answer = await hana.http.patch(where, json={"importance": 2} | change)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert (await get(hana, "list"))["memories"] == [memory]


async def test_addresses_that_are_not_there_have_the_same_shape(hana: Person) -> None:
    nowhere = await hana.http.get(f"{MEMORY}/nowhere/at/all")
    assert (nowhere.status_code, nowhere.json()["error"]) == (404, "NO_SUCH_ROUTE")
    put = await hana.http.put(f"{MEMORY}/list")
    assert (put.status_code, put.json()["error"]) == (405, "METHOD_NOT_ALLOWED")
    broken = await hana.http.post(f"{MEMORY}/create", content=b"{ not JSON")
    assert (broken.status_code, broken.json()["field"]) == (422, "body")
    large = await hana.http.post(f"{MEMORY}/create", content=b"x" * (3 * 2**20))
    assert (large.status_code, large.json()["error"]) == (413, "BODY_TOO_LARGE")
    odd = await hana.http.delete(f"{MEMORY}/memory_789")
    assert (odd.status_code, odd.json()["field"]) == (422, "memory_id")
