"""Memories that came in with a file are trusted as such."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Let a memory rest on an import."""
    op.execute("ALTER TABLE user_memories DROP CONSTRAINT user_memories_trust_check")
    op.execute(
        "ALTER TABLE user_memories ADD CONSTRAINT user_memories_trust_check CHECK "
        "(trust IN ('observed', 'import', 'stated', 'requested', 'confirmed'))"
    )
