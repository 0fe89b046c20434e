"""Who is signed in on the pages of their own memory."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the table, closed by row security."""
    run_script(__file__)
    protect_tables("sign_ins")
