"""SQL of what an app names within a person: personas and devices.

Their names are sealed; their ids are pseudonyms of the person and the name.
"""

from dataclasses import dataclass
from typing import Final, Literal, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place, read_rows


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """One kind of thing that has a name, and the statements about it."""

    kind: Literal["persona", "device"]
    place: Place
    find: LiteralString
    insert: LiteralString
    list: LiteralString
    remove: LiteralString
    is_in_paths: bool = False
    """Whether apps put the name into the path of a URL."""


PERSONA: Final = NamedEntity(
    kind="persona",
    place=Place("personas", "name"),
    find="SELECT FROM personas WHERE user_id = %s AND persona_id = %s",
    insert="""
        INSERT INTO personas (user_id, persona_id, name, created_at)
        VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING persona_id
    """,
    list="""
        SELECT persona_id, name FROM personas
        WHERE user_id = %s ORDER BY created_at, persona_id
    """,
    remove="""
        DELETE FROM personas WHERE user_id = %s AND persona_id = %s
        RETURNING persona_id
    """,
)
DEVICE: Final = NamedEntity(
    kind="device",
    place=Place("devices", "name"),
    find="SELECT FROM devices WHERE user_id = %s AND device_id = %s",
    insert="""
        INSERT INTO devices (user_id, device_id, name, created_at)
        VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING device_id
    """,
    list="""
        SELECT device_id, name FROM devices
        WHERE user_id = %s ORDER BY created_at, device_id
    """,
    remove="""
        DELETE FROM devices WHERE user_id = %s AND device_id = %s
        RETURNING device_id
    """,
    is_in_paths=True,
)


async def is_saved(tx: Transaction, naming: NamedEntity, named: UUID) -> bool:
    """Tell whether the person has this persona or device."""
    row = await tx.fetch_one(naming.find, [tx.scope.user_id, named])
    return row is not None


async def insert_name(
    tx: Transaction, key: PersonKey, naming: NamedEntity, named: UUID, name: str
) -> bool:
    """Keep a persona or device under its sealed name; False when it was there."""
    sealed = key.seal_text(naming.place, named, name)
    row = await tx.fetch_one(naming.insert, [tx.scope.user_id, named, sealed, tx.now])
    return row is not None


async def list_names(
    tx: Transaction, key: PersonKey, naming: NamedEntity
) -> dict[UUID, str]:
    """Return the names by id, oldest first."""
    rows = await tx.fetch_all(naming.list, [tx.scope.user_id])
    return dict(
        read_rows(
            naming.place.table,
            rows,
            lambda row: (row[0], key.open_text(naming.place, row[0], row[1])),
        )
    )


async def delete_name(tx: Transaction, naming: NamedEntity, named: UUID) -> bool:
    """Remove a persona or device; False when the person has no such."""
    row = await tx.fetch_one(naming.remove, [tx.scope.user_id, named])
    return row is not None
