"""Which embedder this installation's vectors come from."""

from dataclasses import dataclass
from typing import Final

from gieok.database import Database
from gieok.database.installation import ensure_value, store_values
from gieok.kernel.errors import EmbedderMismatchError
from gieok.kernel.language import Embedder

NAME: Final = "embedder"


@dataclass(frozen=True, slots=True)
class EmbedderRecord:
    """Remembers the embedder, so that changed settings cannot mix vectors unnoticed."""

    database: Database

    async def verify(self, embedder: Embedder) -> None:
        """Make sure that the configured embedder made the vectors on disk.

        Raises:
            EmbedderMismatchError: another one did; `gieok reembed` repairs it.
        """
        configured = _describe_embedder(embedder)
        found = await ensure_value(self.database, NAME, configured)
        if found != configured:
            raise EmbedderMismatchError(
                f"The vectors on disk come from {found}; {configured} is "
                "configured. Run `gieok reembed` to make them anew, or set "
                "GIEOK_EMBEDDER back."
            )

    async def set(self, embedder: Embedder) -> None:
        """Remember that all vectors now come from this embedder."""
        await store_values(self.database, {NAME: _describe_embedder(embedder)})


def _describe_embedder(embedder: Embedder) -> str:
    return f"{embedder.name} ({embedder.dimension} values)"
