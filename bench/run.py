"""Measure: `python bench/run.py [part ...] [--quick]`, or `make bench`.

Every part compares within its own run: with a floor, with a peer, or before and after.
Ratios hold on a busy machine, absolute figures only on a quiet one.
"""

import argparse
import asyncio
import sys
from importlib import import_module
from time import perf_counter

from report import Result, busy, machine, save, show, show_sum, versions
from rich.console import Console
from rich.progress import Progress

PARTS = {
    "capture": "turns made durable a second, beside bare commits",
    "vault": "what row security and sealing cost a turn",
    "recall_latency": "time of a recall with 1,000 and 10,000 items",
    "backlog": "time of a recall beside somebody else's backlog",
    "peers": "the same words in gieok, LangGraph's store and mem0",
    "conversations": "sums, the agenda's sweep, days that end, episodes",
    "pii": "sensitive information: found, missed, wrongly marked, and how fast",
    "langgraph_store": "LoCoMo in GieokStore and in LangGraph's PostgresStore",
    "gathered_puts": "10,000 puts at once in GieokStore and LangGraph's PostgresStore",
    "erasure": "a person with 10,000 items erased",
    "footprint": "resident memory, part by part",
    "front_door": "processor time of `gieok --help` and of opening not yet used",
    "sync": "devices and a server: pushed, pulled, live, on the wire, in memory",
    "tutor": "the tutor's Lambda: import, memory, size on disk, its calls",
    "pages": "time of the pages of somebody with 10,000 memories and messages",
}
PAGE = 120
"""Columns of what is written to a file or a pipe."""
MAX_SECONDS = 180.0
"""A part that takes longer is stopped; the sizes are chosen for 30 and for 120."""


def main() -> int:
    """Run what was asked for; 1 when a part could not be measured."""
    asked = _arguments()
    console = Console(width=None if sys.stdout.isatty() else PAGE)
    where = machine()
    console.print(_facts(where), _facts(versions()), sep="\n", style="dim")
    if busy():
        console.print(
            "Other programs are busy here: trust the ratios, not the absolute figures.",
            style="yellow",
        )
    results = []
    for part in asked.parts or PARTS:
        results.append(_measured(part, console, quick=asked.quick))
        show(results[-1], console)
    show_sum(results, console)
    console.print(f"Written to {save(results, where, quick=asked.quick)}", style="dim")
    return int(any(result.problem for result in results))


def _measured(part: str, console: Console, *, quick: bool) -> Result:
    start = perf_counter()
    figures, problem = [], ""
    with Progress(console=console, transient=True) as progress:
        try:
            figures = asyncio.run(_bounded(part, progress, quick=quick))
        except ImportError as error:
            problem = (
                f"{error.name} is not installed: .venv/bin/pip install -e '.[bench]'"
            )
        except TimeoutError:
            problem = f"stopped after {MAX_SECONDS:.0f} s"
        except Exception as error:  # noqa: BLE001 - the other parts go on
            console.print_exception()
            problem = f"could not be measured ({type(error).__name__})"
    return Result(part, figures, perf_counter() - start, problem)


async def _bounded(part: str, progress: Progress, *, quick: bool) -> list:
    module = import_module(part)
    async with asyncio.timeout(MAX_SECONDS):
        return await module.measure(progress, quick=quick)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure gieok against floors and peers.",
        epilog="\n".join(f"{part:16}{about}" for part, about in PARTS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="part",
        help=f"{', '.join(PARTS)}; all of them without any",
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, 30 seconds a part at most"
    )
    asked = parser.parse_args()
    unknown = set(asked.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    return asked


def _facts(facts: dict) -> str:
    return " · ".join(f"{name} {fact}" for name, fact in facts.items())


if __name__ == "__main__":
    sys.exit(main())
