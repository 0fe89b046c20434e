"""The job queue: procrastinate's own schema, in gieok's schema."""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Install the queue and let the app role use it.

    Jobs name people and things by id only, so they carry no row security: a worker
    has to see everybody's.
    """
    # One driver-level script: procrastinate's functions hold semicolons of their own.
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
    op.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON procrastinate_jobs, "
        "procrastinate_workers, procrastinate_periodic_defers, procrastinate_events "
        "TO gieok_app"
    )
    op.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA gieok TO gieok_app")
