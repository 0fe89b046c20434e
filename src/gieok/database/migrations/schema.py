"""What migrations have in common: the script beside one, and closed tables."""

from pathlib import Path

from alembic import op

from gieok.database.row_security import protect_table
from gieok.database.statements import split_statements


def run_script(migration: str) -> None:
    """Run the `.sql` beside a migration's own file, `__file__` there."""
    script = Path(migration).with_suffix(".sql").read_text("utf-8")
    for statement in split_statements(script):
        op.execute(statement)


def protect_tables(
    *tables: str, privileges: str = "SELECT, INSERT, UPDATE, DELETE"
) -> None:
    """Close personal tables with row security; say what the app may do in them."""
    for table in tables:
        for statement in protect_table(table, privileges):
            op.execute(statement)
