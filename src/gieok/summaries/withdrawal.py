"""Takes back at once what was summed up from words that are erased."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import Audit, Change, GroundMoved, Transaction
from gieok.summaries import day_sums, period_store, session_store, week_sums
from gieok.summaries.periods import day_of, week_of


async def withdraw_messages(tx: Transaction, message_ids: Sequence[UUID]) -> int:
    """Remove the days and weeks that rest on sessions of these; return how many.

    They are made anew, without what was forgotten, by what follows `GroundMoved`; the
    sums of the sessions too, which nobody is told meanwhile. The caller holds the
    person's lock.
    """
    return await _withdraw(tx, await session_store.of_messages(tx, message_ids))


async def withdraw_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> int:
    """Remove the days and weeks that rest on sessions about to be erased.

    As `withdraw_messages`; call it while the sessions are still there.
    """
    return await _withdraw(tx, await session_store.beginnings(tx, session_ids))


async def _withdraw(tx: Transaction, begun: Mapping[UUID, datetime]) -> int:
    if not begun:
        return 0
    zone = ZoneInfo((await accounts.get(tx)).time_zone)
    weeks = {week_of(day_of(at, zone)) for at in begun.values()}
    days = await period_store.delete_days_of(tx, list(begun))
    note_deleted(tx, day_sums.ENTITY, day_sums.TABLE, days, "ground_erased")
    gone = await period_store.delete_weeks_of(tx, days, list(weeks))
    note_deleted(tx, week_sums.ENTITY, week_sums.TABLE, gone, "ground_erased")
    person = tx.scope.user_id
    tx.announce(GroundMoved(person, person))
    return len(days) + len(gone)


def note_deleted(
    tx: Transaction, entity: str, table: str, ids: Sequence[UUID], reason: str
) -> None:
    """Number and audit that summaries are gone."""
    tx.number(*(Change(entity, summary_id, "delete") for summary_id in ids))
    tx.audit(*(Audit("delete", table, summary_id, reason) for summary_id in ids))
