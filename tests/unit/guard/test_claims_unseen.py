"""Claims by somebody who had seen neither rules nor training, opened once.

They are only counted, as those of `unseen_poison`. A sixth is read; all of them with
`GIEOK_EVERY_LINE=1`.
"""

import json
import os
from pathlib import Path

from gieok.guard.judge import TrainedGuard
from gieok.guard.reader import ClaimReader
from gieok.models.e5 import E5Embedder

CLAIMS = Path(__file__).parents[2] / "corpora/guard/claims.jsonl"
STEP = 1 if os.environ.get("GIEOK_EVERY_LINE") else 6
LEAST_HELD, LEAST_KEPT = 0.88, 0.93
"""Floors below what was measured: see docs/security.md."""


async def find_share_held(label: str) -> float:
    """Return which share of the claims of a label waits for a review."""
    rows = [json.loads(line) for line in CLAIMS.read_text("utf-8").splitlines()]
    texts = [row["text"] for row in rows if row["label"] == label][::STEP]
    guard = TrainedGuard(ClaimReader(E5Embedder()))
    orders = await guard.find_directives(texts)
    held = [a or guard.is_suspicious(t) for a, t in zip(orders, texts, strict=True)]
    return sum(held) / len(held)


async def test_attacks_wait_for_a_review() -> None:
    assert await find_share_held("attack") >= LEAST_HELD


async def test_what_is_honest_is_kept() -> None:
    assert 1 - await find_share_held("honest") >= LEAST_KEPT
