"""SQL of consents: one function, one statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, LiteralString

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.privacy import DecisionEntry
from gieok.settings.model import OPT_IN, Consent, Purpose

WITHHELD: LiteralString = """
    coalesce(
        (SELECT withheld FROM users WHERE user_id = %(user_id)s),
        (SELECT string_to_array(value, ',') FROM installation
         WHERE name = 'withheld'),
        '{}'
    ) || ARRAY(
        SELECT purpose FROM unnest(%(opt_in)s::text[]) AS opt_in (purpose)
        WHERE NOT coalesce((
            SELECT granted FROM consents
            WHERE user_id = %(user_id)s AND consents.purpose = opt_in.purpose
            ORDER BY version DESC LIMIT 1
        ), false)
    )
"""
"""The purposes to which a person does not agree, explicitly or yet, as SQL.

Those that are opted into stand in their decisions alone."""
OPTED: Final = sorted(OPT_IN)


async def list_withheld(tx: Transaction) -> frozenset[Purpose]:
    """Return the purposes to which the person does not agree, explicitly or yet."""
    row = await tx.fetch_one(
        f"SELECT {WITHHELD}", {"user_id": tx.scope.user_id, "opt_in": OPTED}
    )
    return frozenset(Purpose(each) for each in row[0]) if row else frozenset()


async def list_history(tx: Transaction) -> list[Consent]:
    """Return every decision, oldest first."""
    rows = await tx.fetch_all(
        """
        SELECT purpose, version, granted, notice, created_at FROM consents
        WHERE user_id = %s ORDER BY created_at, purpose, version
        """,
        [tx.scope.user_id],
    )
    return [_parse_consent(row) for row in rows]


async def list_newest(tx: Transaction) -> list[Consent]:
    """Return the newest decision about each purpose that was decided on.

    The newest is the one of the highest version: times may come from a file.
    """
    rows = await tx.fetch_all(
        """
        SELECT DISTINCT ON (purpose) purpose, version, granted, notice, created_at
        FROM consents WHERE user_id = %s ORDER BY purpose, version DESC
        """,
        [tx.scope.user_id],
    )
    return [_parse_consent(row) for row in rows]


async def is_decided_since(tx: Transaction, purpose: str, at: datetime) -> bool:
    """Tell whether a decision about a purpose is known of that time or a later one."""
    row = await tx.fetch_one(
        """
        SELECT FROM consents
        WHERE user_id = %s AND purpose = %s AND created_at >= %s LIMIT 1
        """,
        [tx.scope.user_id, purpose, at],
    )
    return row is not None


async def append_versions(tx: Transaction, decisions: Sequence[DecisionEntry]) -> None:
    """Add one version for each purpose; the caller holds the person."""
    await tx.execute(
        """
        INSERT INTO consents (
            user_id, purpose, version, granted, notice, actor, created_at
        )
        SELECT %(user_id)s, decided.purpose,
               coalesce((
                   SELECT max(version) FROM consents AS before
                   WHERE before.user_id = %(user_id)s
                     AND before.purpose = decided.purpose
               ), 0) + 1,
               decided.granted, decided.notice, decided.actor, decided.at
        FROM unnest(
            %(purposes)s::text[], %(granted)s::bool[], %(notices)s::text[],
            %(actors)s::text[], %(times)s::timestamptz[]
        ) AS decided (purpose, granted, notice, actor, at)
        """,
        {
            "user_id": tx.scope.user_id,
            "purposes": [each.purpose for each in decisions],
            "granted": [each.granted for each in decisions],
            "notices": [each.notice for each in decisions],
            "actors": [each.actor for each in decisions],
            "times": [each.at for each in decisions],
        },
    )


def _parse_consent(row: TupleRow) -> Consent:
    return Consent(Purpose(row[0]), *row[1:])
