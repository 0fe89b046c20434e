"""Saved sessions, and why jobs failed."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Note that a session was saved, and beside a job why it failed."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
