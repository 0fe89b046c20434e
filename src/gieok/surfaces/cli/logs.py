"""Where logs go: beside the answers, never between them."""

import logging
import sys

import structlog


def to_stderr() -> None:
    """Send every log line to the standard error stream; lines carry ids only."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
