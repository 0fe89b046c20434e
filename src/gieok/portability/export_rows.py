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
from gieok.portability.parts import (
    FORMAT,
    MESSAGES,
    PARTS,
    PROFILE,
    VERSION,
    ExportPart,
)
from gieok.privacy import PersonKey
from gieok.privacy.readable_rows import UNREADABLE, list_unopened
from gieok.privacy.sealed_columns import SEALED_COLUMNS
from gieok.text.cleaning import parse_json

BATCH: Final = 200
WORDS: Final = MESSAGES.get_sealed_column("content")
"""Where the words of a message stand."""


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one person; what cannot be read is left out and counted.

    So is what belongs to a row that was left out: an import would refuse it.
    """

    tx: Transaction
    key: PersonKey
    unreadable: Counter[str] = field(default_factory=Counter[str])
    """Rows that cannot be read, by part."""
    _lost: set[tuple[ExportPart, object]] = field(
        default_factory=set[tuple[ExportPart, object]]
    )

    async def read_rows(self, part: ExportPart) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the rows of a part as an export has them, in order."""
        async for row in _fetch_rows(self.tx, part):
            try:
                told = _open_row(self.key, part, row)
                check_row(part, told)
            except UNREADABLE:
                self.unreadable[part.name] += 1
                self._lost.add((part, to_json_value(row[0])))
                continue
            if self._has_lost_parent(part, told):
                self._lost.add((part, to_json_value(row[0])))
            else:
                yield told

    def _has_lost_parent(self, part: ExportPart, row: Mapping[str, Any]) -> bool:
        return any(
            (needed, row[column]) in self._lost for column, needed in part.needs.items()
        )


async def count_unreadable(tx: Transaction, key: PersonKey) -> Mapping[str, int]:
    """Return how many rows of each of the person's tables cannot be read."""
    reading = RowReader(tx, key)
    for part in PARTS:
        async for _ in reading.read_rows(part):
            pass
    tables = {part.name: part.table for part in PARTS}
    found = {tables[name]: count for name, count in reading.unreadable.items()}
    known = {(part.table, column) for part in PARTS for column in part.sealed}
    for column in SEALED_COLUMNS:
        if (column.table, column.column) not in known:
            closed = len(await list_unopened(tx, key, column))
            found[column.table] = max(closed, found.get(column.table, 0))
    return {table: count for table, count in found.items() if count}


async def export_lines(
    tx: Transaction, key: PersonKey, tutor_card: Mapping[str, Any]
) -> AsyncIterator[bytes]:
    """Yield the lines of an export as of now, whatever is written meanwhile.

    A card of the tutor's table stands with the profile, and was read before.
    """
    await tx.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    yield encode_line({"format": FORMAT, "version": VERSION})
    devices = await naming.list_names(tx, key, DEVICE)
    names = {str(device_id): name for device_id, name in devices.items()}
    parts: dict[str, Mapping[str, object]] = {}
    reading = RowReader(tx, key)
    for part in PARTS:
        count, digest = 0, hashlib.sha256()
        rows = _add_quotes(tx, key, part, reading.read_rows(part))
        if part is PROFILE and tutor_card:
            rows = _append_row(rows, {"document": {"tutor_card": tutor_card}})
        async for row in rows:
            if part.names_device:
                row["device"] = names.get(row["device_id"])
            spelled = encode_line({"part": part.name, "row": row})
            count += 1
            digest.update(spelled)
            yield spelled
        parts[part.name] = {"count": count, "sha256": digest.hexdigest()}
    made: dict[str, object] = {"exported_at": to_json_value(tx.now), "parts": parts}
    if reading.unreadable:
        made["unreadable"] = dict(reading.unreadable)
    yield encode_line({"manifest": {"format": FORMAT, "version": VERSION, **made}})


async def _append_row(
    rows: AsyncIterator[dict[str, Any]], last: dict[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    async for row in rows:
        yield row
    yield last


def encode_line(value: Mapping[str, object]) -> bytes:
    """Return one line of an export."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def to_json_value(value: Any) -> Any:
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
        return [to_json_value(each) for each in cast("list[Any]", value)]
    return value


async def _fetch_rows(tx: Transaction, part: ExportPart) -> AsyncIterator[TupleRow]:
    """Yield what `_open_row` takes of every row of a part."""
    names: list[LiteralString] = [part.row]
    reads: dict[LiteralString, LiteralString] = {name: name for name in part.plain}
    names += (reads | dict(part.reads)).values()
    for at in map(part.get_sealed_column, part.sealed):
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


async def _add_quotes(
    tx: Transaction,
    key: PersonKey,
    part: ExportPart,
    rows: AsyncIterator[Mapping[str, Any]],
) -> AsyncIterator[dict[str, Any]]:
    """Yield rows with the texts of the messages that they name, some at a time."""
    batch: list[dict[str, Any]] = []
    async for row in rows:
        batch.append(dict(row))
        if len(batch) == BATCH:
            for each in await _quote_messages(tx, key, part, batch):
                yield each
            batch = []
    for each in await _quote_messages(tx, key, part, batch):
        yield each


async def _quote_messages(
    tx: Transaction, key: PersonKey, part: ExportPart, rows: list[dict[str, Any]]
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
            texts[str(message[0])] = WORDS.open_text(key, message)
    return [
        row | {name: texts.get(row[of]) for name, of in part.quotes.items()}
        for row in rows
    ]


def _open_row(key: PersonKey, part: ExportPart, row: TupleRow) -> dict[str, Any]:
    values = row[1 : 1 + len(part.plain)]
    shown: dict[str, Any] = dict(
        zip(part.plain, map(to_json_value, values), strict=True)
    )
    sealed = row[1 + len(part.plain) :]
    for column in part.sealed:
        at = part.get_sealed_column(column)
        value, sealed = sealed[: at.width], sealed[at.width :]
        if not value[2]:
            shown[column] = value[2] and ""
        elif column in part.binaries:
            shown[column] = base64.b64encode(at.open(key, value)).decode()
        else:
            text = at.open_text(key, value)
            is_document = text and column in part.documents
            shown[column] = parse_json(text) if is_document else text
    return shown
