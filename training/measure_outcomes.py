"""Measures what the whole library knows of people at the end of their sessions.

    .venv/bin/python training/measure_outcomes.py ko_b         # four minutes a file
    .venv/bin/python training/measure_outcomes.py ko_b --list  # and what fails

`outcomes/*.jsonl` are people of two or three sessions by hands that knew no rule. What
may be shown to a prompt at the end has to hold each of the `known`, and nothing of the
`gone`: old values, and what is not worth keeping. Each is a list of parts, of each of
which one alternative has to stand in the same memory; what also holds something `known`
is no fault ("moved from Leeds to York").
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from gieok.config import Config
from gieok.evaluation.harness import Bench, open_bench
from gieok.kernel.language import Role
from gieok.parts import Parts

FOLDER = Path(__file__).parent / "outcomes"
AT = datetime(2026, 9, 1, 1, tzinfo=UTC)
APART = timedelta(days=3)
ANSWERS = {"ko": "네.", "en": "Got it."}
"""What the assistant says where a file has nothing of it."""

Alternatives = Sequence[Sequence[str]]


async def list_shown(bench: Bench, name: str, person: dict[str, Any]) -> list[str]:
    """Hold a person's sessions; return what is in use then, and not contradicted."""
    gieok = bench.gieok
    scope = gieok.person(name)
    zone = "Asia/Seoul" if person["language"] == "ko" else "America/New_York"
    await gieok.accounts.update(scope, language=person["language"], time_zone=zone)
    for number, messages in enumerate(person["sessions"]):
        bench.clock.set(AT + number * APART)
        session = await gieok.sessions.start(scope)
        for who, text in _complete(messages, ANSWERS[person["language"]]):
            role = Role.USER if who == "u" else Role.ASSISTANT
            await gieok.sessions.append(
                scope, session.session_id, role=role, content=text
            )
        await gieok.sessions.close(scope, session.session_id)
        await gieok.settled(scope)
    page, _ = await gieok.memories.page(scope, limit=1_000)
    in_use = {memory.memory_id for memory in page}
    return [each.content for each in page if each.contradicted_by not in in_use]


def _complete(messages: Sequence[Sequence[str]], answer: str) -> list[Sequence[str]]:
    """Return messages with an answer behind each that the assistant says nothing to."""
    found: list[Sequence[str]] = []
    for one, other in zip(messages, [*messages[1:], ["u", ""]], strict=True):
        found.append(one)
        if one[0] == "u" and other[0] == "u":
            found.append(["a", answer])
    return found


def has_parts(text: str, parts: Alternatives) -> bool:
    """Tell whether a memory holds one alternative of each part."""
    low = text.lower()
    return all(any(one.lower() in low for one in part) for part in parts)


def list_faults(shown: Sequence[str], person: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what is missing, and what is shown that should not be."""
    known: list[Alternatives] = person["known"]
    faults = [
        ("missing", str(parts))
        for parts in known
        if not any(has_parts(text, parts) for text in shown)
    ]
    rest = [t for t in shown if not any(has_parts(t, parts) for parts in known)]
    for parts in person["gone"]:
        wrong = next((text for text in rest if has_parts(text, parts)), None)
        if wrong is not None:
            faults.append(("shown", wrong))
    return faults


async def main() -> None:
    """Print how much is known that should be, and how much is gone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="names of files of outcomes/")
    parser.add_argument("--list", action="store_true", help="print what fails")
    chosen = parser.parse_args()
    console = Console(width=120)
    table = Table("file", "people", "known", "not shown any more")
    async with open_bench(Config.from_environment(), Parts()) as bench:
        for name in chosen.files:
            lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
            people = [json.loads(line) for line in lines]
            counts: Counter[str] = Counter()
            for number, person in enumerate(tqdm(people, desc=name)):
                shown = await list_shown(bench, f"{name} {number}", person)
                faults = list_faults(shown, person)
                counts.update(kind for kind, _ in faults)
                if chosen.list:
                    console.print(*(f"{number}: {k}: {t}" for k, t in faults), sep="\n")
            known = sum(len(person["known"]) for person in people)
            gone = sum(len(person["gone"]) for person in people)
            table.add_row(
                name,
                str(len(people)),
                f"{known - counts['missing']} of {known}",
                f"{gone - counts['shown']} of {gone}",
            )
    console.print(table)


if __name__ == "__main__":
    asyncio.run(main())
