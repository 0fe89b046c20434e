"""Takes back at once what was summed up from words that are erased."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import Audit, Change, SourcesChanged, Transaction
from gieok.kernel.entities import Entity
from gieok.search import summary_entry_store
from gieok.sessions import reader_store, removal_store
from gieok.summaries import day_store, session_store, week_store
from gieok.summaries.period_sources import DAYS, WEEKS
from gieok.summaries.periods import format_week, resolve_day


async def withdraw_messages(tx: Transaction, message_ids: Sequence[UUID]) -> int:
    """Remove the days and weeks that rest on sessions of these; return how many.

    They are made anew, without what was forgotten, by what follows `SourcesChanged`;
    the summaries of the sessions too, which nobody is shown meanwhile. The caller
    holds the person's lock.
    """
    begun = await session_store.list_message_sessions(tx, message_ids)
    tx.record_changes(*(Change("session", each) for each in begun))
    return await _delete_periods(tx, begun)


async def withdraw_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> int:
    """Remove the days and weeks that rest on sessions about to be erased.

    As `withdraw_messages`; call it while the sessions are still there.
    """
    return await _delete_periods(
        tx, await session_store.list_beginnings(tx, session_ids)
    )


async def withdraw_summaries(tx: Transaction, session_ids: Sequence[UUID]) -> int:
    """Remove what sessions were summed up to, with the days and weeks of that.

    None of it is made anew, unless more is said in a session. Returns how many days and
    weeks there were. The caller holds the sessions and the person's lock.
    """
    gone = await removal_store.delete_summaries(tx, session_ids)
    await summary_entry_store.delete_entries(tx, gone)
    tx.record_changes(*(Change("session", each) for each in gone))
    return await withdraw_sessions(tx, session_ids)


async def withdraw_wordless(tx: Transaction, session_ids: Sequence[UUID]) -> int:
    """Remove what was summed up of sessions whose words are gone, for good.

    Which part of it came from what is to be forgotten nobody can tell any more. Their
    episodes are not told from now on and go with what follows `SourcesChanged`. The
    caller holds the person's lock.
    """
    if not session_ids:
        return 0
    tx.record_erasure()
    await removal_store.delete_summaries(tx, session_ids)
    await summary_entry_store.delete_entries(tx, session_ids)
    for session_id in session_ids:
        await reader_store.set_episode_deleted(tx, session_id, deleted=True)
    tx.record_changes(*(Change("session", each) for each in session_ids))
    return await withdraw_sessions(tx, session_ids)


async def _delete_periods(tx: Transaction, begun: Mapping[UUID, datetime]) -> int:
    if not begun:
        return 0
    zone = ZoneInfo((await accounts.get_person(tx)).time_zone)
    weeks = {format_week(resolve_day(at, zone)) for at in begun.values()}
    days = await day_store.delete_days_of(tx, list(begun))
    record_deleted(tx, DAYS.entity, DAYS.table, days, "sources_erased")
    gone = await week_store.delete_weeks_of(tx, days, list(weeks))
    record_deleted(tx, WEEKS.entity, WEEKS.table, gone, "sources_erased")
    person = tx.scope.user_id
    tx.publish(SourcesChanged(person, person))
    return len(days) + len(gone)


def record_deleted(
    tx: Transaction, entity: Entity, table: str, ids: Sequence[UUID], reason: str
) -> None:
    """Number and audit that summaries are gone."""
    tx.record_changes(*(Change(entity, summary_id, "delete") for summary_id in ids))
    tx.record_audit(*(Audit("delete", table, summary_id, reason) for summary_id in ids))
