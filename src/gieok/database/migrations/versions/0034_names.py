"""What days and weeks rest on, and jobs about it, are called what they are."""

from typing import Final

from alembic import op
from sqlalchemy import text

revision = "0034"
down_revision = "0033"

RENAMED: Final = {
    "ground_moved": "sources_changed",
    "sessions_rested": "sessions_may_be_idle",
    "summary_owed": "summary_pending",
}
"""Events that wait, or whose job was given up, by their name of before."""


def upgrade() -> None:
    """Rename columns and what is queued; processes of before have to stop."""
    for table in ("short_term_summaries", "mid_term_summaries"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN ground TO source_digest")
    for before, now in RENAMED.items():
        names = {"before": before, "now": now}
        op.execute(
            text("UPDATE agenda SET task = :now WHERE task = :before").bindparams(
                **names
            )
        )
        op.execute(
            text(
                """
                UPDATE procrastinate_jobs SET
                    task_name = :now, lock = replace(lock, :before, :now),
                    queueing_lock = replace(queueing_lock, :before, :now)
                WHERE task_name = :before
                """
            ).bindparams(**names)
        )
