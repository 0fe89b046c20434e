"""A person's settings say which of them the person chose."""

from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Take all that was kept for chosen: so does a process of before that writes."""
    op.execute(
        "ALTER TABLE memory_settings ADD COLUMN chosen text[] NOT NULL DEFAULT "
        "'{is_enabled,allowed_categories,auto_extraction,max_memories,"
        "retention_days,promotion_policy,words_days}'"
    )
