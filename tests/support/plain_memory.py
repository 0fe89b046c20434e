"""A memory with nothing particular about it."""

from datetime import UTC, datetime
from uuid import UUID

from gieok import Category, Memory
from gieok.memories import SourceType

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PLAIN = Memory(
    memory_id=UUID(int=0),
    revision=1,
    content="사용자는 강남구에 거주",
    category=Category.LOCATION,
    confidence=0.9,
    source_type=SourceType.EXPLICIT,
    source_session_id=None,
    source_message_ids=(),
    source_candidate_ids=(),
    preview=None,
    extractor="test",
    usage_count=0,
    last_used_at=None,
    last_confirmed_at=NOW,
    expires_at=None,
    superseded_by=None,
    inactive_reason=None,
    created_at=NOW,
    updated_at=NOW,
    is_active=True,
)
