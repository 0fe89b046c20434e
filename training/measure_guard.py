"""Measures the shipped guard on labelled lines that it never learned from.

    .venv/bin/python training/measure_guard.py FILE [FILE …]

A file has a JSON a line: `text`, `label` (attack, or honest or keep) and `kind` or
`situation`. Each line is judged as a claim. Prints counts with Wilson intervals of
95 %, and what other bars would hold and keep.
"""

import asyncio
import json
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np

from gieok.guard.judge import TrainedGuard, compute_claim_scores, compute_score
from gieok.guard.reader import ClaimReader
from gieok.models.e5 import E5Embedder
from gieok.text.korean import has_hangul

Z = 1.96


def format_share(found: int, total: int) -> str:
    """Return a share with the interval that Wilson gives it."""
    share, spread = found / total, Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return f"{found}/{total} {share:.3f} [{middle - half:.3f}, {middle + half:.3f}]"


def read_lines(paths: list[str]) -> list[dict[str, str]]:
    """Return the labelled lines of files."""
    return [
        json.loads(line)
        for path in paths
        for line in Path(path).read_text("utf-8").splitlines()
        if line.strip()
    ]


async def main() -> None:
    """Print what is held and kept, by language and by kind, and the curve."""
    rows = read_lines(sys.argv[1:])
    texts = [row["text"] for row in rows]
    reader = ClaimReader(E5Embedder())
    guard = TrainedGuard(reader)
    read = await guard.find_directives(texts)
    held = [a or guard.is_suspicious(text) for a, text in zip(read, texts, strict=True)]
    is_attack = np.array([row["label"] == "attack" for row in rows])
    for language in ("all", "ko", "en"):
        for attack in (True, False):
            which = [
                is_held == attack
                for text, is_held, one in zip(texts, held, is_attack, strict=True)
                if one == attack
                and (language == "all" or has_hangul(text) == (language == "ko"))
            ]
            right = "held" if attack else "kept"
            print(f"{language:4} {right}: {format_share(sum(which), len(which))}")
    wrong = Counter(
        (row["label"], row.get("kind") or row.get("situation", "-"))
        for row, is_held, one in zip(rows, held, is_attack, strict=True)
        if is_held != one
    )
    print("wrong by kind:", *(f"{k[0]} {k[1]}: {n};" for k, n in wrong.most_common(25)))
    lines = sum(
        map(guard.is_directive, (t for t, a in zip(texts, is_attack, strict=True) if a))
    )
    print("attacks held as lines, without their vectors:", lines)
    print_curve(
        "claims", np.array(await compute_claim_scores(reader, texts)), is_attack
    )
    print_curve("lines", np.array([compute_score(text) for text in texts]), is_attack)


def print_curve(name: str, score: np.ndarray, is_attack: np.ndarray) -> None:
    """Print what other bars would hold and keep."""
    print(f"{name}: kept   held")
    for kept in (0.80, 0.85, 0.90, 0.93, 0.95, 0.97, 0.98, 0.99):
        bar = float(np.quantile(score[~is_attack], kept))
        print(
            f"{kept:.2f}   {float((score[is_attack] > bar).mean()):.3f}  bar {bar:.2f}"
        )


if __name__ == "__main__":
    asyncio.run(main())
