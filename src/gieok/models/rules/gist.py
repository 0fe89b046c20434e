"""Sums up a conversation: chooses its clauses, tells them, and says what they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Conversation, Gist, Utterance
from gieok.models.kiwi import Morphology
from gieok.models.rules.candidates import Candidate, candidates
from gieok.models.rules.forgetting import forgotten
from gieok.models.rules.linear import Linear, Numbers, probability
from gieok.models.rules.mood import emotion, importance, is_worth, mood_features
from gieok.models.rules.reading import read
from gieok.models.rules.salience import salience
from gieok.models.rules.tasks import open_tasks, preferences
from gieok.models.rules.telling import tell
from gieok.models.rules.topics import nouns, topics
from gieok.models.rules.weights import MoodWeights

MOST_MESSAGES: Final = 200
MOST_CHARACTERS: Final = 20_000
LONGEST: Final = 300
MOST_CLAUSES: Final = 5
TELLING: Final = -1.5  # log-odds below which a clause is never told
AGAIN: Final = 0.5  # log-odds off for nouns already told, and for the same message


@dataclass(frozen=True, slots=True)
class Digest:
    """What may be told of a conversation, best clause first in `chosen`."""

    candidates: tuple[Candidate, ...]
    scores: Numbers
    chosen: tuple[int, ...]
    today: date

    @property
    def told(self) -> str:
        """The chosen clauses as they were said."""
        return "\n".join(c.clause.text for c in _places(self, self.chosen))


def digest(
    conversation: Conversation, morphology: Morphology, model: Linear
) -> Digest | None:
    """Return what may be told of a conversation, or nothing."""
    messages = _recent(read(conversation, MOST_MESSAGES))
    found = candidates(messages, morphology)
    if not found:
        return None
    scores = salience(found, model)
    scores[list(forgotten(found, conversation.known, morphology))] = -np.inf
    chosen = _chosen(found, scores)
    if not chosen:
        return None
    return Digest(found, scores, chosen, conversation.at.date())


def _recent(messages: Sequence[Utterance]) -> Sequence[Utterance]:
    """Return the last messages that are not too long together."""
    lengths = np.cumsum([len(message.content) for message in reversed(messages)])
    kept = int((lengths <= MOST_CHARACTERS).sum())
    return messages[len(messages) - kept :]


def _chosen(found: Sequence[Candidate], scores: Numbers) -> tuple[int, ...]:
    """Return the places of the clauses worth telling, the best and newest first."""
    own = [{noun.lower() for noun, _ in nouns(candidate)} for candidate in found]
    left = np.where(scores < TELLING, -np.inf, scores)
    chosen: list[int] = []
    while len(chosen) < MOST_CLAUSES and np.isfinite(left).any():
        best = int(left.argmax())
        chosen.append(best)
        left[best] = -np.inf
        for number, candidate in enumerate(found):
            beside = candidate.clause.message == found[best].clause.message
            shared = len(own[number] & own[best]) / max(1, len(own[number]))
            left[number] -= AGAIN * (beside + shared)
    return tuple(chosen)


def gist(digest: Digest, vector: NDArray[np.float32], weights: MoodWeights) -> Gist:
    """Return the summary; `vector` stands for what the digest tells."""
    features = mood_features(digest.candidates, vector)
    if not is_worth(features, weights.worth):
        return Gist("")
    summary, told = _summary(digest)
    safe = _places(digest, np.flatnonzero(np.isfinite(digest.scores)).tolist())
    shares = probability(digest.scores[np.isfinite(digest.scores)])
    return Gist(
        summary,
        topics(list(zip(safe, shares.tolist(), strict=True))),
        emotion(features, weights.emotion),
        importance(features, weights.importance),
        open_tasks(safe, digest.today),
        preferences(safe, digest.today),
        tuple(sorted({candidate.clause.message for candidate in told})),
    )


def _summary(digest: Digest) -> tuple[str, Sequence[Candidate]]:
    """Return the text, and the clauses that found room in it."""
    for count in range(len(digest.chosen), 1, -1):
        told = _places(digest, digest.chosen[:count])
        text = tell(told, digest.today)
        if len(text) <= LONGEST:
            return text, told
    told = _places(digest, digest.chosen[:1])
    return tell(told, digest.today)[:LONGEST], told


def _places(digest: Digest, places: Sequence[int]) -> list[Candidate]:
    """Return the clauses at some places in the order they were said."""
    return [digest.candidates[number] for number in sorted(places)]
