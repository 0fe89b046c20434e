"""How far memories are trusted, and why candidates wait."""

from gieok.database.migrations.schema import run_script

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add what the defence against planted memories needs."""
    run_script(__file__)
