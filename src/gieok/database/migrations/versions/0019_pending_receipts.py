"""Which forgotten memories still lack a receipt."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create it, carry over what the audit log says, close it with row security."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for statement in protect_table(
        "pending_receipts", "SELECT, INSERT, UPDATE, DELETE"
    ):
        op.execute(statement)
