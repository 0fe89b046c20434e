"""The profile card of a person, as a sealed document."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the table and close it with row security."""
    run_script(__file__)
    protect_tables("profile_documents")
