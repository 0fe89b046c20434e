"""Keeps a device in step: asks, applies, waits."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.device.device import Device
from gieok.device.model import DeviceFault
from gieok.device.transport import SyncTransport
from gieok.device.wire import RequestKind, SyncReply, SyncRequest

POLL_S: Final = 2.0
"""Between two looks for news that the cloud answered at once, and had none."""
LOOK_S: Final = 0.25
"""Between two looks whether anything was said, while the cloud is asked for news."""
_MOST_STEPS: Final = 100_000


@dataclass(slots=True)
class NewsRequest:
    """What the cloud was asked for news, in a thread: it may let the answer wait."""

    request: SyncRequest
    started_s: float = field(default_factory=time.monotonic)
    reply: SyncReply | None = None


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
        return self.device.apply_reply(request, self._send(request))

    def run(self) -> None:
        """Exchange until told to stop, or until the device has emptied itself.

        What is said goes up within `LOOK_S`, also while the cloud is asked for news.
        """
        news: NewsRequest | None = None
        while self.device.cursor.error is not DeviceFault.GONE:
            wait_s = self.exchange()
            if wait_s is None and news is None:
                news = self._request_news()
            elif wait_s is None and news is not None and news.reply is not None:
                wait_s = self._apply_news(news.request, news.reply, news.started_s)
                news = None
            if self.wait(LOOK_S if wait_s is None else wait_s):
                return

    def _request_news(self) -> NewsRequest | None:
        self.device.sweep()
        request = self.device.find_request(is_polling=True)
        if request is None:
            return None
        news = NewsRequest(request)
        waiting = _add_wait(request, self.device.link.wait_s)

        def ask() -> None:
            news.reply = self._send(waiting)

        threading.Thread(target=ask, name="gieok-device-news", daemon=True).start()
        return news

    def _apply_news(
        self, request: SyncRequest, reply: SyncReply, started_s: float
    ) -> float:
        """Apply an answer, unless the device has moved on since it was asked for."""
        if self.device.find_request(is_polling=True) != request:
            return 0.0
        before = self.device.cursor.last_cloud_update_seq
        wait_s = self.device.apply_reply(request, reply)
        if self.device.cursor.last_cloud_update_seq != before:
            return wait_s
        # An answer that did not wait, without news: no reason to ask again at once.
        return max(wait_s, POLL_S - (time.monotonic() - started_s))

    def _send(self, request: SyncRequest) -> SyncReply:
        return self.transport.send(request, self.device.link.encodings)


def _add_wait(request: SyncRequest, wait_s: int) -> SyncRequest:
    """Return a request for news whose answer may wait for some."""
    if request.kind is not RequestKind.PULL or not wait_s:
        return request
    return replace(request, fields={**request.fields, "wait": wait_s})
