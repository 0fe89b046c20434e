"""The last figures of evaluations are kept whole or not at all."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gieok.evaluation.results import (
    FOLDER,
    LARGEST,
    EvaluationResult,
    read_results,
    write_result,
)

NOW = datetime(2026, 11, 24, 5, tzinfo=UTC)


def build_result(name: str, at: datetime = NOW, hits: int = 3) -> EvaluationResult:
    return EvaluationResult(name, at, "0.1.0", {"ko · 8": {"changes": (hits, 4)}})


def test_the_last_result_of_each_is_read_newest_first(tmp_path: Path) -> None:
    write_result(tmp_path, build_result("second", hits=1))
    write_result(tmp_path, build_result("second"))
    later = build_result("days", NOW + timedelta(hours=1))
    write_result(tmp_path, later)
    assert read_results(tmp_path) == (later, build_result("second"))


def test_nothing_was_measured_yet(tmp_path: Path) -> None:
    assert read_results(tmp_path) == ()
    assert read_results(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "[]",
        "{}",
        '{"at": "2026-11-24", "version": "1", "rounds": {"a": {"b": [1]}}}',
        '{"at": 5, "version": "1", "rounds": {}}',
        '{"at": "2026-11-24", "version": "1", "rounds": {"a": 5}}',
        "\udcff",
        " " * (LARGEST + 1),
    ],
)
def test_a_file_that_is_none_is_left_out(tmp_path: Path, odd: str) -> None:
    write_result(tmp_path, build_result("second"))
    file = tmp_path / FOLDER / "days.json"
    file.write_bytes(odd.encode("utf-8", "surrogateescape"))
    assert read_results(tmp_path) == (build_result("second"),)


def test_what_cannot_be_written_leaves_the_last(tmp_path: Path) -> None:
    write_result(tmp_path, build_result("second"))
    (tmp_path / FOLDER / "second.part").mkdir()
    with pytest.raises(OSError, match="second"):
        write_result(tmp_path, build_result("second", hits=4))
    assert read_results(tmp_path) == (build_result("second"),)
