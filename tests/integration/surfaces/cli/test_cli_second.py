"""`eval second` and `eval days` count what is in use, and what should not be gone."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gieok import Parts
from gieok.evaluation.results import read_results
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)
from gieok.surfaces.cli.app import execute
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

KNOWN = [
    {"id": "k1", "content": "User lives in York", "category": "location"},
    {"id": "k2", "content": "User likes jazz", "category": "preference"},
]


def add(content: str) -> Finding:
    return Finding(
        FindingOperation.ADD,
        content,
        Category.CONTEXT,
        0.9,
        Basis.STATED,
        evidence=(0,),
    )


def relate(
    operation: FindingOperation, conversation: Conversation, word: str
) -> Finding:
    item = next(item for item in conversation.known if word in item.content)
    basis = Basis.REQUESTED if operation is FindingOperation.DELETE else Basis.STATED
    said = conversation.messages[0].content
    return Finding(operation, said, item.category, 0.9, basis, (0,), target=item.id)


def reads(conversation: Conversation) -> Iterable[Finding]:
    """Understand everything but one: it takes the piano for a change of the music."""
    said = conversation.messages[0].content
    if "Leeds" in said:
        yield relate(FindingOperation.UPDATE, conversation, "York")
    elif "piano" in said:
        yield relate(FindingOperation.UPDATE, conversation, "jazz")
    elif "forget" in said:
        yield relate(FindingOperation.DELETE, conversation, "York")
    elif "dog" in said:
        yield add(said)


def written(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return str(path)


def session(kind: str, said: str, **fact: Any) -> dict[str, Any]:
    return {"kind": kind, "messages": [["u", said]], "facts": [fact] if fact else []}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    parts = Parts(
        model=ScriptedModel(reads), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    assert execute([*arguments, "--json"], parts=parts) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where figures are kept for the console."""
    monkeypatch.setenv("GIEOK_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_what_is_in_use_counts_and_what_is_lost_is_told(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = {"op": "update", "target": "k1", "must": [["leeds"]]}
    source = written(
        tmp_path / "people.jsonl",
        {
            "id": "p1",
            "lang": "en",
            "known": KNOWN,
            "sessions": [
                session("new", "I have a dog", op="add", must=[["dog"]]),
                session("new", "I play the piano", op="add", must=[["piano"]]),
                session("change", "I moved to Leeds", **moved),
                session("forget", "forget where I live", op="forget", target="k1"),
                session("nothing", "what a day"),
            ],
        },
    )
    counts = run(capsys, "eval", "second", "--in", source, "--known", "2")
    (told,) = counts.values()
    assert told["new_plain"] == [2, 2], "the piano is in use"
    assert told["changes"] == [1, 1]
    assert told["wishes"] == [1, 1]
    assert told["nothing"] == [1, 1]
    assert told["unrelated"] == [7, 8], "but the jazz is gone"
    (kept,) = read_results(data)
    assert kept.name == "second"
    assert kept.rounds["people · 2"]["unrelated"] == (7, 8)


def test_figures_that_cannot_be_kept_are_printed_all_the_same(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text("no folder")
    asked = session("new", "I have a dog", op="add", must=[["dog"]])
    person = {"id": "p1", "lang": "en", "known": KNOWN, "sessions": [asked]}
    source = written(tmp_path / "people.jsonl", person)
    parts = Parts(
        model=ScriptedModel(reads), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    command = ["eval", "second", "--in", source, "--known", "2", "--json"]
    assert execute(command, parts=parts) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["people · 2"]["new_plain"] == [1, 1]
    assert "Not a directory" in printed.err


def test_after_six_days_blocks_are_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = [
        {"at": f"2026-03-0{day}T19:00:00+09:00", "messages": [["u", said]]}
        for day, said in enumerate(["I have a dog", "hello"], start=2)
    ]
    source = written(
        tmp_path / "days.jsonl",
        {
            "id": "p1",
            "lang": "en",
            "days": days,
            "statements": [
                {"must": [["dog"]], "until": None},
                {"must": [["cat"]], "until": None},
                {"must": [["fish"]], "until": 1},
            ],
            "questions": [{"q": "what does my dog eat?", "must": [["dog"]]}],
            "gone": ["zebra"],
            "at": "2026-03-09T19:00:00+09:00",
        },
    )
    (told,) = run(capsys, "eval", "days", "--in", source).values()
    assert told["remembered"] == [1, 2], "what ceased to be true does not count"
    assert told["answered"] == told["recalled"] == [1, 1]
    assert told["forgotten"] == [1, 1]
    assert "answered_later" not in told


def test_after_months_the_same_is_asked_again_when_the_words_have_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = [
        {
            "at": "2026-03-02T19:00:00+09:00",
            "messages": [["u", "I have a dog"]],
        },
        {"at": "2026-03-03T19:00:00+09:00", "messages": [["u", "nice zebra"]]},
    ]
    source = written(
        tmp_path / "days.jsonl",
        {
            "id": "p1",
            "lang": "en",
            "days": days,
            "statements": [],
            "questions": [
                {"q": "what does my dog eat?", "must": [["dog"]]},
                {"q": "zebra", "must": [["zebra"]]},
            ],
            "at": "2026-03-09T19:00:00+09:00",
        },
    )
    (told,) = run(capsys, "eval", "days", "--in", source, "--later", "60").values()
    assert told["recalled"] == [2, 2]
    assert told["recalled_later"] == [2, 2], "the words have gone, their sum stays"
    assert told["answered_later"] == [2, 2]


def test_a_year_is_lived_through_and_asked_about_on_its_days(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {
        "2026-01-05": "I have a dog",
        "2026-01-20": "I have a dog and a zebra, for today",
        "2026-08-01": "hello",
    }
    source = written(
        tmp_path / "months.jsonl",
        {
            "id": "p1",
            "lang": "en",
            "sessions": [
                {"at": f"{day}T19:00:00+09:00", "messages": [["u", text]]}
                for day, text in said.items()
            ],
            "facts": [
                {"text": "a dog", "must": [["dog"]], "since": 0, "until": None},
                {"text": "a cat", "must": [["cat"]], "since": 0, "until": None},
                {"text": "a fish", "must": [["fish"]], "since": 0, "until": 1},
            ],
            "passing": [{"session": 1, "text": "a zebra", "must": [["zebra"]]}],
            "forgotten": [{"session": 2, "text": "an owl", "must": [["owl"]]}],
            "questions": [
                {"day": 7, "q": "dog food?", "must": [["dog"]], "not": ["zebra"]},
                {"day": 30, "q": "dog food?", "must": [["dog"]], "not": ["zebra"]},
                {"day": 330, "q": "dog food?", "must": [["cat"]]},
            ],
        },
    )
    (told,) = run(capsys, "eval", "months", "--in", source).values()
    assert told["remembered_months"] == [1, 2], "what ceased to be true does not count"
    assert told["answered_day_7"] == told["answered_day_30"] == [1, 1]
    assert told["answered_day_330"] == [0, 1]
    assert told["answered_months"] == told["recalled"] == [2, 3]
    assert told["current"] == [1, 2], "the zebra is shown on day 30, not on day 7"
    assert told["passing"] == [0, 1]
    assert told["sensible"] == [2, 2]
    assert told["forgotten"] == [1, 1]
    assert told["claims"] == [2, 2]


def test_the_table_is_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(
        tmp_path / "people.jsonl",
        {
            "id": "p1",
            "lang": "en",
            "known": KNOWN,
            "sessions": [session("new", "I am tall", op="add", must=[["tall"]])],
        },
    )
    parts = Parts(
        model=ScriptedModel(reads), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    asked = ["eval", "second", "--in", source, "--known", "0", "--wrong"]
    assert execute(asked, parts=parts) == 0
    out = capsys.readouterr().out
    assert "0/1" in out
    assert "p1/0" in out
    assert execute([*asked, "--json"], parts=parts) == 0
    (shown,) = json.loads(capsys.readouterr().out).values()
    assert [0, 1] in shown.values()
    assert shown["wrong"][0][0] == "p1/0"


def test_a_line_that_is_no_person_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text('{"id": "p1"}', "utf-8")
    assert execute(["eval", "second", "--in", str(path)]) == 2
