"""Keys of apps, as digests."""

from alembic import op

from gieok.database.migrations.schema import run_script

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; a key is revoked, never deleted."""
    run_script(__file__)
    op.execute("GRANT SELECT, INSERT, UPDATE ON api_keys TO gieok_app")
