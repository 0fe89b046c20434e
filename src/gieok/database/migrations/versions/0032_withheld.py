"""A message says whether it was said while memory was off."""

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Mark the messages that a session's one span of them holds.

    Of an imported archive that span only says that nothing of it is summed up. An owner
    who is no superuser sees no rows of a table that forces row security.
    """
    op.execute(
        "ALTER TABLE session_messages "
        "ADD COLUMN is_withheld boolean NOT NULL DEFAULT false"
    )
    tables = ("sessions", "session_messages", "session_progress")
    for table in tables:
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    op.execute(
        """
        WITH spans AS (
            SELECT stop.user_id, stop.session_id, stop.position AS stop,
                   coalesce(start.position, 0) AS start
            FROM session_progress AS stop
            JOIN sessions USING (user_id, session_id)
            LEFT JOIN session_progress AS start
              ON start.user_id = stop.user_id AND start.session_id = stop.session_id
             AND start.reader = 'unsummarized_start'
            WHERE stop.reader = 'unsummarized_end'
              AND ended_reason IS DISTINCT FROM 'imported'
        )
        UPDATE session_messages AS said SET is_withheld = true
        FROM spans
        WHERE said.user_id = spans.user_id AND said.session_id = spans.session_id
          AND said.position >= spans.start AND said.position < spans.stop
        """
    )
    for table in tables:
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
