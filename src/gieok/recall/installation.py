"""Which embedder this installation's vectors come from."""

from dataclasses import dataclass

from gieok.database import Database
from gieok.kernel.errors import EmbedderMismatchError
from gieok.kernel.language import Embedder


@dataclass(frozen=True, slots=True)
class EmbedderRecord:
    """Remembers the embedder, so that changed settings cannot mix vectors unnoticed."""

    database: Database

    async def verify(self, embedder: Embedder) -> None:
        """Make sure that the configured embedder made the vectors on disk.

        Raises:
            EmbedderMismatchError: another one did; `gieok reembed` repairs it.
        """
        async with self.database.connection() as connection:
            await connection.execute(
                """
                INSERT INTO installation (name, value) VALUES ('embedder', %s)
                ON CONFLICT DO NOTHING
                """,
                [_describe_embedder(embedder)],
            )
            found = await connection.execute(
                "SELECT value FROM installation WHERE name = 'embedder'"
            )
            row = await found.fetchone()
        configured = _describe_embedder(embedder)
        if row is not None and row[0] != configured:
            raise EmbedderMismatchError(
                f"The vectors on disk come from {row[0]}; {configured} is "
                "configured. Run `gieok reembed` to make them anew, or set "
                "GIEOK_EMBEDDER back."
            )

    async def set(self, embedder: Embedder) -> None:
        """Remember that all vectors now come from this embedder."""
        async with self.database.connection() as connection:
            await connection.execute(
                """
                INSERT INTO installation (name, value) VALUES ('embedder', %s)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                [_describe_embedder(embedder)],
            )


def _describe_embedder(embedder: Embedder) -> str:
    return f"{embedder.name} ({embedder.dimension} values)"
