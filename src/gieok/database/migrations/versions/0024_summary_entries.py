"""What recall searches of summaries and episodes."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0024"
down_revision = "0022"


def upgrade() -> None:
    """Create the table and close it with row security."""
    run_script(__file__)
    protect_tables("summary_entries")
