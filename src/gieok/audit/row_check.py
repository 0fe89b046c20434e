"""Compares the rows that the audit log names with those that are there.

A line names each row that was sealed with its provenance, by id and tag of the seal,
and each that was removed. What is missing, there although it was removed, or sealed
otherwise than it was last, was changed by something that is not gieok: a row of before
that was put back as a whole opens, and is found here alone. Rows that no line names,
because they are of before there was provenance, are only opened.

Of other tables a line names what was made, changed or removed, without a seal: a row
that is gone without a line, or there again after one, is found, an older value is not.
"""

from typing import Final, LiteralString, cast
from uuid import UUID

from gieok.database import Database, Transaction
from gieok.database.journal import GONE, ROWS, parse_named_rows
from gieok.kernel.scope import Scope
from gieok.privacy import Vault
from gieok.privacy.readable_rows import list_unopened
from gieok.privacy.sealed_columns import SEALED_COLUMNS, SealedColumn

BATCH: Final = 1_000
NAMED_COLUMNS: Final = tuple(column for column in SEALED_COLUMNS if column.provenance)
LISTED_TABLES: Final[tuple[tuple[LiteralString, LiteralString], ...]] = (
    ("sessions", "session_id"),
    ("episodes", "episode_id"),
    ("short_term_summaries", "summary_id"),
    ("mid_term_summaries", "summary_id"),
)
"""Tables of whose rows every beginning and end has a line, and what names a row."""
SealTags = dict[UUID, str]


async def find_mismatch(database: Database, vault: Vault, scope: Scope) -> str | None:
    """Return the first row that is not as the log says, by table and id, and why."""
    held = await vault.keystore.list_keys(scope.user_id)
    key = await vault.get_key(scope) if held else None
    async with database.begin(scope) as tx:
        await tx.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        named = await _read_named_tags(tx)
        for column in NAMED_COLUMNS:
            there = await _read_stored_tags(tx, column)
            for row, tag in named.get(column.table, SealTags()).items():
                if (why := _compare_tag(tag, there.get(row))) is not None:
                    return _format_mismatch(column.table, row, why)
            if key is not None and (closed := await list_unopened(tx, key, column)):
                return _format_mismatch(column.table, closed[0], "changed")
        return await _find_unlisted(tx)


async def _find_unlisted(tx: Transaction) -> str | None:
    """Return the first row that went, or came back, without a line that says so.

    Lines count from where the person was last erased or something was last imported.
    """
    for table, row_id in LISTED_TABLES:
        odd = await tx.fetch_all(
            f"""
            WITH last AS (
                SELECT DISTINCT ON (target_id) target_id, event_type
                FROM memory_audit_log
                WHERE user_id = %(user_id)s AND target_table = %(table)s
                  AND event_type IN ('create', 'update', 'delete')
                  AND seq > coalesce((
                      SELECT max(seq) FROM memory_audit_log
                      WHERE user_id = %(user_id)s AND target_table = 'users'
                        AND event_type IN ('create', 'delete')
                  ), 0)
                ORDER BY target_id, seq DESC
            )
            SELECT last.target_id, stored.{row_id} IS NULL
            FROM last LEFT JOIN {table} AS stored
              ON stored.user_id = %(user_id)s AND stored.{row_id} = last.target_id
            WHERE (last.event_type = 'delete') = (stored.{row_id} IS NOT NULL)
            ORDER BY last.target_id LIMIT 1
            """,
            {"user_id": tx.scope.user_id, "table": table},
        )
        for row, is_missing in odd:
            why = "missing" if is_missing else "removed, and there again"
            return _format_mismatch(table, row, why)
    return None


def _compare_tag(tag: str, found: str | None) -> str | None:
    """Return what is wrong with a row that has a seal of this tag, or should have."""
    if tag == GONE:
        return None if found is None else "removed, and there again"
    if found is None:
        return "missing"
    return None if found == tag else "sealed otherwise than last"


def _format_mismatch(table: str, row: UUID, why: str) -> str:
    return f"{table} row {row} ({why})"


async def _read_named_tags(tx: Transaction) -> dict[str, SealTags]:
    """Return the rows that the log names, by table, each with its newest tag."""
    named: dict[str, SealTags] = {}
    after = 0
    while lines := await tx.fetch_all(
        """
        SELECT seq, event_type = 'delete' AND target_table = 'users', details
        FROM memory_audit_log
        WHERE user_id = %s AND seq > %s AND (
            event_type = 'delete' AND target_table = 'users'
            OR details ?| %s::text[]
        )
        ORDER BY seq LIMIT %s
        """,
        [tx.scope.user_id, after, [ROWS + each.table for each in NAMED_COLUMNS], BATCH],
    ):
        for after, is_end, details in lines:  # noqa: B007 - where the next begins
            if is_end:
                named.clear()
            for table, row, tag in parse_named_rows(cast("dict[str, object]", details)):
                named.setdefault(table, {})[row] = tag
    return named


async def _read_stored_tags(tx: Transaction, column: SealedColumn) -> SealTags:
    """Return the tags of the seals that are there."""
    rows = await tx.fetch_all(
        f"""
        SELECT {column.row}, encode(substring(
            {column.stored} FROM octet_length({column.stored}) - 7
        ), 'hex')
        FROM {column.table} WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    return dict(rows)
