"""Erase a person, or take an export in: rights.py DATA erase|import USER [FILE]."""

import asyncio
import io
import sys
from pathlib import Path

from fakes import config, parts, say

from gieok import open_memory
from gieok.erasure import person

person.BATCH = 50  # pyright: ignore[reportAttributeAccessIssue] - many transactions


async def main(data: str, verb: str, user: str, file: str = "") -> None:
    """Say when it begins, how far it is, and that it is done."""
    async with open_memory(config(data), parts=parts(), worker=False) as memory:
        scope = memory.person(user)
        say("begins")
        if verb == "erase":
            await memory.erasure.person(scope, say)
        else:
            export = io.BytesIO(Path(file).read_bytes())  # noqa: ASYNC240 - small
            await memory.portability.load(scope, export)
        say("done")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
