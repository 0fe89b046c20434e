"""SQL of episodes: one function, one statement."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from gieok.database import Transaction
from gieok.episodes.model import Episode
from gieok.episodes.rows import build_row, parse_episode
from gieok.privacy import PersonKey, SealedRows
from gieok.sessions import reader_store
from gieok.sessions.reader_store import build_position_sql

SELECT = """
    SELECT episode_id, persona_id, session_id, revision, summary, topics, tags, emotion,
           importance, source_message_ids, first_position, end_position, summarizer,
           is_fallback, edited, said_at, created_at, updated_at, archived_at,
           archived_reason
    FROM episodes
"""
_STALE_CONDITION = """
    ('summary' <> ALL (edited) AND (source_message_ids && ARRAY(
        SELECT message_id FROM session_messages
        WHERE user_id = %s AND forgotten_at IS NOT NULL
    ) OR EXISTS (
        SELECT FROM sessions AS told
        WHERE told.user_id = episodes.user_id
          AND told.session_id = episodes.session_id AND told.episode_deleted
    )))
"""
"""An episode nobody wrote that rests on forgotten messages, or of a session whose
words were gone when something of it was forgotten; nobody is told of it."""
_FILTERED = (
    """
    persona_id IS NOT DISTINCT FROM coalesce(%s::uuid, persona_id)
      AND (%s OR archived_at IS NULL) AND NOT
    """
    + _STALE_CONDITION
)


class EpisodeFilter(NamedTuple):
    """Which episodes are meant; no persona means those of any and of none."""

    persona_id: UUID | None
    include_archived: bool


class SourceSession(NamedTuple):
    """What keeping an episode needs to know of its session."""

    persona_id: UUID | None
    message_count: int
    remembered_count: int
    """Messages that were there when it was last seen to."""
    episode_deleted: bool
    """A person deleted its episode: none is made again by itself."""
    began_at: datetime


async def lock_session(tx: Transaction, session_id: UUID) -> SourceSession | None:
    """Lock a session's row; None when the person has no such."""
    await tx.execute(
        "SELECT FROM sessions WHERE user_id = %s AND session_id = %s FOR UPDATE",
        [tx.scope.user_id, session_id],
    )
    row = await tx.fetch_one(
        "SELECT persona_id, message_count, "
        + build_position_sql("episode")
        + """, episode_deleted, created_at
        FROM sessions WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )
    return SourceSession(*row) if row else None


async def set_remembered(tx: Transaction, session_id: UUID, count: int) -> None:
    """Note how many messages were seen to, and that there may be an episode."""
    await reader_store.set_position(tx, session_id, "episode", count)
    await reader_store.set_episode_deleted(tx, session_id, deleted=False)


async def count_unforgotten(tx: Transaction, message_ids: Collection[UUID]) -> int:
    """Return how many of these messages are there and not forgotten."""
    row = await tx.fetch_one(
        """
        SELECT count(*) FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s) AND forgotten_at IS NULL
        """,
        [tx.scope.user_id, list(message_ids)],
    )
    return row[0] if row else 0


async def has_forgotten(tx: Transaction, message_ids: Collection[UUID]) -> bool:
    """Tell whether any of these messages was forgotten; one that is gone was not."""
    row = await tx.fetch_one(
        """
        SELECT FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s) AND forgotten_at IS NOT NULL
        LIMIT 1
        """,
        [tx.scope.user_id, list(message_ids)],
    )
    return row is not None


async def upsert_episode(tx: Transaction, key: PersonKey, episode: Episode) -> None:
    """Keep an episode as it is given, new or in place of its older revision."""
    await tx.execute(
        """
        INSERT INTO episodes (
            user_id, episode_id, persona_id, session_id, revision, summary, topics,
            tags, emotion, importance, source_message_ids, first_position, end_position,
            summarizer, is_fallback, edited, said_at, created_at, updated_at,
            archived_at, archived_reason
        ) VALUES (
            %(user_id)s, %(episode_id)s, %(persona_id)s, %(session_id)s, %(revision)s,
            %(summary)s, %(topics)s, %(tags)s, %(emotion)s, %(importance)s,
            %(source_message_ids)s, %(first_position)s, %(end_position)s,
            %(summarizer)s, %(is_fallback)s, %(edited)s, %(said_at)s, %(created_at)s,
            %(updated_at)s, %(archived_at)s, %(archived_reason)s
        )
        ON CONFLICT (user_id, episode_id) DO UPDATE SET
            revision = excluded.revision, summary = excluded.summary,
            topics = excluded.topics, tags = excluded.tags, emotion = excluded.emotion,
            importance = excluded.importance,
            source_message_ids = excluded.source_message_ids,
            first_position = excluded.first_position,
            end_position = excluded.end_position, summarizer = excluded.summarizer,
            is_fallback = excluded.is_fallback, edited = excluded.edited,
            said_at = excluded.said_at,
            updated_at = excluded.updated_at, archived_at = excluded.archived_at,
            archived_reason = excluded.archived_reason
        """,
        build_row(tx, key, episode),
    )


async def find_episode(
    tx: Transaction, key: PersonKey, episode_id: UUID
) -> Episode | None:
    """Return one episode, active or archived."""
    return await EPISODES.fetch_one(tx, key, "episode_id = %s", episode_id)


async def list_by_ids(
    tx: Transaction, key: PersonKey, episode_ids: Sequence[UUID]
) -> list[Episode]:
    """Return which of these episodes a prompt may get."""
    return await EPISODES.fetch_all(
        tx,
        key,
        "episode_id = ANY(%s) AND archived_at IS NULL AND NOT " + _STALE_CONDITION,
        list(episode_ids),
        tx.scope.user_id,
    )


async def list_by_session(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> list[Episode]:
    """Return the episodes of one session, oldest first."""
    return await EPISODES.fetch_all(
        tx, key, "session_id = %s ORDER BY created_at, episode_id", session_id
    )


async def list_active(
    tx: Transaction,
    key: PersonKey,
    persona_id: UUID | None,
    limit: int | None = None,
) -> list[Episode]:
    """Return what is active of one persona (None: of no persona), most worth first."""
    return await EPISODES.fetch_all(
        tx,
        key,
        """
        persona_id IS NOT DISTINCT FROM %s
          AND archived_at IS NULL AND NOT
        """
        + _STALE_CONDITION
        + """
        ORDER BY importance DESC, created_at DESC, episode_id DESC LIMIT %s
        """,
        persona_id,
        tx.scope.user_id,
        limit,
    )


async def list_recent(
    tx: Transaction, key: PersonKey, persona_id: UUID | None, limit: int
) -> list[Episode]:
    """Return what is active of one persona (None: of no persona), said last first."""
    return await EPISODES.fetch_all(
        tx,
        key,
        """
        persona_id IS NOT DISTINCT FROM %s
          AND archived_at IS NULL AND NOT
        """
        + _STALE_CONDITION
        + """
        ORDER BY said_at DESC, created_at DESC, episode_id DESC LIMIT %s
        """,
        persona_id,
        tx.scope.user_id,
        limit,
    )


async def list_latest(
    tx: Transaction, key: PersonKey, persona_id: UUID | None, limit: int
) -> list[Episode]:
    """Return what was said last to one persona (None: to no persona), newest first.

    What the plan alone archived counts as well.
    """
    return await EPISODES.fetch_all(
        tx,
        key,
        """
        persona_id IS NOT DISTINCT FROM %s
          AND (archived_at IS NULL OR archived_reason = 'plan_limit') AND NOT
        """
        + _STALE_CONDITION
        + """
        ORDER BY said_at DESC, created_at DESC, episode_id DESC LIMIT %s
        """,
        persona_id,
        tx.scope.user_id,
        limit,
    )


async def list_personas(tx: Transaction) -> list[UUID | None]:
    """Return the personas that have active episodes."""
    return await tx.fetch_column(
        """
        SELECT DISTINCT persona_id FROM episodes
        WHERE user_id = %s AND archived_at IS NULL
        """,
        [tx.scope.user_id],
    )


async def list_episodes(
    tx: Transaction,
    key: PersonKey,
    narrowed: EpisodeFilter,
    limit: int | None = None,
    offset: int = 0,
) -> list[Episode]:
    """Return episodes, newest first."""
    return await EPISODES.fetch_all(
        tx,
        key,
        _FILTERED + " ORDER BY created_at DESC, episode_id DESC LIMIT %s OFFSET %s",
        *narrowed,
        tx.scope.user_id,
        limit,
        offset,
    )


async def count_episodes(tx: Transaction, narrowed: EpisodeFilter) -> int:
    """Return how many episodes `list_episodes` would go through."""
    row = await tx.fetch_one(
        "SELECT count(*) FROM episodes WHERE user_id = %s AND " + _FILTERED,
        [tx.scope.user_id, *narrowed, tx.scope.user_id],
    )
    return row[0] if row else 0


async def list_ids_by_persona(tx: Transaction, persona_id: UUID) -> list[UUID]:
    """Return the episodes of one persona, active and archived."""
    return await tx.fetch_column(
        "SELECT episode_id FROM episodes WHERE user_id = %s AND persona_id = %s",
        [tx.scope.user_id, persona_id],
    )


async def list_ids_by_sessions(
    tx: Transaction, session_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the episodes of sessions, active and archived."""
    return await tx.fetch_column(
        "SELECT episode_id FROM episodes WHERE user_id = %s AND session_id = ANY(%s)",
        [tx.scope.user_id, list(session_ids)],
    )


async def list_stale(tx: Transaction) -> list[tuple[UUID, UUID | None]]:
    """Return the episodes nobody wrote that rest on forgotten messages.

    Each comes with its session.
    """
    rows = await tx.fetch_all(
        "SELECT episode_id, session_id FROM episodes WHERE user_id = %s AND"
        + _STALE_CONDITION,
        [tx.scope.user_id, tx.scope.user_id],
    )
    return [(row[0], row[1]) for row in rows]


async def list_fallback_sessions(tx: Transaction, summarizer: str) -> list[UUID]:
    """Return the sessions of whose episodes a summarizer wrote what nobody changed.

    What was said last comes first.
    """
    return await tx.fetch_column(
        """
        SELECT session_id FROM episodes
        WHERE user_id = %s AND session_id IS NOT NULL
          AND summarizer = %s AND 'summary' <> ALL (edited)
        ORDER BY said_at DESC, episode_id
        """,
        [tx.scope.user_id, summarizer],
    )


async def delete_episodes(tx: Transaction, episode_ids: Iterable[UUID]) -> None:
    """Remove episodes for good."""
    await tx.execute(
        "DELETE FROM episodes WHERE user_id = %s AND episode_id = ANY(%s)",
        [tx.scope.user_id, list(episode_ids)],
    )


EPISODES: Final = SealedRows("episodes", SELECT, parse_episode)
