"""Measures what a question and its short answer are told as, in both languages.

    .venv/bin/python training/measure_short_answers.py          # ten seconds
    .venv/bin/python training/measure_short_answers.py --list   # and what differs

The 2,900 pairs of `short_answers/` were written by two hands that knew the rules, to
break them, before the rules were mended by them: what is told as expected is no figure
of unseen talk. Where `told` is empty nothing should be told; where it is missing the
writer expected nothing in particular. Nothing is lost where nothing is told: what
cannot be turned about is quoted with its question.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.korean.answers import render_korean_answer
from gieok.text.kiwi import get_shared_morphology

FOLDER = Path(__file__).parent / "short_answers"
OWN = re.compile(r"^(?:저는|제|우리) ")
"""Whose it is, which the writers of Korean left out."""
COLUMNS = ("as expected", "otherwise", "unexpectedly", "nothing", "unjudged")


class Outcome(NamedTuple):
    """A pair, what it is told as, and what that is beside what was expected."""

    pair: dict[str, Any]
    told: str | None
    kind: str


def read_outcomes(language: str) -> Iterator[Outcome]:
    """Yield what becomes of every pair of a language."""
    for line in (FOLDER / f"{language}.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        if language == "ko":
            asked, said = pair["asked"], pair["said"]
            told = render_korean_answer(asked, said, get_shared_morphology())
        else:
            told = render_english_answer(pair["asked"], pair["said"])
        yield Outcome(pair, told, judge_statement(told, pair.get("told")))


def judge_statement(told: str | None, expected: list[str] | None) -> str:
    """Return the column of what is told."""
    if told is None:
        return "nothing"
    if expected is None:
        return "unjudged"
    if not expected:
        return "unexpectedly"
    same = {told, OWN.sub("", told)} & {*expected}
    return "as expected" if same else "otherwise"


def main() -> None:
    """Print a table, and what differs from what was expected if it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    listed = parser.parse_args().list
    table = Table("pairs", "number", *COLUMNS)
    for language in ("en", "ko"):
        outcomes = [*read_outcomes(language)]
        counts = Counter(each.kind for each in outcomes)
        row = [str(counts[column]) for column in COLUMNS]
        table.add_row(language, str(len(outcomes)), *row)
        for pair, told, kind in outcomes:
            if listed and kind in ("otherwise", "unexpectedly"):
                expected = " / ".join(pair["told"]) or "nothing"
                print(f"{pair['asked']} | {pair['said']} | {told} | {expected}")
    Console().print(table)


if __name__ == "__main__":
    main()
