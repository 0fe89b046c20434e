"""Start one library in this fresh process and print when what was possible.

python bench/peer_start.py MODULE FOLDER [DATABASE]
"""

from time import perf_counter

begun = perf_counter()

import asyncio  # noqa: E402 - importing is part of what is measured
import json  # noqa: E402
import sys  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402

from peer import Home, Said, forbid_network  # noqa: E402


async def start(name: str, folder: str, database: str | None) -> dict[str, float]:
    """Return seconds until the library was open, and until the first add was done."""
    forbid_network()
    module = import_module(name)
    async with module.opened(Home(Path(folder), database)) as peer:
        ready = perf_counter() - begun
        await peer.add("starter", Said("나 강남구 살아.", "강남구군요."))
        return {"open": ready, "added": perf_counter() - begun}


if __name__ == "__main__":
    where = sys.argv[3] if len(sys.argv) > 3 else None  # noqa: PLR2004 - see above
    print(json.dumps(asyncio.run(start(sys.argv[1], sys.argv[2], where))))
