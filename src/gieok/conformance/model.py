"""What a check of a server says."""

from dataclasses import dataclass
from enum import StrEnum


class CheckKind(StrEnum):
    """Whose part a check plays."""

    CORRECT = "correct"
    """A device that keeps to the specification: it must be served."""
    HOSTILE = "hostile"
    """A broken or hostile one: it must be refused, and nothing taken."""


class CheckOutcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAULT = "fault"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ConformanceResult:
    """How one check ended; `detail` says what was wrong, or why it was skipped."""

    name: str
    kind: CheckKind
    outcome: CheckOutcome
    detail: str = ""


class CheckFailedError(Exception):
    """The server does not do what the specification says."""


class CheckSkippedError(Exception):
    """What the check needs is not there."""
