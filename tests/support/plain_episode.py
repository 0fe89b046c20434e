"""An episode for the tests of rules."""

from datetime import UTC, datetime
from uuid import UUID

from gieok.episodes import Episode
from gieok.kernel.language import Emotion

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PLAIN = Episode(
    episode_id=UUID(int=0),
    persona_id=UUID(int=7),
    session_id=None,
    revision=1,
    summary="사용자가 면접을 앞두고 있음.",
    topics=(),
    tags=(),
    emotion=Emotion.STRESS,
    importance=5,
    source_message_ids=(),
    first_position=None,
    end_position=None,
    summarizer="test",
    is_fallback=False,
    edited=(),
    said_at=NOW,
    created_at=NOW,
    updated_at=NOW,
)
