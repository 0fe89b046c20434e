"""Where gieok's own log lines go: as the app has configured structlog, else to stderr.

structlog writes to standard output unless it is told otherwise, where a program's own
answers stand.
"""

import sys
from dataclasses import dataclass
from typing import Any, cast

import structlog
from structlog.typing import FilteringBoundLogger


@dataclass(frozen=True, slots=True)
class _LibraryLogger:
    """Looks at the app's configuration when a line is written, not before."""

    name: str

    def __getattr__(self, method: str) -> Any:
        if structlog.is_configured():
            return getattr(structlog.get_logger(self.name), method)
        logger = structlog.PrintLogger(sys.stderr)
        return getattr(structlog.wrap_logger(logger), method)


def get_logger(name: str) -> FilteringBoundLogger:
    """Return the logger of a part of gieok; its lines carry ids only."""
    return cast("FilteringBoundLogger", _LibraryLogger(name))
