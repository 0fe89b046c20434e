"""Where every device stands in the exchange with the cloud (A08)."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the cursors, closed by row security."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for statement in protect_table(
        "memory_sync_cursors", "SELECT, INSERT, UPDATE, DELETE"
    ):
        op.execute(statement)
