"""SQL as servers and drivers like it: one statement, and short."""

import re
from collections.abc import Iterator
from typing import LiteralString


def split_statements(script: str) -> Iterator[str]:
    """Yield each statement of a script that holds no function bodies.

    DDL goes one statement per execute. Comments are dropped first, so they may hold
    semicolons.
    """
    bare = re.sub(r"--[^\n]*", "", script)
    for statement in bare.split(";"):
        if statement.strip():
            yield statement.strip()


def to_one_line(statement: LiteralString) -> LiteralString:
    """Return a statement without its indentation; it must hold no comment.

    The driver keeps what it made of the last statements it saw, but of none longer
    than 4,096 characters.
    """
    return " ".join(statement.split())
