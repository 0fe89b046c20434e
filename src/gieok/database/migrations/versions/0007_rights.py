"""The rights of people: consent, and receipts of what was erased."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

APPEND_ONLY = ("consents", "erasure_receipts")


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for table in APPEND_ONLY:
        for statement in protect_table(table, "SELECT, INSERT"):
            op.execute(statement)
