"""Reads the lines of an export, and checks them one by one and against its manifest."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, NamedTuple, cast

from gieok.portability import checking
from gieok.portability.checking import MOST_LINE_BYTES, on, refuse
from gieok.portability.parts import ACCOUNT, FORMAT, PARTS, SETTINGS, VERSION, Part

Row = dict[str, Any]
MOST_AT_ONCE: Final = 200
BATCH_BYTES: Final = 4 * 2**20


class Line(NamedTuple):
    """A row of an export; `number` counts the lines of the file from 1."""

    number: int
    part: Part
    row: Row
    size: int
    """In bytes."""


@dataclass(slots=True)
class Lines:
    """Reads the lines of an export and checks them against the manifest."""

    file: BinaryIO
    _digests: dict[str, Any] = field(default_factory=dict[str, Any])
    _counts: dict[str, int] = field(default_factory=dict[str, int])
    _number: int = 0
    _reached: int = 0

    def __iter__(self) -> Iterator[Line]:
        """Yield each row.

        Raises:
            InvalidFileError: what is wrong with the file, and on which line; the
                manifest is read last.
        """
        with self._on_line():
            checking.check_header(checking.parsed(self._next()))
        while (line := self._line()) is not None:
            yield line

    def _line(self) -> Line | None:
        """Return the next row, or None at the manifest, which fits what was read."""
        with self._on_line():
            spelled = self._next()
            entry = checking.parsed(spelled)
            if "manifest" in entry:
                self._check(entry["manifest"])
                return None
            part = checking.part_of(entry)
            with on(member=part.name):
                self._count(part, spelled)
                row = checking.row_of(part, entry)
            return Line(self._number, part, row, len(spelled))

    def _on_line(self) -> AbstractContextManager[None]:
        self._number += 1
        return on(line=self._number)

    def _count(self, part: Part, spelled: bytes) -> None:
        if PARTS.index(part) < self._reached:
            refuse("its parts are out of order")
        self._reached = PARTS.index(part)
        self._digests.setdefault(part.name, hashlib.sha256()).update(spelled)
        self._counts[part.name] = self._counts.get(part.name, 0) + 1
        if part in (ACCOUNT, SETTINGS) and self._counts[part.name] > 1:
            refuse("it has more than one account")

    def _next(self) -> bytes:
        spelled = self.file.readline(MOST_LINE_BYTES + 1)
        if not spelled.endswith(b"\n"):
            refuse("a line is too long" if spelled else "it was cut off")
        return spelled

    def _check(self, manifest: Any) -> None:
        told = _object(manifest)
        # An older export names none of the parts that came later.
        named = {*self._counts, *_object(told.get("parts"))}
        counted = {
            part.name: {
                "count": self._counts.get(part.name, 0),
                "sha256": self._digests.get(part.name, hashlib.sha256()).hexdigest(),
            }
            for part in PARTS
            if part.name in named
        }
        if told.get("parts") != counted:
            refuse("its rows are not those its manifest names")
        if (told.get("format"), told.get("version")) != (FORMAT, VERSION):
            refuse("its version is not one that can be read")
        if self.file.readline(1):
            refuse("something follows its manifest")


def batches(lines: Lines, at_once: int) -> Iterator[tuple[Part, list[Line]]]:
    """Yield rows of one part together, so many that they fit in a statement."""
    held: list[Line] = []
    size = 0
    for line in lines:
        if held and (
            line.part is not held[-1].part or len(held) >= at_once or size > BATCH_BYTES
        ):
            yield held[-1].part, held
            held, size = [], 0
        held.append(line)
        size += line.size
    if held:
        yield held[-1].part, held


def _object(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
