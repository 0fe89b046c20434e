"""What recall searches of summaries and episodes."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0024"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table and close it with row security."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for statement in protect_table("summary_entries", "SELECT, INSERT, UPDATE, DELETE"):
        op.execute(statement)
