"""Conversations over time: the agenda, personas, summaries and episodes."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

PERSONAL = (
    "personas",
    "devices",
    "short_term_summaries",
    "mid_term_summaries",
    "episodes",
)


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for table in PERSONAL:
        for statement in protect_table(table, "SELECT, INSERT, UPDATE, DELETE"):
            op.execute(statement)
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON agenda TO gieok_app")
