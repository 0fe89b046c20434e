"""How much memory this process holds, and what takes it."""

import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gieok.surfaces.cli.terminal import Terminal

MEGABYTE = 1 << 20
PROCESSES = Path("/proc")


@dataclass(slots=True)
class Footprint:
    """Resident memory, and by how much each step raised it."""

    terminal: Terminal
    total: int
    steps: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    @classmethod
    def start(cls, terminal: Terminal) -> "Footprint":
        """Start measuring; what is loaded so far is Python and the command line."""
        megabytes = measure_resident_megabytes()
        return cls(terminal, megabytes, [("demo.python", megabytes)])

    def record_step(self, step: str) -> None:
        """Put down what a step added."""
        megabytes = measure_resident_megabytes()
        self.steps.append((step, megabytes - self.total))
        self.total = megabytes

    def __str__(self) -> str:
        """Return the steps in the reader's language."""
        return " · ".join(
            f"{self.terminal.translate_message(step)} {mb}" for step, mb in self.steps
        )


def measure_resident_megabytes() -> int:
    """Return resident memory; where the system does not tell, its peak so far."""
    import resource  # noqa: PLC0415 - Windows has no such module

    with suppress(OSError, ValueError, IndexError):
        pages = int((PROCESSES / "self/statm").read_text().split()[1])
        return pages * resource.getpagesize() // MEGABYTE
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // MEGABYTE if sys.platform == "darwin" else peak // 1024


def measure_postgres_megabytes(data: Path) -> int | None:
    """Return what the embedded PostgreSQL holds, shared memory counted once.

    None where the system does not tell.
    """
    with suppress(OSError, ValueError, IndexError):
        postmaster = (data / "pg" / "postmaster.pid").read_text().split()[0]
        family = [postmaster, *_list_children(postmaster)]
        return sum(_read_proportional_share(process) for process in family) // 1024
    return None


def _list_children(parent: str) -> list[str]:
    found: list[str] = []
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):
            # pid (name) state parent …; the name may hold spaces and brackets.
            if path.read_text().rpartition(")")[2].split()[1] == parent:
                found.append(path.parent.name)
    return found


def _read_proportional_share(process: str) -> int:
    """Return a process's proportional share of memory in kB (see proc(5))."""
    lines = (PROCESSES / process / "smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
