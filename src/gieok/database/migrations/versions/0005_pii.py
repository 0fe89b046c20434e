"""How far memories are trusted, and why candidates wait."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the defence against planted memories needs."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
