"""Values that all processes of this installation share."""

from collections.abc import Collection, Mapping

from gieok.database.transaction import Database


async def store_values(
    database: Database, values: Mapping[str, str], *, replaces: bool = True
) -> None:
    """Keep values by name in place of those before, or only where there are none."""
    async with database.connection() as connection:
        await connection.execute(
            """
            INSERT INTO installation (name, value)
            SELECT * FROM unnest(%s::text[], %s::text[])
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE %s AND installation.value <> excluded.value
            """,
            [list(values), list(values.values()), replaces],
        )


async def ensure_value(database: Database, name: str, value: str) -> str:
    """Keep a value unless there is one of this name; return the one that is kept."""
    async with database.connection() as connection:
        await connection.execute(
            """
            INSERT INTO installation (name, value) VALUES (%s, %s)
            ON CONFLICT DO NOTHING
            """,
            [name, value],
        )
        found = await connection.execute(
            "SELECT value FROM installation WHERE name = %s", [name]
        )
        row = await found.fetchone()
    return row[0] if row else value


async def load_values(database: Database, names: Collection[str]) -> dict[str, str]:
    """Return the values of these names that are kept."""
    async with database.connection() as connection:
        found = await connection.execute(
            "SELECT name, value FROM installation WHERE name = ANY(%s)", [list(names)]
        )
        return dict(await found.fetchall())
