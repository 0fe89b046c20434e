"""SQL of the sign-ins: one function, one statement."""

from datetime import datetime

from gieok.access.model import SignIn
from gieok.database import Transaction


async def insert_link(tx: Transaction, sign_in: SignIn, digest: bytes) -> None:
    """Keep a link that nobody has opened, as its digest."""
    await tx.execute(
        """
        INSERT INTO sign_ins (user_id, sign_in_id, digest, created_at, expires_at)
        VALUES (%s, %s, %s, %s, %s)
        """,
        [
            tx.scope.user_id,
            sign_in.sign_in_id,
            digest,
            sign_in.created_at,
            sign_in.expires_at,
        ],
    )


async def exchange_digest(
    tx: Transaction, link: bytes, opened: bytes, until: datetime
) -> SignIn | None:
    """Make a link that is still good a sign-in of another digest; None if none is."""
    row = await tx.fetch_one(
        """
        UPDATE sign_ins
        SET digest = %(opened)s, opened_at = %(now)s, expires_at = %(until)s
        WHERE user_id = %(user_id)s AND digest = %(link)s AND opened_at IS NULL
          AND expires_at > %(now)s
        RETURNING sign_in_id, created_at, opened_at, expires_at
        """,
        {
            "user_id": tx.scope.user_id,
            "link": link,
            "opened": opened,
            "until": until,
            "now": tx.now,
        },
    )
    return SignIn(*row) if row else None


async def is_link(tx: Transaction, digest: bytes) -> bool:
    """Tell whether a link is still good."""
    row = await tx.fetch_one(
        """
        SELECT EXISTS (
            SELECT FROM sign_ins WHERE user_id = %s AND digest = %s
              AND opened_at IS NULL AND expires_at > %s
        )
        """,
        [tx.scope.user_id, digest, tx.now],
    )
    return bool(row and row[0])


async def find_open(tx: Transaction, digest: bytes) -> SignIn | None:
    """Return the sign-in of a digest, unless it has expired or was ended."""
    row = await tx.fetch_one(
        """
        SELECT sign_in_id, created_at, opened_at, expires_at FROM sign_ins
        WHERE user_id = %s AND digest = %s AND opened_at IS NOT NULL
          AND expires_at > %s
        """,
        [tx.scope.user_id, digest, tx.now],
    )
    return SignIn(*row) if row else None


async def list_open(tx: Transaction) -> list[SignIn]:
    """Return the person's sign-ins that are good, newest first."""
    rows = await tx.fetch_all(
        """
        SELECT sign_in_id, created_at, opened_at, expires_at FROM sign_ins
        WHERE user_id = %s AND opened_at IS NOT NULL AND expires_at > %s
        ORDER BY opened_at DESC, sign_in_id DESC
        """,
        [tx.scope.user_id, tx.now],
    )
    return [SignIn(*row) for row in rows]


async def delete_sign_ins(tx: Transaction, *, expired_only: bool = False) -> int:
    """Remove the person's sign-ins and links, or those that have expired."""
    done = await tx.execute(
        """
        DELETE FROM sign_ins
        WHERE user_id = %s AND (NOT %s::boolean OR expires_at <= %s)
        """,
        [tx.scope.user_id, expired_only, tx.now],
    )
    return done.rowcount


async def delete_digest(tx: Transaction, digest: bytes) -> None:
    """Remove one sign-in."""
    await tx.execute(
        "DELETE FROM sign_ins WHERE user_id = %s AND digest = %s",
        [tx.scope.user_id, digest],
    )
