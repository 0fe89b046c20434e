"""Run a worker with a language model behind an address: remembering.py DATA URL."""

import asyncio
import sys
from dataclasses import replace

from fakes import config, say

from gieok import Parts, open_memory
from gieok.testing import HashEmbedder, WordTokenizer
from gieok.worker import Pace

PACE = Pace(poll=0.1, heartbeat=0.5, stalled_after=3.0, sweep="* * * * * */1")


async def main(data: str, url: str) -> None:
    """Work until the standard input ends."""
    told = replace(config(data), model="local", model_base_url=url)
    parts = Parts(embedder=HashEmbedder(), tokenizer=WordTokenizer(), pace=PACE)
    async with open_memory(told, parts=parts):
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
