"""Where operators are signed in, and who may see which migrations were made."""

from alembic import op

from gieok.database.migrations.schema import run_script

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the table; it holds digests and ids of keys."""
    run_script(__file__)
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON operator_sign_ins TO gieok_app")
    op.execute("GRANT SELECT ON alembic_version TO gieok_app")
