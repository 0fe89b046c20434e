"""A memory says when its words were said, apart from when it was last confirmed."""

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Let a memory keep the day of its words.

    What was confirmed before is of when it was learned: no earlier day is known. An
    owner who is no superuser sees no rows of a table that forces row security.
    """
    op.execute("ALTER TABLE user_memories ADD COLUMN worded_at timestamptz")
    op.execute("ALTER TABLE user_memories NO FORCE ROW LEVEL SECURITY")
    op.execute(
        "UPDATE user_memories SET worded_at = created_at "
        "WHERE last_confirmed_at > created_at"
    )
    op.execute("ALTER TABLE user_memories FORCE ROW LEVEL SECURITY")
