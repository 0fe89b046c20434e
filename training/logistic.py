"""Regularised logistic regression by Newton's method, in numpy."""

import numpy as np

from gieok.models.rules.linear import LinearModel, compute_probability

STEPS = 15
SMALLEST_SCALE = 0.05


def reduced(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """Return the principal directions of some vectors, one a column."""
    centred = vectors - vectors.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :dimensions]


def fit_column(
    features: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray,
    strength: float | np.ndarray,
) -> np.ndarray:
    """Return the coefficients of one logistic model, the intercept last.

    `strength` of the regularisation is of all features, or of each.
    """
    ones = np.ones((len(features), 1))
    design = np.hstack([features, ones])
    ridge = np.full(design.shape[1], 1e-6)
    ridge[:-1] = strength
    found = np.zeros(design.shape[1])
    for _ in range(STEPS):
        guess = compute_probability(design @ found)
        gradient = design.T @ (weight * (guess - target)) + ridge * found
        curve = weight * guess * (1 - guess) + 1e-9
        step = np.linalg.solve((design.T * curve) @ design + np.diag(ridge), gradient)
        found -= step
        if np.abs(step).max() < 1e-6:  # noqa: PLR2004
            break
    return found


def fit(
    plain: np.ndarray,
    vectors: list[np.ndarray],
    targets: np.ndarray,
    weights: np.ndarray,
    options: tuple[int, float],
) -> LinearModel:
    """Fit one model per column of targets over flags and reduced vectors.

    The reduction is folded into the weights, so that applying needs none.
    """
    dimensions, strength = options
    mean, scale = plain.mean(axis=0), plain.std(axis=0) + SMALLEST_SCALE
    parts, bases = [(plain - mean) / scale], []
    for block in vectors:
        basis = reduced(block, dimensions)
        basis = basis / (((block - block.mean(axis=0)) @ basis).std() * 10)
        bases.append(basis)
        parts.append((block - block.mean(axis=0)) @ basis * 5)
    design = np.hstack(parts)
    columns = [
        fit_column(design, targets[:, k], weights[:, k], strength)
        for k in range(targets.shape[1])
    ]
    found = np.stack(columns, axis=1)
    return _unfolded(found, (mean, scale), vectors, bases)


def _unfolded(
    found: np.ndarray,
    standard: tuple[np.ndarray, np.ndarray],
    vectors: list[np.ndarray],
    bases: list[np.ndarray],
) -> LinearModel:
    """Return the model over the unreduced features."""
    mean, scale = standard
    rows, means, scales = [found[: len(mean)]], [mean], [scale]
    at = len(mean)
    for block, basis in zip(vectors, bases, strict=True):
        size = basis.shape[1]
        rows.append(basis @ found[at : at + size] * 5)
        means.append(block.mean(axis=0))
        scales.append(np.ones(block.shape[1]))
        at += size
    return LinearModel(
        np.concatenate(means), np.concatenate(scales), np.vstack(rows), found[-1]
    )
