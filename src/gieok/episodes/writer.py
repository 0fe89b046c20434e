"""Writes episodes and lets others give way, within one transaction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from uuid import UUID

from gieok.accounts import Person, naming
from gieok.accounts import store as accounts
from gieok.database import Audit, Change, Transaction
from gieok.database.journal import AuditEvent
from gieok.episodes import store
from gieok.episodes.active_rule import (
    MAX_COMPARED,
    find_older_duplicates,
    get_plan_limit,
    select_archived,
)
from gieok.episodes.model import ArchivedReason, Episode, EpisodeDraft, SavedEpisode
from gieok.episodes.notices import format_notice
from gieok.privacy import PersonKey
from gieok.search.summary_entry_store import delete_outdated


@dataclass(frozen=True, slots=True)
class EpisodeWriter:
    """The person's episodes while nobody else writes them."""

    tx: Transaction
    key: PersonKey
    person: Person
    upgrade_line: str | None = None
    """What a full memory tells of the paid plan, if not the usual sentence."""

    @classmethod
    async def begin(
        cls, tx: Transaction, key: PersonKey, upgrade_line: str | None = None
    ) -> Self:
        """Wait for the person's other writers; a session's row is locked before."""
        await accounts.insert_person(tx)
        await tx.lock_person()
        return cls(tx, key, await accounts.get_person(tx), upgrade_line)

    @property
    def limit(self) -> int | None:
        """How many episodes of a persona the person's plan lets be active."""
        return get_plan_limit(self.person.plan)

    async def save_draft(
        self,
        draft: EpisodeDraft,
        before: Episode | None,
        reason: str,
        alike: Collection[str] = (),
    ) -> SavedEpisode:
        """Keep a draft as a new episode, or in place of what its session had before.

        `alike` are the summaries about the same matter as the draft's.
        """
        if before is None:
            return await self.save_episode(
                self._build_episode(draft), reason, "create", alike
            )
        if draft.end_position is not None and draft.end_position < _get_end(before):
            return SavedEpisode(before)
        after = _merge_draft(before, draft)
        if after == before:
            return SavedEpisode(before)
        changed = replace(after, revision=before.revision + 1, updated_at=self.tx.now)
        return await self.save_episode(changed, reason, alike=alike)

    async def save_episode(
        self,
        episode: Episode,
        reason: str,
        event: AuditEvent = "update",
        alike: Collection[str] = (),
    ) -> SavedEpisode:
        """Keep an episode, new or changed, and archive what gives way to it."""
        await self._save_persona(episode.persona_id)
        await self.write_episode(episode, reason, event)
        archived = await self.archive_excess(episode.persona_id, episode, alike)
        mine = [other for other in archived if other.episode_id == episode.episode_id]
        told = format_notice(
            self.person.language,
            reasons={e.archived_reason for e in archived if e.archived_reason},
            is_fallback=episode.is_fallback,
            upgrade_line=self.upgrade_line,
        )
        return SavedEpisode(mine[0] if mine else episode, archived, told)

    async def archive_excess(
        self,
        persona_id: UUID | None,
        kept: Episode | None = None,
        alike: Collection[str] = (),
    ) -> tuple[Episode, ...]:
        """Archive what one persona has too much of, and return it.

        `alike` are the summaries about the same matter as that of `kept`.
        """
        active = await self._list_candidates(persona_id, kept)
        repeated = find_older_duplicates(active, kept, alike) if kept else ()
        reasons = select_archived(active, self.limit, repeated)
        archived = [
            self.mark_archived(episode, reasons[episode.episode_id])
            for episode in active
            if episode.episode_id in reasons
        ]
        for episode in archived:
            assert episode.archived_reason is not None  # noqa: S101 - just given
            await self.write_episode(episode, episode.archived_reason.value)
        return tuple(archived)

    async def _list_candidates(
        self, persona_id: UUID | None, kept: Episode | None
    ) -> list[Episode]:
        """Return what may be archived: all that is active, or what was compared."""
        if self.limit is not None:
            return await store.list_active(self.tx, self.key, persona_id)
        if kept is None:
            return []
        recent = await store.list_recent(self.tx, self.key, persona_id, MAX_COMPARED)
        return [kept, *(e for e in recent if e.episode_id != kept.episode_id)]

    async def archive_all_excess(self) -> tuple[Episode, ...]:
        """Archive what any persona has too much of, and return it."""
        archived: list[Episode] = []
        for persona_id in await store.list_personas(self.tx):
            archived += await self.archive_excess(persona_id)
        return tuple(archived)

    def apply_edit(self, before: Episode, changes: dict[str, Any]) -> Episode:
        """Return an episode with what a person wrote; tags are always a person's."""
        return replace(
            before,
            **changes,
            revision=before.revision + 1,
            is_fallback=before.is_fallback and "summary" not in changes,
            edited=tuple(sorted({*before.edited, *changes} - {"tags"})),
            updated_at=self.tx.now,
        )

    def mark_archived(self, episode: Episode, reason: ArchivedReason) -> Episode:
        """Return an episode as archived now."""
        return replace(episode, archived_at=self.tx.now, archived_reason=reason)

    async def write_episode(
        self, episode: Episode, reason: str, event: AuditEvent = "update"
    ) -> None:
        """Write one episode, its change and its audit line."""
        await store.upsert_episode(self.tx, self.key, episode)
        await delete_outdated(self.tx, episode.episode_id, episode.revision)
        self.tx.record_changes(Change("episode", episode.episode_id))
        self.tx.record_audit(Audit(event, "episodes", episode.episode_id, reason))

    def _build_episode(self, draft: EpisodeDraft) -> Episode:
        return Episode(
            episode_id=self.tx.new_id(),
            persona_id=draft.persona_id,
            session_id=draft.session_id,
            revision=1,
            summary=draft.gist.summary,
            topics=draft.gist.topics,
            tags=(),
            emotion=draft.gist.emotion,
            importance=draft.gist.importance,
            source_message_ids=draft.source_message_ids,
            first_position=draft.first_position,
            end_position=draft.end_position,
            summarizer=draft.summarizer,
            is_fallback=draft.is_fallback,
            edited=draft.edited,
            said_at=draft.said_at or self.tx.now,
            created_at=self.tx.now,
            updated_at=self.tx.now,
        )

    async def _save_persona(self, persona_id: UUID | None) -> None:
        """Keep a persona that only a session named, under its id."""
        if persona_id is None:
            return
        persona = naming.PERSONA
        if await naming.insert_name(
            self.tx, self.key, persona, persona_id, str(persona_id)
        ):
            self.tx.record_changes(Change(persona.kind, persona_id))
            table = persona.place.table
            self.tx.record_audit(Audit("create", table, persona_id, "first_seen"))


def _merge_draft(before: Episode, draft: EpisodeDraft) -> Episode:
    """Return what a newer draft leaves of an episode.

    A person's own topics and importance stay, and so do tags; what gave way competes
    again with what it says now.
    """
    gist = draft.gist
    gave_way = before.archived_reason is not ArchivedReason.REQUEST
    return replace(
        before,
        summary=gist.summary,
        topics=before.topics if "topics" in before.edited else gist.topics,
        emotion=gist.emotion,
        importance=before.importance
        if "importance" in before.edited
        else gist.importance,
        source_message_ids=draft.source_message_ids,
        first_position=draft.first_position,
        end_position=draft.end_position,
        summarizer=draft.summarizer,
        is_fallback=draft.is_fallback,
        edited=tuple(sorted({*before.edited, *draft.edited})),
        said_at=draft.said_at or before.said_at,
        archived_at=None if gave_way else before.archived_at,
        archived_reason=None if gave_way else before.archived_reason,
    )


def _get_end(episode: Episode) -> int:
    return episode.end_position or 0


async def erase_episodes(
    tx: Transaction, episode_ids: Sequence[UUID], reason: str
) -> None:
    """Remove episodes for good."""
    if episode_ids:
        await store.delete_episodes(tx, episode_ids)
        tx.record_changes(*(Change("episode", gone, "delete") for gone in episode_ids))
        tx.record_audit(
            *(Audit("delete", "episodes", gone, reason) for gone in episode_ids)
        )
