"""Record turns of one person until killed or told to stop: recorder.py DATA NAME [N].

Every turn is printed after `record` has returned, so what was printed must survive.
"""

import asyncio
import sys
from itertools import count

from fakes import config, parts, say

from gieok import Turn, open_memory


async def main(data: str, name: str, most: int | None) -> None:
    """Start a session, print its id, then a number for every turn that is safe."""
    async with open_memory(config(data), parts=parts(), worker=False) as memory:
        scope = memory.person(name)
        session = await memory.sessions.start(scope)
        say(session.session_id)
        for number in count() if most is None else range(most):
            turn = Turn(f"user {number}", f"assistant {number}")
            await memory.sessions.record(scope, session.session_id, turn)
            say(number)
        say("done")
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if sys.argv[3:] else None)
    )
