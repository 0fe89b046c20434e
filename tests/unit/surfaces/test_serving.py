"""What `gieok serve` and `gieok worker` start."""

from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from gieok.config import Config
from gieok.facade import Gieok
from gieok.parts import Parts
from gieok.surfaces.cli import serving
from gieok.surfaces.cli.terminal import Terminal
from gieok.worker import Pace

QUICK = Pace(poll=0.1)


async def test_the_worker_keeps_the_pace_that_an_app_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[Pace] = []

    async def run(gieok: Gieok, conninfo: str, *, pace: Pace) -> None:
        del gieok, conninfo
        heard.append(pace)

    monkeypatch.setattr(serving, "run_worker", run)
    out = Console(stderr=True)
    terminal = Terminal(Config(Path("unused")), "en", out, out, Parts(pace=QUICK))
    await serving.start_worker(terminal, cast("Gieok", None), "unused")
    assert heard == [QUICK]
