"""What happens to a session within a transaction: found, ended, continued."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from gieok.database import (
    Audit,
    Change,
    ConversationPaused,
    RetentionEnded,
    SessionClosed,
    SessionsMayBeIdle,
    Transaction,
    schedule_event,
    schedule_events,
)
from gieok.kernel.errors import NotFoundError
from gieok.pii import TextMasker
from gieok.privacy import PersonKey
from gieok.sessions import reader_store, session_store
from gieok.sessions.lifecycle import ENDED, SessionLimits, is_expired
from gieok.sessions.masking import audit_masked, mask_json
from gieok.sessions.model import Session, Status
from gieok.settings.consent_rules import require_storage_consent

EXTRACT_AT: Final = 10
"""Unread messages at which extraction no longer waits for a pause (D05)."""
FULL: Final = "full"
RESTED: Final = "rested"
OUTLIVED: Final = "expires_at"
INHERITED: Final = ("continues", "current_layer", "active_workflow_id", "last_route")
"""What only a session that continues another begins with."""


class OpenSession(NamedTuple):
    """A session that takes part in what follows, locked within a transaction."""

    tx: Transaction
    session: Session


async def get_session(tx: Transaction, session_id: UUID) -> Session:
    """Return a session.

    Raises:
        NotFoundError: the person has no such session.
    """
    return _require_found(await session_store.get_session(tx, session_id))


async def lock_successor(tx: Transaction, session_id: UUID) -> Session:
    """Return the session in which a session's conversation goes on, locked.

    Raises:
        NotFoundError: the person has no such session.
    """
    end = await session_store.find_successor(tx, session_id)
    session = _require_found(await session_store.lock_session(tx, end))
    while session.continued_by is not None:
        # It became full while this waited for it.
        session = _require_found(
            await session_store.lock_session(tx, session.continued_by)
        )
    return session


async def insert_session(
    tx: Transaction, key: PersonKey, values: dict[str, Any], limits: SessionLimits
) -> Session | None:
    """Add a session and expect its end; None when the person has one of this id.

    That its words are no longer kept one day is entered with it, whatever becomes of
    the jobs that follow.

    Raises:
        NotPermittedError: the person does not agree that anything is kept.
    """
    started = await insert_sessions(tx, key, [values], limits)
    return started.get(values["session_id"])


async def insert_sessions(
    tx: Transaction,
    key: PersonKey,
    sessions: Sequence[dict[str, Any]],
    limits: SessionLimits,
) -> dict[UUID, Session]:
    """Add sessions and expect their ends; those that are there already are left out.

    As `insert_session`.

    Raises:
        NotPermittedError: the person does not agree that anything is kept.
    """
    screens = {values["session_id"]: TextMasker() for values in sessions}
    rows = [
        dict.fromkeys(INHERITED)
        | values
        | {"config": await _seal_config(key, values, screens[values["session_id"]])}
        for values in sessions
    ]
    started = await session_store.insert_sessions(tx, rows)
    if len(started) < len(rows):
        await require_storage_consent(tx)
    ends = [end for each in started.values() if (end := limits.compute_expiry(each))]
    if started:
        due = {SessionsMayBeIdle: min(ends)} if ends else {}
        kept = {RetentionEnded: tx.now + limits.pair_retention}
        await schedule_events(tx, {**due, **kept})
    for new, session in started.items():
        tx.record_changes(Change("session", new))
        reason = "session_continued" if session.continues else "session_started"
        tx.record_audit(Audit("create", "sessions", new, reason))
        audit_masked(tx, "sessions", new, screens[new])
    return started


async def _seal_config(
    key: PersonKey, values: Mapping[str, Any], screen: TextMasker
) -> bytes | None:
    """Return a session's config as it may be kept, sealed; None without one."""
    if not values["config"]:
        return None
    _, kept = await mask_json("config", values["config"], screen)
    return key.seal_text(session_store.CONFIG, values["session_id"], kept)


async def continue_session(
    tx: Transaction, key: PersonKey, full: Session, limits: SessionLimits
) -> tuple[Session, Session]:
    """Return a session that takes no more, and the one that continues it (A02).

    One that is full is completed; one that has ended stays as it is.
    """
    new = tx.new_id()
    successor = await insert_session(
        tx,
        key,
        {
            "session_id": new,
            "device_id": full.device_id,
            "persona_id": full.persona_id,
            "language": full.language,
            "config": await session_store.read_config(tx, key, full.session_id),
            "expires_at": None if full.status in ENDED else full.expires_at,
            "max_pairs": full.max_pairs,
            "continues": full.session_id,
            "current_layer": full.current_layer,
            "active_workflow_id": full.active_workflow_id,
            "last_route": full.last_route,
        },
        limits,
    )
    assert successor is not None  # noqa: S101 - its id is new
    if full.status in ENDED:
        await session_store.set_successor(tx, full.session_id, new)
        record_change(tx, full.session_id, "session_continued")
        return replace(full, continued_by=new), successor
    ended = await end_session(
        tx, full.session_id, Status.COMPLETED, FULL, at=tx.now, continued_by=new
    )
    return ended, successor


async def list_expired(tx: Transaction, limits: SessionLimits) -> list[UUID]:
    """Return the sessions that are over; expect the end of the next that is not."""
    coming = {
        each.session_id: limits.compute_expiry(each)
        for each in await session_store.list_unended(tx)
    }
    later = [end for end in coming.values() if end and not is_expired(end, tx.now)]
    if later:
        await schedule_event(tx, SessionsMayBeIdle, min(later))
    return [session_id for session_id, end in coming.items() if is_expired(end, tx.now)]


async def expire_if_over(
    tx: Transaction, session_id: UUID, limits: SessionLimits
) -> Session | None:
    """Expire a session if it is over; None if it is not any more, or was erased."""
    session = await session_store.lock_session(tx, session_id)
    if session is None:
        return None
    if is_expired(limits.compute_expiry(session), tx.now):
        return await expire_session(tx, session, limits)
    await schedule_expiry(tx, session, limits)
    return None


async def expire_session(
    tx: Transaction, session: Session, limits: SessionLimits
) -> Session:
    """End a session that is over, at the time at which it was."""
    end = limits.compute_expiry(session) or tx.now
    reason = OUTLIVED if end == session.expires_at else RESTED
    return await end_session(tx, session.session_id, Status.EXPIRED, reason, at=end)


async def end_session(
    tx: Transaction,
    session_id: UUID,
    status: Status,
    reason: str | None,
    *,
    at: datetime,
    continued_by: UUID | None = None,
) -> Session:
    """End a session; extraction and summaries follow."""
    ended = await session_store.end_session(
        tx, session_id, status, reason, at=at, continued_by=continued_by
    )
    record_change(tx, session_id, f"session_{status}")
    tx.publish(SessionClosed(tx.scope.user_id, session_id))
    return ended


async def schedule_expiry(
    tx: Transaction, session: Session, limits: SessionLimits
) -> None:
    """Enter the time at which a session may be over."""
    if end := limits.compute_expiry(session):
        await schedule_event(tx, SessionsMayBeIdle, end)


def record_change(tx: Transaction, session_id: UUID, reason: str) -> None:
    """Number and audit a change of a session."""
    tx.record_changes(Change("session", session_id))
    tx.record_audit(Audit("update", "sessions", session_id, reason))


async def claim_extraction_or_reschedule(
    tx: Transaction, session_id: UUID, pause: timedelta
) -> bool:
    """Tell whether it is time to extract; if not, announce when it may be."""
    waiting = await reader_store.get_waiting_messages(tx, session_id)
    if waiting is None:
        return False
    unread, said = waiting
    if unread >= EXTRACT_AT or tx.now >= said + pause:
        await reader_store.claim_extraction(tx, session_id)
        return True
    tx.publish(ConversationPaused(tx.scope.user_id, session_id, due=said + pause))
    return False


def _require_found(session: Session | None) -> Session:
    if session is None:
        thing = "session"
        raise NotFoundError(thing)
    return session
