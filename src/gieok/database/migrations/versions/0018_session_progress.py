"""How far each reader has read a session, in a table of its own."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the table, carry the counts over and close it with row security."""
    run_script(__file__)
    protect_tables("session_progress")
