"""Where logs go: beside the answers, never between them."""

import logging
import sys

import structlog


def log_to_stderr() -> None:
    """Send every log line to the standard error stream; lines carry ids only."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    send_logs_to_stderr()


def send_logs_to_stderr() -> None:
    """Send gieok's own log lines there, wherever that is when they are written."""
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
