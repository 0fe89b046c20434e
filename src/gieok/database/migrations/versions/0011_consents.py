"""Where the audit log of everybody stands, for those who seal it."""

from gieok.database.migrations.schema import run_script

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Let the heads of all chains be read."""
    run_script(__file__)
