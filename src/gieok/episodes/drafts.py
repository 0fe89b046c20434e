"""From a session's summary to a draft of its episode, and what a draft rests on."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from gieok.accounts import naming
from gieok.accounts import store as accounts
from gieok.database import Audit, Transaction
from gieok.episodes import store
from gieok.episodes.model import Episode, EpisodeDraft, SavedEpisode
from gieok.episodes.writer import EpisodeWriter, erase_episodes
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.pii import TextMasker
from gieok.privacy import PersonKey
from gieok.sessions.message_store import list_last_messages
from gieok.summaries import SessionSummary


def get_summary_text(summary: SessionSummary | None) -> str:
    """Return the text of a summary; a part of the original is none."""
    return "" if summary is None or summary.is_fallback else summary.gist.summary


async def get_last_message_time(
    tx: Transaction, key: PersonKey, session_id: UUID, talk: store.SourceSession
) -> datetime:
    """Return when the last message of a session was said, as far as is known."""
    last = await list_last_messages(tx, key, session_id, 1)
    return last[-1].spoken_at if last else talk.began_at


def build_draft(
    talk: store.SourceSession, summary: SessionSummary, said_at: datetime
) -> EpisodeDraft:
    """Return what a session's summary makes an episode say."""
    return EpisodeDraft(
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


def extend_draft(
    draft: EpisodeDraft, talk: store.SourceSession, said_at: datetime
) -> EpisodeDraft:
    """Return a draft as one of all that its session holds.

    Raises:
        ConflictError: the session is with another persona.
    """
    if talk.persona_id not in {None, draft.persona_id}:
        reason = "the session is with another persona"
        raise ConflictError(reason)
    return replace(draft, said_at=said_at, end_position=talk.message_count)


async def find_edited(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> Episode | None:
    """Return the newest episode of a session that is a person's own words."""
    episodes = await store.list_by_session(tx, key, session_id)
    return next((e for e in reversed(episodes) if e.is_edited), None)


def audit_masked(tx: Transaction, episode: Episode, screen: TextMasker) -> None:
    """Audit that something in an episode was masked (A18)."""
    if screen.is_masked:
        flags = screen.flags
        tx.record_audit(Audit("mask", "episodes", episode.episode_id, "pii", flags))


async def save_session_draft(
    keeping: EpisodeWriter, draft: EpisodeDraft, reason: str, alike: Collection[str]
) -> SavedEpisode:
    """Keep a draft, in place of what its session had that nobody wrote."""
    before = None
    if draft.session_id is not None:
        episodes = await store.list_by_session(
            keeping.tx, keeping.key, draft.session_id
        )
        mine = [e for e in episodes if e.persona_id == draft.persona_id]
        before = next((e for e in reversed(mine) if not e.is_edited), None)
    return await keeping.save_draft(draft, before, reason, alike)


async def erase_stale(keeping: EpisodeWriter, session_id: UUID) -> SavedEpisode | None:
    """Return what a session had, unless what that rests on was forgotten.

    Words whose time was over were not: what is summed up outlives them.
    """
    stale = {episode_id for episode_id, _ in await store.list_stale(keeping.tx)}
    kept = None
    for episode in await store.list_by_session(keeping.tx, keeping.key, session_id):
        if episode.episode_id not in stale:
            kept = SavedEpisode(episode)
        else:
            await erase_episodes(keeping.tx, [episode.episode_id], "sources_forgotten")
    return kept


async def require_sources(tx: Transaction, draft: EpisodeDraft) -> None:
    """Fail unless the person has what a draft names.

    Raises:
        NotFoundError: no such persona, or no such message.
    """
    persona = draft.persona_id
    if persona and not await naming.is_saved(tx, naming.PERSONA, persona):
        thing = "persona"
        raise NotFoundError(thing)
    sources = set(draft.source_message_ids)
    if await store.count_unforgotten(tx, sources) != len(sources):
        thing = "message"
        raise NotFoundError(thing)


async def get_episode(tx: Transaction, key: PersonKey, episode_id: UUID) -> Episode:
    """Return one episode.

    Raises:
        NotFoundError: the person has no such episode.
    """
    episode = await store.find_episode(tx, key, episode_id)
    if episode is None:
        thing = "episode"
        raise NotFoundError(thing)
    return episode


async def audit_access(tx: Transaction, reason: str, count: int) -> None:
    """Note in the audit log how many episodes were read, and what for."""
    await accounts.insert_person(tx)
    tx.record_audit(Audit("access", "episodes", tx.scope.user_id, reason, {"n": count}))
