"""A wish to forget is about what was said before it, whenever it is read."""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Let a candidate say when it was wished; older ones were wished when read."""
    op.execute("ALTER TABLE memory_candidates ADD COLUMN wished_at timestamptz")
