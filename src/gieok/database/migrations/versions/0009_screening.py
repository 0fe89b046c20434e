"""Messages are screened together, whichever process recorded them."""

from gieok.database.migrations.schema import run_script

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the count."""
    run_script(__file__)
