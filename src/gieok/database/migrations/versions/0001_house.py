"""The first schema, its row security and what the app role may do."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

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
    for statement in split_statements(
        Path(__file__).with_suffix(".sql").read_text("utf-8")
    ):
        op.execute(statement)
    for table in PERSONAL:
        for statement in protect_table(table, "SELECT, INSERT, UPDATE, DELETE"):
            op.execute(statement)
    for statement in protect_table("memory_audit_log", "SELECT, INSERT"):
        op.execute(statement)
    op.execute("GRANT SELECT, INSERT, UPDATE ON installation TO gieok_app")
