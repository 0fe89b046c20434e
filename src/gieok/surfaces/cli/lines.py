"""Lines from the keyboard or a pipe, read on the event loop.

`input()` would block the loop, and a Ctrl-C that arrives just before it blocks would
not be seen until the next line. Waiting on the loop, a signal ends the wait at once.
"""

import asyncio
import os
from dataclasses import dataclass, field
from typing import TextIO

CHUNK = 65_536


@dataclass(slots=True)
class LineReader:
    """The lines of a stream, one at a time."""

    stream: TextIO
    _rest: bytearray = field(default_factory=bytearray)
    _ended: bool = False

    async def read_line(self) -> str | None:
        """Return the next line without its end, or None when there is none left."""
        while b"\n" not in self._rest and not self._ended:
            chunk = await self._read_chunk()
            self._ended = not chunk
            self._rest += chunk
        if not self._rest:
            return None
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest = bytearray(rest)
        return line.decode("utf-8", "replace").strip()

    async def _read_chunk(self) -> bytes:
        """Wait until there is something to read, and return it."""
        number = self.stream.fileno()
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            loop.add_reader(number, ready.set)
        except (PermissionError, NotImplementedError):
            # A file never makes anyone wait, and Windows offers nothing else.
            return os.read(number, CHUNK)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(number)
        return os.read(number, CHUNK)
