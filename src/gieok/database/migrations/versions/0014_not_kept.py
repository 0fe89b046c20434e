"""Findings that a person's settings do not let be kept, counted in their session."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Let a session say how many findings of which categories were not kept."""
    op.execute("ALTER TABLE sessions ADD COLUMN not_kept jsonb NOT NULL DEFAULT '{}'")
