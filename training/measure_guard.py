"""Measures the shipped guard on labelled lines that it never learned from.

    .venv/bin/python training/measure_guard.py FILE

FILE has a JSON a line: `text`, `label` (attack or honest), `language`, `kind`. Prints
counts with Wilson intervals of 95 %, and what other bars would hold and keep.
"""

import json
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np

from gieok.guard.judge import TrainedGuard, compute_score

Z = 1.96


def format_share(found: int, total: int) -> str:
    """Return a share with the interval that Wilson gives it."""
    share, spread = found / total, Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return f"{found}/{total} {share:.3f} [{middle - half:.3f}, {middle + half:.3f}]"


def main() -> None:
    """Print what is held and kept, by language and by kind, and the curve."""
    rows = [
        json.loads(line)
        for line in Path(sys.argv[1]).read_text("utf-8").splitlines()
        if line.strip()
    ]
    guard = TrainedGuard()
    held = [
        guard.is_directive(row["text"]) or guard.is_suspicious(row["text"])
        for row in rows
    ]
    for language in ("all", "ko", "en"):
        for label in ("attack", "honest"):
            which = [
                is_held == (label == "attack")
                for row, is_held in zip(rows, held, strict=True)
                if row["label"] == label and language in ("all", row["language"])
            ]
            right = "held" if label == "attack" else "kept"
            print(f"{language:4} {right}: {format_share(sum(which), len(which))}")
    wrong = Counter(
        (row["label"], row["kind"])
        for row, is_held in zip(rows, held, strict=True)
        if is_held != (row["label"] == "attack")
    )
    print("wrong by kind:", *(f"{k[0]} {k[1]}: {n};" for k, n in wrong.most_common(25)))
    score = np.array([compute_score(row["text"]) for row in rows])
    is_attack = np.array([row["label"] == "attack" for row in rows])
    print("kept   held")
    for kept in (0.80, 0.85, 0.90, 0.93, 0.95, 0.97, 0.98, 0.99):
        bar = float(np.quantile(score[~is_attack], kept))
        print(
            f"{kept:.2f}   {float((score[is_attack] > bar).mean()):.3f}  bar {bar:.2f}"
        )


if __name__ == "__main__":
    main()
