"""SQL files cut into statements, since DDL goes one statement per execute."""

import re
from collections.abc import Iterator


def split(script: str) -> Iterator[str]:
    """Yield each statement of a script that holds no function bodies.

    Comments are dropped first, so they may hold semicolons.
    """
    bare = re.sub(r"--[^\n]*", "", script)
    for statement in bare.split(";"):
        if statement.strip():
            yield statement.strip()
