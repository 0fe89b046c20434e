"""The examples run, and show what they say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

EXAMPLES = ROOT / "examples"


def output(name: str, data: Path) -> list[str]:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"GIEOK_DATA": str(data), "HOME": str(data), **path()},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().split("\n")


def path() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "PYTHONWARNINGS": "error"}


@pytest.mark.slow
@pytest.mark.acceptance
@pytest.mark.req("D11")
def test_the_recycling_helper_knows_the_district_in_the_next_session(
    begun_data: Path,
) -> None:
    said = output("recycling.py", begun_data)
    assert said[1] == "[monday] 도우미: 어느 구에 사시나요? 구마다 요일이 달라요."
    assert said[4] == "[friday] 나: 투명 페트병 버리는 날이 언제야?"
    assert said[5].startswith("[friday] 도우미: 강남구에서는 투명 페트병을 목요일")


@pytest.mark.slow
@pytest.mark.acceptance
@pytest.mark.req("B07")
def test_the_approval_flow_carries_out_what_a_person_wrote(begun_data: Path) -> None:
    waiting, done = output("approval.py", begun_data)
    assert waiting.startswith("paused before planning: The user wants a refund")
    assert done == "active: Done: 1. Refund half of it 2. Say sorry"
