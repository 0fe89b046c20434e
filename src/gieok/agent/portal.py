"""A memory for synchronous code: its event loop runs in a thread of its own."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final

from anyio.from_thread import BlockingPortal, start_blocking_portal

from gieok.config import Config
from gieok.facade import Gieok
from gieok.opening import open_memory
from gieok.parts import Parts


@dataclass(slots=True, eq=False)
class SharedMemory:
    """An open memory, and how many blocks use it."""

    config: Config
    parts: Parts | None
    worker: bool
    portal: BlockingPortal
    memory: Gieok
    closing: ExitStack
    users: int = 0


_lock: Final = Lock()
_open: Final[list[SharedMemory]] = []


@contextmanager
def open_shared_memory(
    config: Config | None, parts: Parts | None, *, worker: bool
) -> Generator[tuple[BlockingPortal, Gieok]]:
    """Lend a memory and the portal to its event loop.

    Blocks that run at the same time with the same arguments share both. Raises as
    `open_memory`.
    """
    config = config or Config.from_environment()
    with _lock:
        shared = _find_shared(config, parts, worker=worker) or _open_shared(
            config, parts, worker=worker
        )
        shared.users += 1
    try:
        yield shared.portal, shared.memory
    finally:
        with _lock:
            shared.users -= 1
            if not shared.users:
                _open.remove(shared)
                shared.closing.close()


def _find_shared(
    config: Config, parts: Parts | None, *, worker: bool
) -> SharedMemory | None:
    for shared in _open:
        same = shared.config == config and shared.parts is parts
        if same and shared.worker is worker:
            return shared
    return None


def _open_shared(config: Config, parts: Parts | None, *, worker: bool) -> SharedMemory:
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal("asyncio", name="gieok"))
        opening = open_memory(config, parts=parts, worker=worker)
        memory = stack.enter_context(portal.wrap_async_context_manager(opening))
        shared = SharedMemory(config, parts, worker, portal, memory, stack.pop_all())
    _open.append(shared)
    return shared
