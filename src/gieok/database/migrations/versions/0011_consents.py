"""Where the audit log of everybody stands, for those who seal it."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the heads of all chains be read."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
