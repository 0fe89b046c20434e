"""Memories that a person pinned stand first in prompts and do not fade."""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Let a memory be pinned; none is at first."""
    op.execute(
        "ALTER TABLE user_memories ADD COLUMN is_pinned boolean NOT NULL DEFAULT false"
    )
