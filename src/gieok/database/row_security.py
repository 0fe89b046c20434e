"""One row-security policy for every personal table (design rule 4).

The expression is plain because Citus refuses one with a sub-select, and `nullif` is
needed because the setting reads '' after a transaction that set it locally.
"""

from collections.abc import Iterator

APP_ROLE = "gieok_app"
"""The role the product runs as: it owns nothing and cannot bypass row security."""

OWNER_IS_CALLER = "user_id = nullif(current_setting('app.user_id', true), '')::uuid"


def protect(table: str, privileges: str) -> Iterator[str]:
    """Yield the statements that close a personal table to everyone but its person."""
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield (
        f"CREATE POLICY own_rows ON {table} "
        f"USING ({OWNER_IS_CALLER}) WITH CHECK ({OWNER_IS_CALLER})"
    )
    yield f"GRANT {privileges} ON {table} TO {APP_ROLE}"
