"""Measures what wishes to forget erase and ask about, also where nothing is known.

    .venv/bin/python training/measure_wishes.py      # two minutes

Each of the 432 wishes of `wishes_unmet/` is read by itself beside the twelve memories
of its person. Of them 180 name memories, 180 name what is not known, 36 name nothing,
and 36 are no wishes.
"""

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from gieok.kernel.language import (
    Category,
    Conversation,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.text.kiwi import get_shared_morphology

FOLDER = Path(__file__).parent / "wishes_unmet"
AT = datetime(2026, 11, 29, tzinfo=UTC)
COLUMNS = ("erased rightly", "erased in part", "erased wrongly")
ASKED = ("asked rightly", "asked wrongly", "nothing", "lines asked about wrongly")


async def find_meant(
    model: RulesModel, known: list[str], wish: str
) -> tuple[set[int], set[int]]:
    """Return the memories that a wish erases, and those that it asks about."""
    items = (KnownMemory(str(n), t, Category.CONTEXT) for n, t in enumerate(known))
    said = (Utterance(0, Role.USER, wish),)
    erased: set[int] = set()
    asked: set[int] = set()
    for each in await model.extract(Conversation(said, tuple(items), AT)):
        if each.operation is FindingOperation.DELETE and each.target is not None:
            sure = each.confidence >= MIN_STATED_CONFIDENCE
            (erased if sure else asked).add(int(each.target))
    return erased, asked


def count_outcome(meant: set[int], erased: set[int], asked: set[int]) -> Counter[str]:
    """Return what became of one wish."""
    if erased:
        if erased == meant:
            return Counter(["erased rightly"])
        return Counter(["erased in part" if erased < meant else "erased wrongly"])
    if asked:
        lines = {"lines asked about wrongly": len(asked - meant)}
        named = "asked rightly" if asked & meant else "asked wrongly"
        return Counter({named: 1, **lines})
    return Counter(["nothing"])


async def main() -> None:
    """Print a table of what became of the wishes, by language and what they name."""
    model = RulesModel(E5Embedder(), get_shared_morphology())
    table = Table("wishes", "number", *COLUMNS, *ASKED)
    for path in sorted(FOLDER.glob("*.jsonl")):
        people = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        counts: dict[str, Counter[str]] = {}
        for person in tqdm(people, desc=path.stem):
            for wish, meant, *kinds in person["wishes"]:
                kind = kinds[0] if kinds else "named" if meant else "not known"
                found = await find_meant(model, person["known"], wish)
                own = counts.setdefault(kind, Counter())
                own += Counter(["number"]) + count_outcome({*meant}, *found)
        for kind, own in counts.items():
            numbers = [str(own[name]) for name in ("number", *COLUMNS, *ASKED)]
            table.add_row(f"{path.stem} {kind}", *numbers)
    Console(width=160).print(table)


if __name__ == "__main__":
    asyncio.run(main())
