"""What agents keep: the items of a store, and the states of LangGraph threads."""

from alembic import op

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0004"
down_revision = "0003"

PERSONAL = ("store_items", "checkpoints", "checkpoint_blobs", "checkpoint_writes")


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    run_script(__file__)
    protect_tables(*PERSONAL)
    op.execute("GRANT SELECT ON checkpoint_migrations TO gieok_app")
