"""Sums up a conversation: chooses its clauses, tells them, and says what they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Conversation, Gist, Utterance
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.statements import render_sentences
from gieok.models.rules.summaries.forgetting import find_forgotten
from gieok.models.rules.summaries.mood import (
    build_mood_features,
    is_worth_summarizing,
    predict_emotion,
    predict_importance,
)
from gieok.models.rules.summaries.salience import score_salience
from gieok.models.rules.summaries.tasks import extract_open_tasks, extract_preferences
from gieok.models.rules.topics import extract_clause_nouns, rank_topics
from gieok.models.rules.weights import MoodWeights
from gieok.text.kiwi import Morphology

MAX_MESSAGES: Final = 200
MAX_CHARACTERS: Final = 20_000
LONGEST: Final = 300
MAX_CLAUSES: Final = 5
TELLING: Final = -1.5  # log-odds below which a clause is never told
AGAIN: Final = 0.5  # log-odds off for nouns already told, and for the same message


@dataclass(frozen=True, slots=True)
class ConversationDigest:
    """What may be told of a conversation, best clause first in `chosen`."""

    candidates: tuple[ClauseCandidate, ...]
    scores: Numbers
    chosen: tuple[int, ...]
    today: date

    @property
    def chosen_text(self) -> str:
        """The chosen clauses as they were said."""
        return "\n".join(c.clause.text for c in _get_candidates(self, self.chosen))


def build_digest(
    conversation: Conversation, morphology: Morphology, model: LinearModel
) -> ConversationDigest | None:
    """Return what may be told of a conversation, or nothing."""
    messages = _select_recent(select_messages(conversation, MAX_MESSAGES))
    found = collect_candidates(messages, morphology)
    if not found:
        return None
    scores = score_salience(found, model)
    scores[list(find_forgotten(found, conversation.known, morphology))] = -np.inf
    chosen = _select_clauses(found, scores)
    if not chosen:
        return None
    return ConversationDigest(found, scores, chosen, conversation.at.date())


def _select_recent(messages: Sequence[Utterance]) -> Sequence[Utterance]:
    """Return the last messages that are not too long together."""
    lengths = np.cumsum([len(message.content) for message in reversed(messages)])
    kept = int((lengths <= MAX_CHARACTERS).sum())
    return messages[len(messages) - kept :]


def _select_clauses(
    found: Sequence[ClauseCandidate], scores: Numbers
) -> tuple[int, ...]:
    """Return the places of the clauses worth telling, the best and newest first."""
    own = [
        {noun.lower() for noun, _ in extract_clause_nouns(candidate)}
        for candidate in found
    ]
    left = np.where(scores < TELLING, -np.inf, scores)
    chosen: list[int] = []
    while len(chosen) < MAX_CLAUSES and np.isfinite(left).any():
        best = int(left.argmax())
        chosen.append(best)
        left[best] = -np.inf
        for number, candidate in enumerate(found):
            beside = candidate.clause.message == found[best].clause.message
            shared = len(own[number] & own[best]) / max(1, len(own[number]))
            left[number] -= AGAIN * (beside + shared)
    return tuple(chosen)


def build_gist(
    digest: ConversationDigest, vector: NDArray[np.float32], weights: MoodWeights
) -> Gist:
    """Return the summary; `vector` stands for what the digest tells."""
    features = build_mood_features(digest.candidates, vector)
    if not is_worth_summarizing(features, weights.worth):
        return Gist("")
    summary, told = _render_summary(digest)
    safe = _get_candidates(digest, np.flatnonzero(np.isfinite(digest.scores)).tolist())
    shares = compute_probability(digest.scores[np.isfinite(digest.scores)])
    return Gist(
        summary,
        rank_topics(list(zip(safe, shares.tolist(), strict=True))),
        predict_emotion(features, weights.emotion),
        predict_importance(features, weights.importance),
        extract_open_tasks(safe, digest.today),
        extract_preferences(safe, digest.today),
        tuple(sorted({candidate.clause.message for candidate in told})),
    )


def _render_summary(
    digest: ConversationDigest,
) -> tuple[str, Sequence[ClauseCandidate]]:
    """Return the text, and the clauses that found room in it."""
    for count in range(len(digest.chosen), 1, -1):
        told = _get_candidates(digest, digest.chosen[:count])
        text = render_sentences(told, digest.today)
        if len(text) <= LONGEST:
            return text, told
    told = _get_candidates(digest, digest.chosen[:1])
    return render_sentences(told, digest.today)[:LONGEST], told


def _get_candidates(
    digest: ConversationDigest, places: Sequence[int]
) -> list[ClauseCandidate]:
    """Return the clauses at some places in the order they were said."""
    return [digest.candidates[number] for number in sorted(places)]
