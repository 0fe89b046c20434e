"""Conversations over time: the agenda, personas, summaries and episodes."""

from alembic import op

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0003"
down_revision = "0002"

PERSONAL = (
    "personas",
    "devices",
    "short_term_summaries",
    "mid_term_summaries",
    "episodes",
)


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    run_script(__file__)
    protect_tables(*PERSONAL)
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON agenda TO gieok_app")
