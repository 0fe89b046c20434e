"""Where operators are signed in, and who may see which migrations were made."""

from pathlib import Path

from alembic import op

from gieok.database.statements import split_statements

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; it holds digests and ids of keys."""
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON operator_sign_ins TO gieok_app")
    op.execute("GRANT SELECT ON alembic_version TO gieok_app")
