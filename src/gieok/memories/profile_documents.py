"""SQL of profile documents: one function, one statement.

`profile` makes them of a person's memories; they are kept here because an erased memory
takes the document along, in its own transaction.
"""

from datetime import datetime
from typing import Final, NamedTuple

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place

DOCUMENT: Final = Place("profile_documents", "document")


class StoredDocument(NamedTuple):
    """A card as it was computed, sealed, and for which state that is true."""

    sealed: bytes | None
    """None where the reader has opened it already."""
    version: str
    made_at: datetime
    until: datetime | None

    def is_current(self, version: str | None, now: datetime) -> bool:
        """Tell whether the memories would give the same card."""
        return (
            version == self.version
            and self.made_at <= now
            and (self.until is None or now < self.until)
        )


async def find_document(
    tx: Transaction, opened: tuple[str, datetime] | None = None
) -> StoredDocument | None:
    """Return the person's document, if one is kept.

    The one of the version and time that is `opened` already comes without its text.
    """
    version, made_at = opened or (None, None)
    row = await tx.fetch_one(
        """
        SELECT CASE WHEN version = %(version)s AND updated_at = %(made_at)s
            THEN NULL ELSE document END, version, updated_at, expires_at
        FROM profile_documents WHERE user_id = %(user_id)s
        """,
        {"user_id": tx.scope.user_id, "version": version, "made_at": made_at},
    )
    return StoredDocument(*row) if row else None


async def upsert_document(
    tx: Transaction, key: PersonKey, text: str, version: str, until: datetime | None
) -> None:
    """Keep a document in place of the one before."""
    person = tx.scope.user_id
    await tx.execute(
        """
        INSERT INTO profile_documents
            (user_id, document, version, updated_at, expires_at)
        VALUES (%(user_id)s, %(document)s, %(version)s, %(at)s, %(until)s)
        ON CONFLICT (user_id) DO UPDATE SET document = excluded.document,
            version = excluded.version, updated_at = excluded.updated_at,
            expires_at = excluded.expires_at
        """,
        {
            "user_id": person,
            "document": key.seal_text(DOCUMENT, person, text),
            "version": version,
            "at": tx.now,
            "until": until,
        },
    )


async def delete_document(tx: Transaction) -> None:
    """Remove the person's document: one of the memories that it was made of goes.

    It would be made anew before anybody saw it, but an erased text does not wait,
    sealed, until then.
    """
    await tx.execute(
        "DELETE FROM profile_documents WHERE user_id = %s", [tx.scope.user_id]
    )
