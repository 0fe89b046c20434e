"""A worker that finds nothing in what was said: idle_worker.py DATA."""

import asyncio
import sys

from fakes import config, say

from gieok import Parts, open_memory
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer


async def main(data: str) -> None:
    """Work until the standard input ends."""
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config(data), parts=parts):
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
