"""A memory names the newer one that says otherwise; both stand, and one is shown."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Let a memory name what contradicts it; nothing does at first."""
    op.execute("ALTER TABLE user_memories ADD COLUMN contradicted_by uuid")
