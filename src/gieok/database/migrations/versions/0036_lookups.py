"""What says the same or came before is looked up, not compared with all else."""

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Find the versions of a memory."""
    op.execute(
        "CREATE INDEX user_memories_by_successor "
        "ON user_memories (user_id, superseded_by) WHERE superseded_by IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX user_memories_out_of_use_by_content "
        "ON user_memories (user_id, content_digest) WHERE NOT is_active"
    )
