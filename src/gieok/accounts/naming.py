"""SQL of what an app names within a person: personas and devices.

Their names are sealed; their ids are pseudonyms of the person and the name.
"""

from dataclasses import dataclass
from typing import Final, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place, readable


@dataclass(frozen=True, slots=True)
class Naming:
    """One kind of thing that has a name, and the statements about it."""

    kind: str
    place: Place
    find: LiteralString
    keep: LiteralString
    list: LiteralString
    remove: LiteralString


PERSONA: Final = Naming(
    kind="persona",
    place=Place("personas", "name"),
    find="SELECT FROM personas WHERE user_id = %s AND persona_id = %s",
    keep="""
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
DEVICE: Final = Naming(
    kind="device",
    place=Place("devices", "name"),
    find="SELECT FROM devices WHERE user_id = %s AND device_id = %s",
    keep="""
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
)


async def is_kept(tx: Transaction, naming: Naming, named: UUID) -> bool:
    """Tell whether the person has this persona or device."""
    row = await tx.fetch_one(naming.find, [tx.scope.user_id, named])
    return row is not None


async def keep(
    tx: Transaction, key: PersonKey, naming: Naming, named: UUID, name: str
) -> bool:
    """Keep a persona or device under its sealed name; False when it was there."""
    sealed = key.seal_text(naming.place, named, name)
    row = await tx.fetch_one(naming.keep, [tx.scope.user_id, named, sealed, tx.now])
    return row is not None


async def names(tx: Transaction, key: PersonKey, naming: Naming) -> dict[UUID, str]:
    """Return the names by id, oldest first."""
    rows = await tx.fetch_all(naming.list, [tx.scope.user_id])
    return dict(
        readable(
            naming.place.table,
            rows,
            lambda row: (row[0], key.open_text(naming.place, row[0], row[1])),
        )
    )


async def remove(tx: Transaction, naming: Naming, named: UUID) -> bool:
    """Remove a persona or device; False when the person has no such."""
    row = await tx.fetch_one(naming.remove, [tx.scope.user_id, named])
    return row is not None
