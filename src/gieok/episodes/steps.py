"""Steps that several use cases of episodes share, each within a transaction."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from gieok.accounts import naming
from gieok.accounts import store as accounts
from gieok.database import Audit, Transaction
from gieok.episodes import store
from gieok.episodes.keeping import Keeping, erase
from gieok.episodes.model import Draft, Episode, Kept
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.pii import Screen
from gieok.privacy import PersonKey
from gieok.sessions.store import list_last_messages
from gieok.summaries import SessionSummary


def told(summary: SessionSummary | None) -> str:
    """Return the text of a summary; a part of the original is none."""
    return "" if summary is None or summary.is_fallback else summary.gist.summary


async def last_said(
    tx: Transaction, key: PersonKey, session_id: UUID, talk: store.Talk
) -> datetime:
    """Return when the last message of a session was said, as far as is known."""
    last = await list_last_messages(tx, key, session_id, 1)
    return last[-1].said_at if last else talk.began_at


def summed_up(talk: store.Talk, summary: SessionSummary, said_at: datetime) -> Draft:
    """Return what a session's summary makes an episode say."""
    return Draft(
        talk.persona_id,
        summary.session_id,
        summary.gist,
        summary.summarizer,
        summary.is_fallback,
        said_at,
        source_message_ids=summary.message_ids,
        first_position=summary.first_position,
        end_position=summary.end_position,
    )


def covering(draft: Draft, talk: store.Talk, said_at: datetime) -> Draft:
    """Return a draft as one of all that its session holds.

    Raises:
        ConflictError: the session is with another persona.
    """
    if talk.persona_id not in {None, draft.persona_id}:
        reason = "the session is with another persona"
        raise ConflictError(reason)
    return replace(draft, said_at=said_at, end_position=talk.message_count)


async def written(tx: Transaction, key: PersonKey, session_id: UUID) -> Episode | None:
    """Return the newest episode of a session that is a person's own words."""
    episodes = await store.of_session(tx, key, session_id)
    return next((e for e in reversed(episodes) if e.is_edited), None)


def note_masked(tx: Transaction, episode: Episode, screen: Screen) -> None:
    """Audit that something in an episode was masked (A18)."""
    if screen.is_masked:
        flags = screen.flags
        tx.audit(Audit("mask", "episodes", episode.episode_id, "pii", flags))


async def settled(
    keeping: Keeping, draft: Draft, reason: str, alike: Collection[str]
) -> Kept:
    """Keep a draft, in place of what its session had that nobody wrote."""
    before = None
    if draft.session_id is not None:
        episodes = await store.of_session(keeping.tx, keeping.key, draft.session_id)
        mine = [e for e in episodes if e.persona_id == draft.persona_id]
        before = next((e for e in reversed(mine) if not e.is_edited), None)
    return await keeping.settle(draft, before, reason, alike)


async def without_summary(keeping: Keeping, session_id: UUID) -> Kept | None:
    """Return what a session had, unless what that rests on was forgotten."""
    kept = None
    for episode in await store.of_session(keeping.tx, keeping.key, session_id):
        if await is_told(keeping.tx, episode.source_message_ids):
            kept = Kept(episode)
        else:
            await erase(keeping.tx, [episode.episode_id], "sources_forgotten")
    return kept


async def is_told(tx: Transaction, message_ids: Collection[UUID]) -> bool:
    """Tell whether all these messages are there and none was forgotten."""
    return await store.told(tx, message_ids) == len(set(message_ids))


async def require_sources(tx: Transaction, draft: Draft) -> None:
    """Fail unless the person has what a draft names.

    Raises:
        NotFoundError: no such persona, or no such message.
    """
    persona = draft.persona_id
    if persona and not await naming.is_kept(tx, naming.PERSONA, persona):
        thing = "persona"
        raise NotFoundError(thing)
    if not await is_told(tx, draft.source_message_ids):
        thing = "message"
        raise NotFoundError(thing)


async def found(tx: Transaction, key: PersonKey, episode_id: UUID) -> Episode:
    """Return one episode.

    Raises:
        NotFoundError: the person has no such episode.
    """
    episode = await store.get(tx, key, episode_id)
    if episode is None:
        thing = "episode"
        raise NotFoundError(thing)
    return episode


async def note_access(tx: Transaction, reason: str, count: int) -> None:
    """Note in the audit log how many episodes were read, and what for."""
    await accounts.insert(tx)
    tx.audit(Audit("access", "episodes", tx.scope.user_id, reason, {"n": count}))
