"""One row-security policy for every personal table (design rule 4).

The expression is plain because Citus refuses one with a sub-select, and `nullif` is
needed because the setting reads '' after a transaction that set it locally.
"""

import asyncio
from collections.abc import Iterator

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from gieok.kernel.errors import ConfigurationError

SCHEMA = "gieok"
APP_ROLE = "gieok_app"
"""The role the product runs as: it owns nothing and cannot bypass row security."""

OWNER_IS_CALLER = "user_id = nullif(current_setting('app.user_id', true), '')::uuid"


def protect_table(table: str, privileges: str) -> Iterator[str]:
    """Yield the statements that close a personal table to everyone but its person."""
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield (
        f"CREATE POLICY own_rows ON {table} "
        f"USING ({OWNER_IS_CALLER}) WITH CHECK ({OWNER_IS_CALLER})"
    )
    yield f"GRANT {privileges} ON {table} TO {APP_ROLE}"


class RoleCheck:
    """Refuses every new connection on which row security would not hold.

    The role and the search path are start-up options of a connection. A proxy may drop
    them without a word (PgBouncer's `ignore_startup_parameters = options`), and the
    product would then run as the owner, who sees everybody.
    """

    def __init__(self) -> None:
        self._problem = ""
        self._is_refused = asyncio.Event()

    async def wait_for_refusal(self) -> str:
        """Wait until a connection is refused; return what was wrong with it."""
        await self._is_refused.wait()
        return self._problem

    async def __call__(self, connection: AsyncConnection[TupleRow]) -> None:
        """Look at one connection.

        Raises:
            ConfigurationError: it does not act as the app role, or bypasses policies.
        """
        cursor = await connection.execute(
            """
            SELECT current_user, current_schema(),
                   current_setting('row_security') = 'on'
                   AND NOT (rolsuper OR rolbypassrls)
            FROM pg_roles WHERE rolname = current_user
            """
        )
        found = await cursor.fetchone()
        if found == (APP_ROLE, SCHEMA, True):
            return
        role, schema, _ = found or ("nobody", None, False)
        self._problem = (
            f"The database connection acts as {role} in schema {schema}, "
            f"not as {APP_ROLE} in {SCHEMA} under row security. A proxy such as "
            "PgBouncer drops start-up options: let it set both (`connect_query`), or "
            "connect to PostgreSQL itself."
        )
        self._is_refused.set()
        raise ConfigurationError(self._problem)
