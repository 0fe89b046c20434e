"""The tutor's endpoint on a server: the same bodies, over cards that are memories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from gieok import Gieok
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import (
    Basis,
    Category,
    Finding,
    FindingOperation,
    ModelReply,
    Utterance,
)
from gieok.testing import ScriptedModel
from support.rest_people import Person, Script, StandIn

TUTOR = "/api/v1/tutor"
TALK = [
    {"role": "user", "content": "저는 매운 음식을 좋아해요"},
    {"role": "assistant", "content": "그렇군요!"},
]


def find(content: str, basis: Basis = Basis.STATED) -> Finding:
    return Finding(FindingOperation.ADD, content, Category.PREFERENCE, 0.9, basis, (0,))


@pytest.mark.req("C01", "C03", "C09")
async def test_what_is_extracted_is_remembered_and_read(
    minji: Person, script: Script
) -> None:
    script.findings = [
        find("사용자는 매운 음식을 좋아한다"),
        find("사용자는 배가 고프다", Basis.OBSERVED),
    ]
    body = {
        "action": "extract_user_info",
        "user_id": minji.user_id,
        "messages": TALK,
    }
    answer = await minji.http.post(TUTOR, json=body)
    card = {"preferences": ["매운 음식을 좋아한다"]}
    assert (answer.status_code, answer.json()) == (
        200,
        {"extracted": card, "merged": card},
    )
    memory = await minji.http.post(TUTOR, json={"action": "get_user_memory"})
    assert memory.json() == {"memory": card}
    memories = (await minji.http.get("/api/v1/users/me/memories")).json()
    assert memories["total"] == 1
    saved = await minji.http.post(
        TUTOR, json={"action": "save_user_memory", "memory": {"name": "민지"}}
    )
    assert saved.json() == {"success": True}
    memory = await minji.http.post(TUTOR, json={"action": "get_user_memory"})
    assert memory.json() == {"memory": {"name": "민지"}}


@pytest.mark.req("C01")
async def test_today_is_the_day_of_the_person(minji: Person) -> None:
    zone = {"time_zone": "Pacific/Kiritimati"}
    assert (await minji.http.patch("/api/v1/users/me", json=zone)).is_success
    body = {"action": "extract_user_info", "messages": TALK}
    assert (await minji.http.post(TUTOR, json=body)).is_success
    model = minji.gieok.memories.model
    assert isinstance(model, ScriptedModel)
    assert model.calls[-1].at.utcoffset() == timedelta(hours=14)


@pytest.mark.req("C02")
async def test_a_lost_interest_leaves_the_card_and_stays_in_the_history(
    minji: Person, script: Script
) -> None:
    script.findings = []
    known = {"interests": ["AI", "여행"]}
    await minji.http.put("/api/v1/users/me/profile", json=known)
    talk = [{"role": "user", "content": "AI에는 관심 없어졌어"}]
    body = {"action": "extract_user_info", "messages": talk}
    for _ in range(2):
        answer = await minji.http.post(TUTOR, json=body)
        left = {"extracted": {}, "merged": {"interests": ["여행"]}}
        assert (answer.status_code, answer.json()) == (200, left)
    memories, _ = await minji.gieok.memories.page(minji.scope, include_inactive=True)
    assert [each.is_active for each in memories] == [True, False]


@pytest.mark.req("C05", "C06")
async def test_a_chat_knows_the_card(minji: Person) -> None:
    await minji.http.put("/api/v1/users/me/profile", json={"name": "민지"})
    answer = await minji.http.post(TUTOR, json={"action": "chat", "messages": TALK[:1]})
    assert answer.status_code == 200
    assert answer.json()["message"]


@dataclass(slots=True)
class Talker:
    """A chat model that keeps the last prompt."""

    prompt: str = ""

    def __call__(self, prompt: str, _: Sequence[Utterance]) -> ModelReply:
        self.prompt = prompt
        return ModelReply("Nice!", tokens=2)


@pytest.fixture
def talker(gieok: Gieok, stand_in: StandIn) -> Talker:
    talker = Talker()
    model = ScriptedModel(replies=talker)
    stand_in(replace(gieok, memories=replace(gieok.memories, model=model)))
    return talker


async def chat(person: Person) -> None:
    body = {"action": "chat", "messages": TALK[:1]}
    assert (await person.http.post(TUTOR, json=body)).status_code == 200


@pytest.mark.req("C05", "D04")
@pytest.mark.parametrize(
    ("settings", "consents", "hidden"),
    [
        ({"is_enabled": False}, {}, ["민지", "여행", "당뇨"]),
        ({"allowed_categories": ["preference"]}, {}, ["민지", "당뇨"]),
        ({}, {"sensitive": False}, ["당뇨"]),
        ({}, {"profile": False}, ["민지", "여행", "당뇨"]),
    ],
)
async def test_a_chat_is_told_nothing_that_the_settings_withhold(
    minji: Person,
    talker: Talker,
    settings: dict[str, Any],
    consents: dict[str, bool],
    hidden: list[str],
) -> None:
    card = {"name": "민지", "interests": ["여행"], "mentioned_facts": ["당뇨가 있음"]}
    await minji.http.put("/api/v1/users/me/profile", json=card)
    await chat(minji)
    assert all(word in talker.prompt for word in ("민지", "여행", "당뇨"))
    if settings:
        await minji.gieok.settings.update(minji.scope, settings)
    if consents:
        await minji.gieok.settings.consent(minji.scope, consents)
    await chat(minji)
    words = {word for word in ("민지", "여행", "당뇨") if word not in talker.prompt}
    assert words == set(hidden)


async def test_another_person_and_what_is_wrong_are_refused(minji: Person) -> None:
    other = {"action": "get_user_memory", "user_id": "somebody else"}
    assert (await minji.http.post(TUTOR, json=other)).status_code == 403
    wrong = await minji.http.post(TUTOR, json={"action": "drop"})
    assert wrong.status_code == 422
    assert wrong.json()["error"]["field"] == "action"
    await minji.gieok.settings.update(minji.scope, {"auto_extraction": False})
    asked = {"action": "extract_user_info", "messages": TALK}
    assert (await minji.http.post(TUTOR, json=asked)).status_code == 403


@pytest.mark.req("C01")
async def test_facts_that_nobody_said_are_left_out(
    minji: Person, script: Script
) -> None:
    script.findings = [
        find("사용자는 매운 음식을 좋아한다"),
        find("사용자는 요트를 갖고 있다"),
    ]
    body = {"action": "extract_user_info", "messages": TALK}
    answer = await minji.http.post(TUTOR, json=body)
    card = {"preferences": ["매운 음식을 좋아한다"]}
    assert answer.json() == {"extracted": card, "merged": card}


@pytest.mark.req("C01", "D04")
@pytest.mark.parametrize(
    ("settings", "consents"),
    [
        ({}, {"sensitive": False}),
        ({"allowed_categories": ["preference"]}, {}),
    ],
)
async def test_what_the_settings_refuse_costs_nothing_else_that_was_said(
    minji: Person, script: Script, settings: dict[str, Any], consents: dict[str, bool]
) -> None:
    if settings:
        await minji.gieok.settings.update(minji.scope, settings)
    if consents:
        await minji.gieok.settings.consent(minji.scope, consents)
    script.findings = [
        find("사용자는 매운 음식을 좋아한다"),
        replace(find("사용자는 당뇨가 있다"), category=Category.CONTEXT),
    ]
    talk = [*TALK, {"role": "user", "content": "저는 당뇨가 있어요"}]
    body = {"action": "extract_user_info", "messages": talk}
    answer = await minji.http.post(TUTOR, json=body)
    card = {"preferences": ["매운 음식을 좋아한다"]}
    assert (answer.status_code, answer.json()) == (
        200,
        {"extracted": card, "merged": card},
    )


@pytest.mark.req("C01")
async def test_under_the_strict_policy_what_is_extracted_waits_for_the_person(
    minji: Person, script: Script
) -> None:
    await minji.gieok.settings.update(minji.scope, {"promotion_policy": "strict"})
    body = {"action": "extract_user_info", "messages": TALK}
    for _ in range(2):
        script.findings = [find("사용자는 매운 음식을 좋아한다")]
        answer = await minji.http.post(TUTOR, json=body)
        assert (answer.status_code, answer.json()["merged"]) == (200, {})
    (waiting,) = await minji.gieok.memories.candidates(minji.scope)
    await minji.gieok.memories.confirm(minji.scope, waiting.candidate_id)
    memory = await minji.http.post(TUTOR, json={"action": "get_user_memory"})
    assert memory.json()["memory"] == {"preferences": ["매운 음식을 좋아한다"]}


@pytest.mark.req("C01")
async def test_what_the_person_rejected_is_not_extracted_again_but_can_be_written(
    minji: Person, script: Script
) -> None:
    await minji.gieok.settings.update(minji.scope, {"promotion_policy": "strict"})
    body = {"action": "extract_user_info", "messages": TALK}
    script.findings = [find("사용자는 매운 음식을 좋아한다")]
    await minji.http.post(TUTOR, json=body)
    (waiting,) = await minji.gieok.memories.candidates(minji.scope)
    await minji.gieok.memories.reject(minji.scope, waiting.candidate_id)
    await minji.gieok.settings.update(minji.scope, {"promotion_policy": "stated"})
    script.findings = [find("사용자는 매운 음식을 좋아한다")]
    answer = await minji.http.post(TUTOR, json=body)
    assert answer.json()["merged"] == {}
    card = {"preferences": ["매운 음식을 좋아한다"]}
    saved = {"action": "save_user_memory", "memory": card}
    assert (await minji.http.post(TUTOR, json=saved)).json() == {"success": True}
    assert (await minji.gieok.profile.get(minji.scope)).to_document() == card


@pytest.mark.req("C01")
async def test_what_the_person_reviewed_is_not_replaced_by_what_is_extracted(
    minji: Person,
) -> None:
    gieok, me = minji.gieok, minji.scope
    await gieok.settings.update(me, {"promotion_policy": "strict"})
    await gieok.profile.merge(me, {"name": "민지"}, basis=Basis.STATED)
    (waiting,) = await gieok.memories.candidates(me)
    await gieok.memories.confirm(me, waiting.candidate_id)
    await gieok.settings.update(me, {"promotion_policy": "stated"})
    card = await gieok.profile.merge(me, {"name": "민아"}, basis=Basis.STATED)
    assert card.to_document() == {"name": "민지"}
    (held,) = await gieok.memories.candidates(me, held=True)
    assert held.claim.endswith("민아")
    assert await gieok.memories.confirm(me, held.candidate_id) is not None
    assert (await gieok.profile.get(me)).to_document() == {"name": "민아"}


@pytest.mark.req("C01", "C05")
async def test_a_chat_knows_what_was_extracted_of_any_place(
    minji: Person, talker: Talker
) -> None:
    await minji.gieok.profile.merge(
        minji.scope, {"occupation": "양봉가"}, basis=Basis.STATED
    )
    await chat(minji)
    assert "양봉가" in talker.prompt


@pytest.mark.req("C01", "D04")
async def test_an_extraction_without_consent_to_a_profile_is_refused(
    minji: Person, script: Script
) -> None:
    await minji.gieok.settings.consent(minji.scope, {"profile": False})
    script.findings = [find("사용자는 매운 음식을 좋아한다")]
    body = {"action": "extract_user_info", "messages": TALK}
    assert (await minji.http.post(TUTOR, json=body)).status_code == 403
    assert not await minji.gieok.profile.get(minji.scope)


@pytest.mark.req("C01")
async def test_a_model_that_babbles_writes_nothing(
    minji: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def babble(*_: object) -> None:
        name, problem = "scripted", "its answer is no list of findings"
        raise ModelUnavailableError(name, problem)

    monkeypatch.setattr(Script, "__call__", babble)
    body = {"action": "extract_user_info", "messages": TALK}
    answer = await minji.http.post(TUTOR, json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        503,
        "model_unavailable",
    )
    model = minji.gieok.memories.model
    assert isinstance(model, ScriptedModel)
    assert model.calls[-1].at.utcoffset() == timedelta(hours=9), "as people begin"
    assert not await minji.gieok.accounts.is_known(minji.scope)


async def test_large_and_broken_bodies_are_refused(minji: Person) -> None:
    large = await minji.http.post(TUTOR, content=b'{"action": "' + b"x" * 6 * 2**20)
    assert large.status_code == 413
    for body in (b'{"action": "chat"', b"[]", b"\xff"):
        headers = {"Content-Type": "application/json"}
        broken = await minji.http.post(TUTOR, content=body, headers=headers)
        assert broken.status_code == 422
        assert broken.json()["error"]["field"]
