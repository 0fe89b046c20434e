"""Reads what a session holds unread, and settles what it says (D05)."""

import asyncio
from dataclasses import dataclass, replace
from uuid import UUID

from gieok.database import Database
from gieok.guard.judge import Guard
from gieok.kernel.language import Model, Tokenizer
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.memories.all_known import extract_findings
from gieok.memories.claims import Claim, Outcome
from gieok.memories.consolidator import Consolidator
from gieok.memories.extraction import (
    UnreadBatch,
    build_claim,
    build_conversation,
    exclude_forgotten,
    has_new_messages,
    is_fresh,
    mark_read,
    read_unread,
)
from gieok.memories.model import Trigger
from gieok.memories.permission import is_extraction_allowed
from gieok.memories.questions import apply_answers
from gieok.pii import mask_text
from gieok.privacy import PersonKey, Vault
from gieok.sessions import reader_store, session_store
from gieok.settings import SettingsService


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExtractor:
    """Makes what `Memories.extract` returns."""

    database: Database
    vault: Vault
    settings: SettingsService
    model: Model
    tokenizer: Tokenizer
    guard: Guard
    consolidator: Consolidator

    async def extract(self, scope: Scope, session_id: UUID) -> tuple[Outcome, ...]:
        """Read until nothing is unread; return one outcome a claim."""
        key = await self.vault.get_key(scope)
        outcomes: list[Outcome] = []
        while unread := await self._read_unread(scope, key, session_id):
            settled = await self._extract_batch(scope, key, session_id, unread)
            if settled is None:
                break
            outcomes += settled
        return tuple(outcomes)

    async def _extract_batch(
        self, scope: Scope, key: PersonKey, session_id: UUID, unread: UnreadBatch
    ) -> tuple[Outcome, ...] | None:
        """Have a model read, and settle what it found; None if somebody was faster."""
        claims = await self._extract_claims(unread)
        async with self.database.begin(scope) as tx:
            if await reader_store.count_extracted(tx, session_id) != unread.first_new:
                return None
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            if not is_extraction_allowed(settings):
                await mark_read(tx, session_id)
                return None
            consolidation = await self.consolidator.open_consolidation(
                tx, key, settings, Trigger.from_model(self.model.name)
            )
            answered, answers = await apply_answers(
                consolidation, unread, self.consolidator.embedder, self.tokenizer.terms
            )
            other = [c for c in claims if not answers.issuperset(c.message_ids)]
            outcomes = answered + await consolidation.consolidate_claims(
                await exclude_forgotten(tx, other)
            )
            await consolidation.active.record_messages(self.vault.keystore.ledger)
            await reader_store.set_position(tx, session_id, "extraction", unread.end)
            if consolidation.not_kept:
                await session_store.count_rejected(
                    tx, session_id, consolidation.not_kept
                )
        return outcomes

    async def _read_unread(
        self, scope: Scope, key: PersonKey, session_id: UUID
    ) -> UnreadBatch | None:
        await self.database.wait_for_writers(scope)
        async with self.database.begin(scope) as tx:
            if not is_extraction_allowed(await self.settings.read_settings(tx)):
                await mark_read(tx, session_id)
                return None
            return await read_unread(tx, key, session_id)

    async def _extract_claims(self, unread: UnreadBatch) -> tuple[Claim, ...]:
        """Have a model read; return what rests on something new the user said."""
        if not has_new_messages(unread):
            return ()
        size = sum(len(message.content) for message in unread.messages)
        read = await run_aside(size, lambda: build_conversation(unread))
        findings = await extract_findings(self.model, read)
        fresh = [
            replace(finding, content=mask_text(finding.content))
            for finding in findings
            if is_fresh(unread, finding)
        ]
        texts = [finding.content for finding in fresh]
        embeddings = await self.consolidator.embed_texts(texts)
        directives = await self.guard.find_directives(texts)
        return await asyncio.to_thread(
            lambda: tuple(
                build_claim(
                    unread,
                    finding,
                    embedding,
                    self.model.name,
                    self.guard,
                    is_directive=is_directive,
                )
                for finding, embedding, is_directive in zip(
                    fresh, embeddings, directives, strict=True
                )
            )
        )
