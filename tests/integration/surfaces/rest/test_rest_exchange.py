"""A device's utterance over real HTTP: what goes in, what is kept, what comes back."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypedDict
from uuid import uuid4

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from langgraph.graph import END, START, StateGraph

from gieok import Gieok
from gieok.database import Change
from gieok.database.feed import get_feed_head, trim_feed
from gieok.device import (
    Device,
    HttpTransport,
    PassphraseKeys,
    SyncLoop,
    open_device,
)
from gieok.device import SpokenTurn as DeviceTurn
from gieok.device.device import mask_turn
from gieok.device.file import open_file
from gieok.device.opening import read_clock_ms
from gieok.guard.active_content import has_active_content
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import Basis
from gieok.kernel.planning import PlannerDecision
from gieok.kernel.scope import Actor
from gieok.models.http_planner import HttpPlanner
from gieok.surfaces.langgraph import create_exchange_node
from gieok.surfaces.rest import Tokens
from gieok.sync.feed_store import begin_timeline
from gieok.testing import FixedClock
from support.rest_people import HOUR, NewPerson, Person, Script, StandIn, serving
from support.scripted_model import fact

PATH = "/api/v1/a2a/requests"
SAID = "안방으로 가서 청정해줘"
DOCUMENT = {
    "recognized_text": SAID,
    "voice_context": {
        "session_id": "session-123",
        "recent_turns": [],
        "history_hint_strength": "weak",
        "active_workflow_id": "",
    },
    "memory_snapshot": {
        "session_summary": "오늘 사용자는 청정 관련 요청을 여러 번 했다.",
        "short_term": [],
        "mid_term": [],
        "profile_hints": [],
    },
    "memory_sync": {"device_cursor": "pair_seq_42", "last_cloud_update_seq": 0},
}
DECISION = {
    "route_family": "ODL",
    "planner_summary": {"selected_route": "clean", "confidence": 0.9},
    "assistant_text": "안방으로 가서 청정할게요.",
    "active_workflow_id": "clean-1",
}


class ExchangeState(TypedDict, total=False):
    """The state of a graph that answers devices."""

    request: dict[str, Any]
    response: dict[str, Any]


@dataclass(slots=True)
class FixedPlanner:
    """Decides the same each time, or fails."""

    decision: PlannerDecision | None = None
    seen: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    async def plan(self, planner_input: Mapping[str, Any]) -> PlannerDecision:
        self.seen.append(planner_input)
        if self.decision is None:
            raise ModelUnavailableError("planner", "it is away")
        return self.decision


def with_voice(**voice: object) -> dict[str, Any]:
    return {**DOCUMENT, "voice_context": {**DOCUMENT["voice_context"], **voice}}


def with_snapshot(**snapshot: object) -> dict[str, Any]:
    held = {**DOCUMENT["memory_snapshot"], **snapshot}
    return {**DOCUMENT, "memory_snapshot": held}


async def ask(person: Person, body: Mapping[str, Any], **options: Any) -> Any:
    answer = await person.http.post(PATH, json=body, **options)
    assert answer.status_code == 200, answer.text
    return answer.json()


def get_lines(answer: Any, name: str) -> list[str]:
    parts = {part["name"]: part for part in answer["planner_input"]["parts"]}
    return [line["text"] for line in parts.get(name, {"lines": []})["lines"]]


def get_facts(answer: Any) -> list[str]:
    """Return what a planner is told of the person, without the days of it."""
    dated = "\n".join(get_lines(answer, "profile_hints"))
    return re.findall(r"^(.+) \[\d{4}-\d\d-\d\d\]$", dated, re.MULTILINE)


@pytest.mark.req("A11", "A12", "A21")
async def test_the_documents_request_has_the_documents_answer(minji: Person) -> None:
    answer = await ask(minji, DOCUMENT)
    assert answer["session_state"] == {
        "session_id": "session-123",
        "workflow_context": {},
    }
    assert set(answer["memory_update"]) == {
        "cloud_update_seq",
        "session_summary_delta",
        "profile_candidates",
    }
    assert get_lines(answer, "session_summary") == [
        "오늘 사용자는 청정 관련 요청을 여러 번 했다."
    ]
    assert answer["decision"] is None
    assert answer["recorded"] is False
    assert answer["planner_input"]["text"].startswith(f"현재 발화: {SAID}")


@pytest.mark.req("A12", "A21")
async def test_what_the_callers_planner_decided_is_kept_once(minji: Person) -> None:
    answer = await ask(minji, DOCUMENT)
    body = {
        "request_id": answer["request_id"],
        "session_id": answer["session_state"]["session_id"],
        "recognized_text": SAID,
        **DECISION,
    }
    for _ in range(2):
        kept = await minji.http.post("/api/v1/a2a/results", json=body)
        assert kept.json() == {
            "request_id": answer["request_id"],
            "recorded": True,
            "status": "kept",
        }
    sessions = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    (session,) = sessions
    assert session["pair_count"] == 1
    later = await ask(minji, DOCUMENT)
    assert later["session_state"]["workflow_context"] == {
        "active_workflow_id": "clean-1",
        "last_route": "ODL",
    }
    assert get_lines(later, "active_workflow") == ["clean-1"]


async def test_a_result_may_be_the_first_that_is_heard_of_somebody(
    minji: Person,
) -> None:
    body = {
        "request_id": str(uuid4()),
        "session_id": "s",
        "recognized_text": SAID,
        "assistant_text": "네",
    }
    assert (await minji.http.post("/api/v1/a2a/results", json=body)).json()["recorded"]


@pytest.mark.req("A11", "A13")
async def test_what_the_device_remembers_counts_only_where_the_cloud_does(
    minji: Person, other: Person
) -> None:
    mine = await minji.remembers("사용자는 향이 강한 세제를 싫어한다")
    gone = await minji.remembers("사용자는 카펫이 있다")
    theirs = await other.remembers("사용자는 지하에 산다")
    assert (await minji.http.delete(f"/api/v1/users/me/memories/{gone}")).is_success
    hints = [
        {"id": mine, "category": "preference", "claim": "사용자는 왕이다"},
        {"id": gone, "category": "context", "claim": "사용자는 카펫이 있다"},
        {"id": theirs, "category": "context", "claim": "사용자는 지하에 산다"},
        {"claim": "사용자는 관리자다"},
    ]
    days = [{"date_key": "2026-01-01", "summary_text": "비밀을 말했다"}]
    answer = await ask(minji, with_snapshot(profile_hints=hints, short_term=days))
    assert get_facts(answer) == ["사용자는 향이 강한 세제를 싫어한다"]
    left = {
        (each["part"], each["reason"]) for each in answer["planner_input"]["left_out"]
    }
    assert ("profile_hints", "not_confirmed") in left
    assert ("short_term", "not_in_cloud") in left
    text = answer["planner_input"]["text"]
    for word in ("카펫", "지하", "왕이다", "관리자", "비밀"):
        assert word not in text


@pytest.mark.req("A13")
@pytest.mark.parametrize(
    "content",
    [
        "User's blog is https://minji.tistory.com",
        "User's e-mail is minji@naver.com",
        "User's family is 👨‍👩‍👧",
    ],
)
async def test_a_planner_is_told_what_a_block_shows_as_harmless(
    minji: Person, content: str
) -> None:
    await minji.remembers(content)
    answer = await ask(minji, DOCUMENT)
    (line,) = get_lines(answer, "profile_hints")
    assert line.startswith(content.split(" is ", maxsplit=1)[0])
    assert not has_active_content(line)
    assert answer["planner_input"]["left_out"] == []


@pytest.mark.req("A14")
async def test_a_preference_never_overrides_what_was_said(minji: Person) -> None:
    living = await minji.remembers("사용자는 거실 청정을 선호한다", "preference")
    cat = await minji.remembers("사용자는 고양이 털 알레르기가 있는 딸이 있다")
    answer = await ask(minji, DOCUMENT)
    assert get_facts(answer) == ["사용자는 고양이 털 알레르기가 있는 딸이 있다"]
    (left,) = [
        each
        for each in answer["planner_input"]["left_out"]
        if each["reason"] == "contradicts_utterance"
    ]
    assert (left["about"], left["detail"]) == (living, "place: bedroom")
    assert cat


@pytest.mark.req("A12", "A14", "A07")
async def test_candidates_come_back_and_never_go_in(
    minji: Person, script: Script
) -> None:
    session = await minji.talks()
    script.findings = [fact("사용자는 안방 청정을 자주 요청한다", basis=Basis.OBSERVED)]
    turn = {"user_text": "안방 청정", "assistant_text": "네"}
    path = f"/api/v1/sessions/{session}/turns"
    assert (await minji.http.post(path, json=turn)).is_success
    await minji.gieok.settled(minji.scope)
    answer = await ask(minji, DOCUMENT)
    (candidate,) = answer["memory_update"]["profile_candidates"]
    assert candidate["claim"] == "사용자는 안방 청정을 자주 요청한다"
    assert candidate["status"] == "pending"
    assert set(candidate) == {
        "candidate_id",
        "category",
        "claim",
        "confidence",
        "status",
    }
    assert get_lines(answer, "profile_hints") == []
    seq = answer["memory_update"]["cloud_update_seq"]
    sync = {"device_cursor": None, "last_cloud_update_seq": seq}
    again = await ask(minji, {**DOCUMENT, "memory_sync": sync})
    assert again["memory_update"]["profile_candidates"] == []
    assert again["sync_status"] == "ok"


@pytest.mark.req("A12", "A07")
@pytest.mark.parametrize("is_trimmed", [False, True])
async def test_a_candidate_comes_back_however_many_were_rejected(
    minji: Person, script: Script, *, is_trimmed: bool
) -> None:
    session = await minji.talks()
    script.findings = [fact("사용자는 안방 청정을 자주 요청한다", basis=Basis.OBSERVED)]
    turn = {"user_text": "안방 청정", "assistant_text": "네"}
    path = f"/api/v1/sessions/{session}/turns"
    assert (await minji.http.post(path, json=turn)).is_success
    await minji.gieok.settled(minji.scope)
    async with minji.gieok.exchange.database.begin(minji.scope) as tx:
        rejected = await tx.fetch_all(
            """
            INSERT INTO memory_candidates
            SELECT (jsonb_populate_record(waiting, jsonb_build_object(
                'candidate_id', lpad(number::text, 32, '0'), 'status', 'rejected'
            ))).* FROM memory_candidates AS waiting, generate_series(1, 501) AS number
            WHERE user_id = %s RETURNING candidate_id
            """,
            [minji.scope.user_id],
        )
        waiting = await tx.fetch_all(
            """
            SELECT candidate_id FROM memory_candidates
            WHERE user_id = %s AND status = 'pending'
            """,
            [minji.scope.user_id],
        )
        changed = [row[0] for row in (*rejected, *waiting)]
        tx.record_changes(*(Change("memory_candidate", each) for each in changed))
    if is_trimmed:
        async with minji.gieok.exchange.database.begin(minji.scope) as tx:
            await trim_feed(tx, await get_feed_head(tx))
    answer = await ask(minji, DOCUMENT)
    (candidate,) = answer["memory_update"]["profile_candidates"]
    assert candidate["status"] == "pending"


@pytest.mark.req("A14", "A19")
async def test_what_is_sensitive_is_masked_in_what_a_planner_sees(
    minji: Person,
) -> None:
    turns = [{"user_text": "내 번호는 010-1234-5678이야", "assistant_text": "네"}]
    answer = await ask(minji, with_voice(recent_turns=turns))
    assert "1234-5678" not in answer["planner_input"]["text"]
    assert "010-****" in answer["planner_input"]["text"]


@pytest.mark.req("A13")
async def test_memory_that_is_off_stays_out(minji: Person) -> None:
    await minji.remembers("사용자는 고양이를 키운다")
    path = "/api/v1/users/me/memory-settings"
    assert (await minji.http.patch(path, json={"is_enabled": False})).is_success
    answer = await ask(minji, DOCUMENT)
    assert answer["planner_input"]["parts"] == []
    assert answer["memory_update"]["profile_candidates"] == []
    reasons = {each["reason"] for each in answer["planner_input"]["left_out"]}
    assert reasons == {"memory_off"}


@pytest.mark.req("A17")
async def test_a_device_that_knows_more_than_there_is_hears_of_a_conflict(
    minji: Person,
) -> None:
    sync = {"device_cursor": 0, "last_cloud_update_seq": 10**9}
    answer = await ask(minji, {**DOCUMENT, "memory_sync": sync})
    assert answer["sync_status"] == "conflict"


@pytest.fixture
async def planned(
    gieok: Gieok, stand_in: StandIn, new_person: NewPerson
) -> AsyncGenerator[tuple[FixedPlanner, Person]]:
    """A server with a planner, and a person who calls it."""
    planner = FixedPlanner(PlannerDecision(**DECISION))
    served = replace(gieok, exchange=replace(gieok.exchange, planner=planner))
    stand_in(served)
    async with new_person() as person:
        yield planner, replace(person, gieok=served)


@pytest.mark.req("A12", "A21")
async def test_what_the_servers_planner_decided_is_kept_once(
    planned: tuple[FixedPlanner, Person],
) -> None:
    planner, person = planned
    key = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        answer = await ask(person, DOCUMENT, headers=key)
        assert answer["recorded"] is True
        assert answer["decision"]["assistant_text"] == DECISION["assistant_text"]
        assert answer["request_id"] == key["Idempotency-Key"]
    assert planner.seen[0]["recognized_text"] == SAID
    (session,) = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    assert session["pair_count"] == 1
    planner.decision = None
    away = await person.http.post(PATH, json=DOCUMENT)
    assert away.status_code == 503
    (session,) = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    assert session["pair_count"] == 1


@pytest.mark.req("A22")
async def test_a_graph_answers_with_the_same_schema(minji: Person) -> None:
    await minji.remembers("사용자는 고양이를 키운다")
    builder = StateGraph(ExchangeState)
    node: Any = create_exchange_node(minji.gieok, minji.user_id)
    builder.add_node("exchange", node)
    builder.add_edge(START, "exchange")
    builder.add_edge("exchange", END)
    state = await builder.compile().ainvoke({"request": DOCUMENT})
    over_http = await ask(minji, DOCUMENT)
    differ = {"request_id"}
    graph = {k: v for k, v in state["response"].items() if k not in differ}
    http = {k: v for k, v in over_http.items() if k not in differ}
    for each in (graph, http):
        each["planner_input"]["text"] = each["planner_input"]["text"].split("\n")[0]
    assert graph == http


@pytest.fixture
def speaker(tmp_path: Path) -> Generator[Device]:
    """A device with a file of its own."""
    file = open_file(tmp_path / "d.db", PassphraseKeys(tmp_path / "d.key", "tea"))
    draw = random.Random(1).random  # noqa: S311 - a seeded one is wanted
    device = Device(file, "speaker", read_clock_ms, uuid4, draw, mask_turn)
    yield device
    device.close()


async def keep_in_step(device: Device, person: Person, tokens: Tokens) -> None:
    token = tokens.issue(person.user_id, timedelta(hours=1), Actor.DEVICE)
    address = str(person.http.base_url).rstrip("/")
    transport = HttpTransport(address, lambda: token, read_clock_ms)
    loop = SyncLoop(device, transport, lambda _: True)

    def run() -> None:
        loop.run_until_level()
        loop.exchange(is_polling=True)
        assert loop.run_until_level(), repr(device.report())

    await asyncio.to_thread(run)
    transport.close()


@pytest.mark.req("A10", "A11", "A21")
async def test_a_real_device_asks_with_its_snapshot_and_keeps_the_turn_once(
    planned: tuple[FixedPlanner, Person], tokens: Tokens, speaker: Device
) -> None:
    _, person = planned
    memory = await person.remembers("사용자는 밤에 조용한 것을 좋아한다")
    await keep_in_step(speaker, person, tokens)
    request = speaker.build_request("불 켜줘")
    hints = [hint["id"] for hint in request["memory_snapshot"]["profile_hints"]]
    assert hints == [memory]
    pair_id = uuid4()
    answer = await ask(person, request, headers={"Idempotency-Key": str(pair_id)})
    assert get_facts(answer) == ["사용자는 밤에 조용한 것을 좋아한다"]
    spoken = DeviceTurn("불 켜줘", answer["decision"]["assistant_text"])
    speaker.record(spoken, pair_id=pair_id)
    pair_id, request = uuid4(), speaker.build_request("꺼줘")
    answer = await ask(person, request, headers={"Idempotency-Key": str(pair_id)})
    spoken = DeviceTurn("꺼줘", answer["decision"]["assistant_text"])
    speaker.record(spoken, pair_id=pair_id)
    await keep_in_step(speaker, person, tokens)
    assert speaker.report().rejected == {}
    sessions = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    assert [session["pair_count"] for session in sessions] == [2]


@pytest.mark.req("A19")
async def test_a_number_said_over_two_utterances_stays_nowhere(
    planned: tuple[FixedPlanner, Person], tokens: Tokens, speaker: Device
) -> None:
    planner, person = planned
    await keep_in_step(speaker, person, tokens)
    for said in ("카드 번호 4111 1111 1111", "1111"):
        request, pair_id = speaker.build_request(said), uuid4()
        key = {"Idempotency-Key": str(pair_id)}
        await ask(person, request, headers=key)
        answer = await ask(person, request, headers=key)
        assert answer["recorded"] is True
        spoken = DeviceTurn(said, answer["decision"]["assistant_text"])
        speaker.record(spoken, pair_id=pair_id)
        await keep_in_step(speaker, person, tokens)
    assert "4111" not in repr(planner.seen[-1])
    said_of = [item.body for item in speaker.rows.iterate_items("conversation_pair")]
    assert {body["user_text"] for body in said_of if body} == {
        "카드 번호 [카드번호]",
        "[card number]",
    }


@pytest.mark.req("A19")
async def test_a_planner_has_an_utterance_as_it_is_kept(
    planned: tuple[FixedPlanner, Person],
) -> None:
    """With what was said before it, whoever asks and whatever they mask themselves."""
    planner, person = planned
    for said in ("카드 번호 4111 1111 1111", "1111이고 와이파이 비밀번호는 hunter2야"):
        key = {"Idempotency-Key": str(uuid4())}
        asked = {**DOCUMENT, "recognized_text": said}
        answer = await ask(person, asked, headers=key)
        again = await ask(person, asked, headers=key)
        assert again["recorded"] is True
    for seen in (planner.seen[-1], answer["planner_input"]):
        assert "hunter2" not in repr(seen)
        assert "1111" not in repr(seen)
        assert seen["recognized_text"].startswith("[카드번호]이고")
    kept = await person.http.get("/api/v1/sessions/session-123/messages")
    assert "1111" not in kept.text


@pytest.mark.req("A11")
@pytest.mark.parametrize("bearer", ["speaker", None])
async def test_a_session_that_is_asked_about_stays_the_device_s(
    planned: tuple[FixedPlanner, Person],
    tokens: Tokens,
    speaker: Device,
    bearer: str | None,
) -> None:
    """Whether it asks by its own credential or by its person's token."""
    _, person = planned
    speaker.record(DeviceTurn("나 왔어", "어서 오세요"))
    token = tokens.issue(person.user_id, HOUR, Actor.DEVICE, device=bearer)
    answer = await ask(
        person,
        speaker.build_request("불 켜줘"),
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer["recorded"]
    speaker.record(DeviceTurn("고마워", "네"))
    await keep_in_step(speaker, person, tokens)
    assert speaker.report().rejected == {}


@pytest.mark.req("A14", "A17")
@pytest.mark.parametrize("has_copy", [False, True])
async def test_what_is_said_after_its_session_was_erased_begins_another(
    minji: Person, tokens: Tokens, speaker: Device, *, has_copy: bool
) -> None:
    said = speaker.record(DeviceTurn("저녁 예약해 줘", "몇 분이세요?"))
    speaker.set_workflow({"id": "booking-7"})
    await keep_in_step(speaker, minji, tokens)
    (session,) = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    await minji.http.delete(f"/api/v1/sessions/{session['id']}")
    if has_copy:
        await begin_timeline(minji.gieok.exchange.database)
        speaker.renew_greeting()
    await keep_in_step(speaker, minji, tokens)
    voice = speaker.build_request("네 명")["voice_context"]
    assert (voice["recent_turns"], voice["active_workflow_id"]) == ([], None)
    after = speaker.record(DeviceTurn("불 켜줘", "켰어요"))
    assert after.session_id != said.session_id
    await keep_in_step(speaker, minji, tokens)
    assert speaker.report().rejected == {}
    sessions = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    assert [each["pair_count"] for each in sessions] == [1]


@pytest.mark.req("A17")
async def test_a_device_that_is_installed_anew_is_in_step_at_once(
    minji: Person, tokens: Tokens, speaker: Device, tmp_path: Path
) -> None:
    for text in ("불 켜줘", "불 꺼줘"):
        speaker.record(DeviceTurn(text, "네"))
    await keep_in_step(speaker, minji, tokens)
    (tmp_path / "anew").mkdir()
    keys = PassphraseKeys(tmp_path / "anew.key", "tea")
    anew = open_device(tmp_path / "anew" / "d.db", "speaker", keys)
    before = await ask(minji, anew.build_request("불 켜줘"))
    assert before["sync_status"] == "conflict", "the cloud knows of more: say hello"
    await keep_in_step(anew, minji, tokens)
    answer = await ask(minji, anew.build_request("불 켜줘"))
    assert answer["sync_status"] == "ok"
    anew.close()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"recognized_text": ""}, "recognized_text"),
        ({"recognized_text": 5}, "recognized_text"),
        ({"recognized_text": "x" * 20_001}, "recognized_text"),
        ({"memory_sync": {"device_cursor": -1}}, "memory_sync.device_cursor"),
        ({"memory_sync": {"last_cloud_update_seq": 2**70}}, "memory_sync"),
        ({"voice_context": {"history_hint_strength": "much"}}, "voice_context"),
        ({"device_context": {"device_id": 5}}, "device_context.device_id"),
        ({"unknown": 1}, "unknown"),
    ],
)
async def test_bad_input_names_its_field_and_writes_nothing(
    minji: Person, change: dict[str, Any], field: str
) -> None:
    answer = await minji.http.post(PATH, json={**DOCUMENT, **change})
    assert answer.status_code in {400, 422}, answer.text
    assert answer.json()["error"]["field"].startswith(field)
    assert (await minji.http.get("/api/v1/sessions")).json()["total"] == 0


async def test_the_planner_behind_http_and_what_it_may_babble(
    clock: FixedClock,
) -> None:
    assert clock()
    planner = FastAPI()
    answers: list[Any] = []

    @planner.post("/plan")
    async def plan(request: Request) -> Any:
        assert (await request.json())["recognized_text"] == SAID
        return answers.pop(0)

    async with serving(planner) as url:
        asked = HttpPlanner(f"{url}/plan", seconds=5)
        answers.append(JSONResponse(DECISION))
        assert await asked.plan({"recognized_text": SAID}) == PlannerDecision(
            **DECISION
        )
        for babble in (
            PlainTextResponse("sure!"),
            JSONResponse([]),
            JSONResponse({"planner_summary": "x"}),
            JSONResponse({"assistant_text": 5}),
            JSONResponse(DECISION, status_code=500),
        ):
            answers.append(babble)
            with pytest.raises(ModelUnavailableError):
                await asked.plan({"recognized_text": SAID})
    with pytest.raises(ModelUnavailableError):
        await HttpPlanner("http://127.0.0.1:9/plan", 1).plan({"recognized_text": SAID})
