"""SQL of the summaries of days: one function, one statement."""

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place, SealedRows
from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    PeriodFingerprint,
)

DAY_TEXT: Final = Place("short_term_summaries", "summary_text")
DAY_DETAILS: Final = Place("short_term_summaries", "details")
_DAY: Final = """
    SELECT summary_id, date_key, device_id, source_session_ids, summarizer, created_at,
           updated_at, expires_at, revision, source_digest, summary_text, details
    FROM short_term_summaries
"""


async def list_day_fingerprints(tx: Transaction) -> dict[date, PeriodFingerprint]:
    """Return what every day that is kept rests on."""
    rows = await tx.fetch_all(
        """
        SELECT date_key, source_digest, summarizer = %s FROM short_term_summaries
        WHERE user_id = %s
        """,
        [FALLBACK, tx.scope.user_id],
    )
    return {row[0]: PeriodFingerprint(*row[1:]) for row in rows}


async def get_day(tx: Transaction, key: PersonKey, date_key: date) -> DaySummary | None:
    """Return the summary of a day, or None."""
    return await _DAYS.fetch_one(tx, key, "date_key = %s", date_key)


async def list_days(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[DaySummary]:
    """Return which of these summaries of days have not expired."""
    return await _DAYS.fetch_all(
        tx, key, "summary_id = ANY(%s) AND expires_at > %s", list(ids), tx.now
    )


async def list_newest_days(
    tx: Transaction, key: PersonKey, limit: int, before: date = date.max
) -> list[DaySummary]:
    """Return the summaries of days before one that have not expired, newest first."""
    return await _DAYS.fetch_all(
        tx,
        key,
        "expires_at > %s AND date_key < %s ORDER BY date_key DESC LIMIT %s",
        tx.now,
        before,
        limit,
    )


async def list_day_keys(tx: Transaction) -> list[date]:
    """Return the days of which there is a summary that has not expired."""
    return await tx.fetch_column(
        "SELECT date_key FROM short_term_summaries"
        " WHERE user_id = %s AND expires_at > %s",
        [tx.scope.user_id, tx.now],
    )


async def upsert_day(tx: Transaction, key: PersonKey, summary: DaySummary) -> None:
    """Keep the summary of a day in place of an earlier one."""
    details = {
        "open_tasks": summary.open_tasks,
        "recent_preferences": summary.recent_preferences,
        "topics": summary.topics,
        "importance": summary.importance,
    }
    summary_id, revision = summary.summary_id, summary.revision
    await tx.execute(
        """
        INSERT INTO short_term_summaries (
            user_id, summary_id, device_id, date_key, revision, summary_text, details,
            source_session_ids, source_digest, summarizer, created_at, updated_at,
            expires_at
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id, date_key) DO UPDATE SET
            device_id = excluded.device_id, revision = excluded.revision,
            summary_text = excluded.summary_text, details = excluded.details,
            source_session_ids = excluded.source_session_ids,
            source_digest = excluded.source_digest,
            summarizer = excluded.summarizer, updated_at = excluded.updated_at,
            expires_at = excluded.expires_at
        """,
        [
            tx.scope.user_id,
            summary_id,
            summary.device_id,
            summary.date_key,
            revision,
            key.seal_text(DAY_TEXT, summary_id, summary.text, revision=revision),
            key.seal_text(
                DAY_DETAILS, summary_id, encode_details(details), revision=revision
            ),
            list(summary.source_session_ids),
            summary.source_digest,
            summary.summarizer,
            summary.created_at,
            summary.updated_at,
            summary.expires_at,
        ],
    )


async def delete_day(tx: Transaction, date_key: date) -> None:
    """Remove the summary of a day."""
    await tx.execute(
        "DELETE FROM short_term_summaries WHERE user_id = %s AND date_key = %s",
        [tx.scope.user_id, date_key],
    )


async def delete_days_of(tx: Transaction, session_ids: Sequence[UUID]) -> list[UUID]:
    """Remove the summaries that rest on sessions; return their ids."""
    return await tx.fetch_column(
        """
        DELETE FROM short_term_summaries
        WHERE user_id = %s AND source_session_ids && %s::uuid[]
        RETURNING summary_id
        """,
        [tx.scope.user_id, list(session_ids)],
    )


async def update_expiry(tx: Transaction, kept: timedelta) -> list[UUID]:
    """Let the summaries of days end so long after their day; return which moved."""
    return await tx.fetch_column(
        """
        UPDATE short_term_summaries AS summary SET expires_at = renewed.until
        FROM (
            SELECT summary_id, %(kept)s
                + (date_key + 1)::timestamp AT TIME ZONE time_zone AS until
            FROM short_term_summaries JOIN users USING (user_id)
            WHERE user_id = %(user_id)s
        ) AS renewed
        WHERE user_id = %(user_id)s AND summary.summary_id = renewed.summary_id
          AND expires_at <> renewed.until
        RETURNING summary.summary_id
        """,
        {"user_id": tx.scope.user_id, "kept": kept},
    )


async def expire_days(tx: Transaction) -> list[UUID]:
    """Remove the summaries of days that are no longer kept; return their ids."""
    return await tx.fetch_column(
        """
        DELETE FROM short_term_summaries WHERE user_id = %s AND expires_at <= %s
        RETURNING summary_id
        """,
        [tx.scope.user_id, tx.now],
    )


async def find_next_expiry(tx: Transaction) -> datetime | None:
    """Return when the next summary expires, or None."""
    row = await tx.fetch_one(
        """
        SELECT min(expires_at) FROM (
            SELECT expires_at FROM short_term_summaries WHERE user_id = %(user_id)s
            UNION ALL
            SELECT expires_at FROM mid_term_summaries WHERE user_id = %(user_id)s
        ) AS kept
        """,
        {"user_id": tx.scope.user_id},
    )
    return row[0] if row else None


def encode_details(details: dict[str, Any]) -> str:
    """Return the lists of a summary as what is sealed of them."""
    return json.dumps(details, ensure_ascii=False)


def _open_day(key: PersonKey, row: TupleRow) -> DaySummary:
    summary_id, date_key, device_id, sources, *shared, text, details = row
    revision = shared[-2]
    opened = key.open_text(DAY_DETAILS, summary_id, details, revision=revision)
    values: dict[str, Any] = json.loads(opened)
    return DaySummary(
        summary_id,
        date_key,
        device_id,
        key.open_text(DAY_TEXT, summary_id, text, revision=revision),
        tuple(values["open_tasks"]),
        tuple(values["recent_preferences"]),
        tuple(values["topics"]),
        values["importance"],
        tuple(sources),
        *shared,
    )


_DAYS: Final = SealedRows("short_term_summaries", _DAY, _open_day)
