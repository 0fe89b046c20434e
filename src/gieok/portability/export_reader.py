"""Reads the lines of an export, and checks them one by one and against its manifest."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, NamedTuple, cast

from gieok.portability import checking
from gieok.portability.checking import MAX_LINE_BYTES, locate_errors, reject_file
from gieok.portability.parts import (
    ACCOUNT,
    BY_NAME,
    FORMAT,
    PARTS,
    SETTINGS,
    VERSION,
    ExportPart,
)
from gieok.text.patterns import compile_lazily

ExportRow = dict[str, Any]
MAX_AT_ONCE: Final = 200
BATCH_BYTES: Final = 4 * 2**20
_PIECE_BYTES: Final = 2**20
_OPENING_BYTES: Final = 64
_OPENING = compile_lazily(r'\{"part":"(\w+)","row":')
"""What a line opens with that an export of gieok's has."""


class ExportLine(NamedTuple):
    """A row of an export; `number` counts the lines of the file from 1."""

    number: int
    part: ExportPart
    row: ExportRow
    size: int
    """In bytes."""


@dataclass(slots=True)
class ExportReader:
    """Reads the lines of an export and checks them against the manifest."""

    file: BinaryIO
    _digests: dict[str, Any] = field(default_factory=dict[str, Any])
    _counts: dict[str, int] = field(default_factory=dict[str, int])
    _number: int = 0
    _reached: int = 0

    def __iter__(self) -> Iterator[ExportLine]:
        """Yield each row.

        Raises:
            InvalidFileError: what is wrong with the file, and on which line; the
                manifest is read last.
        """
        with self._locate_line():
            head = _check_line(self.file.readline(MAX_LINE_BYTES + 1))
            checking.check_header(checking.parse_line(head))
        while (line := self._read_row()) is not None:
            yield line

    def _read_row(self) -> ExportLine | None:
        """Return the next row, or None at the manifest, which fits what was read."""
        while True:
            with self._locate_line():
                spelled = self.file.readline(MAX_LINE_BYTES + 1)
                part = _find_uncapped_part(spelled)
                if part is None:
                    return self._parse_row(_check_line(spelled))
                self._skip_line(part, spelled)

    def _parse_row(self, spelled: bytes) -> ExportLine | None:
        entry = checking.parse_line(spelled)
        if "manifest" in entry:
            self._check_manifest(entry["manifest"])
            return None
        part = checking.get_part(entry)
        with locate_errors(member=part.name):
            self._count_row(part, spelled)
            row = checking.parse_row(part, entry)
        return ExportLine(self._number, part, row, len(spelled))

    def _locate_line(self) -> AbstractContextManager[None]:
        self._number += 1
        return locate_errors(line=self._number)

    def _count_row(self, part: ExportPart, spelled: bytes) -> None:
        if PARTS.index(part) < self._reached:
            reject_file("its parts are out of order")
        self._reached = PARTS.index(part)
        self._digests.setdefault(part.name, hashlib.sha256()).update(spelled)
        self._counts[part.name] = self._counts.get(part.name, 0) + 1
        if part in (ACCOUNT, SETTINGS) and self._counts[part.name] > 1:
            reject_file("it has more than one account")

    def _skip_line(self, part: ExportPart, spelled: bytes) -> None:
        """Count the rest of a row that an import leaves out, however long it is."""
        with locate_errors(member=part.name):
            self._count_row(part, spelled)
            while not spelled.endswith(b"\n"):
                spelled = self.file.readline(_PIECE_BYTES)
                if not spelled:
                    reject_file("it was cut off")
                self._digests[part.name].update(spelled)

    def _check_manifest(self, manifest: Any) -> None:
        told = _get_object(manifest)
        # An older export names none of the parts that came later.
        named = {*self._counts, *_get_object(told.get("parts"))}
        counted = {
            part.name: {
                "count": self._counts.get(part.name, 0),
                "sha256": self._digests.get(part.name, hashlib.sha256()).hexdigest(),
            }
            for part in PARTS
            if part.name in named
        }
        if told.get("parts") != counted:
            reject_file("its rows are not those its manifest names")
        if (told.get("format"), told.get("version")) != (FORMAT, VERSION):
            reject_file("its version is not one that can be read")
        if self.file.readline(1):
            reject_file("something follows its manifest")


def _check_line(spelled: bytes) -> bytes:
    if not spelled.endswith(b"\n"):
        reject_file("a line is too long" if spelled else "it was cut off")
    return spelled


def _find_uncapped_part(spelled: bytes) -> ExportPart | None:
    """Return the part of a line that goes on and may, as an import leaves it out."""
    if spelled.endswith(b"\n"):
        return None
    opening = _OPENING.match(spelled[:_OPENING_BYTES].decode(errors="replace"))
    part = BY_NAME.get(opening[1]) if opening else None
    return None if part is None or part.is_imported else part


def group_batches(
    lines: ExportReader, at_once: int
) -> Iterator[tuple[ExportPart, list[ExportLine]]]:
    """Yield rows of one part together, so many that they fit in a statement."""
    held: list[ExportLine] = []
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


def _get_object(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
