"""`eval pii` measures any labelled set of texts (A19)."""

import json
from pathlib import Path
from typing import Any

import pytest

from gieok.surfaces.cli.app import execute

pytestmark = pytest.mark.req("A19")

MASKED = {"id": "1", "text": "번호는 010-1234-5678", "kind": "phone"}
ROWS = [
    MASKED | {"value": "010-1234-5678"},
    {
        "id": "2",
        "text": ["앞은 공일공이고", "네", "일이삼사 오육칠팔이요"],
        "kind": "phone",
        "value": ["공일공", "일이삼사 오육칠팔"],
    },
    MASKED | {"id": "3", "value": "번호는 010-1234-5678"},
    {"id": "4", "text": "당뇨가 있어요", "kind": "health", "value": "당뇨"},
    {"id": "5", "text": "오늘은 12일", "kind": None, "value": None},
    {"id": "6", "text": "010-1234-5678", "kind": None},
]


def written(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return str(path)


def test_recall_and_false_marks_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path / "set.jsonl", *ROWS)
    assert execute(["eval", "pii", "--in", source, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "set": {
            "recall": {"phone": [2, 3], "health": [1, 1]},
            "near_misses": 2,
            "false_marks": 1,
        }
    }


def test_what_went_wrong_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path / "set.jsonl", *ROWS)
    assert execute(["eval", "pii", "--in", source, "--wrong"]) == 0
    out = capsys.readouterr().out
    assert "500.00  1/2" in out
    assert "3 · phone · 번호는 010-1234-5678" in out
    assert execute(["eval", "pii", "--in", source, "--wrong", "--json"]) == 0
    wrong = json.loads(capsys.readouterr().out)["set"]["wrong"]
    assert ["3", "phone", "번호는 010-1234-5678"] in wrong


@pytest.mark.parametrize("value", [None, "not there"])
def test_a_label_without_its_value_is_refused(
    tmp_path: Path, value: str | None
) -> None:
    source = written(tmp_path / "set.jsonl", MASKED | {"value": value})
    assert execute(["eval", "pii", "--in", source]) == 2
