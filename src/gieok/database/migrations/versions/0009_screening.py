"""Messages are screened together, whichever process recorded them."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the count."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
