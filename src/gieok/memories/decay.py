"""Confidence fades with time unless a memory is used or confirmed (D06), and grows.

effective = max(0.1, confidence × 0.95 ^ periods), one period being 30 days since the
memory was last used or confirmed (seeds 003 §2.2, design rule 9). It is computed when
asked for and never written.
"""

from datetime import datetime, timedelta

RATE = 0.95
FLOOR = 0.1
MIN_CONFIDENCE = 0.5
"""What time must have left of it for a prompt to have a memory (D07)."""
PERIOD = timedelta(days=30)


SUREST = 0.99


def merge_confidence(first: float, second: float) -> float:
    """Return how sure something is that was found twice, by a noisy or.

    Neither finding is surer than `SUREST` by the other (Pearl 1988, section 4.3.2).
    """
    both = round(min(SUREST, 1 - (1 - first) * (1 - second)), 3)
    return max(first, second, both)


def decay_confidence(
    confidence: float, touched: datetime, now: datetime, *, period: timedelta = PERIOD
) -> float:
    """Return what is left of a confidence; a clock that ran back does not raise it."""
    periods = max(0.0, (now - touched) / period)
    return min(confidence, max(FLOOR, confidence * RATE**periods))
