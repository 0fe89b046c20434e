"""How an episode is sealed into a row, and read from one."""

import json
from collections.abc import Sequence
from typing import Any

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.episodes.model import ArchivedReason, Episode
from gieok.kernel.language import Emotion
from gieok.privacy import PersonKey, Place

SUMMARY = Place("episodes", "summary")


TOPICS = Place("episodes", "topics")


TAGS = Place("episodes", "tags")


def build_row(tx: Transaction, key: PersonKey, episode: Episode) -> dict[str, Any]:
    """Return an episode as the values of its row, sealed."""
    at, revision = episode.episode_id, episode.revision
    return {
        "user_id": tx.scope.user_id,
        "episode_id": at,
        "persona_id": episode.persona_id,
        "session_id": episode.session_id,
        "revision": revision,
        "summary": key.seal_text(SUMMARY, at, episode.summary, revision=revision),
        "topics": key.seal_text(
            TOPICS, at, _encode_labels(episode.topics), revision=revision
        ),
        "tags": key.seal_text(
            TAGS, at, _encode_labels(episode.tags), revision=revision
        ),
        "emotion": episode.emotion.value,
        "importance": episode.importance,
        "source_message_ids": list(episode.source_message_ids),
        "first_position": episode.first_position,
        "end_position": episode.end_position,
        "summarizer": episode.summarizer,
        "is_fallback": episode.is_fallback,
        "edited": list(episode.edited),
        "said_at": episode.said_at,
        "created_at": episode.created_at,
        "updated_at": episode.updated_at,
        "archived_at": episode.archived_at,
        "archived_reason": episode.archived_reason and episode.archived_reason.value,
    }


def _encode_labels(labels: Sequence[str]) -> str:
    return json.dumps(list(labels), ensure_ascii=False)


def parse_episode(key: PersonKey, row: TupleRow) -> Episode:
    """Return the episode of a row of `store.SELECT`."""
    at, persona, session, revision, summary, topics, tags, emotion, *rest = row
    importance, messages, first, end, summarizer, fallback, edited, *times = rest
    said_at, created_at, updated_at, archived_at, reason = times
    return Episode(
        episode_id=at,
        persona_id=persona,
        session_id=session,
        revision=revision,
        summary=key.open_text(SUMMARY, at, summary, revision=revision),
        topics=tuple(json.loads(key.open_text(TOPICS, at, topics, revision=revision))),
        tags=tuple(json.loads(key.open_text(TAGS, at, tags, revision=revision))),
        emotion=Emotion(emotion),
        importance=importance,
        source_message_ids=tuple(messages),
        first_position=first,
        end_position=end,
        summarizer=summarizer,
        is_fallback=fallback,
        edited=tuple(edited),
        said_at=said_at,
        created_at=created_at,
        updated_at=updated_at,
        archived_at=archived_at,
        archived_reason=reason and ArchivedReason(reason),
    )
