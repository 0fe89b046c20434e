"""What a device does without any network, and what it takes to the cloud."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from gieok.device import Device, PassphraseKeys, SpokenTurn
from gieok.device import open_device as open_device_file
from gieok.device.device import IDLE_MS
from gieok.device.model import SESSION_PAIRS, DownloadedItem
from gieok.device.store import hash_pair
from gieok.kernel.chain import advance_chain, start_chain
from gieok.kernel.errors import ConflictError, InvalidInputError
from gieok.surfaces.exchange_bodies import ExchangeRequestBody

Open = Callable[..., Device]
pytestmark = pytest.mark.req("A10", "A11", "A13")


def put(device: Device, entity: str, item_id: str, **body: object) -> None:
    until = body.pop("until_ms", None)
    assert until is None or isinstance(until, int)
    with device.file.begin():
        device.rows.put_items([DownloadedItem(entity, item_id, body, until)])


def test_a_session_holds_eight_pairs_and_goes_on(open_device: Open) -> None:
    device = open_device()
    device.set_workflow({"id": "recipe-7"})
    pairs = [device.record(SpokenTurn(f"말 {n}", "네")) for n in range(10)]
    sessions = [pair.session_id for pair in pairs]
    assert len(set(sessions[:SESSION_PAIRS])) == 1
    assert sessions[SESSION_PAIRS] != sessions[0]
    assert [pair.turn_index for pair in pairs] == [*range(8), 0, 1]
    request = device.build_request("다음은?")
    assert request["voice_context"]["session_id"] == sessions[-1]
    assert request["voice_context"]["active_workflow_id"] == "recipe-7"
    recent = [each["user_text"] for each in request["voice_context"]["recent_turns"]]
    assert recent == [f"말 {n}" for n in range(2, 10)], "those before go on in it"
    device.end_session()
    assert device.record(SpokenTurn("새로", "네")).turn_index == 0


def test_a_conversation_is_over_after_half_an_hour_in_silence(
    open_device: Open,
) -> None:
    device = open_device()
    before = device.record(SpokenTurn("저녁 주문해 줘", "뭘 주문할까요?")).session_id
    device.set_workflow({"id": "order-7"})
    began_ms = device.clock_ms()
    device.clock_ms = lambda: began_ms + IDLE_MS
    voice = device.build_request("피자")["voice_context"]
    assert voice["active_workflow_id"] == "order-7"
    device.clock_ms = lambda: began_ms + IDLE_MS + 1
    voice = device.build_request("불 켜줘")["voice_context"]
    session = device.record(SpokenTurn("불 켜줘", "켰어요")).session_id
    assert session != before
    assert voice == {
        "session_id": session,
        "recent_turns": [],
        "history_hint_strength": "none",
        "active_workflow_id": None,
    }
    voice = device.build_request("꺼줘")["voice_context"]
    assert (voice["session_id"], voice["active_workflow_id"]) == (session, None)
    device.clock_ms = lambda: began_ms
    assert device.list_recent_turns(), "a clock that jumped back ends nothing"


def test_a_clock_that_is_set_for_the_first_time_ends_no_conversation(
    open_device: Open,
) -> None:
    """A clock without a battery begins at 1970, until the network tells it the time."""
    device = open_device()
    now_ms = device.clock_ms()
    device.clock_ms = lambda: 40_000
    session = device.record(SpokenTurn("저녁 예약해 줘", "몇 분이세요?")).session_id
    device.set_workflow({"id": "booking-7"})
    device.clock_ms = lambda: now_ms
    voice = device.build_request("네 명")["voice_context"]
    assert (voice["session_id"], voice["active_workflow_id"]) == (session, "booking-7")
    assert device.record(SpokenTurn("네 명", "예약했어요")).session_id == session
    device.clock_ms = lambda: now_ms + IDLE_MS + 1
    assert device.list_recent_turns() == []


@pytest.mark.parametrize("is_ended", [True, False])
def test_a_full_session_goes_on_in_no_other_once_it_is_over(
    open_device: Open, *, is_ended: bool
) -> None:
    device = open_device()
    device.set_workflow({"id": "order-7"})
    for number in range(SESSION_PAIRS):
        device.record(SpokenTurn(f"말 {number}", "네"))
    if is_ended:
        device.end_session()
    else:
        began_ms = device.clock_ms()
        device.clock_ms = lambda: began_ms + IDLE_MS + 1
    device.record(SpokenTurn("좋은 아침", "네"))
    turns = device.list_recent_turns()
    assert [each["user_text"] for each in turns] == ["좋은 아침"]
    voice = device.build_request("불 켜줘")["voice_context"]
    assert voice["active_workflow_id"] is None


def test_a_request_says_which_device_asks(open_device: Open) -> None:
    device = open_device()
    assert device.build_request("불 켜줘")["device_context"] == {"device_id": "kitchen"}
    context = {"device_id": "speaker", "room": "거실"}
    asked = device.build_request("불 켜줘", device_context=context)
    assert asked["device_context"] == {"device_id": "kitchen", "room": "거실"}


def test_recall_needs_no_network(open_device: Open) -> None:
    device = open_device()
    put(device, "user_memory", "m1", content="매운 음식을 못 먹는다")
    put(device, "user_memory", "m2", content="강아지 이름은 보리다")
    put(device, "memory_candidate", "c1", claim="강아지는 세 살이다")
    put(device, "user_memory", "m3", content="강아지 병원", until_ms=1)
    device.record(SpokenTurn("강아지 사료 주문했어", "네"))
    found = [hit.text for hit in device.recall("강아지 이름이 뭐였지?")]
    assert found[0] == "강아지 이름은 보리다"
    assert any("사료" in text for text in found), "before the cloud has it"
    assert not any("세 살" in text for text in found), "it waits for confirmation"
    assert not any("병원" in text for text in found), "its time is over"


@pytest.mark.req("D04")
def test_while_memory_is_off_nothing_known_is_used(open_device: Open) -> None:
    """As soon as the device hears of it, whatever it still holds."""
    device = open_device()
    put(device, "user_memory", "m1", id="m1", content="강아지 이름은 보리다")
    put(device, "short_term_summary", "d1", date_key="1", summary_text="강아지 얘기")
    device.record(SpokenTurn("강아지 사료 주문했어", "네"))
    for enabled in (False, True):
        put(device, "memory_settings", "", is_enabled=enabled)
        request = device.build_request("강아지 이름이 뭐였지?")
        snapshot = request["memory_snapshot"]
        assert bool(snapshot["profile_hints"]) is enabled
        assert bool(snapshot["short_term"]) is enabled
        assert bool(device.recall("강아지 이름이 뭐였지?")) is enabled
        assert request["voice_context"]["recent_turns"], "the talk goes on"


@pytest.mark.parametrize("budget", [0, 40, 300, 4096])
def test_a_snapshot_stays_within_its_budget(open_device: Open, budget: int) -> None:
    device = open_device()
    for number in range(6):
        device.record(SpokenTurn(f"불 켜줘 {number}", "켰어요"))
    for number in range(40):
        content = f"기억 {number}"
        put(device, "user_memory", f"m{number}", id=f"m{number}", content=content)
    put(device, "memory_candidate", "c1", claim="아직 모르는 것")
    request = device.build_request("지금 몇 시야?", max_bytes=budget)
    shown = repr(request["memory_snapshot"]) + repr(request["voice_context"])
    assert len(shown.encode()) <= budget + 400
    assert "아직 모르는 것" not in repr(request), "a device confirms nothing"
    turns = request["voice_context"]["recent_turns"]
    assert (budget < 300) or turns[-1]["user_text"] == "불 켜줘 5"
    assert set(request) == {
        "recognized_text",
        "voice_context",
        "memory_snapshot",
        "memory_sync",
        "device_context",
    }


@pytest.mark.parametrize("budget", [4_096, 10**6])
def test_a_snapshot_has_no_more_of_a_kind_than_the_cloud_takes(
    open_device: Open, budget: int
) -> None:
    device = open_device()
    for number in range(1, 53):
        week, day = f"2026-W{number:02}", f"{1_975 + number}-01-01"
        put(device, "mid_term_summary", week, week_key=week, summary_text="청소")
        put(device, "short_term_summary", day, date_key=day, summary_text="청소")
    for number in range(120):
        memory = f"{UUID(int=number)}"
        put(device, "user_memory", memory, id=memory, content=f"기억 {number}")
    request = device.build_request("불 켜줘", max_bytes=budget)
    snapshot = ExchangeRequestBody.model_validate(request).memory_snapshot
    assert [each.week_key for each in snapshot.mid_term] == [
        f"2026-W{number:02}" for number in range(52, 42, -1)
    ]
    assert (len(snapshot.short_term), snapshot.short_term[0].date_key) == (
        31,
        "2027-01-01",
    )
    assert budget < 10**6 or len(snapshot.profile_hints) == 100


def test_a_request_tells_what_its_own_conversation_is_about(
    open_device: Open,
) -> None:
    """Not what another was about, of this device or of another one."""
    device = open_device()
    for name in ("other-1", "other-2"):
        put_session(device, name, f"{name}의 이야기")
    first = device.record(SpokenTurn("저녁 예약해 줘", "몇 분이세요?")).session_id

    def read_summary() -> str | None:
        return device.build_request("네 명")["memory_snapshot"]["session_summary"]

    assert read_summary() is None
    put_session(device, first, "저녁 예약")
    assert read_summary() == "저녁 예약"
    for _ in range(SESSION_PAIRS):
        device.record(SpokenTurn("네", "네"))
    assert read_summary() == "저녁 예약", "it goes on in another session"
    device.end_session()
    assert read_summary() is None


def put_session(device: Device, session_id: str, about: str) -> None:
    """Have a session be here that the cloud has summarised."""
    summary = {"summary": about, "updated_at": "2026-01-01T00:00:00Z"}
    put(device, "session", session_id, id=session_id, session_summary=summary)


def test_what_expired_is_erased_without_being_told(open_device: Open) -> None:
    device = open_device()
    put(device, "short_term_summary", "d1", summary_text="어제", until_ms=5)
    put(device, "short_term_summary", "d2", summary_text="오늘")
    assert device.sweep() == 1
    assert [item.item_id for item in device.rows.iterate_items()] == ["d2"]


def nest(depth: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for _ in range(depth):
        found = {"a": found}
    return found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("route_family", "x" * 129),
        ("route_family", "a\nb"),
        ("persona", " "),
        ("persona", "\ud83d"),
        ("speaker", "x" * 129),
        ("planner_summary", {"a": "\ud83d"}),
        ("planner_summary", {"\ud83d": [1]}),
        ("planner_summary", {"a": float("nan")}),
        ("planner_summary", {"a": {1, 2}}),
        ("planner_summary", {"a": "가" * 200_000}),
        ("planner_summary", nest(100_000)),
    ],
    ids=lambda value: str(type(value)),
)
def test_what_the_cloud_would_refuse_is_refused_at_once(
    open_device: Open, field: str, value: object
) -> None:
    device = open_device()
    turn: Any = SpokenTurn("불 켜줘", "켰어요")
    with pytest.raises(InvalidInputError) as refused:
        device.record(replace(turn, **{field: value}))
    assert refused.value.field == field
    assert device.cursor.newest_seq == 0


@pytest.mark.parametrize("slot", ["\ud800", float("nan"), object()])
def test_a_workflow_that_cannot_be_kept_is_named_and_changes_nothing(
    open_device: Open, slot: object
) -> None:
    device = open_device()
    with pytest.raises(InvalidInputError) as refused:
        device.set_workflow({"id": "order-7", "slot": slot})
    assert refused.value.field == "workflow"
    assert device.rows.find_latest_session() is None


def test_notes_are_what_the_cloud_will_read(open_device: Open) -> None:
    notes: dict[Any, Any] = {1: ("a", "😀"), "b": {"c": None}}
    turn = SpokenTurn("불", "네", "ODL", notes, persona="도우미")
    body = open_device().record(turn).body
    assert body["planner_summary"] == {"1": ["a", "😀"], "b": {"c": None}}
    assert (body["route_family"], body["persona"]) == ("ODL", "도우미")


def test_an_id_is_used_once(open_device: Open) -> None:
    device = open_device()
    pair_id = device.record(SpokenTurn("불 켜줘", "켰어요")).pair_id
    with pytest.raises(ConflictError):
        device.record(SpokenTurn("불 꺼줘", "껐어요"), pair_id=pair_id)
    assert device.cursor.newest_seq == 1


def test_a_device_names_who_spoke(open_device: Open) -> None:
    device = open_device()
    mine = device.record(SpokenTurn("나는 마포구에 살아", "네"))
    said = SpokenTurn("나는 땅콩을 못 먹어", "네", speaker="지우 010-1234-5678")
    spoken = device.record(said).body["speaker"]
    assert spoken.startswith("지우")
    assert "1234" not in spoken
    assert "speaker" not in mine.body, "a cloud that knows no other voices takes it"
    first, second = device.list_recent_turns()
    assert first["user_text"] == "나는 마포구에 살아"
    assert second["user_text"] == f"{spoken}: 나는 땅콩을 못 먹어"


def test_what_a_planner_noted_is_masked_as_what_was_said(open_device: Open) -> None:
    device = open_device()
    noted = {"slots": {"phone": "010-1234-5678", "room": "거실"}, "turns": [2]}
    turn = SpokenTurn("불 켜줘", "켰어요", planner_summary=noted)
    kept = device.record(turn).body["planner_summary"]
    assert "1234-5678" not in str(kept)
    assert kept["slots"]["room"] == "거실"
    assert kept["turns"] == [2]


FIRST, SECOND = "카드 번호 4111 1111 1111", "1111"
"""A number that somebody says over two turns."""


@pytest.mark.req("A19")
def test_a_number_said_over_two_turns_stays_in_neither(open_device: Open) -> None:
    device = open_device()
    device.record(SpokenTurn(FIRST, "네, 그 뒤는요?"))
    request = device.build_request(SECOND)
    assert "4111" not in repr(request["voice_context"])
    device.record(SpokenTurn(SECOND, "네"))
    device.record(SpokenTurn("고마워", "네"))
    turns = [each["user_text"] for each in device.list_recent_turns()]
    assert turns == ["카드 번호 [카드번호]", "[card number]", "고마워"]
    assert "4111" not in repr(device.recall("카드 번호 4111"))
    assert "1111" not in repr([pair.body for pair in device.rows.list_pairs(0)])
    pairs = device.rows.list_pairs(0)
    assert [pair.seq for pair in pairs] == [1, 2, 3]
    at = start_chain(device.cursor.incarnation)
    for pair in pairs:
        at = advance_chain(at, pair.pair_id, hash_pair(pair))
        assert at.chain == pair.chain, "the cloud counts what it is sent"
    assert device.cursor.newest == at


@pytest.mark.req("A19")
def test_a_number_that_goes_on_in_the_next_session_stays_in_neither(
    open_device: Open,
) -> None:
    device = open_device()
    for number in range(SESSION_PAIRS - 1):
        device.record(SpokenTurn(f"말 {number}", "네"))
    device.record(SpokenTurn(FIRST, "네"))
    device.record(SpokenTurn(SECOND, "네"))
    turns = [each["user_text"] for each in device.list_recent_turns()]
    assert turns[-2:] == ["카드 번호 [카드번호]", "[card number]"]


HALF = "제 번호는 010-1234"
REST = "5678이고 와이파이 비밀번호는 hunter2야, 주민번호는 900101-1234568"
"""The rest of that number, with what nobody else said a part of."""


def note_sync(device: Device, *, has_taken: bool) -> None:
    """Have the cloud have greeted, and taken what was said or not."""
    cursor = device.cursor
    up = cursor.newest if has_taken else cursor.up
    with device.file.begin():
        device.rows.save_cursor(
            replace(cursor, last_sync_ms=1, last_pair_seq=up.seq, chain=up.chain)
        )


@pytest.mark.req("A19")
def test_nothing_but_the_rest_of_a_number_is_sent_open(open_device: Open) -> None:
    device = open_device()
    device.record(SpokenTurn(HALF, "네"))
    note_sync(device, has_taken=True)
    asked = device.build_request(REST)["recognized_text"]
    body = device.record(SpokenTurn(REST, "네")).body
    for text in (asked, body["said"]["user_text"]):
        assert text.startswith("5678이고"), "the cloud has the first part"
        assert "hunter2" not in text
        assert "1234568" not in text
    assert "5678" not in body["user_text"]


@pytest.mark.req("A19")
@pytest.mark.parametrize("was_greeted", [True, False])
def test_no_part_of_a_number_is_sent_that_the_cloud_cannot_join(
    tmp_path: Path, *, was_greeted: bool
) -> None:
    """Not even one that the device's own policy hides and the cloud's would keep."""
    keys = PassphraseKeys(tmp_path / "d.key", "tea")
    device = open_device_file(tmp_path / "d.db", "kitchen", keys, personal="hide")
    if was_greeted:
        note_sync(device, has_taken=True)
    device.record(SpokenTurn(HALF, "네"))
    request = device.build_request(REST)
    device.record(SpokenTurn(REST, "네"))
    pairs = device.rows.list_pairs(0)
    sent = repr([pair.outgoing_body for pair in pairs])
    assert "said" not in repr([pair.body for pair in pairs])
    at = start_chain(device.cursor.incarnation)
    for pair in pairs:
        at = advance_chain(at, pair.pair_id, hash_pair(pair))
    assert device.cursor.newest == at
    device.close()
    for text in (repr(request), sent):
        assert "1234" not in text
        assert "5678" not in text


@pytest.mark.req("A19")
@pytest.mark.parametrize("is_restarted", [True, False])
def test_what_may_be_on_its_way_stays_as_it_was_sent(
    open_device: Open, *, is_restarted: bool
) -> None:
    device = open_device()
    device.link = replace(device.link, is_greeted=True)
    note_sync(device, has_taken=False)
    device.record(SpokenTurn(HALF, "네"))
    assert device.find_request() is not None
    sent = device.cursor.newest
    if is_restarted:
        device.close()
        device = open_device()
    assert "5678" not in device.build_request(REST)["recognized_text"]
    device.record(SpokenTurn(REST, "네"))
    first, second = device.rows.list_pairs(0)
    assert first.chain == sent.chain, "the answer that was lost still fits"
    assert first.outgoing_body["user_text"] == HALF
    assert second.outgoing_body["user_text"].startswith("5678이고")
    assert "hunter2" not in repr(second.body)
    assert "1234" not in first.body["user_text"]
