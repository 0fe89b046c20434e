"""SQL of the summaries of sessions, which stand in the sessions' own rows."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.kernel.language import Emotion, Gist
from gieok.privacy import PersonKey, Place, SealedRows
from gieok.search import summary_entry_store
from gieok.sessions import reader_store
from gieok.sessions.model import Status
from gieok.sessions.reader_store import build_behind_sql, build_position_sql
from gieok.summaries.model import SessionSources, SessionSummary

SUMMARY: Final = Place("sessions", "session_summary")
_OPEN: Final = {Status.CREATED, Status.ACTIVE, Status.PAUSED}
_SELECT: Final = (
    "SELECT session_id, created_at, device_id, status, "
    + build_position_sql("unsummarized_start")
    + ", "
    + build_position_sql("unsummarized_end")
    + ", message_count, "
    + build_position_sql("summary")
    + """, summary_revision, session_summary, ARRAY(
        SELECT message_id FROM session_messages
        WHERE session_messages.user_id = sessions.user_id
          AND session_messages.session_id = sessions.session_id
          AND forgotten_at IS NOT NULL
    )
    FROM sessions
    """
)


async def lock_session(tx: Transaction, session_id: UUID) -> None:
    """Wait for whoever writes to the session, then for the person's other writers."""
    await tx.execute(
        "SELECT FROM sessions WHERE user_id = %s AND session_id = %s FOR UPDATE",
        [tx.scope.user_id, session_id],
    )
    await tx.lock_person()


async def get_sources(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> SessionSources | None:
    """Return a session as its summary sees it, or None when the person has no such."""
    return await _SESSIONS.fetch_one(tx, key, "session_id = %s", session_id)


async def list_summaries(
    tx: Transaction, key: PersonKey, session_ids: Sequence[UUID]
) -> dict[UUID, SessionSummary]:
    """Return the summaries of sessions that have one which may still be said."""
    found = await _SESSIONS.fetch_all(
        tx,
        key,
        "session_id = ANY(%s) AND session_summary IS NOT NULL",
        list(session_ids),
    )
    return {
        each.session_id: each.usable_summary for each in found if each.usable_summary
    }


async def list_begun(
    tx: Transaction, key: PersonKey, since: datetime, until: datetime | None = None
) -> list[SessionSources]:
    """Return the sessions that hold messages and began from one time to another."""
    return await _SESSIONS.fetch_all(
        tx,
        key,
        """
        message_count > 0 AND created_at >= %s
          AND created_at < coalesce(%s::timestamptz, 'infinity')
        ORDER BY created_at, session_id
        """,
        since,
        until,
    )


async def list_partly_forgotten(
    tx: Transaction, key: PersonKey
) -> list[SessionSources]:
    """Return the summed up sessions of which messages were forgotten."""
    return await _SESSIONS.fetch_all(
        tx,
        key,
        """
        session_summary IS NOT NULL AND session_id IN (
            SELECT session_id FROM session_messages
            WHERE user_id = %s AND forgotten_at IS NOT NULL
        )
        """,
        tx.scope.user_id,
    )


async def list_message_sessions(
    tx: Transaction, message_ids: Sequence[UUID]
) -> dict[UUID, datetime]:
    """Return the sessions of messages, and when each began."""
    rows = await tx.fetch_all(
        """
        SELECT session_id, created_at FROM sessions
        WHERE user_id = %s AND session_id IN (
            SELECT session_id FROM session_messages
            WHERE user_id = %s AND message_id = ANY(%s)
        )
        """,
        [tx.scope.user_id, tx.scope.user_id, list(message_ids)],
    )
    return dict(rows)


async def list_beginnings(
    tx: Transaction, session_ids: Sequence[UUID]
) -> dict[UUID, datetime]:
    """Return when sessions began."""
    rows = await tx.fetch_all(
        """
        SELECT session_id, created_at FROM sessions
        WHERE user_id = %s AND session_id = ANY(%s)
        """,
        [tx.scope.user_id, list(session_ids)],
    )
    return dict(rows)


async def list_unsummarized(tx: Transaction) -> list[UUID]:
    """Return the ended sessions that hold messages no summary covers, oldest first."""
    return await tx.fetch_column(
        """
        SELECT session_id FROM sessions WHERE user_id = %(user_id)s
          AND status IN ('completed', 'expired', 'failed') AND
        """
        + build_behind_sql("summary")
        + "ORDER BY created_at",
        {"user_id": tx.scope.user_id},
    )


async def update_summary(
    tx: Transaction,
    key: PersonKey,
    sources: SessionSources,
    summary: SessionSummary | None,
    count: int,
) -> None:
    """Keep the summary of a session's first messages, or that there is none."""
    session_id, revision = sources.session_id, sources.revision + 1
    sealed = summary and key.seal_text(
        SUMMARY, session_id, _encode_summary(summary), revision=revision
    )
    await reader_store.set_summary(tx, session_id, sealed, revision)
    await reader_store.set_position(tx, session_id, "summary", count)
    await summary_entry_store.delete_outdated(tx, session_id, revision)


def _open_sources(key: PersonKey, row: TupleRow) -> SessionSources:
    session_id, created_at, device_id, status, first, end, *counts, sealed, gone = row
    messages, summarized, revision = counts
    summary = None
    if sealed is not None:
        text = key.open_text(SUMMARY, session_id, sealed, revision=revision)
        summary = _decode_summary(session_id, revision, text)
    return SessionSources(
        session_id,
        created_at,
        device_id,
        Status(status) in _OPEN,
        range(first, end),
        messages,
        summarized,
        revision,
        summary,
        frozenset(gone),
    )


def _encode_summary(summary: SessionSummary) -> str:
    return json.dumps(
        {
            "gist": asdict(summary.gist),
            "summarizer": summary.summarizer,
            "message_ids": [str(message) for message in summary.message_ids],
            "first_position": summary.first_position,
            "end_position": summary.end_position,
            "updated_at": summary.updated_at.isoformat(),
        },
        ensure_ascii=False,
    )


def _decode_summary(session_id: UUID, revision: int, text: str) -> SessionSummary:
    values: dict[str, Any] = json.loads(text)
    gist: dict[str, Any] = values.pop("gist")
    return SessionSummary(
        session_id=session_id,
        gist=Gist(
            gist["summary"],
            tuple(gist["topics"]),
            Emotion(gist["emotion"]),
            gist["importance"],
            tuple(gist["open_tasks"]),
            tuple(gist["preferences"]),
            tuple(gist["evidence"]),
        ),
        summarizer=values["summarizer"],
        message_ids=tuple(UUID(message) for message in values["message_ids"]),
        first_position=values["first_position"],
        end_position=values["end_position"],
        updated_at=datetime.fromisoformat(values["updated_at"]),
        revision=revision,
    )


_SESSIONS: Final = SealedRows("sessions", _SELECT, _open_sources)
