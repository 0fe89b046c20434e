"""Reads everything about a person as lines, a few hundred rows at a time."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, LiteralString, cast
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.accounts import naming
from gieok.accounts.naming import DEVICE
from gieok.database import Transaction
from gieok.portability.parts import FORMAT, PARTS, VERSION, Part
from gieok.privacy import PersonKey
from gieok.sessions.store import CONTENT

BATCH: Final = 200


async def read(tx: Transaction, key: PersonKey) -> AsyncIterator[bytes]:
    """Yield the lines of an export as of now, whatever is written meanwhile."""
    await tx.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    yield line({"format": FORMAT, "version": VERSION})
    devices = await naming.names(tx, key, DEVICE)
    names = {str(device_id): name for device_id, name in devices.items()}
    parts: dict[str, Mapping[str, object]] = {}
    for part in PARTS:
        count, digest = 0, hashlib.sha256()
        async for row in _rows(tx, key, part):
            if part.names_device:
                row["device"] = names.get(row["device_id"])
            spelled = line({"part": part.name, "row": row})
            count += 1
            digest.update(spelled)
            yield spelled
        parts[part.name] = {"count": count, "sha256": digest.hexdigest()}
    made = {"exported_at": plain(tx.now), "parts": parts}
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


async def _rows(
    tx: Transaction, key: PersonKey, part: Part
) -> AsyncIterator[dict[str, Any]]:
    names: list[LiteralString] = [part.row]
    reads: dict[LiteralString, LiteralString] = {name: name for name in part.plain}
    names += (reads | dict(part.reads)).values()
    for at in map(part.at, part.sealed):
        names.extend((at.row, at.revision, at.bytes))
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
        shown = [_row(key, part, row) for row in rows]
        if part.quotes:
            await _quote(tx, key, part, shown)
        for row in shown:
            yield row
        if len(rows) < BATCH:
            return
        after = str(rows[-1][0])


async def _quote(
    tx: Transaction, key: PersonKey, part: Part, rows: Sequence[dict[str, Any]]
) -> None:
    """Add to rows the texts of the messages that they name."""
    named = [row[column] for row in rows for column in part.quotes.values()]
    found = await tx.fetch_all(
        """
        SELECT message_id, content FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s::uuid[])
        """,
        [tx.scope.user_id, named],
    )
    texts = {str(each): key.open_text(CONTENT, each, said) for each, said in found}
    for row in rows:
        row |= {name: texts.get(row[of]) for name, of in part.quotes.items()}


def _row(key: PersonKey, part: Part, row: TupleRow) -> dict[str, Any]:
    values = row[1 : 1 + len(part.plain)]
    shown: dict[str, Any] = dict(zip(part.plain, map(plain, values), strict=True))
    sealed = iter(row[1 + len(part.plain) :])
    for column in part.sealed:
        named, revision, value = next(sealed), next(sealed), next(sealed)
        place = part.at(column).bound_to
        if not value:
            shown[column] = value and ""
        elif column in part.binaries:
            data = key.open(place, named, value, revision=revision)
            shown[column] = base64.b64encode(data).decode()
        else:
            text = key.open_text(place, named, value, revision=revision)
            is_document = text and column in part.documents
            shown[column] = json.loads(text) if is_document else text
    return shown
