"""Measures what is kept of terse lines, each said in a talk of its own.

    .venv/bin/python training/measure_terse.py            # two minutes
    .venv/bin/python training/measure_terse.py --learned  # the other two thirds

Of each file of `terse/` the last third is held out. A fact is kept if a memory has
half of the words it should be remembered in, or 0.6 of those that say it; of a line
without any nothing should be kept. It prints both, by language, and the lines that
are wrong.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.content_words import extract_terms
from gieok.text.kiwi import get_shared_morphology

TERSE = Path(__file__).parent / "terse"
AT = datetime.fromisoformat("2026-03-02T19:10:00+09:00")
GREETING, ANSWER = {"en": "hi", "ko": "안녕"}, {"en": "Okay.", "ko": "네."}
EMPTY = "The user 사용자 user's"
ENOUGH_WORDED, ENOUGH_QUOTED = 0.5, 0.6
"""Of the words of a memory as it should be, and of those that say it."""

Row = dict[str, Any]


class KeptLine(NamedTuple):
    """A line, and what is kept of it."""

    row: Row
    kept: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether a fact is kept, or nothing where there is none."""
        facts = self.row["facts"]
        if not facts:
            return not self.kept
        return any(_fits(fact, memory) for fact in facts for memory in self.kept)


def read_lines(*, learned: bool) -> Iterator[Row]:
    """Yield the first two thirds of the lines of each file, or the last one."""
    for path in sorted(TERSE.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        first = len(rows) * 2 // 3
        yield from rows[:first] if learned else rows[first:]


def _list_terms(text: str) -> frozenset[str]:
    morphology = get_shared_morphology()
    return extract_terms(text, morphology) - extract_terms(EMPTY, morphology)


def _fits(fact: Row, memory: str) -> bool:
    """Tell whether a memory has enough of the words of a fact."""
    kept = _list_terms(memory)
    for name, enough in (("say", ENOUGH_WORDED), ("quote", ENOUGH_QUOTED)):
        wanted = _list_terms(fact[name])
        if wanted and len(wanted & kept) >= enough * len(wanted):
            return True
    return False


async def extract_line(model: RulesModel, row: Row) -> KeptLine:
    """Return what is kept of a line, said in answer to what it answers."""
    language = row["lang"]
    said = [(Role.USER, row["text"]), (Role.ASSISTANT, ANSWER[language])]
    if row["asked"]:
        opened = [(Role.USER, GREETING[language]), (Role.ASSISTANT, row["asked"])]
        said = [*opened, *said]
    messages = tuple(Utterance(n, role, text) for n, (role, text) in enumerate(said))
    found = await model.extract(Conversation(messages, (), AT))
    return KeptLine(row, tuple(each.content for each in found))


async def main() -> None:
    """Read every line alone, and print what is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learned", action="store_true")
    rows = read_lines(learned=parser.parse_args().learned)
    model = RulesModel(E5Embedder(), get_shared_morphology())
    lines = [await extract_line(model, row) for row in rows]
    for line in lines:
        if not line.is_right:
            sign = "lost" if line.row["facts"] else "kept"
            print(sign, line.row["text"], "|", " / ".join(line.kept))
    for language in ("en", "ko"):
        own = [each for each in lines if each.row["lang"] == language]
        facts = [each for each in own if each.row["facts"]]
        others = [each for each in own if not each.row["facts"]]
        print(
            f"{language}: {sum(each.is_right for each in facts)} of {len(facts)} facts "
            f"kept, something of {sum(not each.is_right for each in others)} of "
            f"{len(others)} lines without any"
        )


if __name__ == "__main__":
    asyncio.run(main())
