"""A person is asked once about a wish to forget that may mean something else."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Let a candidate say when the person was asked about it; none was at first."""
    op.execute("ALTER TABLE memory_candidates ADD COLUMN asked_at timestamptz")
