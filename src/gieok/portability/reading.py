"""Reads everything about a person as lines, a few hundred rows at a time."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, LiteralString, cast
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.accounts import naming
from gieok.accounts.naming import DEVICE
from gieok.database import Transaction
from gieok.portability.checking import check_row
from gieok.portability.parts import FORMAT, MESSAGES, PARTS, VERSION, Part
from gieok.privacy import PersonKey
from gieok.privacy.places import SEALED
from gieok.privacy.reading import UNREADABLE, unopened

BATCH: Final = 200
WORDS: Final = MESSAGES.at("content")
"""Where the words of a message stand."""


@dataclass(slots=True)
class Reading:
    """Reads the rows of one person; what cannot be read is left out and counted.

    So is what belongs to a row that was left out: an import would refuse it.
    """

    tx: Transaction
    key: PersonKey
    unreadable: Counter[str] = field(default_factory=Counter[str])
    """Rows that cannot be read, by part."""
    _lost: set[tuple[Part, object]] = field(default_factory=set[tuple[Part, object]])

    async def rows(self, part: Part) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the rows of a part as an export has them, in order."""
        async for row in _rows(self.tx, part):
            try:
                told = _row(self.key, part, row)
                check_row(part, told)
            except UNREADABLE:
                self.unreadable[part.name] += 1
                self._lost.add((part, plain(row[0])))
                continue
            if self._is_lost(part, told):
                self._lost.add((part, plain(row[0])))
            else:
                yield told

    def _is_lost(self, part: Part, row: Mapping[str, Any]) -> bool:
        return any(
            (needed, row[column]) in self._lost for column, needed in part.needs.items()
        )


async def unreadable(tx: Transaction, key: PersonKey) -> Mapping[str, int]:
    """Return how many rows of each of the person's tables cannot be read."""
    reading = Reading(tx, key)
    for part in PARTS:
        async for _ in reading.rows(part):
            pass
    tables = {part.name: part.table for part in PARTS}
    found = {tables[name]: count for name, count in reading.unreadable.items()}
    known = {(part.table, column) for part in PARTS for column in part.sealed}
    for column in SEALED:
        if (column.table, column.column) not in known:
            closed = len(await unopened(tx, key, column))
            found[column.table] = max(closed, found.get(column.table, 0))
    return {table: count for table, count in found.items() if count}


async def read(tx: Transaction, key: PersonKey) -> AsyncIterator[bytes]:
    """Yield the lines of an export as of now, whatever is written meanwhile."""
    await tx.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    yield line({"format": FORMAT, "version": VERSION})
    devices = await naming.names(tx, key, DEVICE)
    names = {str(device_id): name for device_id, name in devices.items()}
    parts: dict[str, Mapping[str, object]] = {}
    reading = Reading(tx, key)
    for part in PARTS:
        count, digest = 0, hashlib.sha256()
        async for row in _repeated(tx, key, part, reading.rows(part)):
            if part.names_device:
                row["device"] = names.get(row["device_id"])
            spelled = line({"part": part.name, "row": row})
            count += 1
            digest.update(spelled)
            yield spelled
        parts[part.name] = {"count": count, "sha256": digest.hexdigest()}
    made: dict[str, object] = {"exported_at": plain(tx.now), "parts": parts}
    if reading.unreadable:
        made["unreadable"] = dict(reading.unreadable)
    yield line({"manifest": {"format": FORMAT, "version": VERSION, **made}})


def line(value: Mapping[str, object]) -> bytes:
    """Return one line of an export."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def plain(value: Any) -> Any:
    """Return a value of the database as JSON has it; times are UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [plain(each) for each in cast("list[Any]", value)]
    return value


async def _rows(tx: Transaction, part: Part) -> AsyncIterator[TupleRow]:
    """Yield what `_row` takes of every row of a part."""
    names: list[LiteralString] = [part.row]
    reads: dict[LiteralString, LiteralString] = {name: name for name in part.plain}
    names += (reads | dict(part.reads)).values()
    for at in map(part.at, part.sealed):
        names.append(at.selected)
    columns = ", ".join(names)
    kind: LiteralString = part.plain.get(part.row, "text")
    order: LiteralString = part.row if kind == "uuid" else f"{part.row}::text"
    statement = f"""
        SELECT {columns} FROM {part.table}
        WHERE user_id = %(user_id)s
          AND (%(after)s::{kind} IS NULL OR {order} > %(after)s::{kind})
        ORDER BY {order} LIMIT %(limit)s
    """
    values: dict[str, object] = {"user_id": tx.scope.user_id, "limit": BATCH}
    after: object = None
    while True:
        rows = await tx.fetch_all(statement, {**values, "after": after})
        for row in rows:
            yield row
        if len(rows) < BATCH:
            return
        after = str(rows[-1][0])


async def _repeated(
    tx: Transaction,
    key: PersonKey,
    part: Part,
    rows: AsyncIterator[Mapping[str, Any]],
) -> AsyncIterator[dict[str, Any]]:
    """Yield rows with the texts of the messages that they name, some at a time."""
    batch: list[dict[str, Any]] = []
    async for row in rows:
        batch.append(dict(row))
        if len(batch) == BATCH:
            for each in await _quoted(tx, key, part, batch):
                yield each
            batch = []
    for each in await _quoted(tx, key, part, batch):
        yield each


async def _quoted(
    tx: Transaction, key: PersonKey, part: Part, rows: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return rows with the texts of the messages that they name, where readable."""
    named = [row[column] for row in rows for column in part.quotes.values()]
    if not named:
        return rows
    found = await tx.fetch_all(
        f"""
        SELECT {WORDS.selected} FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s::uuid[])
        """,
        [tx.scope.user_id, named],
    )
    texts: dict[str, str] = {}
    for message in found:
        with suppress(*UNREADABLE):
            texts[str(message[0])] = WORDS.text(key, message)
    return [
        row | {name: texts.get(row[of]) for name, of in part.quotes.items()}
        for row in rows
    ]


def _row(key: PersonKey, part: Part, row: TupleRow) -> dict[str, Any]:
    values = row[1 : 1 + len(part.plain)]
    shown: dict[str, Any] = dict(zip(part.plain, map(plain, values), strict=True))
    sealed = row[1 + len(part.plain) :]
    for column in part.sealed:
        at = part.at(column)
        value, sealed = sealed[: at.width], sealed[at.width :]
        if not value[2]:
            shown[column] = value[2] and ""
        elif column in part.binaries:
            shown[column] = base64.b64encode(at.open(key, value)).decode()
        else:
            text = at.text(key, value)
            is_document = text and column in part.documents
            shown[column] = json.loads(text) if is_document else text
    return shown
