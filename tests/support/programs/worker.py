"""Run a worker whose model takes SECONDS: worker.py DATA SECONDS."""

import asyncio
import sys

from fakes import config, parts, say

from gieok import open_memory
from gieok.worker import Pace

QUICK = Pace(poll=0.1, heartbeat=0.3, stalled_after=1.0, sweep="* * * * * */1")


async def main(data: str, seconds: float) -> None:
    """Work until the standard input ends."""
    async with open_memory(config(data), parts=parts(seconds, QUICK)):
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
