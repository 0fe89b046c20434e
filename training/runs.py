"""Trains the model of runs of words and letters (`gieok.models.rules.token_ngrams`)."""

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from gieok.models.rules.token_ngrams import BUCKETS, NgramBuckets, NgramModel

MIN_SEEN = 2  # clauses a run must stand in
STRENGTH = 2.0  # the inverse of the regularisation
STEPS = 60


def _rarity(clauses: list[NgramBuckets]) -> np.ndarray:
    """Return the inverse document frequency of every bucket, 0 for the rarest."""
    seen = np.zeros(BUCKETS)
    for runs in clauses:
        seen[runs.words] += 1
        seen[runs.letters] += 1
    rarity = np.log((1 + len(clauses)) / (1 + seen)) + 1
    return np.where(seen >= MIN_SEEN, rarity, 0)


def _matrix(clauses: list[NgramBuckets], rarity: np.ndarray) -> csr_matrix:
    """Return the features of clauses as `NgramModel` sees them."""
    values: list[np.ndarray] = []
    columns: list[np.ndarray] = []
    starts = [0]
    for runs in clauses:
        for buckets in (runs.words, runs.letters):
            own = rarity[buckets]
            length = float(np.sqrt(own @ own)) or 1.0
            values.append(own / length)
            columns.append(buckets)
        starts.append(starts[-1] + len(runs.words) + len(runs.letters))
    shape = (len(clauses), BUCKETS)
    return csr_matrix(
        (np.concatenate(values), np.concatenate(columns), np.array(starts)), shape
    )


def train_runs(
    clauses: list[NgramBuckets], targets: np.ndarray, weight: np.ndarray
) -> NgramModel:
    """Return the model, one logistic regression a column of targets."""
    rarity = _rarity(clauses)
    features = _matrix(clauses, rarity)
    weights = np.zeros((BUCKETS, targets.shape[1]))
    bias = np.zeros(targets.shape[1])
    for column in range(targets.shape[1]):
        model = LogisticRegression(C=STRENGTH, max_iter=STEPS)
        model.fit(features, targets[:, column], sample_weight=weight[:, column])
        weights[:, column] = model.coef_[0]
        bias[column] = model.intercept_[0]
    return NgramModel(rarity, weights, bias)
