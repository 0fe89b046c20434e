"""Receipts of sessions and personas."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Let a receipt be about anything that can be erased."""
    op.execute(
        "ALTER TABLE erasure_receipts DROP CONSTRAINT erasure_receipts_kind_check"
    )
    op.execute(
        "ALTER TABLE erasure_receipts ADD CONSTRAINT erasure_receipts_kind_check CHECK "
        "(kind IN ('person', 'persona', 'device', 'session', 'memory'))"
    )
