"""Exports that wait to be fetched."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table and close it with row security."""
    run_script(__file__)
    protect_tables("exports", privileges="SELECT, INSERT, DELETE")
