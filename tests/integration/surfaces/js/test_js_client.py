"""The JavaScript client's own tests, with node, against a real server."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gieok.surfaces.rest import Tokens
from support.commands import run_command
from support.javascript import CLIENT, NODE, needs_node, run_program
from support.served import ServedGieok

PEOPLE = 16


def create_key(data: Path) -> str:
    """Return an app's key that may act as people."""
    rights = [f"--right={right}" for right in ("read", "write", "act_as")]
    made = run_command(data, "access", "create", "js", *rights, "--json")
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)["key"]


@pytest.mark.req("C07")
@pytest.mark.acceptance
@needs_node
def test_the_client_does_what_it_says(served: ServedGieok, served_data: Path) -> None:
    past = Tokens(served.tokens.secret, lambda: datetime(2026, 1, 1, tzinfo=UTC))
    told = {
        "url": served.url,
        "key": create_key(served_data),
        "expired": past.issue("late", timedelta(hours=1)),
        "people": {f"js-{n}": served.issue_token(f"js-{n}") for n in range(PEOPLE)},
    }
    tests = sorted(map(str, (CLIENT / "test").glob("*.test.js")))
    done = run_program(
        [
            str(NODE),
            "--experimental-websocket",
            "--test",
            "--test-reporter=tap",
            *tests,
        ],
        {"GIEOK_SERVED": json.dumps(told)},
        CLIENT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# skipped 0$", done.stdout, re.MULTILINE)
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) > 40
