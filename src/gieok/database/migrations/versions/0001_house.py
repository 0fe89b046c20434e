"""The first schema, its row security and what the app role may do."""

from alembic import op

from gieok.database.migrations.schema import protect_tables, run_script

revision = "0001"
down_revision = None

PERSONAL = (
    "users",
    "user_counters",
    "memory_updates",
    "memory_settings",
    "sessions",
    "session_messages",
    "conversation_pairs",
    "memory_candidates",
    "user_memories",
    "memory_history",
    "recall_items",
)


def upgrade() -> None:
    """Create the tables and close every personal one with row security."""
    run_script(__file__)
    protect_tables(*PERSONAL)
    protect_tables("memory_audit_log", privileges="SELECT, INSERT")
    op.execute("GRANT SELECT, INSERT, UPDATE ON installation TO gieok_app")
