"""Saved sessions, and why jobs failed."""

from gieok.database.migrations.schema import run_script

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Note that a session was saved, and beside a job why it failed."""
    run_script(__file__)
