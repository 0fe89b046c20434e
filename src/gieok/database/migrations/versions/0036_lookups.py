"""What grows with people or with their memories is looked up, not searched."""

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Find the versions of a memory, and the jobs of a person that were given up."""
    op.execute(
        "CREATE INDEX user_memories_by_successor "
        "ON user_memories (user_id, superseded_by) WHERE superseded_by IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX user_memories_out_of_use_by_content "
        "ON user_memories (user_id, content_digest) WHERE NOT is_active"
    )
    op.execute(
        "CREATE INDEX procrastinate_jobs_failed_by_person "
        "ON procrastinate_jobs ((args ->> 'user_id')) WHERE status = 'failed'"
    )
