"""From which change number on a person's feed is whole."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add where the feed begins; nothing was ever removed of those there are."""
    op.execute(
        "ALTER TABLE user_counters ADD COLUMN floor_seq bigint NOT NULL DEFAULT 0"
    )
