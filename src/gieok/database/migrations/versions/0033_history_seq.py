"""A step in the life of a memory says which change number stood before it."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Number steps from now on; those of before come first, by their ids."""
    op.execute("ALTER TABLE memory_history ADD COLUMN seq bigint NOT NULL DEFAULT 0")
    op.execute(
        "CREATE INDEX memory_history_by_seq "
        "ON memory_history (user_id, seq, history_id)"
    )
