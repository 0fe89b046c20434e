"""Counts what the shipped model finds in every session of a year.

    .venv/bin/python training/measure_months.py FILE... [--wrong]

Every session is read alone, with all that was true before it known: a first look that
takes seconds a person. `gieok eval months` measures the whole product.
"""

import argparse
import asyncio
from pathlib import Path

from corpus import Dialogue, load_months_file
from measure import Score, score

from gieok.kernel.language import Finding
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.text.kiwi import get_shared_morphology


async def extract_all(dialogues: list[Dialogue]) -> list[tuple[Finding, ...]]:
    """Return what is found in each session."""
    model = RulesModel(E5Embedder(), get_shared_morphology())
    return [await model.extract(dialogue.conversation) for dialogue in dialogues]


def print_wrong(dialogue: Dialogue, found: tuple[Finding, ...]) -> None:
    """Print a session's findings and what should have been found."""
    wanted = [fact["must"] for fact in dialogue.facts if fact["op"] == "add"]
    if wanted or found:
        print(dialogue.id, wanted)
    for one in found:
        print("   ", one.operation.value, one.confidence, one.content)


def main() -> None:
    """Print a line of figures a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    total = Score()
    for path in options.files:
        dialogues = load_months_file(path)
        found = asyncio.run(extract_all(dialogues))
        if options.wrong:
            for dialogue, own in zip(dialogues, found, strict=True):
                print_wrong(dialogue, own)
        own = score(dialogues, found)
        total += own
        print(path.stem, own)
    print("all", total)


if __name__ == "__main__":
    main()
