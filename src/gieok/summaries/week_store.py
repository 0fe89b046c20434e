"""SQL of the summaries of weeks: one function, one statement."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place, SealedRows
from gieok.summaries.day_store import encode_details
from gieok.summaries.model import (
    FALLBACK,
    PeriodFingerprint,
    UsagePattern,
    WeekSummary,
)
from gieok.summaries.periods import LAST, format_week, parse_week
from gieok.summaries.usage import UsageEvent

WEEK_TEXT: Final = Place("mid_term_summaries", "summary_text")
WEEK_DETAILS: Final = Place("mid_term_summaries", "details")
LAST_WEEK: Final = format_week(LAST)
_WEEK: Final = """
    SELECT summary_id, week_key, source_summary_ids, summarizer, created_at, updated_at,
           expires_at, revision, source_digest, summary_text, details
    FROM mid_term_summaries
"""


async def list_week_fingerprints(tx: Transaction) -> dict[date, PeriodFingerprint]:
    """Return what every week that is kept rests on, by its Monday."""
    rows = await tx.fetch_all(
        """
        SELECT week_key, source_digest, summarizer = %s FROM mid_term_summaries
        WHERE user_id = %s
        """,
        [FALLBACK, tx.scope.user_id],
    )
    return {parse_week(row[0]): PeriodFingerprint(*row[1:]) for row in rows}


async def get_week(
    tx: Transaction, key: PersonKey, week_key: str
) -> WeekSummary | None:
    """Return the summary of a week, or None."""
    return await _WEEKS.fetch_one(tx, key, "week_key = %s", week_key)


async def list_weeks(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[WeekSummary]:
    """Return which of these summaries of weeks have not expired."""
    return await _WEEKS.fetch_all(
        tx, key, "summary_id = ANY(%s) AND expires_at > %s", list(ids), tx.now
    )


async def list_newest_weeks(
    tx: Transaction, key: PersonKey, limit: int, before: str = LAST_WEEK
) -> list[WeekSummary]:
    """Return the summaries of weeks before one that have not expired, newest first."""
    return await _WEEKS.fetch_all(
        tx,
        key,
        "expires_at > %s AND week_key < %s ORDER BY week_key DESC LIMIT %s",
        tx.now,
        before,
        limit,
    )


async def list_week_keys(tx: Transaction) -> list[str]:
    """Return the weeks of which there is a summary that has not expired."""
    return await tx.fetch_column(
        "SELECT week_key FROM mid_term_summaries"
        " WHERE user_id = %s AND expires_at > %s",
        [tx.scope.user_id, tx.now],
    )


async def upsert_week(tx: Transaction, key: PersonKey, summary: WeekSummary) -> None:
    """Keep the summary of a week in place of an earlier one."""
    details = {
        "repeated_topics": summary.repeated_topics,
        "device_usage_patterns": [
            [str(p.device_id or ""), p.route_family, p.band, p.count, p.days, p.text]
            for p in summary.device_usage_patterns
        ],
        "unresolved_items": summary.unresolved_items,
    }
    summary_id, revision = summary.summary_id, summary.revision
    await tx.execute(
        """
        INSERT INTO mid_term_summaries (
            user_id, summary_id, week_key, revision, summary_text, details,
            source_summary_ids, source_digest, summarizer, created_at, updated_at,
            expires_at
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id, week_key) DO UPDATE SET
            revision = excluded.revision, summary_text = excluded.summary_text,
            details = excluded.details,
            source_summary_ids = excluded.source_summary_ids,
            source_digest = excluded.source_digest,
            summarizer = excluded.summarizer, updated_at = excluded.updated_at,
            expires_at = excluded.expires_at
        """,
        [
            tx.scope.user_id,
            summary_id,
            summary.week_key,
            revision,
            key.seal_text(WEEK_TEXT, summary_id, summary.text, revision=revision),
            key.seal_text(
                WEEK_DETAILS, summary_id, encode_details(details), revision=revision
            ),
            list(summary.source_summary_ids),
            summary.source_digest,
            summary.summarizer,
            summary.created_at,
            summary.updated_at,
            summary.expires_at,
        ],
    )


async def delete_week(tx: Transaction, week_key: str) -> None:
    """Remove the summary of a week."""
    await tx.execute(
        "DELETE FROM mid_term_summaries WHERE user_id = %s AND week_key = %s",
        [tx.scope.user_id, week_key],
    )


async def delete_weeks_of(
    tx: Transaction, day_ids: Sequence[UUID], week_keys: Sequence[str]
) -> list[UUID]:
    """Remove the summaries of weeks, or that rest on days; return their ids."""
    return await tx.fetch_column(
        """
        DELETE FROM mid_term_summaries
        WHERE user_id = %s
          AND (source_summary_ids && %s::uuid[] OR week_key = ANY(%s))
        RETURNING summary_id
        """,
        [tx.scope.user_id, list(day_ids), list(week_keys)],
    )


async def update_expiry(tx: Transaction, kept: timedelta) -> list[UUID]:
    """Let the summaries of weeks end so long after their week; return which moved."""
    return await tx.fetch_column(
        """
        UPDATE mid_term_summaries AS summary SET expires_at = renewed.until
        FROM (
            SELECT summary_id, %(kept)s
                + (to_date(week_key, 'IYYY"-W"IW') + 7)::timestamp
                    AT TIME ZONE time_zone AS until
            FROM mid_term_summaries JOIN users USING (user_id)
            WHERE user_id = %(user_id)s
        ) AS renewed
        WHERE user_id = %(user_id)s AND summary.summary_id = renewed.summary_id
          AND expires_at <> renewed.until
        RETURNING summary.summary_id
        """,
        {"user_id": tx.scope.user_id, "kept": kept},
    )


async def expire_weeks(tx: Transaction) -> list[UUID]:
    """Remove the summaries of weeks that are no longer kept; return their ids."""
    return await tx.fetch_column(
        """
        DELETE FROM mid_term_summaries WHERE user_id = %s AND expires_at <= %s
        RETURNING summary_id
        """,
        [tx.scope.user_id, tx.now],
    )


async def list_uses(tx: Transaction, session_ids: Sequence[UUID]) -> list[UsageEvent]:
    """Return the pairs of sessions whose words were not forgotten, in order."""
    rows = await tx.fetch_all(
        """
        SELECT device_id, route_family, conversation_pairs.created_at
        FROM conversation_pairs JOIN session_messages
            ON session_messages.user_id = conversation_pairs.user_id
            AND message_id = user_message_id
        WHERE conversation_pairs.user_id = %s
          AND conversation_pairs.session_id = ANY(%s) AND forgotten_at IS NULL
        ORDER BY conversation_pairs.created_at, pair_id
        """,
        [tx.scope.user_id, list(session_ids)],
    )
    return [UsageEvent(*row) for row in rows]


def _open_week(key: PersonKey, row: TupleRow) -> WeekSummary:
    summary_id, week_key, sources, *shared, text, details = row
    revision = shared[-2]
    opened = key.open_text(WEEK_DETAILS, summary_id, details, revision=revision)
    values: dict[str, Any] = json.loads(opened)
    return WeekSummary(
        summary_id,
        week_key,
        key.open_text(WEEK_TEXT, summary_id, text, revision=revision),
        tuple(values["repeated_topics"]),
        tuple(
            UsagePattern(UUID(device) if device else None, *rest)
            for device, *rest in values["device_usage_patterns"]
        ),
        tuple(values["unresolved_items"]),
        tuple(sources),
        *shared,
    )


_WEEKS: Final = SealedRows("mid_term_summaries", _WEEK, _open_week)
