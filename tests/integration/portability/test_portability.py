"""Everything about a person comes out as a file, and goes in again as it was."""

import io
import json
import zipfile
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import (
    ConflictError,
    InvalidFileError,
    InvalidInputError,
    NotFoundError,
)
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)
from gieok.memories import Memory, Trust
from gieok.memories.candidate_store import set_question_time
from gieok.memories.store import set_contradicted
from gieok.portability import Source
from gieok.recall import HitKind
from gieok.testing import FixedClock
from support.database import Owner
from support.default_settings import with_default_settings
from support.exports import (
    Lines,
    export_bytes,
    leave_everything,
    parse_export,
    select_rows,
)
from support.memory_talk import talk
from support.scripted_model import Script, fact
from support.session_talk import active


@pytest.fixture
async def whole(memory: Gieok, me: Scope, script: Script, clock: FixedClock) -> bytes:
    """An export with something of every kind in it."""
    await leave_everything(memory, me, script, clock)
    return await export_bytes(memory, me)


def imported(memories: tuple[Memory, ...]) -> tuple[Memory, ...]:
    """Return memories as a file brings them: less trusted, and judged by nobody."""
    return tuple(
        replace(each, trust=Trust.IMPORT, is_directive=None) for each in memories
    )


def as_imported(lines: Lines) -> Lines:
    """Return lines as they are exported once they came in."""
    told: Lines = json.loads(json.dumps(lines))
    for line in told:
        if line["part"] == "memories":
            line["row"]["trust"] = "import"
    return told


async def emptied(owner: Owner, scope: Scope) -> None:
    for table in ("users", "memory_audit_log"):
        await owner.execute(f"DELETE FROM {table} WHERE user_id = %s", [scope.user_id])


@pytest.mark.req("E19")
async def test_everything_comes_out_and_goes_in_again_as_it_was(
    memory: Gieok, me: Scope, owner: Owner, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    before = await export_bytes(memory, me)
    memories = await memory.memories.page(me, include_inactive=True)
    found = select_rows(parse_export(before))
    parts = {line["part"] for line in found}
    assert parts == {
        "account", "settings", "personas", "devices", "sessions", "messages", "pairs",
        "days", "weeks", "episodes", "candidates", "memories", "history", "profile",
        "items",
    }  # fmt: skip
    memory.recall.drop(me)
    await emptied(owner, me)
    clock.advance(timedelta(days=1))
    taken = await memory.portability.load(me, io.BytesIO(before))
    assert taken.parts["messages"] == 7
    assert select_rows(parse_export(await export_bytes(memory, me))) == as_imported(
        found
    )
    found, total = await memory.memories.page(me, include_inactive=True)
    assert (imported(memories[0]), memories[1]) == (found, total)
    await memory.settled(me)
    hits = await memory.recall.search(me, "강남구")
    assert hits, "what came in is searchable"


@pytest.mark.req("A01", "E19")
async def test_a_pair_comes_out_with_its_texts_and_the_apps_device(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    lines = select_rows(parse_export(await export_bytes(memory, me)))
    pairs = [line["row"] for line in lines if line["part"] == "pairs"]
    assert {(x["turn_index"], x["user_text"], x["assistant_text"]) for x in pairs} == {
        (number, f"나 강남구 살아 {number}", "네.") for number in range(3)
    }
    told = [x["row"] for x in lines if x["part"] in {"pairs", "sessions"}]
    assert {row["device"] for row in told} == {"거실 스피커"}


@pytest.mark.req("E19")
async def test_an_export_of_before_pairs_had_their_texts_is_taken_in(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    lines = parse_export(await export_bytes(memory, me))
    for line in lines:
        for name in ("user_text", "assistant_text", "device"):
            line.get("row", {}).pop(name, None)
    taken = await memory.portability.load(other, io.BytesIO(resealed(lines)))
    assert taken.parts["pairs"] == 3


@pytest.mark.req("E19")
@pytest.mark.parametrize("older", [False, True])
async def test_an_export_keeps_the_day_of_the_words(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock, *, older: bool
) -> None:
    plan = "사용자는 2027년 3월에 일산으로 이사한다"
    kept = await memory.memories.remember(me, plan)
    clock.advance(timedelta(days=1))
    await memory.memories.remember(me, plan)
    lines = parse_export(await export_bytes(memory, me))
    for line in lines:
        if older and line.get("part") == "memories":
            del line["row"]["worded_at"]
    await memory.portability.load(other, io.BytesIO(resealed(lines)))
    ((taken,), _) = await memory.memories.page(other)
    assert taken.worded_at == kept.last_confirmed_at


@pytest.mark.req("E19")
async def test_what_days_and_weeks_rest_on_keeps_its_name_in_an_export(
    memory: Gieok,
    me: Scope,
    other: Scope,
    script: Script,
    clock: FixedClock,
    owner: Owner,
) -> None:
    await leave_everything(memory, me, script, clock)
    export = await export_bytes(memory, me)
    rows = [x for x in parse_export(export) if x.get("part") in {"days", "weeks"}]
    await memory.portability.load(other, io.BytesIO(export))
    found = await owner.execute(
        """
        SELECT 'days', encode(source_digest, 'hex') FROM short_term_summaries
        WHERE user_id = %(user_id)s
        UNION ALL
        SELECT 'weeks', encode(source_digest, 'hex') FROM mid_term_summaries
        WHERE user_id = %(user_id)s
        """,
        {"user_id": other.user_id},
    )
    named = [(row["part"], row["row"]["ground"]) for row in rows]
    assert sorted(await found.fetchall()) == sorted(named)
    assert {part for part, _ in named} == {"days", "weeks"}


@pytest.mark.req("E19")
async def test_an_export_of_before_its_rows_had_all_their_fields_is_taken_in(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    lines = parse_export(await export_bytes(memory, me))
    later = {
        "settings": ("chosen", "words_days"),
        "sessions": ("not_kept",),
        "memories": ("contradicted_by", "is_pinned", "subcategory", "worded_at"),
        "candidates": ("asked_at", "wish_id", "wished_at"),
        "messages": ("is_withheld",),
    }
    for line in lines:
        for name in later.get(line.get("part", ""), ()):
            del line["row"][name]
    taken = await memory.portability.load(other, io.BytesIO(resealed(lines)))
    assert taken.parts["memories"] == 2
    found, _ = await memory.memories.page(other, include_inactive=True)
    assert {(each.is_pinned, each.subcategory) for each in found} == {(False, None)}
    assert (await memory.settings.get(other)).words_days is None
    ((session,), _) = await memory.sessions.page(other)
    assert session.not_kept == {}


@pytest.mark.req("E19")
@pytest.mark.parametrize("older", [False, True])
async def test_what_was_said_while_memory_was_off_stays_withheld_in_an_export(
    memory: Gieok, me: Scope, other: Scope, *, older: bool
) -> None:
    session = (await memory.sessions.start(me)).session_id
    await memory.settings.update(me, {"is_enabled": False})
    await memory.sessions.record(me, session, Turn("나 간호사야", "네."))
    await memory.settings.update(me, {"is_enabled": True})
    await memory.sessions.record(me, session, Turn("세차를 자주 해", "네."))
    lines = parse_export(await export_bytes(memory, me))
    for line in lines:
        if older and line.get("part") == "messages":
            del line["row"]["is_withheld"]
    await memory.portability.load(other, io.BytesIO(resealed(lines)))
    await memory.settled(other)
    found = await memory.recall.search(other, "간호사 세차", limit=50)
    said = {hit.content for hit in found if hit.kind is HitKind.MESSAGE}
    assert "세차를 자주 해" in said
    assert "나 간호사야" not in said


@pytest.mark.req("E19", "D07")
async def test_what_a_newer_memory_contradicts_is_not_told_after_an_import_either(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    older, newer = [
        (await memory.memories.remember(me, f"User lives in {town}")).memory_id
        for town in ("Leeds", "York")
    ]
    async with memory.memories.database.begin(me) as tx:
        await set_contradicted(tx, [older], newer, None)
    await memory.portability.load(other, io.BytesIO(await export_bytes(memory, me)))
    block = await memory.context.build(other, "Where does the user live?")
    assert "York" in block.text
    assert "Leeds" not in block.text


@pytest.mark.req("E19", "A15")
async def test_who_was_asked_what_to_forget_is_not_asked_again_after_an_import(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    def doubt(talked: Conversation) -> list[Finding]:
        unsure = replace(fact(talked.known[0].content), confidence=0.4)
        return [
            replace(
                unsure,
                operation=FindingOperation.DELETE,
                basis=Basis.REQUESTED,
                target=talked.known[0].id,
            )
        ]

    await memory.memories.remember(me, "사용자는 은행에서 일한다")
    script.computes(doubt)
    await talk(memory, me, "그 일 얘기는 잊어 줘", close=True)
    (question,) = await memory.memories.questions(me)
    async with memory.memories.database.begin(me) as tx:
        await set_question_time(tx, [question.candidate_id])
    await memory.portability.load(other, io.BytesIO(await export_bytes(memory, me)))
    taken = await memory.memories.candidates(other)
    assert question.wish_id in {each.wish_id for each in taken}
    assert await memory.memories.questions(other) == ()


@pytest.mark.req("E19", "A15")
@pytest.mark.parametrize("older", [False, True])
async def test_a_wish_to_forget_that_waits_is_carried_out_where_it_is_imported(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock, *, older: bool
) -> None:
    await memory.settings.update(me, {"is_enabled": False})
    await memory.erasure.about(me, "내 직업은 잊어 줘")
    lines = parse_export(await export_bytes(memory, me))
    for line in lines:
        if older and line.get("part") == "candidates":
            del line["row"]["wished_at"]
        if line.get("part") == "settings":
            line["row"]["is_enabled"] = True
    at = clock()
    clock.advance(timedelta(minutes=1))
    await memory.portability.load(other, io.BytesIO(resealed(lines)))
    (wish,) = await memory.memories.open_wishes(other)
    assert wish.wished_at == (None if older else at)
    await memory.settled(other)
    assert await memory.memories.open_wishes(other) == ()


@pytest.mark.req("E19")
async def test_another_person_gets_the_same_memories_under_their_own_names(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    before = await export_bytes(memory, me)
    await memory.portability.load(other, io.BytesIO(before))
    theirs, mine = await memory.memories.page(other), await memory.memories.page(me)
    assert theirs[0] == imported(mine[0])
    luna = memory.accounts.persona_id(other, "루나")
    assert await memory.accounts.persona_names(other) == {luna: "루나"}
    found = await memory.episodes.page(other, persona_id=luna)
    assert found.total == 1, "found by the name"
    same: tuple[str, ...] = (
        "audit",
        "personas",
        "devices",
        "sessions",
        "episodes",
        "items",
        "pairs",
    )
    same += ("days", "weeks")  # these name personas, devices or digests
    assert select_rows(
        parse_export(await export_bytes(memory, other)), without=same
    ) == as_imported(select_rows(parse_export(before), without=same))


@pytest.mark.req("A09")
async def test_an_export_is_audited_and_has_the_audit_log_in_it(
    memory: Gieok, me: Scope
) -> None:
    await memory.memories.remember(me, "고양이를 키운다")
    lines = parse_export(await export_bytes(memory, me))
    audit = [line["row"] for line in lines if line.get("part") == "audit"]
    assert "export" in {line["event_type"] for line in audit}
    assert await memory.audit.verify(me) == len(audit)


@pytest.mark.req("E19")
async def test_a_prepared_export_is_fetched_by_its_token_until_it_expires(
    memory: Gieok, me: Scope, other: Scope, owner: Owner, clock: FixedClock
) -> None:
    await memory.memories.remember(me, "카나리아뷁을 키운다")
    archive = await memory.portability.prepare(me)
    fetched = [chunk async for chunk in memory.portability.fetch(me, archive.token)]
    assert "카나리아뷁" in b"".join(fetched).decode()
    found = await owner.execute(
        "SELECT count(*) FROM exports WHERE position(%s::bytea IN sealed) > 0",
        ["카나리아뷁".encode()],
    )
    assert await found.fetchone() == (0,), "it lies sealed"
    wrong = archive.token[:-2] + ("AA" if archive.token[-2:] != "AA" else "BB")
    for who, token in ((other, archive.token), (me, wrong), (me, "x"), (me, "ㅎ")):
        with pytest.raises(NotFoundError):
            [chunk async for chunk in memory.portability.fetch(who, token)]
    clock.advance(timedelta(hours=24))
    with pytest.raises(NotFoundError):
        [chunk async for chunk in memory.portability.fetch(me, archive.token)]


@pytest.mark.req("E19")
async def test_an_expired_export_is_removed_and_a_later_one_waits(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    async def waiting() -> int:
        found = await owner.execute(
            "SELECT count(DISTINCT export_id) FROM exports WHERE user_id = %s",
            [me.user_id],
        )
        row = await found.fetchone()
        return row[0] if row else 0

    await memory.memories.remember(me, "고양이를 키운다")
    for hours in (1, 3):
        await memory.portability.prepare(me, lasts=timedelta(hours=hours))
    left = []
    for _ in range(3):
        await memory.settled(me)
        left.append(await waiting())
        clock.advance(timedelta(hours=2))
    assert left == [1, 1, 0], "the end of the first is not that of the second"


@pytest.mark.req("A15", "E19")
async def test_receipts_of_what_was_erased_are_exported(
    memory: Gieok, me: Scope
) -> None:
    kept = await memory.memories.remember(me, "고양이를 키운다")
    receipt = await memory.memories.forget(me, kept.memory_id)
    lines = parse_export(await export_bytes(memory, me))
    (told,) = [line["row"] for line in lines if line.get("part") == "receipts"]
    assert str(receipt.receipt_id) in json.dumps(told)
    assert "고양이" not in json.dumps(lines, ensure_ascii=False)


async def test_only_an_empty_person_takes_an_export(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.memories.remember(me, "고양이를 키운다")
    await memory.memories.remember(other, "개를 키운다")
    before = await export_bytes(memory, me)
    with pytest.raises(ConflictError):
        await memory.portability.load(other, io.BytesIO(before))


def resealed(lines: Lines) -> bytes:
    """Return lines as a file whose manifest fits them: by somebody who means harm."""
    import hashlib  # noqa: PLC0415 - here only

    from gieok.portability.export_rows import encode_line  # noqa: PLC0415 - here only
    from gieok.portability.parts import PARTS  # noqa: PLC0415 - here only

    told: dict[str, Any] = {}
    for part in PARTS:
        mine = [encode_line(x) for x in lines if x.get("part") == part.name]
        digest = hashlib.sha256(b"".join(mine)).hexdigest()
        told[part.name] = {"count": len(mine), "sha256": digest}
    lines[-1]["manifest"]["parts"] = told
    return b"".join(encode_line(x) for x in lines)


def first(lines: Lines, part: str) -> dict[str, Any]:
    return next(line["row"] for line in lines if line.get("part") == part)


HARM: dict[str, Any] = {
    "another version": lambda x: x[0].update(version=2),
    "no header": lambda x: x.pop(0),
    "no manifest": lambda x: x.pop(),
    "unknown part": lambda x: x[1].update(part="users"),
    "unknown field": lambda x: first(x, "memories").update(user_id=str(uuid4())),
    "missing field": lambda x: first(x, "memories").pop("content"),
    "NUL": lambda x: first(x, "memories").update(content="a\x00b"),
    "half a surrogate": lambda x: first(x, "messages").update(content="\ud800"),
    "huge text": lambda x: first(x, "messages").update(content="x" * 1_000_001),
    "number for text": lambda x: first(x, "messages").update(content=7),
    "text for number": lambda x: first(x, "messages").update(position="x"),
    "huge number": lambda x: first(x, "messages").update(position=10**30),
    "infinite": lambda x: first(x, "memories").update(confidence=float("inf")),
    "over one": lambda x: first(x, "memories").update(confidence=1.5),
    "no time": lambda x: first(x, "memories").update(created_at="yesterday"),
    "no end": lambda x: first(x, "memories").update(expires_at="infinity"),
    "NaN": lambda x: first(x, "memories").update(relevance_score="NaN"),
    "cost": lambda x: first(x, "sessions").update(total_cost="NaN"),
    "no id": lambda x: first(x, "memories").update(memory_id=None),
    "bad id": lambda x: first(x, "memories").update(memory_id="x"),
    "twice": lambda x: x.insert(2, x[2]),
    "other session": lambda x: first(x, "messages").update(session_id=str(uuid4())),
    "other message": lambda x: first(x, "pairs").update(user_message_id=str(uuid4())),
    "other memory": lambda x: first(x, "history").update(memory_id=str(uuid4())),
    "miscounted": lambda x: first(x, "sessions").update(message_count=0),
    "category": lambda x: first(x, "memories").update(category="x"),
    "zone": lambda x: first(x, "account").update(time_zone="../x"),
    "setting": lambda x: first(x, "settings").update(allowed_categories=["x"]),
    "settings null": lambda x: first(x, "settings").update(allowed_categories=None),
    "revision": lambda x: first(x, "memories").update(revision=2**40),
    "list row": lambda x: x[1].update(row=[]),
    "out of order": lambda x: x.insert(1, x.pop(-2)),
}


@pytest.mark.req("E19")
async def test_hostile_files_are_refused_whole(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    await leave_everything(memory, me, script, clock)
    before = await export_bytes(memory, me)
    nothing = select_rows(
        parse_export(await export_bytes(memory, other)), without=("audit",)
    )
    for name, harm in HARM.items():
        lines = parse_export(before)
        harm(lines)
        try:
            file = resealed(lines) if "manifest" in lines[-1] else before[:-200]
        except UnicodeEncodeError:
            file = before.replace(b'"content":"', b'"content":"\\ud800', 1)
        try:
            await memory.portability.load(other, io.BytesIO(file))
        except InvalidInputError as error:
            assert error.field == "file", name  # noqa: PT017 - named below
        else:
            pytest.fail(name)
        now = select_rows(
            parse_export(await export_bytes(memory, other)), without=("audit",)
        )
        assert now == nothing, name


@pytest.mark.req("E19")
async def test_a_state_of_langgraph_keeps_nothing_out_however_large_it_is(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    """It is exported for whoever reads the file, and never taken in."""
    await memory.memories.remember(me, "고양이를 키운다")
    lines = parse_export(await export_bytes(memory, me))
    state = {
        "thread_id": "t",
        "checkpoint_ns": "",
        "channel": "c",
        "version": "1",
        "blob": "A" * 17 * 2**20,
    }
    place = next(
        number for number, line in enumerate(lines) if line.get("part") == "audit"
    )
    lines.insert(place, {"part": "states", "row": state})
    file = resealed(lines)
    at = file.index(b"AAAA")
    for wrong in (file[: at + 17 * 2**20], file[:at] + b"B" + file[at + 1 :]):
        with pytest.raises(InvalidInputError, match="file"):
            await memory.portability.load(other, io.BytesIO(wrong))
    taken = await memory.portability.load(other, io.BytesIO(file))
    assert taken.parts["memories"] == 1


async def test_a_file_that_was_cut_or_changed_is_refused(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.memories.remember(me, "고양이를 키운다")
    before = await export_bytes(memory, me)
    files = [before[:length] for length in range(0, len(before), 97)]
    files += [before.replace("고양이".encode(), "개".encode()), before + b"{}\n"]
    files += [b"\x00" * 100, b"[" * 100_000 + b"\n", b"x" * 20_000_000]
    for file in files:
        with pytest.raises(InvalidInputError, match="file"):
            await memory.portability.load(other, io.BytesIO(file))


CHATGPT = [
    {
        "conversation_id": "c-1",
        "title": "이사",
        "create_time": 1700000000.5,
        "current_node": "d",
        "mapping": {
            "a": {"id": "a", "message": None, "parent": None, "children": ["b"]},
            "b": {
                "id": "b",
                "parent": "a",
                "children": ["c", "x"],
                "message": {
                    "author": {"role": "user"},
                    "create_time": 1700000001.0,
                    "content": {
                        "content_type": "text",
                        "parts": ["나 부산으로 이사해"],
                    },
                },
            },
            "x": {
                "id": "x",
                "parent": "b",
                "children": [],
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000002.0,
                    "content": {"content_type": "text", "parts": ["버려진 답"]},
                },
            },
            "c": {
                "id": "c",
                "parent": "b",
                "children": ["d"],
                "message": {
                    "author": {"role": "tool"},
                    "content": {"content_type": "text", "parts": ["도구"]},
                },
            },
            "d": {
                "id": "d",
                "parent": "c",
                "children": [],
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000003.0,
                    "content": {"content_type": "text", "parts": ["축하해요", {}]},
                },
            },
        },
    }
]
CLAUDE = [
    {
        "uuid": "k-1",
        "name": "cat",
        "created_at": "2025-01-02T03:04:05.000000Z",
        "chat_messages": [
            {
                "uuid": "1",
                "sender": "human",
                "text": "",
                "content": [{"type": "text", "text": "I have a cat"}],
                "created_at": "2025-01-02T03:04:06.000000Z",
            },
            {
                "uuid": "2",
                "sender": "assistant",
                "text": "Nice.",
                "content": [],
                "created_at": "2025-01-02T03:04:07.000000Z",
            },
        ],
    }
]
MEM0 = {
    "results": [
        {
            "id": "0b2f0f7e",
            "memory": "User is allergic to peanuts",
            "hash": "x",
            "metadata": None,
            "created_at": "2024-07-26T10:29:36.630547-07:00",
            "updated_at": None,
            "user_id": "alex",
        }
    ]
}


@pytest.mark.req("E19")
@pytest.mark.parametrize(
    ("source", "archive", "said"),
    [
        (Source.CHATGPT, CHATGPT, ["나 부산으로 이사해", "축하해요"]),
        (Source.CLAUDE, CLAUDE, ["I have a cat", "Nice."]),
    ],
)
async def test_conversations_of_other_products_come_in_once(
    memory: Gieok, me: Scope, source: Source, archive: Any, said: list[str]
) -> None:
    file = io.BytesIO(json.dumps(archive).encode())
    taken = await memory.portability.load(me, file, source)
    assert taken.parts == {"sessions": 1, "messages": 2, "pairs": 1}
    (session,), _ = await memory.sessions.page(me)
    found = await memory.sessions.read(me, session.session_id)
    assert [message.content for message in found.messages] == said
    assert session.created_at.year in {2023, 2025}, "as it was then"
    again = await memory.portability.load(me, file, source)
    assert again.rows == 0
    await memory.settled(me)
    hits = await memory.recall.search(me, said[0])
    assert HitKind.MESSAGE in {hit.kind for hit in hits}


def continued(*said: str) -> io.BytesIO:
    """Return Claude's archive a month later: the conversation went on."""
    (talk,) = CLAUDE
    began = talk["chat_messages"]
    later = [
        {**began[number % 2], "uuid": f"later-{number}", "text": text, "content": []}
        for number, text in enumerate(said)
    ]
    archive = [{**talk, "chat_messages": [*began, *later]}]
    return io.BytesIO(json.dumps(archive).encode())


@pytest.mark.req("E19")
async def test_a_conversation_that_went_on_comes_in_from_where_it_was(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    await memory.portability.load(me, continued(), Source.CLAUDE)
    await memory.settled(me)
    script.says(fact("User moved to Busan", evidence=(2,)))
    more = continued("I moved to Busan", "Congratulations.")
    taken = await memory.portability.load(me, more, Source.CLAUDE)
    assert {name: count for name, count in taken.parts.items() if count} == {
        "messages": 2,
        "pairs": 1,
    }
    (session,), _ = await memory.sessions.page(me)
    assert (session.message_count, session.pair_count) == (4, 2)
    reading = await memory.memories.reading(me, session.session_id)
    assert reading.unread_count == 2
    await memory.settled(me)
    ((kept,), _) = await memory.memories.page(me)
    assert kept.content == "User moved to Busan"
    more.seek(0)
    assert (await memory.portability.load(me, more, Source.CLAUDE)).rows == 0
    export = await export_bytes(memory, me)
    await memory.portability.load(other, io.BytesIO(export))
    assert (await memory.sessions.page(other))[1] == 1


def branch_of(*said: tuple[str, str, int]) -> io.BytesIO:
    """Return ChatGPT's archive of one conversation: who said what, when."""
    nodes: dict[str, Any] = {
        f"n{number}": {
            "parent": f"n{number - 1}" if number else None,
            "message": {
                "author": {"role": role},
                "create_time": 1_700_000_000 + at,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
        for number, (role, text, at) in enumerate(said)
    }
    leaf = f"n{len(said) - 1}"
    archive = [{"conversation_id": "c-9", "current_node": leaf, "mapping": nodes}]
    return io.BytesIO(json.dumps(archive).encode())


async def list_said(memory: Gieok, me: Scope) -> set[tuple[str, ...]]:
    """Return what was said in each session of the person."""
    sessions, _ = await memory.sessions.page(me)
    read = [await memory.sessions.read(me, each.session_id) for each in sessions]
    return {tuple(each.content for each in found.messages) for found in read}


BEGUN = [("user", "I have a cat", 1), ("assistant", "Nice.", 2)]
WENT_ON = [("user", "She is old", 3), ("assistant", "Oh.", 4)]


@pytest.mark.req("E19")
@pytest.mark.parametrize(
    "more", [[], [("user", "How old?", 7), ("assistant", "Two.", 8)]]
)
async def test_what_was_edited_since_comes_in_by_itself_and_is_joined_to_nothing(
    memory: Gieok, me: Scope, more: list[tuple[str, str, int]]
) -> None:
    first = [*BEGUN, *WENT_ON]
    edited = [*BEGUN, ("user", "She is young", 5), ("assistant", "Ah.", 6), *more]
    await memory.portability.load(me, branch_of(*first), Source.CHATGPT)
    for _ in range(2):
        await memory.portability.load(me, branch_of(*edited), Source.CHATGPT)
        assert await list_said(memory, me) == {
            tuple(text for _, text, _ in first),
            tuple(text for _, text, _ in edited[2:]),
        }
    longer = [*edited, ("user", "Bye", 9), ("assistant", "Bye.", 10)]
    await memory.portability.load(me, branch_of(*longer), Source.CHATGPT)
    assert tuple(text for _, text, _ in longer[2:]) in await list_said(memory, me)
    assert (await memory.sessions.page(me))[1] == 2


@pytest.mark.req("E19")
async def test_what_was_answered_anew_comes_in_with_what_it_answers(
    memory: Gieok, me: Scope
) -> None:
    anew = [*BEGUN[:1], ("assistant", "What is her name?", 5), ("user", "Mia", 6)]
    await memory.portability.load(me, branch_of(*BEGUN), Source.CHATGPT)
    await memory.portability.load(me, branch_of(*anew), Source.CHATGPT)
    assert await list_said(memory, me) == {
        ("I have a cat", "Nice."),
        ("I have a cat", "What is her name?", "Mia"),
    }


@pytest.mark.req("E19")
async def test_a_branch_that_is_older_and_shown_again_comes_in_by_itself(
    memory: Gieok, me: Scope
) -> None:
    older = [*BEGUN, *WENT_ON, ("user", "She sleeps", 5), ("assistant", "Aha.", 6)]
    newer = [*BEGUN, ("user", "She is young", 7), ("assistant", "Ah.", 8)]
    await memory.portability.load(me, branch_of(*newer), Source.CHATGPT)
    for more in ([], [("user", "Bye", 9), ("assistant", "Bye.", 10)]):
        shown = [*older, *more]
        for _ in range(2):
            await memory.portability.load(me, branch_of(*shown), Source.CHATGPT)
            assert await list_said(memory, me) == {
                tuple(text for _, text, _ in newer),
                tuple(text for _, text, _ in shown[2:]),
            }
    sessions, _ = await memory.sessions.page(me)
    ended = {each.completed_at.timestamp() for each in sessions if each.completed_at}
    assert 1_700_000_008 in ended, "as it was"


@pytest.mark.req("A07", "E19")
async def test_what_was_answered_anew_does_not_confirm_itself(
    memory: Gieok, me: Scope, script: Script
) -> None:
    observed = fact("User has a cat", basis=Basis.OBSERVED)
    anew = [*BEGUN[:1], ("assistant", "What is her name?", 5), ("user", "Mia", 6)]
    for said in (BEGUN, anew):
        script.says(observed)
        await memory.portability.load(me, branch_of(*said), Source.CHATGPT)
        await memory.settled(me)
        assert await memory.memories.page(me) == ((), 0), "it was said once"
    sessions, _ = await memory.sessions.page(me)
    for each in sessions:
        reading = await memory.memories.reading(me, each.session_id)
        assert reading.unread_count == 0


@pytest.mark.req("E19")
async def test_an_answer_that_came_later_makes_a_pair_with_its_question(
    memory: Gieok, me: Scope
) -> None:
    asked = [*BEGUN, WENT_ON[0]]
    await memory.portability.load(me, branch_of(*asked), Source.CHATGPT)
    file = branch_of(*BEGUN, *WENT_ON)
    taken = await memory.portability.load(me, file, Source.CHATGPT)
    assert (taken.parts["messages"], taken.parts["pairs"]) == (1, 1)
    (session,), _ = await memory.sessions.page(me)
    assert (session.message_count, session.pair_count) == (4, 2)


@pytest.mark.req("E19")
async def test_what_an_earlier_version_brought_uncounted_is_counted_and_read(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    more = continued("I moved to Busan", "Congratulations.")
    await memory.portability.load(me, more, Source.CLAUDE)
    await owner.execute(
        "UPDATE sessions SET message_count = 2, pair_count = 1 WHERE user_id = %s",
        [me.user_id],
    )
    more.seek(0)
    await memory.portability.load(me, more, Source.CLAUDE)
    (session,), _ = await memory.sessions.page(me)
    assert (session.message_count, session.pair_count) == (4, 2)


@pytest.mark.req("E19", "A20")
async def test_an_archive_brings_nothing_back_that_is_gone(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock
) -> None:
    await memory.portability.load(me, continued(), Source.CLAUDE)
    facts = io.BytesIO(json.dumps(MEM0).encode())
    await memory.portability.load(me, facts, Source.MEM0)
    (session,), _ = await memory.sessions.page(me)
    (known,), _ = await memory.memories.page(me)
    await memory.erasure.session(me, session.session_id)
    await memory.memories.forget(me, known.memory_id)
    more = continued("I moved to Busan", "Congratulations.")
    assert (await memory.portability.load(me, more, Source.CLAUDE)).rows == 0
    facts.seek(0)
    assert (await memory.portability.load(me, facts, Source.MEM0)).rows == 0
    assert (await memory.sessions.page(me))[1] == 0
    await memory.portability.load(other, continued(), Source.CLAUDE)
    await memory.settled(other)
    clock.advance(timedelta(days=31))
    assert await memory.retention.expire(other)
    again = await memory.portability.load(other, continued(), Source.CLAUDE)
    assert again.rows == 0


@pytest.mark.req("A20", "E19")
async def test_an_archive_is_kept_for_as_long_as_the_installation_keeps_words(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    week = replace(memory.portability, pair_retention=timedelta(days=7))
    await week.load(me, continued(), Source.CLAUDE)
    clock.advance(timedelta(days=6))
    assert await memory.retention.expire(me) == 0
    clock.advance(timedelta(days=2))
    assert await memory.retention.expire(me) == 2


async def test_memories_of_mem0_come_in_as_what_another_product_found(
    memory: Gieok, me: Scope
) -> None:
    file = io.BytesIO(json.dumps(MEM0).encode())
    for _ in range(2):
        await memory.portability.load(me, file, Source.MEM0)
    (kept,), total = await memory.memories.page(me)
    assert (total, kept.content) == (1, "User is allergic to peanuts")
    assert (kept.extractor, kept.created_at.year) == ("mem0", 2024)
    assert kept.trust is Trust.IMPORT
    await memory.settled(me)
    assert await memory.recall.search(me, "peanuts")


@pytest.mark.req("D04", "E19")
async def test_what_is_imported_is_found_with_the_categories_of_the_start(
    memory: Gieok, me: Scope, other: Scope, script: Script
) -> None:
    fresh = with_default_settings(memory)
    file = io.BytesIO(json.dumps(MEM0).encode())
    await fresh.portability.load(me, file, Source.MEM0)
    (hit,) = await fresh.recall.search(me, "peanuts")
    assert "peanuts" in (await fresh.context.build(me, "peanuts")).text
    await fresh.memories.correct(me, hit.id, "User is allergic to walnuts")
    assert await fresh.recall.search(me, "walnuts")
    script.says(fact("사용자는 늦게 잠"))
    await memory.memories.extract(other, await active(memory, other))
    export = await export_bytes(memory, other)
    copy = memory.person(f"copy-{uuid4()}")
    await fresh.portability.load(copy, io.BytesIO(export))
    assert HitKind.MEMORY in {
        hit.kind for hit in await fresh.recall.search(copy, "늦게")
    }


@pytest.mark.req("D04", "E19")
async def test_what_is_imported_stays_so_when_it_is_said_again(
    memory: Gieok, me: Scope, script: Script
) -> None:
    fresh = with_default_settings(memory)
    await fresh.portability.load(me, io.BytesIO(json.dumps(MEM0).encode()), Source.MEM0)
    again = fact("User is allergic to peanuts", Category.PREFERENCE)
    script.says(again)
    session_id = await active(memory, me)
    await fresh.memories.extract(me, session_id)
    (kept,), _ = await memory.memories.page(me)
    assert (kept.usage_count, kept.trust) == (1, Trust.IMPORT)
    assert await fresh.recall.search(me, "peanuts")
    await memory.erasure.session(me, session_id)
    assert (await memory.memories.page(me))[1] == 1, "the file brought it"


@pytest.mark.parametrize("source", [Source.MEM0, Source.CHATGPT, Source.CLAUDE])
@pytest.mark.parametrize(
    "archive",
    [
        b"", b"7", b"{}", b'[{"id": 7}]', b"[7]", b"[" * 100_000, b"\xff",
        b"PK\x03\x04x",
        b'[{"id":"x","uuid":"x","mapping":7,"chat_messages":7}]',
        b'[{"id":"x","mapping":{"a":7},"uuid":"x","chat_messages":[7]}]',
    ],
)  # fmt: skip
async def test_what_is_no_archive_is_refused(
    memory: Gieok, me: Scope, source: Source, archive: bytes
) -> None:
    with pytest.raises(InvalidInputError, match="file"):
        await memory.portability.load(me, io.BytesIO(archive), source)


@pytest.mark.req("E19")
@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("messages", "metadata", 5),
        ("messages", "metadata", {"a": "\ud800"}),
        ("messages", "metadata", json.loads("[" * 150 + "]" * 150)),
        ("messages", "content", "\udfff"),
        ("memories", "created_at", "0001-01-01T00:00:00+14:00"),
        ("memories", "usage_count", 2**31 - 1),
        ("sessions", "message_count", 2**31 - 1),
        ("sessions", "session_summary", {"gist": 1}),
        ("pairs", "sensitive_flags", {"phone": "many"}),
        ("episodes", "topics", "one"),
        ("weeks", "week_key", "2026-W99"),
        ("items", "content", {"value": {}, "texts": [], "speaker": None, "role": "x"}),
        ("candidates", "held_reason", "x"),
        ("history", "memory_id", "6f1c2a58-6c3b-4f43-9d8e-0b6a1d2c3e4f"),
    ],
)
async def test_a_refusal_names_the_line_in_both_languages(
    memory: Gieok, other: Scope, whole: bytes, part: str, field: str, value: Any
) -> None:
    lines = parse_export(whole)
    number = next(n for n, each in enumerate(lines, 1) if each.get("part") == part)
    lines[number - 1]["row"][field] = value
    spelled = [json.dumps(each).encode() + b"\n" for each in lines]
    file = io.BytesIO(b"".join(spelled))
    with pytest.raises(InvalidFileError) as refused:
        await memory.portability.load(other, file)
    assert (refused.value.member, refused.value.line) == (part, number)
    assert f"{part}, line {number}: " in refused.value.message("en")
    korean = refused.value.message("ko")
    assert f"{part}, {number}번째 줄: " in korean
    assert refused.value.problem not in korean, "no English is left"
    assert (await memory.memories.page(other))[1] == 0


async def test_what_a_file_says_of_trust_is_not_believed(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.memories.remember(me, "고양이를 키운다")
    lines = parse_export(await export_bytes(memory, me))
    first(lines, "memories").update(trust="confirmed")
    await memory.portability.load(other, io.BytesIO(resealed(lines)))
    ((kept,), _) = await memory.memories.page(other)
    assert kept.trust is Trust.IMPORT
    assert not kept.trust.is_high


def zipped(method: int, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        packed.writestr("export/conversations.json", content)
    return file.getvalue()


@pytest.mark.parametrize(
    "method",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
async def test_a_damaged_zip_is_refused_by_its_member(
    memory: Gieok, me: Scope, method: int
) -> None:
    content = json.dumps([{"uuid": "1", "chat_messages": [], "x": list(range(999))}])
    whole = zipped(method, content.encode())
    end = whole.index(b"PK\x01\x02")
    damaged = [
        whole[:60] + b"\xff" * 40 + whole[100:],
        whole[:100] + bytes(end - 100) + whole[end:],
        whole[:18] + b"\xff\xff\xff\x0f" + whole[22:],
        whole[: end + 20] + b"\x05\x00\x00\x00" + whole[end + 24 :],
    ]
    for file in damaged:
        with suppress(InvalidFileError):
            await memory.portability.load(me, io.BytesIO(file), Source.CLAUDE)
    with pytest.raises(InvalidFileError) as refused:
        await memory.portability.load(me, io.BytesIO(damaged[0]), Source.CLAUDE)
    assert refused.value.member == "conversations.json"
    assert "손상" in refused.value.message("ko")


async def test_archives_of_other_products_are_refused_by_their_entry(
    memory: Gieok, me: Scope
) -> None:
    good = MEM0["results"][0]
    for bad in (good, good | {"id": "\ud800"}, good | {"id": 7}, 7):
        file = io.BytesIO(json.dumps([good, bad]).encode())
        with pytest.raises(InvalidFileError) as refused:
            await memory.portability.load(me, file, Source.MEM0)
        assert refused.value.entry == 2
        assert "entry 2: " in str(refused.value)
        assert "2번째 항목: " in refused.value.message("ko")
    with pytest.raises(InvalidFileError, match="line 2"):
        await memory.portability.load(me, io.BytesIO(b"[\n!]"), Source.MEM0)
    assert (await memory.memories.page(me))[1] == 0
    early = good | {"created_at": "0001-01-01T00:00:00+14:00", "updated_at": 1e300}
    file = io.BytesIO(json.dumps([early]).encode())
    await memory.portability.load(me, file, Source.MEM0)
    assert (await memory.memories.page(me))[1] == 1


@pytest.mark.req("E19")
async def test_what_is_pinned_is_pinned_where_it_comes_in(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    kept = await memory.memories.remember(me, "고양이를 키운다")
    await memory.memories.pin(me, kept.memory_id)
    file = await export_bytes(memory, me)
    memory.recall.drop(me)
    await emptied(owner, me)
    await memory.portability.load(me, io.BytesIO(file))
    assert (await memory.memories.get(me, kept.memory_id)).is_pinned


@pytest.mark.req("E19")
async def test_conversations_that_nobody_had_read_are_read_where_they_come_in(
    memory: Gieok, me: Scope, other: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact("사용자는 강남구에 산다"))
    read = await active(memory, me)
    await memory.sessions.close(me, read)
    await memory.settled(me)
    unread, without_episode = await active(memory, me), await active(memory, me)
    await memory.memories.extract(me, without_episode)
    for session_id in (unread, without_episode):
        await memory.sessions.close(me, session_id)
    await active(memory, me)
    await memory.portability.load(other, io.BytesIO(await export_bytes(memory, me)))
    found = await owner.execute(
        """
        SELECT args ->> 'about' FROM procrastinate_jobs
        WHERE task_name = 'session_closed' AND args ->> 'user_id' = %s
        """,
        [str(other.user_id)],
    )
    queued = sorted(about for (about,) in await found.fetchall())
    assert queued == sorted(map(str, (unread, without_episode)))
