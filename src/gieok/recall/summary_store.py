"""Reads summaries and episodes for the search, and which of them it lacks."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from typing import NamedTuple
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.episodes.store import list_by_ids
from gieok.kernel.offload import run_in_thread
from gieok.privacy import PersonKey, Place, read_rows
from gieok.recall.model import HitKind
from gieok.search.codec import split_entries
from gieok.summaries.day_store import list_days
from gieok.summaries.periods import parse_week
from gieok.summaries.session_store import list_beginnings, list_summaries
from gieok.summaries.week_store import list_weeks

ITEM = Place("summary_entries", "item")
NOON = time(12, tzinfo=UTC)
"""A day is the person's; this instant lies in it nearly everywhere."""


class SummaryEntry(NamedTuple):
    """A summary or episode as it is searched; `entries` are those of its sentences."""

    item_id: UUID
    kind: HitKind
    session_id: UUID | None
    persona_id: UUID | None
    """Whose episode it is, or with whom the session was."""
    is_comparable: bool
    """Whether its vector comes from the embedder in use."""
    entries: tuple[bytes, ...]


class SummaryText(NamedTuple):
    """What a summary or episode says now; it tells of these messages."""

    item_id: UUID
    kind: HitKind
    revision: int
    text: str
    at: datetime
    session_id: UUID | None = None


async def load_summary_entries(
    tx: Transaction, key: PersonKey, embedder: str
) -> list[SummaryEntry]:
    """Return the entries of what may be found.

    Not of an episode that is archived, nor of the summary of a session whose episode
    the person deleted or took out of prompts.
    """
    rows = await tx.fetch_all(
        """
        SELECT found.item_id, found.kind,
               coalesce(found.session_id, episodes.session_id),
               coalesce(sessions.persona_id, episodes.persona_id),
               found.embedder IS NOT DISTINCT FROM %(embedder)s, found.revision,
               found.item
        FROM summary_entries AS found
        LEFT JOIN episodes USING (user_id, episode_id)
        LEFT JOIN sessions ON sessions.user_id = found.user_id
          AND sessions.session_id = found.session_id
        WHERE found.user_id = %(user_id)s AND episodes.archived_at IS NULL
          AND NOT coalesce(sessions.episode_deleted, false)
          AND (found.session_id IS NULL OR found.session_id NOT IN (
              SELECT hidden.session_id FROM episodes AS hidden
              WHERE hidden.user_id = %(user_id)s AND hidden.session_id IS NOT NULL
                AND hidden.archived_reason = 'user_request'
          ))
        ORDER BY found.item_id
        """,
        {"user_id": tx.scope.user_id, "embedder": embedder},
    )
    opening = partial(read_rows, "summary_entries", rows, partial(_open_entry, key))
    return await run_in_thread(opening)


async def list_unindexed_summaries(
    tx: Transaction, embedder: str
) -> list[tuple[HitKind, UUID]]:
    """Return the summaries and episodes without an entry of their present wording."""
    rows = await tx.fetch_all(
        """
        SELECT kind, item_id FROM (
            SELECT 'session_summary' AS kind, session_id AS item_id,
                   summary_revision AS revision
            FROM sessions
            WHERE user_id = %(user_id)s AND session_summary IS NOT NULL
            UNION ALL
            SELECT 'day_summary', summary_id, revision FROM short_term_summaries
            WHERE user_id = %(user_id)s
            UNION ALL
            SELECT 'week_summary', summary_id, revision FROM mid_term_summaries
            WHERE user_id = %(user_id)s
            UNION ALL
            SELECT 'episode', episode_id, revision FROM episodes
            WHERE user_id = %(user_id)s AND archived_at IS NULL
        ) AS kept
        WHERE NOT EXISTS (
            SELECT FROM summary_entries AS found
            WHERE found.user_id = %(user_id)s AND found.item_id = kept.item_id
              AND found.revision = kept.revision
              AND found.embedder IS NOT DISTINCT FROM %(embedder)s
        )
        """,
        {"user_id": tx.scope.user_id, "embedder": embedder},
    )
    return [(HitKind(kind), item_id) for kind, item_id in rows]


async def load_texts(
    tx: Transaction, key: PersonKey, wanted: Sequence[tuple[HitKind, UUID]]
) -> dict[bytes, SummaryText]:
    """Return what summaries and episodes say, by id; some may be gone."""

    def select(kind: HitKind) -> list[UUID]:
        return [item_id for each, item_id in wanted if each is kind]

    found: list[SummaryText] = []
    if sessions := select(HitKind.SESSION_SUMMARY):
        found += await _load_sessions(tx, key, sessions)
    if days := select(HitKind.DAY_SUMMARY):
        found += [
            SummaryText(
                day.summary_id,
                HitKind.DAY_SUMMARY,
                day.revision,
                day.text,
                _compute_noon(day.date_key),
            )
            for day in await list_days(tx, key, days)
        ]
    if weeks := select(HitKind.WEEK_SUMMARY):
        found += [
            SummaryText(
                week.summary_id,
                HitKind.WEEK_SUMMARY,
                week.revision,
                week.text,
                _compute_noon(parse_week(week.week_key)),
            )
            for week in await list_weeks(tx, key, weeks)
        ]
    if episodes := select(HitKind.EPISODE):
        found += [
            SummaryText(
                episode.episode_id,
                HitKind.EPISODE,
                episode.revision,
                episode.summary,
                episode.said_at.astimezone(UTC),
                episode.session_id,
            )
            for episode in await list_by_ids(tx, key, episodes)
        ]
    return {each.item_id.bytes: each for each in found}


async def _load_sessions(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[SummaryText]:
    began = await list_beginnings(tx, ids)
    return [
        SummaryText(
            session_id,
            HitKind.SESSION_SUMMARY,
            summary.revision,
            summary.gist.summary,
            began[session_id].astimezone(UTC),
            session_id,
        )
        for session_id, summary in (await list_summaries(tx, key, ids)).items()
    ]


def _open_entry(key: PersonKey, row: TupleRow) -> SummaryEntry:
    item_id, kind, session_id, persona_id, is_comparable, revision, sealed = row
    _, entries = split_entries(key.open(ITEM, item_id, sealed, revision=revision))
    return SummaryEntry(
        item_id, HitKind(kind), session_id, persona_id, is_comparable, tuple(entries)
    )


def _compute_noon(day: date) -> datetime:
    return datetime.combine(day, NOON)
