"""What days and weeks rest on is called what it is."""

from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Rename the digests of what summaries rest on; processes of before must stop."""
    for table in ("short_term_summaries", "mid_term_summaries"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN ground TO source_digest")
