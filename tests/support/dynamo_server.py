"""A DynamoDB of dynalite's: on node, and written independently of moto."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from support.paths import ROOT

HOME: Final = ROOT / "tests" / "support" / "dynalite"
PROGRAM: Final = """
const dynalite = require("dynalite");
const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""


@contextmanager
def dynalite_process() -> Iterator[str]:
    """Run dynalite and give its address; skip where it is not installed."""
    node = shutil.which("node")
    if node is None or not (HOME / "node_modules" / "dynalite").exists():
        pytest.skip("dynalite is not installed: npm install in tests/support/dynalite")
    process = subprocess.Popen(  # noqa: S603 - a program of ours
        [node, "-e", PROGRAM],
        cwd=HOME,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        assert port.isdecimal(), "dynalite did not start"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=10)
