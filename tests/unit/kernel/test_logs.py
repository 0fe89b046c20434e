"""Where gieok's own log lines go."""

import subprocess
import sys

import structlog

from gieok.kernel.logs import get_logger

PROGRAM = """
from gieok.kernel.logs import get_logger
get_logger("gieok.test").warning("left_out", session="s-1")
print("answer")
"""


def test_a_program_s_own_output_holds_no_log_line() -> None:
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout == "answer\n"
    assert "left_out" in done.stderr
    assert "s-1" in done.stderr


def test_an_app_that_configured_structlog_gets_the_lines() -> None:
    log = get_logger("gieok.test")
    with structlog.testing.capture_logs() as logs:
        log.warning("left_out", session="s-1")
    assert logs == [{"event": "left_out", "session": "s-1", "log_level": "warning"}]
