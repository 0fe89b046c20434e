"""Where the JavaScript client is, and what runs it."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from support.paths import ROOT

CLIENT: Final = ROOT / "clients" / "js"
TYPESCRIPT: Final = CLIENT / "node_modules" / ".bin" / "tsc"
MIN_NODE: Final = 20


def run_program(
    arguments: list[str], variables: Mapping[str, str], directory: Path
) -> subprocess.CompletedProcess[str]:
    """Run a program of the JavaScript world; it finds node and its own files."""
    home = {"PATH": os.environ["PATH"], "HOME": str(directory)}
    return subprocess.run(  # noqa: S603 - programs of ours
        arguments,
        env={**home, **variables},
        cwd=directory,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def find_node() -> str | None:
    """Return a node that is new enough for the client."""
    node = shutil.which("node")
    if node is None:
        return None
    version = run_program([node, "--version"], {}, CLIENT).stdout
    return (
        node if int(version.removeprefix("v").partition(".")[0]) >= MIN_NODE else None
    )


NODE: Final = find_node()
needs_node = pytest.mark.skipif(
    NODE is None, reason="node 20 or newer is not installed"
)
needs_typescript = pytest.mark.skipif(
    not TYPESCRIPT.exists(),
    reason="TypeScript is not installed: npm install --no-package-lock in clients/js",
)
