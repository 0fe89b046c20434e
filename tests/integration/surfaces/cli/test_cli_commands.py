"""Every data command against a real database, with fakes for models."""

import asyncio
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from gieok import Config, Parts, open_memory
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import SCHEMA, build_database_url
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)
from gieok.surfaces.cli.app import execute
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.cli_runs import Cli, Done, type_lines


def lines_of(done: Done) -> list[str]:
    return done.err.strip().splitlines()


def test_what_is_remembered_is_listed_found_and_put_into_a_block(
    cli: Cli, me: str
) -> None:
    kept = cli("remember", me, "나는 강남구에 살아", "--category", "location", "--json")
    assert kept.data["category"] == "location"
    listed = cli("memories", me, "--json").data
    assert listed["total"] == 1
    assert listed["memories"] == [kept.data]
    found = cli("recall", me, "강남구", "--json").data["hits"]
    assert [hit["id"] for hit in found] == [kept.data["memory_id"]]
    block = cli("context", me, "강남구 어디 살아?", "--json").data
    assert "강남구" in block["text"]
    assert block["lines"][0]["memory_id"] == kept.data["memory_id"]


def test_people_read_tables_and_sentences(cli: Cli, me: str) -> None:
    assert "Remembered" in cli("remember", me, "I live in Busan").out
    table = cli("memories", me).out
    assert "I live in Busan" in table
    assert "1 of 1" in table
    assert "I live in Busan" in cli("recall", me, "Busan").out
    assert "I live in Busan" in cli("context", me, "Busan").out
    assert "no person" in cli("memories", f"{me}-nobody").err


def test_what_was_said_cannot_steer_the_terminal(cli: Cli, me: str) -> None:
    cli("remember", me, "[bold]loud[/bold]")
    shown = cli("memories", me).out
    assert "[bold]loud[/bold]" in shown


def test_a_mark_is_enough_to_forget(cli: Cli, me: str) -> None:
    mark = cli("remember", me, "I keep bees", "--json").data["mark"]
    assert cli("forget", me, mark, "--json").data == {"forgotten": 1}
    assert cli("memories", me, "--all", "--json").data["total"] == 0
    again = cli("forget", me, mark)
    assert again.code == 1
    assert lines_of(again) == ["There is no memory with this id."]


def test_another_persons_memory_is_not_there(cli: Cli, me: str) -> None:
    memory = cli("remember", me, "I keep bees", "--json").data["memory_id"]
    assert cli("forget", f"{me}-other", memory).code == 1
    assert cli("memories", me, "--json").data["total"] == 1


def test_forgetting_everything_asks_first(cli: Cli, me: str) -> None:
    cli("remember", me, "one")
    cli("remember", me, "another thing entirely")
    assert cli("forget", me).code == 2
    assert cli("forget", me, "--all", "--yes", "--json").data == {"forgotten": 2}


def wish(conversation: Conversation) -> list[Finding]:
    return [
        Finding(
            FindingOperation.ADD,
            conversation.messages[0].content,
            Category.HABIT,
            0.7,
            Basis.OBSERVED,
            (0,),
        )
    ]


def test_a_candidate_is_confirmed_or_rejected(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for said in ("I run every morning", "I tidy up every evening"):
        type_lines(monkeypatch, said, "/quit")
        talked = cli("chat", me, answers=wish)
        assert talked.code == 0, talked.err
        assert "candidate" in talked.err
    waiting = cli("memories", me, "--candidates", "--json").data["candidates"]
    first, second = (one["mark"] for one in waiting)
    assert "tidy up" in cli("memories", me, "--candidates").out
    kept = cli("memories", "confirm", me, first, "--json").data["memory"]
    assert kept["content"] == waiting[0]["claim"]
    assert "Rejected" in cli("memories", "reject", me, second).out
    assert not cli("memories", me, "--candidates", "--json").data["candidates"]
    assert cli("memories", "confirm", me, first).code == 2


def test_a_talk_shows_the_block_and_obeys_its_commands(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = cli("remember", me, "I live in Busan", "--json").data["mark"]
    type_lines(
        monkeypatch,
        "where in Busan?",
        "",
        "/what",
        "/memories",
        "/forget nothing-like-it",
        f"/forget {mark}",
        "/memories",
    )
    talked = cli("chat", me)
    assert talked.code == 0
    assert "<memory-" in talked.out
    assert "No model is configured" in talked.err
    assert "There is no memory" in talked.err
    assert "Nothing is remembered" in talked.out
    messages = cli("recall", me, "Busan", "--kind", "message", "--json").data["hits"]
    assert [hit["content"] for hit in messages] == ["where in Busan?"]


def test_a_talk_goes_on_after_a_long_silence(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FixedClock(datetime.now(UTC))

    def rest(_: Conversation) -> tuple[Finding, ...]:
        clock.advance(timedelta(minutes=31))
        return ()

    type_lines(monkeypatch, "before lunch", "after lunch", "/quit")
    talked = cli("chat", me, answers=rest, clock=clock)
    assert talked.code == 0, talked.err
    assert "another one has begun" in talked.err
    listed = cli("sessions", me, "--json", clock=clock).data["sessions"]
    said = [
        [message["content"] for message in shown["messages"]]
        for shown in (
            cli("sessions", "show", me, each["mark"], "--json", clock=clock).data
            for each in listed
        )
    ]
    assert sorted(said) == [["after lunch"], ["before lunch"]]


@pytest.mark.req("B11")
def test_sessions_are_listed_shown_ended_and_erased(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("person", "set", me)
    assert "no conversations" in cli("sessions", me).out
    for _ in range(2):
        type_lines(monkeypatch, "where in [bold]Busan[/bold]?")
        assert cli("chat", me).code == 0
    listed = cli("sessions", me, "--json").data
    assert listed["total"] == 2
    newest, oldest = listed["sessions"]
    assert newest["status"] == "completed"
    assert cli("sessions", me, "--status", "active", "--json").data["total"] == 0
    assert "2 of 2" in cli("sessions", "list", me).out
    shown = cli("sessions", "show", me, newest["mark"])
    assert "user: where in [bold]Busan[/bold]?" in shown.out
    said = cli("sessions", "show", me, newest["session_id"], "--json").data["messages"]
    assert [message["role"] for message in said] == ["user"]
    ended = cli("sessions", "close", me, newest["mark"])
    assert (ended.code, "completed" in ended.err) == (2, True)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert cli("sessions", "delete", me, newest["mark"]).code == 1
    erased = cli("sessions", "delete", me, newest["mark"], "--yes", "--json").data
    assert (erased["sessions"], erased["messages"]) == (1, 1)
    assert cli("sessions", "show", me, newest["session_id"]).code == 1
    left = cli("sessions", me, "--json").data["sessions"]
    assert [session["mark"] for session in left] == [oldest["mark"]]


def test_language_and_time_zone_are_shown_and_set(cli: Cli, me: str) -> None:
    cli("person", "set", me)
    before = cli("person", me, "--json").data
    assert before["language"] == "en", "the installation's"
    assert before["time_zone"] == "Asia/Seoul"
    zone = "America/New_York"
    done = cli("person", "set", me, "--language", "ko", "--time-zone", zone, "--json")
    assert done.data == {**before, "language": "ko", "time_zone": zone}
    assert zone in cli("person", "show", me).out
    wrong = cli("person", "set", me, "--time-zone", "Mars/Base")
    assert wrong.code == 2
    assert "time_zone" in wrong.err


def test_settings_are_shown_and_set(cli: Cli, me: str) -> None:
    assert cli("settings", me, "--json").data["retention_days"] is None
    changed = cli(
        "settings",
        "set",
        me,
        "allowed_categories=location",
        "retention_days=90",
        "auto_extraction=false",
        "--json",
    ).data
    assert changed["allowed_categories"] == ["location"]
    assert changed["retention_days"] == 90
    assert changed["auto_extraction"] is False
    assert "90" in cli("settings", "show", me).out
    refused = cli("remember", me, "I love tea", "--category", "preference")
    assert refused.code == 2
    assert "allowed_categories=all" in lines_of(refused)[0]
    everything = cli("settings", "set", me, "allowed_categories=all", "--json").data
    assert len(everything["allowed_categories"]) == len(Category)


@pytest.mark.parametrize(
    "change",
    [
        "max_memories=many",
        "nonsense=1",
        "is_enabled",
        "retention_days=0",
        "retention_days=" + "9" * 5_000,
    ],
)
def test_a_setting_that_cannot_be_is_one_line(cli: Cli, me: str, change: str) -> None:
    done = cli("settings", "set", me, change)
    assert done.code == 2
    assert len(lines_of(done)) == 1
    assert change.partition("=")[0] in done.err


def test_jobs_are_counted_and_a_missing_one_is_not_retried(cli: Cli) -> None:
    state = cli("jobs", "--json").data
    assert state["failed"] == []
    assert "No job was given up" in cli("jobs").out
    missing = cli("jobs", "retry", "999999")
    assert missing.code == 1
    assert lines_of(missing) == ["There is no failed job with this id."]


async def give_up(data: Path) -> None:
    """Leave a job behind that failed for good."""
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with (
        open_memory(Config(data=data), parts=parts, worker=False) as gieok,
        gieok.maintenance.database.connection() as connection,
    ):
        await connection.execute(
            """
            INSERT INTO procrastinate_jobs (queue_name, task_name, status, attempts)
            VALUES ('gieok', 'session_closed', 'failed', 8)
            """
        )


def test_a_dead_letter_is_seen_and_tried_again(cli: Cli, data: Path) -> None:
    asyncio.run(give_up(data))
    (failed,) = cli("jobs", "--json").data["failed"]
    assert failed["task"] == "session_closed"
    assert failed["attempts"] == 8
    assert "session_closed" in cli("jobs").out
    examined = cli("doctor")
    assert examined.code == 1
    assert "gieok jobs retry" in re.sub(r"[\s│]+", " ", examined.out)
    assert cli("jobs", "retry", str(failed["job_id"]), "--json").code == 0
    assert cli("jobs", "--json").data["failed"] == []


def test_all_dead_letters_are_tried_again_at_once(cli: Cli, data: Path) -> None:
    for _ in range(2):
        asyncio.run(give_up(data))
    assert cli("jobs", "retry").code == 2
    assert cli("jobs", "retry", "1", "--all").code == 2
    assert "2 jobs" in cli("jobs", "retry", "--all").out
    assert cli("jobs", "--json").data["failed"] == []
    assert cli("doctor").code == 0


def test_the_doctor_finds_everything_in_place(cli: Cli) -> None:
    report = cli("doctor", "--json").data
    assert report["ok"] is True
    assert [check["name"] for check in report["checks"]] == [
        "data",
        "database",
        "keystore",
        "key",
        "schema",
        "embedder",
        "tokenizer",
        "model",
        "queue",
        "dead_letters",
        "rows",
    ]
    assert "Everything is in place" in cli("doctor").out


def test_the_doctor_counts_rows_that_cannot_be_read(
    cli: Cli, me: str, data: Path
) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    (kept,) = cli("memories", me, "--json").data["memories"]
    spoiling = b"UPDATE user_memories SET content = content || content"
    asyncio.run(as_owner(data, spoiling, kept["memory_id"]))
    examined = cli("doctor", "--json")
    assert examined.code == 1
    checks = json.loads(examined.out)["checks"]
    (wrong,) = [check for check in checks if not check["ok"]]
    assert wrong["name"] == "rows"
    assert wrong["finding"].endswith("user_memories 1")
    assert cli("doctor", "--no-rows").code == 0
    assert cli("memories", me, "--json").data["memories"] == []
    assert cli("recall", me, "강남구").code == 0
    asyncio.run(as_owner(data, b"DELETE FROM user_memories", kept["memory_id"]))


async def as_owner(data: Path, statement: bytes, memory_id: str) -> None:
    """Do something to a memory that no service would."""
    async with run_embedded_postgres(data / "pg") as server:
        address = make_conninfo(
            build_database_url(server, DATABASE), options=f"-c search_path={SCHEMA}"
        )
        async with await AsyncConnection.connect(address, autocommit=True) as owner:
            changed = await owner.execute(
                statement + b" WHERE memory_id = %s", [memory_id]
            )
            assert changed.rowcount == 1


def test_the_doctor_says_what_to_do_about_another_embedder(
    data: Path, cli: Cli, capsys: pytest.CaptureFixture[str]
) -> None:
    cli("jobs")
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(64), tokenizer=WordTokenizer()
    )
    assert execute(["doctor", "--json"], parts=parts) == 1
    report = json.loads(capsys.readouterr().out)
    wrong = [check for check in report["checks"] if not check["ok"]]
    assert [check["name"] for check in wrong] == ["embedder"]
    assert "gieok reembed" in wrong[0]["advice"]
    assert execute(["jobs"], parts=parts) == 2
    assert "gieok reembed" in capsys.readouterr().err
    assert (data / "gieok.key").exists()


def test_vectors_are_made_anew(
    cli: Cli, me: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cli("remember", me, "I keep bees")
    wider = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(64), tokenizer=WordTokenizer()
    )
    assert execute(["reembed", "--json"], parts=wider) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["embedder"] == "hash/64"
    assert made["embedded"] >= 1
    assert cli("reembed").code == 0
    assert cli("recall", me, "bees", "--json").data["hits"]


def test_a_token_is_one_word(cli: Cli, me: str) -> None:
    cli("jobs")
    issued = cli("token", me, "--ttl", "1").out.strip()
    assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", issued)
    assert cli("token", me, "--json").data["user_id"] == me


def test_wrong_use_ends_with_two(cli: Cli, me: str) -> None:
    assert cli("nonsense").code == 2
    assert cli("recall", me).code == 2
    cli("person", "set", me)
    assert cli("recall", me, " ").code == 2
    assert cli("remember", me, "x", "--category", "mood").code == 2
    assert cli("serve", "--host", "192.0.2.1").code == 2


def wishing(word: str) -> Callable[[Conversation], list[Finding]]:
    """Return a model that takes any wish to be about what holds a word."""

    def answer(conversation: Conversation) -> list[Finding]:
        return [
            Finding(
                FindingOperation.DELETE,
                item.content,
                item.category,
                0.9,
                Basis.REQUESTED,
                (0,),
                item.id,
            )
            for item in conversation.known
            if word in item.content
        ]

    return answer


@pytest.mark.req("D12")
def test_a_wish_to_forget_says_what_it_erased(cli: Cli, me: str) -> None:
    cli("remember", me, "works as a nurse")
    cli("remember", me, "lives in Leeds")
    done = cli("forget", me, "--about", "my job", answers=wishing("nurse"))
    assert done.code == 0, done.err
    assert "works as a nurse" in done.out
    left = cli("memories", me, "--json").data["memories"]
    assert [one["content"] for one in left] == ["lives in Leeds"]


def test_forgetting_takes_one_way_of_naming(cli: Cli, me: str) -> None:
    assert cli("forget", me, "abcd1234", "--about", "my job").code == 2
    assert cli("forget", me).code == 2


@pytest.mark.req("D03")
def test_why_shows_what_stands_beside_a_memory(cli: Cli, me: str) -> None:
    cli("remember", me, "lives in Leeds", "--category", "location")
    kept = cli("memories", me, "--json").data["memories"][0]
    shown = cli("memories", "why", me, kept["memory_id"])
    assert shown.code == 0, shown.err
    assert "lives in Leeds" in shown.out
    assert "created" in shown.out
    told = cli("memories", "why", me, kept["memory_id"], "--json").data
    assert told["memory"]["content"] == "lives in Leeds"
    assert [step["action"] for step in told["history"]] == ["created"]
    assert cli("memories", "why", me, "00000000").code == 1


@pytest.mark.req("D06")
def test_a_list_of_memories_shows_what_time_has_left_of_them(cli: Cli, me: str) -> None:
    clock = FixedClock()
    cli("settings", "set", me, "retention_days=1000", clock=clock)
    assert cli("remember", me, "사용자는 꿀벌을 키움", clock=clock).code == 0
    (fresh,) = cli("memories", me, "--json", clock=clock).data["memories"]
    assert fresh["current_confidence"] == fresh["confidence"]
    clock.advance(timedelta(days=700))
    (old,) = cli("memories", me, "--json", clock=clock).data["memories"]
    assert old["confidence"] == fresh["confidence"]
    assert old["current_confidence"] < 0.8 * old["confidence"]
    shown = cli("memories", me, clock=clock).out
    assert f"{old['current_confidence']:.2f}" in shown
    assert f"{old['confidence']:.2f}" not in shown
    assert "expired" not in shown
    clock.advance(timedelta(days=301))
    assert "expired" in cli("memories", me, "--all", clock=clock).out
    assert "expired" in cli("memories", "why", me, old["mark"], clock=clock).out
