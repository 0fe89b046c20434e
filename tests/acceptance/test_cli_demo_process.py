"""`gieok demo` with the real extractor, as a newcomer runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.acceptance
def test_the_demo_holds_in_both_languages(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "gieok.surfaces.cli.app", "demo"],
        env=kept | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "✗" not in done.stdout
    assert list(tmp_path.glob("gieok-demo-*")) == []
