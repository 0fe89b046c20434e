"""Start the command line in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

PATIENCE = 60


def environment(data: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {"GIEOK_DATA": str(data), "GIEOK_LANGUAGE": "en", "LANG": "C"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gieok.surfaces.cli.app", *arguments]


def run_command(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        command(*arguments),
        env=environment(data),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def start_command(data: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own command
        command(*arguments),
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
