"""Token buckets, each kept as one number: when it would be full again (GCRA)."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

MINUTE: Final = 60.0
MOST: Final = 100_000
"""Buckets kept; the one used longest ago makes way, and is full when it is back."""


class TokenBuckets:
    """Buckets of this process, each holding a minute's worth."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        self._ticks = ticks
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def take_token(self, name: str, per_minute: int) -> float:
        """Take one from a bucket; return 0, or the seconds until there is one."""
        now, each = self._ticks(), MINUTE / per_minute
        full_at = max(now, self._full_at.pop(name, now)) + each
        wait = max(0.0, full_at - now - MINUTE)
        taken = wait < each / 1_000  # rounding makes no one wait
        self._full_at[name] = full_at if taken else full_at - each
        if len(self._full_at) > MOST:
            self._full_at.popitem(last=False)
        return 0.0 if taken else wait
