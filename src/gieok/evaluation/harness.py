"""Runs the real pipeline over evaluation sets (formats: the README of the sets).

Every session or user is a person of their own in a temporary data directory, with all
categories allowed. The clock stands at the session's time, and the person's zone has
the session's UTC offset, so that "내일" and "on Sunday" mean what they meant.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from gieok.config import ALL_CATEGORIES, Config
from gieok.evaluation.dialogues import (
    Dialogue,
    DialogueSession,
    EvaluationPerson,
    find_zone,
)
from gieok.evaluation.predictions import (
    ExtractedSession,
    collect_predictions,
    encode_episode,
    find_masked,
)
from gieok.facade import Gieok
from gieok.kernel.language import (
    Basis,
    Conversation,
    FindingOperation,
    KnownMemory,
    Utterance,
)
from gieok.kernel.scope import Scope
from gieok.memories.active_memories import ActiveMemories
from gieok.memories.claims import Claim
from gieok.memories.consolidation import Consolidation
from gieok.memories.model import Embedding
from gieok.opening import open_memory
from gieok.parts import Parts
from gieok.recall import Filters, HitKind
from gieok.settings import Settings
from gieok.settings.service import MAX_MEMORIES
from gieok.testing import FixedClock

DEPTH = 50
"""Messages ranked for a question."""
MAX_CANDIDATES = 1_000
MESSAGES_ONLY = Filters(kinds=[HitKind.MESSAGE])
EVERYTHING = Settings(allowed_categories=ALL_CATEGORIES, max_memories=MAX_MEMORIES)
KNOWN_CONFIDENCE = 0.9
KNOWN_SINCE = timedelta(days=7)
"""How long before its session a set's known things were said."""
ASKED_AFTER = timedelta(hours=1)
"""How long after the last session its questions are asked."""

ResultRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """A gieok of its own, and the clock it lives by."""

    gieok: Gieok
    clock: FixedClock

    async def extract_facts(self, dialogue: Dialogue) -> ResultRow:
        """Return a line of predictions.jsonl: what one session was taken to say."""
        scope = await self.create_person(dialogue.id, dialogue.language, dialogue.talk)
        self.clock.set(dialogue.talk.at - KNOWN_SINCE)
        known = await self.store_known(scope, dialogue.known)
        session, ids = await self.record_session(scope, dialogue.talk)
        outcomes = await self.gieok.memories.extract(scope, session)
        found = await self.gieok.memories.candidates(scope, limit=MAX_CANDIDATES)
        self.gieok.recall.drop(scope)
        seen = ExtractedSession(
            outcomes,
            {candidate.candidate_id: candidate for candidate in found},
            known,
            {said: index for index, said in enumerate(ids)},
        )
        gist = await self.gieok.memories.model.summarize(_to_conversation(dialogue))
        return {
            "id": dialogue.id,
            "facts": collect_predictions(seen),
            "pii": find_masked([said.content for said in dialogue.talk.messages]),
            "episode": encode_episode(gist),
        }

    async def rank_messages(self, person: EvaluationPerson) -> list[ResultRow]:
        """Return a person's lines of ranks.jsonl, one a question.

        Each message is one item of recall; memories are not searched.
        """
        scope = await self.create_person(person.id, person.language, person.talks[-1])
        names: dict[UUID, str] = {}
        for talk in person.talks:
            _, ids = await self.record_session(scope, talk)
            said = [message.id for message in talk.messages]
            names |= dict(zip(ids, said, strict=True))
        await self.gieok.recall.index(scope)
        self.clock.set(person.talks[-1].at + ASKED_AFTER)
        rows: list[ResultRow] = []
        for question in person.questions:
            hits = await self.gieok.recall.search(
                scope, question, limit=DEPTH, filters=MESSAGES_ONLY
            )
            ranked = [names[hit.id] for hit in hits]
            rows.append({"id": person.id, "q": question, "ranked": ranked})
        self.gieok.recall.drop(scope)
        return rows

    async def create_person(
        self, name: str, language: str, talk: DialogueSession
    ) -> Scope:
        """Return somebody new, in the zone of a session of theirs."""
        scope = self.gieok.person(name)
        await self.gieok.accounts.update(
            scope, language=language, time_zone=find_zone(talk.at)
        )
        return scope

    async def store_known(
        self, scope: Scope, known: Sequence[KnownMemory]
    ) -> dict[UUID, KnownMemory]:
        """Let things be known as if the person had said them; return them by memory."""
        memories = self.gieok.memories
        if not known:
            return {}
        vectors = await memories.embedder.passages([item.content for item in known])
        claims = [
            _create_claim(item, Embedding(memories.embedder.name, vector))
            for item, vector in zip(known, vectors, strict=True)
        ]
        key = await self.gieok.maintenance.vault.get_key(scope)
        async with self.gieok.maintenance.database.begin(scope) as tx:
            settings = await self.gieok.settings.read_settings(tx)
            active = ActiveMemories(tx, key, settings, "evaluation")
            await active.load_facts()
            consolidation = Consolidation(active, memories.consolidator.differs)
            outcomes = [
                (await consolidation.consolidate_claims([claim]))[0] for claim in claims
            ]
        held: dict[UUID, KnownMemory] = {}
        for item, outcome in zip(known, outcomes, strict=True):
            if outcome.memory_id is not None:
                held.setdefault(outcome.memory_id, item)
        return held

    async def record_session(
        self, scope: Scope, talk: DialogueSession
    ) -> tuple[UUID, list[UUID]]:
        """Hold a session and end it; return it and the ids its messages got."""
        self.clock.set(talk.at)
        sessions = self.gieok.sessions
        session = await sessions.start(scope)
        ids: list[UUID] = []
        for said in talk.messages:
            message = await sessions.append(
                scope,
                session.session_id,
                role=said.role,
                content=said.content,
                metadata={"speaker": said.speaker} if said.speaker else None,
            )
            ids.append(message.message_id)
        await sessions.close(scope, session.session_id)
        return session.session_id, ids


def _create_claim(item: KnownMemory, embedding: Embedding) -> Claim:
    """Return the claim of something the person once said of themselves."""
    return Claim(
        content=item.content,
        category=item.category,
        confidence=KNOWN_CONFIDENCE,
        basis=Basis.STATED,
        operation=FindingOperation.ADD,
        target_id=None,
        session_id=None,
        message_ids=(),
        preview=None,
        extractor="evaluation",
        embedding=embedding,
    )


def _to_conversation(dialogue: Dialogue) -> Conversation:
    """Return a session as a model reads it."""
    talk = dialogue.talk
    utterances = tuple(
        Utterance(index, said.role, said.content)
        for index, said in enumerate(talk.messages)
    )
    return Conversation(utterances, dialogue.known, talk.at)


@asynccontextmanager
async def open_bench(config: Config, parts: Parts) -> AsyncGenerator[Bench]:
    """Open gieok on a temporary directory, with the models that are configured.

    Nobody in it has to be asked, and nothing of the installation's is written to.
    """
    clock = FixedClock()
    with TemporaryDirectory(prefix="gieok-eval-", ignore_cleanup_errors=True) as path:
        own = replace(
            config,
            data=Path(path),
            database_url=None,
            keystore_url=None,
            key_file=None,
            kms_key=None,
            redis_url=None,
            tutor_table=None,
            consent="implied",
            defaults=EVERYTHING,
        )
        own_parts = replace(parts, clock=clock)
        async with open_memory(own, parts=own_parts, worker=False) as gieok:
            yield Bench(gieok, clock)
