"""Whether somebody waits for what is being done, or it only has to be done some time.

What many people share, such as the bundled embedder, does first what is waited for.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_IN_BACKGROUND: Final = ContextVar("in_background", default=False)


@contextmanager
def mark_background() -> Generator[None]:
    """Mark what this block does, and the tasks it starts, as waited for by nobody."""
    token = _IN_BACKGROUND.set(True)
    try:
        yield
    finally:
        _IN_BACKGROUND.reset(token)


def is_background() -> bool:
    """Tell whether nobody waits for what is being done."""
    return _IN_BACKGROUND.get()
