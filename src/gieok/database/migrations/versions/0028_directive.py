"""A memory says whether it orders an assistant, as judged when it was written."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Let a memory keep the guard's verdict; of those that are there nobody knows."""
    op.execute("ALTER TABLE user_memories ADD COLUMN is_directive boolean")
