"""What a command printed, and lines for its keyboard."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Done:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


Cli = Callable[..., Done]


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Put lines into a pipe that stands for the keyboard."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    monkeypatch.setattr("sys.stdin", Keyboard(reading))


@dataclass(frozen=True, slots=True)
class Keyboard:
    """Standard input that is closed when it is collected."""

    number: int

    def fileno(self) -> int:
        return self.number

    def __del__(self) -> None:
        os.close(self.number)
