"""The rights of people: consent, and receipts of what was erased."""

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0007"
down_revision = "0006"

APPEND_ONLY = ("consents", "erasure_receipts")


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    run_script(__file__)
    protect_tables(*APPEND_ONLY, privileges="SELECT, INSERT")
