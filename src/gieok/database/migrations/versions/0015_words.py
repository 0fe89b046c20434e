"""What was said may be kept for longer, where the person agrees."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the purpose and the setting; nobody has agreed to it yet."""
    op.execute("ALTER TABLE consents DROP CONSTRAINT consents_purpose_check")
    op.execute(
        "ALTER TABLE consents ADD CONSTRAINT consents_purpose_check CHECK "
        "(purpose IN ('storage', 'profile', 'sensitive', 'sync', 'words'))"
    )
    op.execute(
        "ALTER TABLE memory_settings ADD COLUMN words_days integer "
        "CHECK (words_days BETWEEN 1 AND 36500)"
    )
