"""How often a worker looks around."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a worker looks around, in seconds."""

    poll: float = 5.0
    heartbeat: float = 10.0
    stalled_after: float = 30.0
    concurrency: int = 2
    sweep: str = "* * * * *"
    """When the agenda and jobs of dead workers are looked at, as cron (a sixth field is
    seconds)."""
    tend: str = "17 * * * *"
    """When replaced keys are destroyed and the audit log is sealed, as cron."""


NORMAL = Pace()
