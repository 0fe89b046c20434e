"""Where every device stands in the exchange with the cloud (A08)."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the cursors, closed by row security."""
    run_script(__file__)
    protect_tables("memory_sync_cursors")
