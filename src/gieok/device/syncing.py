"""Keeps a device in step: asks, applies, waits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gieok.device.device import Device
from gieok.device.model import DeviceFault
from gieok.device.transport import SyncTransport

POLL_S: Final = 2.0
"""Between two looks for news, where the cloud does not offer to wait for them."""
_MOST_STEPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class SyncLoop:
    """Exchanges over a transport; `wait` sleeps, and returns True to stop."""

    device: Device
    transport: SyncTransport
    wait: Callable[[float], bool]

    def run_until_level(self) -> bool:
        """Exchange until all is in step or the cloud is away; return whether it is."""
        for _ in range(_MOST_STEPS):
            wait_s = self.exchange()
            if wait_s is None or wait_s > 0:
                break
        return self.device.is_level

    def exchange(self, *, is_polling: bool = False) -> float | None:
        """Exchange once, and return how long to wait; None if nothing is to be asked.

        Raises:
            StorageFullError, DataDirectoryError: the answer could not be kept.
        """
        request = self.device.find_request(is_polling=is_polling)
        if request is None:
            return None
        reply = self.transport.send(request, self.device.link.encodings)
        return self.device.apply_reply(request, reply)

    def run(self) -> None:
        """Exchange until told to stop, or until the device has emptied itself."""
        while self.device.cursor.error is not DeviceFault.GONE:
            wait_s = self.exchange()
            if wait_s is None:
                wait_s = self.exchange(is_polling=True)
                if not wait_s and not self.device.link.wait_s:
                    wait_s = POLL_S
                self.device.sweep()
            if self.wait(wait_s or 0.0):
                return
