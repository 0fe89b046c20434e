"""What a retry, a shut-out device, a withheld consent or a bad planner comes to."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict
from uuid import UUID, uuid4

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from langgraph.graph import END, START, StateGraph

from gieok import Gieok
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.planning import PlannerDecision
from gieok.models.http_planner import HttpPlanner
from gieok.surfaces.langgraph import create_exchange_node
from support.rest_people import NewPerson, Person, StandIn, serving
from support.sync_device import Device

PATH = "/api/v1/a2a/requests"
SAID = "안방으로 가서 청정해줘"
ROUTE = "ODL"


@dataclass(slots=True)
class CountingPlanner:
    """Decides something else each time, once everybody who asks is there."""

    decisions: list[PlannerDecision] = field(default_factory=list[PlannerDecision])
    asked: int = 0
    together: asyncio.Barrier | None = None

    async def plan(self, planner_input: Mapping[str, Any]) -> PlannerDecision:
        assert planner_input["recognized_text"]
        self.asked += 1
        mine = self.asked
        if self.together is not None:
            await self.together.wait()
        if self.decisions:
            return self.decisions.pop(0)
        return PlannerDecision(ROUTE, {"n": mine}, f"네, {mine}번째예요.", "clean-1")


class ExchangeState(TypedDict, total=False):
    """What the graph knows."""

    request: dict[str, Any]
    request_id: str
    response: dict[str, Any]


@pytest.fixture
async def planned(
    gieok: Gieok, stand_in: StandIn, new_person: NewPerson
) -> AsyncGenerator[tuple[CountingPlanner, Person]]:
    """A server with a planner, and a person who calls it."""
    planner = CountingPlanner()
    served = replace(gieok, exchange=replace(gieok.exchange, planner=planner))
    stand_in(served)
    async with new_person() as person:
        yield planner, replace(person, gieok=served)


def build_body(said: str = SAID, session: str = "talk-1", **rest: object) -> Any:
    voice = {"session_id": session, "history_hint_strength": "strong"}
    return {"recognized_text": said, "voice_context": voice, **rest}


def build_told_body(device: str | None, **numbers: int) -> Any:
    """Return a request whose snapshot tells of the cellar, in a new session."""
    body = build_body(
        session="talk-2",
        memory_snapshot={"session_summary": "지하실 이야기를 했다."},
        memory_sync=numbers,
        device_context={"device_id": device} if device else {},
    )
    turns = [{"user_text": "지하실에 금고가 있어", "assistant_text": "네"}]
    body["voice_context"] |= {"recent_turns": turns}
    return body


def build_result(said: str = SAID, **rest: object) -> Any:
    body = {"session_id": "talk-1", "recognized_text": said, "route_family": ROUTE}
    return {**body, "assistant_text": "네, 갈게요.", **rest}


async def send_result(
    person: Person, named: UUID, body: Mapping[str, Any]
) -> httpx.Response:
    sent = {"request_id": str(named), **body}
    return await person.http.post("/api/v1/a2a/results", json=sent)


async def count_pairs(person: Person) -> int:
    sessions = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    return sum(session["pair_count"] for session in sessions)


@pytest.mark.req("A12")
async def test_a_retry_hears_the_same_decision_and_asks_no_planner(
    planned: tuple[CountingPlanner, Person],
) -> None:
    planner, person = planned
    headers = {"Idempotency-Key": str(uuid4())}
    first = await person.http.post(PATH, json=build_body(), headers=headers)
    again = await person.http.post(PATH, json=build_body(), headers=headers)
    assert first.json()["decision"] == again.json()["decision"]
    assert first.json()["session_state"] == again.json()["session_state"]
    assert again.json()["recorded"] is True
    assert planner.asked == 1
    assert await count_pairs(person) == 1


@pytest.mark.req("A12")
async def test_of_two_at_once_under_one_id_both_hear_what_is_kept(
    planned: tuple[CountingPlanner, Person],
) -> None:
    planner, person = planned
    planner.together = asyncio.Barrier(2)
    headers = {"Idempotency-Key": str(uuid4())}
    asked = [
        person.http.post(PATH, json=build_body(), headers=headers) for _ in range(2)
    ]
    one, other = [answer.json() for answer in await asyncio.gather(*asked)]
    assert planner.asked == 2
    assert one["decision"] == other["decision"]
    assert one["recorded"] is other["recorded"] is True
    assert await count_pairs(person) == 1


@pytest.mark.req("A12")
async def test_what_the_callers_planner_decided_is_heard_by_a_retry(
    minji: Person,
) -> None:
    named = uuid4()
    kept = await send_result(minji, named, build_result())
    assert kept.status_code == 200, kept.text
    headers = {"Idempotency-Key": str(named)}
    answer = (await minji.http.post(PATH, json=build_body(), headers=headers)).json()
    assert answer["decision"]["assistant_text"] == "네, 갈게요."
    assert answer["decision"]["route_family"] == ROUTE
    assert answer["recorded"] is True


async def test_a_password_that_was_asked_for_can_be_sent_again(
    planned: tuple[CountingPlanner, Person],
) -> None:
    """It is masked for what was said before, which nobody brings along again."""
    planner, person = planned
    asks = PlannerDecision(ROUTE, {}, "네, 와이파이 비밀번호가 뭐예요?", None)
    planner.decisions.append(asks)
    await person.http.post(PATH, json=build_body("와이파이에 연결해줘"))
    named = uuid4()
    headers = {"Idempotency-Key": str(named)}
    body = build_body("sunflower88")
    first = await person.http.post(PATH, json=body, headers=headers)
    again = await person.http.post(PATH, json=body, headers=headers)
    assert again.status_code == 200, again.text
    assert again.json()["decision"] == first.json()["decision"]
    late = await send_result(person, named, build_result("sunflower88"))
    assert late.status_code == 200, late.text
    assert planner.asked == 2
    assert await count_pairs(person) == 2


async def test_an_id_that_another_utterance_has_is_refused(
    planned: tuple[CountingPlanner, Person],
) -> None:
    planner, person = planned
    named = uuid4()
    headers = {"Idempotency-Key": str(named)}
    await person.http.post(PATH, json=build_body(), headers=headers)
    other = await person.http.post(PATH, json=build_body("불 켜줘"), headers=headers)
    assert other.status_code == 409, other.text
    late = await send_result(person, named, build_result("불 켜줘"))
    assert late.status_code == 409, late.text
    assert planner.asked == 1
    assert await count_pairs(person) == 1


@pytest.mark.req("A16")
async def test_what_the_device_pushed_before_is_not_kept_twice(minji: Person) -> None:
    device = Device(minji.gieok, minji.scope)
    await device.join()
    said = device.says(SAID, session="talk-1", answer="네, 갈게요.")
    await device.push()
    headers = {"Idempotency-Key": str(said.pair_id)}
    answer = (await minji.http.post(PATH, json=build_body(), headers=headers)).json()
    assert answer["decision"]["assistant_text"] == "네, 갈게요."
    sent = await send_result(minji, said.pair_id, build_result())
    assert sent.json()["recorded"] is True
    assert await count_pairs(minji) == 1


@pytest.mark.req("D14")
async def test_without_consent_to_devices_no_memory_goes_to_one(minji: Person) -> None:
    await minji.remembers("사용자는 고양이를 키운다")
    await minji.gieok.settings.consent(minji.scope, {"sync": False})
    asked = await minji.http.post(PATH, json=build_body())
    assert asked.status_code == 403, asked.text
    assert "고양이" not in asked.text
    sent = await send_result(minji, uuid4(), build_result())
    assert sent.status_code == 403, sent.text
    assert await count_pairs(minji) == 0


@pytest.mark.req("D14")
async def test_without_consent_to_storage_the_turn_is_decided_but_not_kept(
    planned: tuple[CountingPlanner, Person],
) -> None:
    _, person = planned
    await person.gieok.settings.consent(person.scope, {"storage": False})
    answer = (await person.http.post(PATH, json=build_body())).json()
    assert answer["decision"]["assistant_text"] == "네, 1번째예요."
    assert answer["recorded"] is False
    sent = await send_result(person, uuid4(), build_result())
    assert (sent.json()["recorded"], sent.json()["status"]) == (False, "not_kept")
    assert await count_pairs(person) == 0


@pytest.mark.req("A15")
@pytest.mark.parametrize("how", ["revoked", "erased"])
async def test_a_device_that_is_gone_is_told_to_empty_itself(
    minji: Person, how: str
) -> None:
    device = Device(minji.gieok, minji.scope)
    await device.join()
    if how == "revoked":
        await minji.gieok.sync.revoke(minji.scope, device.device_id)
    else:
        await minji.gieok.erasure.device(minji.scope, device.device_id)
    body = build_body(device_context={"device_id": device.name})
    asked = await minji.http.post(PATH, json=body)
    assert asked.status_code == 410, asked.text
    result = build_result(device_id=device.name)
    sent = await send_result(minji, uuid4(), result)
    assert sent.status_code == 410, sent.text
    assert await count_pairs(minji) == 0


@pytest.mark.req("A14", "A15")
async def test_of_an_erased_session_nothing_a_device_still_holds_goes_in(
    minji: Person,
) -> None:
    sent = await send_result(minji, uuid4(), build_result())
    assert sent.json()["recorded"] is True
    (session,) = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    path = f"/api/v1/sessions/{session['id']}"
    assert (await minji.http.delete(path)).is_success
    body = build_body(memory_snapshot={"session_summary": "지하실 이야기를 했다."})
    turns = [{"user_text": "지하실에 금고가 있어", "assistant_text": "네"}]
    body["voice_context"] |= {"recent_turns": turns}
    answer = (await minji.http.post(PATH, json=body)).json()
    assert "지하실" not in str(answer["planner_input"])
    left = {
        (each["part"], each["reason"]) for each in answer["planner_input"]["left_out"]
    }
    assert left == {("recent_turns", "erased"), ("session_summary", "erased")}
    again = await send_result(minji, uuid4(), build_result())
    assert again.json()["recorded"] is False


@pytest.mark.req("A15")
async def test_a_late_result_of_an_erased_person_is_not_kept(minji: Person) -> None:
    answer = (await minji.http.post(PATH, json=build_body())).json()
    await minji.gieok.erasure.person(minji.scope)
    late = await send_result(minji, UUID(answer["request_id"]), build_result())
    assert (late.status_code, late.json()["recorded"]) == (200, False)
    assert not await minji.gieok.accounts.is_known(minji.scope)


@pytest.mark.req("A14", "A15")
@pytest.mark.parametrize("device", [None, "kitchen"])
async def test_an_utterance_neither_brings_an_erased_person_back_nor_tells_of_them(
    planned: tuple[CountingPlanner, Person], device: str | None
) -> None:
    planner, person = planned
    await person.http.post(PATH, json=build_body())
    await person.gieok.erasure.person(person.scope)
    asked = planner.asked
    answer = await person.http.post(PATH, json=build_told_body(device))
    if device is not None:
        assert (answer.status_code, planner.asked) == (410, asked), answer.text
    else:
        told = answer.json()
        assert "지하실" not in str(told["planner_input"])
        left = {(e["part"], e["reason"]) for e in told["planner_input"]["left_out"]}
        assert left == {("recent_turns", "erased"), ("session_summary", "erased")}
        assert told["recorded"] is False
    assert not await person.gieok.accounts.is_known(person.scope)


@pytest.mark.req("A14", "A15")
@pytest.mark.parametrize(
    ("device", "known", "is_told"),
    [(None, 1_000, False), ("kitchen", 1, False), ("kitchen", 0, True)],
)
async def test_what_a_device_holds_of_an_erased_life_is_not_told_in_the_next(
    planned: tuple[CountingPlanner, Person],
    device: str | None,
    known: int,
    *,
    is_told: bool,
) -> None:
    _, person = planned
    await person.http.post(PATH, json=build_body())
    await person.gieok.erasure.person(person.scope)
    await person.gieok.accounts.ensure(person.scope)
    body = build_told_body(device, last_cloud_update_seq=known)
    told = (await person.http.post(PATH, json=body)).json()
    assert ("지하실" in str(told["planner_input"])) is is_told
    assert told["recorded"] is True


@pytest.mark.parametrize(
    "decision",
    [
        PlannerDecision("r" * 200, {}, "네", None),
        PlannerDecision(ROUTE, {}, "네\x00", None),
        PlannerDecision(ROUTE, {}, "   ", None),
        PlannerDecision(ROUTE, {"x": float("nan")}, "네", None),
        PlannerDecision(ROUTE, {}, "네", "w" * 200),
    ],
)
async def test_a_decision_that_cannot_be_kept_is_the_planners_fault(
    planned: tuple[CountingPlanner, Person], decision: PlannerDecision
) -> None:
    planner, person = planned
    planner.decisions = [decision]
    answer = await person.http.post(PATH, json=build_body())
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "model_unavailable"
    assert await count_pairs(person) == 0


@pytest.mark.req("A22")
async def test_a_graph_that_runs_again_keeps_the_turn_once(
    planned: tuple[CountingPlanner, Person],
) -> None:
    planner, person = planned
    builder = StateGraph(ExchangeState)
    node: Any = create_exchange_node(person.gieok, person.user_id)
    builder.add_node("exchange", node)
    builder.add_edge(START, "exchange")
    builder.add_edge("exchange", END)
    graph, named = builder.compile(), str(uuid4())
    asked = ExchangeState(request=build_body(), request_id=named)
    one, other = [(await graph.ainvoke(asked))["response"] for _ in range(2)]
    assert one["request_id"] == named
    assert one["decision"] == other["decision"]
    headers = {"Idempotency-Key": named}
    over_http = (
        await person.http.post(PATH, json=build_body(), headers=headers)
    ).json()
    assert over_http["decision"] == one["decision"]
    assert planner.asked == 1
    assert await count_pairs(person) == 1


@pytest.mark.parametrize("how", ["drips", "floods", "hangs"])
async def test_a_planner_behind_http_gets_neither_more_time_nor_more_room(
    how: str,
) -> None:
    planner = FastAPI()
    over = asyncio.Event()
    sent = 0

    async def babble() -> AsyncGenerator[bytes]:
        nonlocal sent
        while not over.is_set():
            part = b" " * (65_536 if how == "floods" else 1)
            sent += len(part)
            yield part
            await asyncio.sleep(0 if how == "floods" else 0.05)

    @planner.post("/plan")
    async def plan() -> StreamingResponse:
        if how == "hangs":
            await over.wait()
        return StreamingResponse(babble(), media_type="application/json")

    seconds = 60 if how == "floods" else 0.5
    reason = "too long" if how == "floods" else "in time"
    async with serving(planner) as url:
        asked = HttpPlanner(f"{url}/plan", seconds)
        async with asyncio.timeout(30):
            with pytest.raises(ModelUnavailableError, match=reason):
                await asked.plan({"recognized_text": SAID})
        over.set()
    assert sent < 50_000_000


@pytest.mark.req("A13", "A14")
async def test_an_english_person_hears_of_the_same_in_english(minji: Person) -> None:
    await minji.gieok.accounts.update(minji.scope, language="en")
    living = await minji.remembers("The user prefers the living room cleaned")
    await minji.remembers("The user has a daughter who is allergic to cats")
    answer = await minji.http.post(PATH, json=build_body("Go and clean the bedroom"))
    found = answer.json()["planner_input"]
    assert found["text"].startswith("Current utterance: Go and clean the bedroom")
    assert "Confirmed about the user" in found["text"]
    assert "living room" not in found["text"]
    (left,) = [
        each for each in found["left_out"] if each["reason"] == "contradicts_utterance"
    ]
    assert (left["about"], left["detail"]) == (living, "place: bedroom")


async def test_a_paused_session_takes_no_turn_and_says_why(
    planned: tuple[CountingPlanner, Person],
) -> None:
    _, person = planned
    assert (await person.http.post(PATH, json=build_body())).is_success
    (session,) = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    session_id = person.gieok.accounts.session_id(person.scope, "talk-1")
    await person.gieok.sessions.pause(person.scope, session_id)
    asked = await person.http.post(PATH, json=build_body())
    sent = await send_result(person, uuid4(), build_result())
    assert (asked.status_code, sent.status_code) == (409, 409)
    assert session["pair_count"] == await count_pairs(person) == 1


async def test_a_session_stays_with_the_device_it_was_begun_on(
    planned: tuple[CountingPlanner, Person],
) -> None:
    _, person = planned
    kitchen = build_body(device_context={"device_id": "kitchen"})
    phone = build_body(device_context={"device_id": "phone"})
    assert (await person.http.post(PATH, json=kitchen)).is_success
    asked = await person.http.post(PATH, json=phone)
    sent = await send_result(person, uuid4(), build_result(device_id="phone"))
    assert (asked.status_code, sent.status_code) == (409, 409)
    assert await count_pairs(person) == 1


async def test_a_session_of_a_device_goes_on_in_another_after_eight_pairs(
    planned: tuple[CountingPlanner, Person],
) -> None:
    _, person = planned
    body = build_body(device_context={"device_id": "kitchen"})
    for _ in range(9):
        assert (await person.http.post(PATH, json=body)).json()["recorded"] is True
    sessions = (await person.http.get("/api/v1/sessions")).json()["sessions"]
    assert sorted(session["pair_count"] for session in sessions) == [1, 8]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"request_id": "x"}, "request_id"),
        ({"recognized_text": " "}, "recognized_text"),
        ({"assistant_text": ""}, "assistant_text"),
        ({"assistant_text": "\x00"}, "assistant_text"),
        ({"route_family": "r" * 129}, "route_family"),
        ({"active_workflow_id": "w" * 129}, "active_workflow_id"),
        ({"session_id": ""}, "session_id"),
        ({"device_id": ""}, "device_id"),
        ({"planner_summary": {"x": "y" * 1_100_000}}, "planner_summary"),
        ({"planner_summary": []}, "planner_summary"),
    ],
)
async def test_a_result_that_cannot_be_kept_names_its_field(
    minji: Person, change: dict[str, Any], named: str
) -> None:
    sent = await send_result(minji, uuid4(), {**build_result(), **change})
    assert sent.status_code == 422, sent.text
    assert sent.json()["error"]["field"].startswith(named)
    assert await count_pairs(minji) == 0


@pytest.mark.parametrize(
    ("voice", "named"),
    [
        ({"session_id": "s" * 129}, "session_id"),
        ({"active_workflow_id": "w" * 129}, "active_workflow_id"),
        ({"active_workflow_id": "a\x00b"}, "active_workflow_id"),
        ({"recent_turns": [{"user_text": "x"}] * 51}, "voice_context.recent_turns"),
    ],
)
async def test_a_context_that_cannot_be_used_names_its_field(
    minji: Person, voice: dict[str, Any], named: str
) -> None:
    body = {"recognized_text": SAID, "voice_context": voice}
    asked = await minji.http.post(PATH, json=body)
    assert asked.status_code == 422, asked.text
    assert named in asked.json()["error"]["field"]
