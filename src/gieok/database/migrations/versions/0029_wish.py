"""Two wishes to forget that were read together are told apart."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Let a candidate name the message it was wished in; of older ones nobody knows."""
    op.execute("ALTER TABLE memory_candidates ADD COLUMN wish_id uuid")
