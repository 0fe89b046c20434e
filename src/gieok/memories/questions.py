"""Settles what somebody answered to a question about what they want forgotten."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.database import Change, Transaction
from gieok.kernel.language import Basis, Embedder, FindingOperation
from gieok.memories import candidate_store, reviews
from gieok.memories.answers import QuestionAnswers, find_answers
from gieok.memories.claims import Candidate, Claim, ForgetQuestion, Outcome
from gieok.memories.consolidation import Consolidation
from gieok.memories.extraction import UnreadBatch
from gieok.memories.model import PossibleMention, QuarantineReason
from gieok.memories.replies import TermSplitter
from gieok.memories.source_store import find_forgotten
from gieok.privacy import PersonKey

OPEN_FOR: Final = timedelta(days=14)
"""How long after a wish its questions are asked, and answers to them understood."""
MAX_QUESTIONS: Final = 3
"""Memories and messages that one wish is asked about."""


async def read_questions(tx: Transaction, key: PersonKey) -> list[ForgetQuestion]:
    """Return what to ask the person about: of the last wish, what it may mean."""
    found = await candidate_store.list_questions(
        tx, key, tx.now - OPEN_FOR, with_asked=False
    )
    last = [each for each in found if each.wish == found[0].wish]
    return last[:MAX_QUESTIONS]


async def insert_questions(
    tx: Transaction,
    key: PersonKey,
    wish: Candidate,
    mentions: Sequence[PossibleMention],
) -> tuple[Outcome, ...]:
    """Have the person asked about what a wish may mean of what was said.

    Not about what cannot be read any more, nor about that from which a memory comes
    that they are asked about already. A question about the same from an earlier wish
    gives way.
    """
    said = [each for mention in mentions for each in mention.message_ids]
    closed = await find_forgotten(tx, said)
    closed |= await candidate_store.list_questioned_sources(tx, tx.now - OPEN_FOR)
    open_ = [each for each in mentions if closed.isdisjoint(each.message_ids)]
    chosen = open_[:MAX_QUESTIONS]
    asked = [each for mention in chosen for each in mention.message_ids]
    for old in await candidate_store.delete_message_questions(tx, asked):
        tx.record_changes(Change("memory_candidate", old, "delete"))
    outcomes: list[Outcome] = []
    for mention in chosen:
        claim = Claim(
            content=mention.content,
            category=wish.category,
            confidence=mention.confidence,
            basis=Basis.REQUESTED,
            operation=FindingOperation.DELETE,
            target_id=None,
            session_id=None,
            message_ids=mention.message_ids,
            preview=None,
            extractor=wish.extractor,
            embedding=None,
            spoken_at=wish.wished_at or wish.created_at,
            wish_id=wish.wish_id,
        )
        candidate_id = await candidate_store.insert_candidate(
            tx, key, claim, QuarantineReason.AMBIGUOUS
        )
        tx.record_changes(Change("memory_candidate", candidate_id))
        outcomes.append(
            Outcome(
                claim.operation,
                candidate_id,
                None,
                None,
                confirmed=False,
                content=claim.content,
            )
        )
    return tuple(outcomes)


async def apply_answers(
    consolidation: Consolidation,
    unread: UnreadBatch,
    embedder: Embedder,
    split: TermSplitter,
) -> tuple[tuple[Outcome, ...], frozenset[UUID]]:
    """Carry out what the person answered in messages that nobody has read yet.

    Returns what became of it, and the messages that were questions and answers: they
    say nothing else. What is forgotten takes them along.
    """
    tx, key = consolidation.active.tx, consolidation.active.key
    questions = await candidate_store.list_questions(
        tx, key, tx.now - OPEN_FOR, with_asked=True
    )
    if not questions:
        return (), frozenset()
    new = {
        message.message_id
        for message in unread.messages
        if message.position >= unread.first_new
    }
    answers = find_answers(unread.messages, questions, new, split)
    said = [m.spoken_at for m in unread.messages if m.message_id in answers.message_ids]
    at = max(said, default=None)
    outcomes = await _forget_confirmed(consolidation, answers, embedder, at)
    for question in answers.declined:
        if not await reviews.is_pending(tx, key, question.candidate_id):
            continue  # it went with what was confirmed
        await reviews.reject_candidate(tx, key, question.candidate_id, "user_answer")
    await candidate_store.set_question_time(tx, _list_ids(answers.asked))
    return outcomes, answers.message_ids


async def _forget_confirmed(
    consolidation: Consolidation,
    answers: QuestionAnswers,
    embedder: Embedder,
    at: datetime | None,
) -> tuple[Outcome, ...]:
    outcomes: list[Outcome] = []
    tx, key = consolidation.active.tx, consolidation.active.key
    for question in answers.confirmed:
        if not await reviews.is_pending(tx, key, question.candidate_id):
            continue  # it went with what was confirmed before
        candidate, vector = await reviews.require_pending(
            tx, key, question.candidate_id
        )
        claim = reviews.build_reviewed_claim(candidate, vector, embedder)
        taken = (*claim.message_ids, *answers.message_ids)
        claim = replace(claim, message_ids=taken, spoken_at=at)
        await consolidation.apply_reviewed(claim, question.candidate_id)
        outcomes.append(
            Outcome(
                FindingOperation.DELETE,
                question.candidate_id,
                None,
                question.memory_id,
                confirmed=True,
                content=question.content,
            )
        )
    return tuple(outcomes)


def _list_ids(questions: Sequence[ForgetQuestion]) -> list[UUID]:
    return [question.candidate_id for question in questions]
