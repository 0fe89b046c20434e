"""Keeps what conversations were about, as many as the person's plan allows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    PeriodEnded,
    SummaryPending,
    Transaction,
    schedule_event,
)
from gieok.database.agenda import RETRY_AFTER
from gieok.episodes import checks, drafts, store
from gieok.episodes.active_rule import MAX_COMPARED, select_archived
from gieok.episodes.match import EpisodeQuery, filter_by_tags, match_episodes
from gieok.episodes.model import (
    ArchivedReason,
    Episode,
    EpisodeDraft,
    EpisodePage,
    SavedEpisode,
)
from gieok.episodes.similarity import compare_summaries, embed_summaries
from gieok.episodes.writer import EpisodeWriter, erase_episodes
from gieok.kernel.errors import (
    InvalidInputError,
    LimitReachedError,
    NotFoundError,
    NotPermittedError,
    UnavailableError,
)
from gieok.kernel.language import Embedder, Gist, Tokenizer
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.pii import TextMasker, mask_text
from gieok.privacy import PersonKey, Vault
from gieok.sessions import reader_store
from gieok.settings import SettingsService
from gieok.settings.consent_rules import can_store_texts, require_storable
from gieok.summaries import FALLBACK, SessionSummary, Summaries
from gieok.text.cleaning import clean_name, clean_text

MAX_LISTED = 200
MAX_OFFSET = 2**31 - 1
LONGEST_QUERY_BYTES = 32_000
DUE_AFTER_MESSAGES = 20
"""Messages since a session was last seen to, at which it is seen to again (E03)."""
PLANS = ("free", "premium")
EpisodeListing = Callable[
    [Transaction, PersonKey, UUID | None, int], Awaitable[list[Episode]]
]
"""Lists so many episodes of a persona."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episodes:
    """The episodes of everyone."""

    database: Database
    vault: Vault
    settings: SettingsService
    summaries: Summaries
    tokenizer: Tokenizer
    embedder: Embedder | None = None
    """Tells what is about the same matter; without one, nothing is."""
    upgrade_line: str | None = None
    """What a full memory tells of the paid plan, if not the usual sentence."""

    async def is_due(self, scope: Scope, session_id: UUID) -> bool:
        """Tell whether 20 messages came since the session was last seen to (E03)."""
        async with self.database.begin(scope) as tx:
            talk = await self._lock_session(tx, session_id, is_requested=False)
        return (
            talk is not None
            and talk.message_count - talk.remembered_count >= DUE_AFTER_MESSAGES
        )

    async def remember(
        self, scope: Scope, session_id: UUID, *, is_requested: bool = False
    ) -> SavedEpisode | None:
        """Sum a session up and keep that as its one episode (E03, E07).

        Called again after more was said, the same episode says it too; words that a
        person wrote stay as they are. Returns None when there is nothing worth keeping
        or nothing may be kept: no such session, memory switched off, or a person
        deleted the episode. With `is_requested`, because a person asks for it, a
        deleted one is made anew.

        Raises:
            NotFoundError: it was requested of a session the person does not have.
            NotPermittedError: it was requested while memory is switched off.
        """
        key = await self.vault.get_key(scope)
        while True:
            async with self.database.begin(scope) as tx:
                talk = await self._lock_session(
                    tx, session_id, is_requested=is_requested
                )
                if talk is None:
                    return None
                if written := await drafts.find_edited(tx, key, session_id):
                    await store.set_remembered(tx, session_id, talk.message_count)
                    return SavedEpisode(written)
            summary = await self.summaries.summarize_session(
                scope, session_id, is_awaited=is_requested
            )
            alike = await self._find_same_matter(
                scope, talk.persona_id, drafts.get_summary_text(summary)
            )
            async with self.database.begin(scope) as tx:
                if not await self._lock_session(
                    tx, session_id, is_requested=is_requested
                ):
                    return None
                keeping = await self._begin_writer(tx, key)
                if written := await drafts.find_edited(tx, key, session_id):
                    return SavedEpisode(written)
                if summary is None or not summary.gist.summary:
                    kept = await drafts.erase_stale(keeping, session_id)
                    await store.set_remembered(tx, session_id, talk.message_count)
                    return kept
                if not await store.has_forgotten(tx, summary.message_ids):
                    await store.set_remembered(tx, session_id, summary.end_position)
                    said_at = await drafts.get_last_message_time(
                        tx, key, session_id, talk
                    )
                    draft = drafts.build_draft(talk, summary, said_at)
                    await _request_summary(tx, summary, is_awaited=is_requested)
                    why = "session_summarized"
                    return await drafts.save_session_draft(keeping, draft, why, alike)

    async def create(  # noqa: PLR0913 - an episode has that many parts
        self,
        scope: Scope,
        *,
        persona_id: UUID | None,
        session_id: UUID | None,
        gist: Gist,
        is_fallback: bool,
        is_manual: bool,
        summarizer: str,
        source_message_ids: Sequence[UUID] = (),
    ) -> SavedEpisode:
        """Keep an episode because a person or an app says so (E10, E22).

        It takes the place of what was summed up of the session before, but never of
        another that a person wrote. `is_manual` means that the summary is a person's
        own words, which stay.

        Raises:
            InvalidInputError: a summary that is empty or over 2,000 characters, an
                importance that is not 1 to 10, or topics that are no names.
            NotFoundError: the person has no such persona, session or message.
            ConflictError: the session is with another persona.
            NotPermittedError: memory is switched off.
        """
        screen = TextMasker()
        draft = EpisodeDraft(
            persona_id,
            session_id,
            replace(
                gist,
                summary=checks.clean_summary(gist.summary, screen),
                topics=checks.clean_labels("topics", gist.topics, screen),
                importance=checks.clean_importance(gist.importance),
            ),
            clean_name("summarizer", summarizer),
            is_fallback,
            edited=("summary",) if is_manual else (),
            source_message_ids=tuple(dict.fromkeys(source_message_ids)),
        )
        key = await self.vault.get_key(scope)
        alike = await self._find_same_matter(scope, persona_id, draft.gist.summary)
        async with self.database.begin(scope) as tx:
            if session_id is not None:
                talk = await store.lock_session(tx, session_id)
                if talk is None:
                    thing = "session"
                    raise NotFoundError(thing)
                said_at = await drafts.get_last_message_time(tx, key, session_id, talk)
                draft = drafts.extend_draft(draft, talk, said_at)
                await store.set_remembered(tx, session_id, talk.message_count)
            keeping = await self._begin_writer(tx, key)
            await self._require_enabled(tx, draft.gist.summary, *draft.gist.topics)
            await drafts.require_sources(tx, draft)
            kept = await drafts.save_session_draft(
                keeping, draft, "user_request", alike
            )
            drafts.audit_masked(tx, kept.episode, screen)
            return kept

    async def load(
        self, scope: Scope, persona_id: UUID | None, limit: int = 5
    ) -> tuple[Episode, ...]:
        """Return active episodes of a persona for a prompt, most worth first (E08).

        None stands for no persona. Nothing comes for a person who switched memory off.

        Raises:
            InvalidInputError: a limit outside 1 to 200.
        """
        return await self._load(scope, store.list_active, persona_id, limit)

    async def load_latest(
        self, scope: Scope, persona_id: UUID | None, limit: int = 5
    ) -> tuple[Episode, ...]:
        """Return the episodes of a persona that were said last, newest first.

        Those that the plan alone archived are among them: the last conversation is the
        last one, however little it matters. None and memory switched off as in `load`.

        Raises:
            InvalidInputError: a limit outside 1 to 200.
        """
        return await self._load(scope, store.list_latest, persona_id, limit)

    async def _load(
        self, scope: Scope, listed: EpisodeListing, persona_id: UUID | None, limit: int
    ) -> tuple[Episode, ...]:
        checks.clean_integer("limit", limit, 1, MAX_LISTED)
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            settings = await self.settings.read_settings(tx)
            if not settings.is_enabled:
                return ()
            told = await listed(tx, key, persona_id, limit)
            await drafts.audit_access(tx, "load", len(told))
        return tuple(each for each in told if can_store_texts(settings, *each.words))

    async def page(
        self,
        scope: Scope,
        *,
        persona_id: UUID | None = None,
        include_archived: bool = False,
        tags: Sequence[str] = (),
        limit: int = 10,
        offset: int = 0,
    ) -> EpisodePage:
        """Return episodes of one persona or of all, newest first (E11).

        With tags, only those that have all of them (E23).

        Raises:
            InvalidInputError: a limit outside 1 to 200, a negative offset, or a tag
                that cannot be one.
        """
        checks.clean_integer("limit", limit, 1, MAX_LISTED)
        checks.clean_integer("offset", offset, 0, MAX_OFFSET)
        wanted = checks.clean_labels("tags", tags)
        key = await self.vault.get_reading_key(scope)
        narrowed = store.EpisodeFilter(persona_id, include_archived)
        async with self.database.begin(scope, durable=False) as tx:
            if wanted:
                every = filter_by_tags(
                    await store.list_episodes(tx, key, narrowed), wanted
                )
                found, total = every[offset : offset + limit], len(every)
            else:
                found = await store.list_episodes(tx, key, narrowed, limit, offset)
                total = await store.count_episodes(tx, narrowed)
            await drafts.audit_access(tx, "list", len(found))
        return EpisodePage(tuple(found), total, offset + len(found) < total)

    async def search(
        self,
        scope: Scope,
        query: str,
        *,
        persona_id: UUID | None = None,
        tags: Sequence[str] = (),
        include_archived: bool = True,
        limit: int = 10,
    ) -> tuple[Episode, ...]:
        """Return the episodes that hold words of a query, best first (E21).

        With tags, only those that have all of them; then the query may be empty.
        Nothing is found for a person who switched memory off.

        Raises:
            InvalidInputError: neither a query nor a tag, or a limit outside 1 to 200.
        """
        labels = checks.clean_labels("tags", tags)
        text = ""
        if query or not tags:
            text = await run_aside(len(query), lambda: _clean_query(query))
        wanted = EpisodeQuery(text, labels)
        checks.clean_integer("limit", limit, 1, MAX_LISTED)
        key = await self.vault.get_reading_key(scope)
        narrowed = store.EpisodeFilter(persona_id, include_archived)
        async with self.database.begin(scope, durable=False) as tx:
            if not (await self.settings.read_settings(tx)).is_enabled:
                return ()
            held = await store.list_episodes(tx, key, narrowed)
            await drafts.audit_access(tx, "search", len(held))
        found = await asyncio.to_thread(match_episodes, wanted, held, self.tokenizer)
        return tuple(found[:limit])

    async def get(self, scope: Scope, episode_id: UUID) -> Episode:
        """Return one episode, active or archived.

        Raises:
            NotFoundError: the person has no such episode.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            episode = await drafts.get_episode(tx, key, episode_id)
            tx.record_audit(Audit("access", "episodes", episode_id, "get"))
        return episode

    async def edit(
        self,
        scope: Scope,
        episode_id: UUID,
        *,
        summary: str | None = None,
        importance: int | None = None,
        topics: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
    ) -> Episode:
        """Change what is given and return the episode (E12, E22, E23).

        What a person wrote stays when the session is summed up again.

        Raises:
            InvalidInputError: as `create`; nothing is changed then.
            NotFoundError: the person has no such episode.
        """
        given: dict[str, object] = {"summary": summary, "importance": importance}
        screen = TextMasker()
        given |= {"topics": topics, "tags": tags}
        changes = checks.clean_changes(given, screen)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            keeping = await self._begin_writer(tx, key)
            before = await drafts.get_episode(tx, key, episode_id)
            if replace(before, **changes) == before:
                return before
            after = keeping.apply_edit(before, changes)
            require_storable(await self.settings.read_settings(tx), *after.words)
            await keeping.write_episode(after, "user_request")
            drafts.audit_masked(tx, after, screen)
        return after

    async def archive(self, scope: Scope, episode_id: UUID) -> Episode:
        """Take an episode out of prompts without losing it (E14).

        One that is archived already stays as it is.

        Raises:
            NotFoundError: the person has no such episode.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            keeping = await self._begin_writer(tx, key)
            episode = await drafts.get_episode(tx, key, episode_id)
            if episode.is_active:
                episode = keeping.mark_archived(episode, ArchivedReason.REQUEST)
                await keeping.write_episode(episode, "user_request")
        return episode

    async def restore(self, scope: Scope, episode_id: UUID) -> SavedEpisode:
        """Make an archived episode active again; one of less worth may give way.

        It stays beside newer ones about the same matter.

        Raises:
            NotFoundError: the person has no such episode.
            LimitReachedError: the plan holds no more, and all others are worth more.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            keeping = await self._begin_writer(tx, key)
            archived = await drafts.get_episode(tx, key, episode_id)
            if archived.is_active:
                return SavedEpisode(archived)
            episode = replace(
                archived,
                archived_at=None,
                archived_reason=None,
                edited=tuple(sorted({*archived.edited, "archived_at"})),
            )
            active = await store.list_active(tx, key, episode.persona_id)
            if episode_id in select_archived([*active, episode], keeping.limit):
                raise LimitReachedError(keeping.limit or 0)
            return await keeping.save_episode(episode, "user_request")

    async def delete(self, scope: Scope, episode_id: UUID) -> None:
        """Remove an episode for good (E13); none is made of its session by itself.

        Raises:
            NotFoundError: the person has no such episode.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            episode = await drafts.get_episode(tx, key, episode_id)
            await reader_store.set_episode_deleted(tx, episode.session_id, deleted=True)
            await tx.lock_person()
            await drafts.get_episode(tx, key, episode_id)
            tx.record_erasure()
            await erase_episodes(tx, [episode_id], "user_request")

    async def refresh(self, scope: Scope) -> None:
        """Make anew what rests on messages that were forgotten since.

        What cannot be made anew is removed; a person's own words stay.
        """
        async with self.database.begin(scope) as tx:
            resting = await store.list_stale(tx)
        for session_id in {session for _, session in resting if session}:
            await self.remember(scope, session_id)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            gone = [episode for episode, _ in await store.list_stale(tx)]
            if gone:
                tx.record_erasure()
            await erase_episodes(tx, gone, "sources_forgotten")

    async def replace_fallbacks(self, scope: Scope) -> None:
        """Sum up the sessions of which a fallback is kept; a person's words stay (E15).

        A model that does not answer is not asked again; it is in an hour.
        """
        async with self.database.begin(scope) as tx:
            sessions = await store.list_fallback_sessions(tx, FALLBACK)
        for session_id in sessions:
            kept = await self.remember(scope, session_id)
            if kept and kept.episode.summarizer == FALLBACK:
                break

    async def erase_sessions(self, tx: Transaction, session_ids: Sequence[UUID]) -> int:
        """Remove every episode of sessions that are being erased, within `tx`.

        The caller holds the sessions' rows and the person's counters. Returns how many
        there were.
        """
        gone = await store.list_ids_by_sessions(tx, session_ids)
        await erase_episodes(tx, gone, "session_erased")
        return len(gone)

    async def archive_excess(self, scope: Scope) -> tuple[Episode, ...]:
        """Archive what is over the plan's limit, and return it."""
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            return await (await self._begin_writer(tx, key)).archive_all_excess()

    async def set_plan(self, scope: Scope, plan: str) -> tuple[Episode, ...]:
        """Put a person on the "free" or "premium" plan (E07).

        Returns what was archived for being over the new limit.

        Raises:
            InvalidInputError: another plan.
        """
        if plan not in PLANS:
            field = "plan"
            raise InvalidInputError(field, "it must be free or premium")
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            await accounts.update_person(tx, plan=plan)
            tx.record_changes(Change("user", scope.user_id))
            tx.record_audit(Audit("update", "users", scope.user_id, "plan_changed"))
            return await (await self._begin_writer(tx, key)).archive_all_excess()

    async def _begin_writer(self, tx: Transaction, key: PersonKey) -> EpisodeWriter:
        return await EpisodeWriter.begin(tx, key, self.upgrade_line)

    async def _find_same_matter(
        self, scope: Scope, persona_id: UUID | None, summary: str
    ) -> frozenset[str]:
        """Return the summaries of the persona that are about the same matter."""
        if self.embedder is None or not summary:
            return frozenset()
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            active = await store.list_recent(tx, key, persona_id, MAX_COMPARED)
        told = [e.summary for e in active if not e.is_fallback]
        if not told:
            return frozenset()
        try:
            rows = await embed_summaries(self.embedder, [summary, *told])
        except UnavailableError:
            return frozenset()
        same = compare_summaries(rows[0], rows[1:])
        return frozenset(compress(told, same))

    async def _lock_session(
        self, tx: Transaction, session_id: UUID, *, is_requested: bool
    ) -> store.SourceSession | None:
        """Lock a session; None when nothing of it is to be kept, see `remember`."""
        talk = await store.lock_session(tx, session_id)
        if is_requested:
            if talk is None:
                thing = "session"
                raise NotFoundError(thing)
            await self._require_enabled(tx)
            return talk
        if talk is None or talk.episode_deleted:
            return None
        return talk if (await self.settings.read_settings(tx)).is_enabled else None

    async def _require_enabled(self, tx: Transaction, *words: str) -> None:
        settings = await self.settings.read_settings(tx)
        require_storable(settings, *words)
        if not settings.is_enabled:
            reason = "memory is switched off in the person's settings"
            raise NotPermittedError(reason)


async def _request_summary(
    tx: Transaction, summary: SessionSummary, *, is_awaited: bool
) -> None:
    """Let the model be asked again that did not answer (E15).

    It is at once where somebody waited in vain, and in an hour otherwise.
    """
    if not summary.needs_model:
        return
    if is_awaited:
        tx.publish(SummaryPending(tx.scope.user_id, summary.session_id))
    await schedule_event(tx, PeriodEnded, tx.now + RETRY_AFTER)


def _clean_query(query: str) -> str:
    return mask_text(clean_text("query", query, max_bytes=LONGEST_QUERY_BYTES))
