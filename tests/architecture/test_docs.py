"""The Python of README and docs runs as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.data_template import copy_template

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(BLOCK.findall(page.read_text("utf-8")), start=1)
]
FIRST = BLOCKS[0].values[0]
"""What a reader runs first, without anything there."""


@pytest.mark.slow
@pytest.mark.acceptance
@pytest.mark.parametrize("block", BLOCKS)
def test_every_python_block_runs_and_prints(
    block: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    data = tmp_path / "data"
    if block != FIRST:
        copy_template(request.getfixturevalue("template"), data)
    done = subprocess.run(  # noqa: S603 - our own documentation
        [sys.executable, "-c", block],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"GIEOK_DATA": str(data), "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
