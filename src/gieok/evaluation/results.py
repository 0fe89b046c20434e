"""The last figures of each evaluation, kept beside the data for operators to see."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

FOLDER: Final = "evaluations"
"""Below GIEOK_DATA."""
LARGEST: Final = 1_000_000
"""Bytes of a file that is read: one that we wrote has a few thousand."""


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """What an evaluation counted: of each round (hits, cases) by what was measured."""

    name: str
    at: datetime
    version: str
    """Of gieok."""
    rounds: Mapping[str, Mapping[str, tuple[int, int]]]


def write_result(data: Path, result: EvaluationResult) -> Path:
    """Keep a result in place of the last one of its name; return the file.

    Raises:
        OSError: it cannot be written; the last one is still there.
    """
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{result.name}.json"
    part = target.with_suffix(".part")
    values = asdict(result) | {"at": result.at.isoformat()}
    part.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")
    part.replace(target)
    return target


def read_results(data: Path) -> tuple[EvaluationResult, ...]:
    """Return the last result of each evaluation, newest first.

    A file that is none is left out.
    """
    found = [_read_result(path) for path in sorted((data / FOLDER).glob("*.json"))]
    kept = [each for each in found if each is not None]
    return tuple(sorted(kept, key=lambda each: each.at, reverse=True))


def _read_result(path: Path) -> EvaluationResult | None:
    try:
        if path.stat().st_size > LARGEST:
            return None
        read = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        rounds = {
            str(name): {
                str(measured): (int(hits), int(cases))
                for measured, (hits, cases) in counts.items()
            }
            for name, counts in read["rounds"].items()
        }
        at = datetime.fromisoformat(read["at"]).astimezone()
        return EvaluationResult(path.stem, at, str(read["version"]), rounds)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
