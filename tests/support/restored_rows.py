"""People as a backup brings them back: with older decisions, or not at all."""

from collections.abc import Sequence

from gieok import Scope
from support.database import Owner


async def restore_consents(
    owner: Owner, me: Scope, backup: Sequence[tuple[object, ...]]
) -> None:
    """Put back a person's decisions of a backup, and what they withhold by them."""
    await owner.execute("DELETE FROM consents WHERE user_id = %s", [me.user_id])
    await owner.execute(
        "UPDATE users SET withheld = '{}' WHERE user_id = %s", [me.user_id]
    )
    for row in backup:
        await owner.execute(
            "INSERT INTO consents (user_id, purpose, version, granted, notice, actor,"
            " created_at) VALUES (%s, %s, %s, %s, %s, %s, %s)",
            [me.user_id, *row],
        )


async def remove_person(owner: Owner, me: Scope) -> None:
    """Let a person be unknown, as in a backup of before they came."""
    await owner.execute("DELETE FROM memory_audit_log WHERE user_id = %s", [me.user_id])
    await owner.execute("DELETE FROM users WHERE user_id = %s", [me.user_id])
