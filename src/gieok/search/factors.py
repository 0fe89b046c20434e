"""What else speaks for a row: when it was, and for a fact, trust, freshness and use.

Every factor is between 0 and 1 (within) or -1 and 1 (favour), and a missing number is
neutral: it neither lifts nor lowers a row.
"""

import numpy as np
from numpy.typing import NDArray

from gieok.search.rows import Floats, SearchRows

Times = NDArray[np.float64]

_DAY = 86_400.0
_HALF_LIFE_DAYS = 90.0
"""Days after which half of a fact's freshness is left; decay proper is rule 9's."""
_AFTERGLOW_DAYS = 7.0
"""Days after an interval in which people still talk about it ("yesterday I ...")."""
_OFTEN = 10
"""Uses after which one more says nothing new."""


def compute_freshness(at: Times, now: float) -> Floats:
    """Return 1 for what is of this moment (or later), half of it each half-life."""
    days = np.maximum(now - at, 0.0) / _DAY
    return np.power(2.0, -days / _HALF_LIFE_DAYS).astype(np.float32)


def score_facts(items: SearchRows, now: float) -> Floats:
    """Return what speaks for each row as a fact, from -1 to 1, 0 if nothing is known.

    The mean of three: confidence against one half, freshness since it was last used or
    confirmed (D07), and how often it has been used.
    """
    latest = np.fmax(items.at, items.used_at)
    used = np.minimum(np.maximum(items.uses, 0), _OFTEN) / np.float32(_OFTEN)
    dated = np.isfinite(latest)
    fresh = np.where(dated, compute_freshness(np.where(dated, latest, now), now), 0)
    parts = (_to_signed(items.confidence), fresh, used)
    return (sum(parts, np.zeros(len(items))) / len(parts)).astype(np.float32)


def score_interval(at: Times, interval: tuple[float, float] | None) -> Floats:
    """Return 1 for times in the interval, fading in the days after it, else 0."""
    if interval is None:
        return np.zeros(len(at), np.float32)
    start, end = interval
    late = np.exp(-np.maximum(at - end, 0.0) / (_AFTERGLOW_DAYS * _DAY))
    return np.where(at >= start, late, 0.0).astype(np.float32)


def _to_signed(values: Floats) -> Floats:
    """Return 0..1 as -1..1; what is not known is 0."""
    return np.nan_to_num(2 * np.clip(values, 0, 1) - 1, nan=0.0).astype(np.float32)
