"""Which forgotten memories still lack a receipt."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create it, carry over what the audit log says, close it with row security."""
    run_script(__file__)
    protect_tables("pending_receipts")
