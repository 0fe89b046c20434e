"""What the tutor's Lambda weighs and takes: import, memory, disk, and its calls."""

import asyncio
import json
import os
import sys
import tomllib
import zipfile
from importlib.metadata import distribution, requires
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from report import Figure
from rich.progress import Progress
from tutor_calls import measure_calls

ROOT = Path(__file__).parents[1]
RUNS, QUICK_RUNS = 15, 5
CALLS, QUICK_CALLS = 1_000, 200
STARTS, QUICK_STARTS = 7, 3
MEGABYTE = 2**20
PROGRAM = """
import json, re, time
begun = time.process_time()
import gieok.surfaces.tutor.handler
took = time.process_time() - begun
with open("/proc/self/status") as status:
    weight = int(re.search(r"VmRSS:\\s+(\\d+)", status.read())[1]) / 1024
print(json.dumps([took, weight]))
"""


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return the least of several runs each, and what `gieok[lambda]` installs."""
    runs = QUICK_RUNS if quick else RUNS
    task = progress.add_task("fresh handlers", total=runs)
    found: list[tuple[float, float]] = []
    with TemporaryDirectory() as compiled:
        await _run(compiled)  # leaves its bytecode for the others
        for _ in range(runs):
            found.append(await _run(compiled))
            progress.advance(task)
        calls = await asyncio.to_thread(
            measure_calls,
            compiled,
            runs=QUICK_CALLS if quick else CALLS,
            starts=QUICK_STARTS if quick else STARTS,
        )
    unpacked, packed = await asyncio.to_thread(_weigh_packages)
    return [
        Figure(
            "import, processor time",
            min(t for t, _ in found) * 1_000,
            "ms",
            at_most=400,
        ),
        Figure("resident after import", max(w for _, w in found), "MB", at_most=90),
        Figure("packages, unzipped", unpacked, "MB", at_most=200),
        Figure("packages, zipped", packed, "MB", at_most=40),
        *calls,
    ]


async def _run(compiled: str) -> tuple[float, float]:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        stdout=asyncio.subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPYCACHEPREFIX": compiled,
            "PYTHONDONTWRITEBYTECODE": "",
        },
    )
    written, _ = await child.communicate()
    if child.returncode:
        problem = f"the measured process ended with {child.returncode}"
        raise RuntimeError(problem)
    took, weight = json.loads(written)
    return took, weight


def _weigh_packages() -> tuple[float, float]:
    """Return megabytes of gieok and all that its extra needs, unzipped and zipped."""
    files = [
        path
        for name in _list_packages()
        for file in distribution(name).files or ()
        if (path := Path(str(file.locate()))).is_file() and path.suffix != ".pyc"
    ]
    files += [path for path in (ROOT / "src/gieok").rglob("*") if path.is_file()]
    files = [path for path in files if path.suffix != ".pyc"]
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, str(path).lstrip("/"))
    unpacked = sum(path.stat().st_size for path in files)
    return unpacked / MEGABYTE, len(packed.getvalue()) / MEGABYTE


def _list_packages() -> set[str]:
    """Return the packages that `gieok[lambda]` needs, as this checkout says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lambda"]]
    found = set[str]()
    while wanted:
        needed = Requirement(wanted.pop())
        is_wanted = needed.marker is None or needed.marker.evaluate({"extra": ""})
        if is_wanted and needed.name not in found:
            found.add(needed.name)
            wanted += requires(needed.name) or ()
    return found
