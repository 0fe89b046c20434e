"""A `gieok serve` of its own, as a user starts it, and people who call it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from gieok.kernel.clock import read_system_clock
from gieok.privacy import FileKeyProvider
from gieok.surfaces.rest import Tokens
from support.commands import PATIENCE, command, environment


@dataclass(frozen=True, slots=True)
class ServedGieok:
    """A server that answers, and what signs the tokens it takes."""

    url: str
    tokens: Tokens

    def issue_token(self, person: str, ttl: timedelta = timedelta(hours=1)) -> str:
        """Return what lets somebody in."""
        return self.tokens.issue(person, ttl)


@contextmanager
def serve_gieok(
    data: Path, variables: Mapping[str, str] | None = None
) -> Generator[ServedGieok]:
    """Run `gieok serve` with the rules, and stop it as a user would."""
    with run_server(
        command("serve", "--port", "0"), {**environment(data), **(variables or {})}
    ) as url:
        key = FileKeyProvider.open(data / "gieok.key", create=False)
        yield ServedGieok(url, Tokens(key.token_secret, read_system_clock))


@contextmanager
def run_server(arguments: list[str], variables: Mapping[str, str]) -> Generator[str]:
    """Run a program that says its address first, and yield the address."""
    process = subprocess.Popen(  # noqa: S603 - a program of ours
        arguments,
        env={**variables, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", greeting)
        assert found, greeting or process.communicate()[1]
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
    assert process.returncode == 0, errors
    assert "Traceback" not in errors, errors
