"""Keys of apps, as digests."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; a key is revoked, never deleted."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    op.execute("GRANT SELECT, INSERT, UPDATE ON api_keys TO gieok_app")
