"""Keeps a device in step: asks, applies, waits."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.device.device import Device
from gieok.device.engine import LONGEST_WAIT_S, build_next_request
from gieok.device.model import DeviceFault
from gieok.device.transport import SyncTransport
from gieok.device.wire import RequestKind, SyncReply, SyncRequest
from gieok.kernel.errors import GieokError

log = logging.getLogger("gieok.device")

POLL_S: Final = 2.0
"""Between two looks for news that the cloud answered at once, and had none."""
LOOK_S: Final = 0.25
"""Between two looks whether anything was said, while the cloud is asked for news."""
GREET_S: Final = 24 * 60 * 60.0
"""After so long the cloud is greeted again, though nothing failed: hello dates what it
has, tells its clock, and drops what it has had for long."""
WITHHELD_S: Final = 60.0
"""Between two looks whether the person agrees again that devices hold anything."""
SWEEP_S: Final = 60.0
"""Between two looks whether anything has expired, also while the cloud is away."""
_MAX_STEPS: Final = 100_000


@dataclass(slots=True)
class SentRequest:
    """What the cloud was asked in a thread of its own, and the answer once it is here.

    `is_stale` says that the device has moved on since: nobody waits for the answer.
    """

    request: SyncRequest
    send: Callable[[], SyncReply]
    started_s: float = field(default_factory=time.monotonic)
    reply: SyncReply | None = None
    is_stale: bool = False
    thread: threading.Thread = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Ask; a process that ends does not wait for the answer."""
        self.thread = threading.Thread(
            target=self._run, name="gieok-device-request", daemon=True
        )
        self.thread.start()

    def _run(self) -> None:
        self.reply = self.send()

    def wait(self) -> SyncReply | None:
        """Return the answer once it is here; None if asking failed."""
        self.thread.join()
        return self.reply


@dataclass(slots=True)
class SyncLoop:
    """Exchanges over a transport; `wait` sleeps, and returns True to stop.

    While a page is applied, the next one is on its way: never more than one, and it is
    applied only if it is what the device asks for by then.
    """

    device: Device
    transport: SyncTransport
    wait: Callable[[float], bool]
    read_s: Callable[[], float] = time.monotonic
    """Returns seconds that no clock set by anybody moves."""
    ahead: SentRequest | None = field(default=None, init=False, repr=False)
    news: SentRequest | None = field(default=None, init=False, repr=False)
    last_status: int | None = field(default=None, init=False)
    """What came back last: an HTTP status, or `NO_ANSWER`; None before."""
    last_failure: str = field(default="", init=False)
    """Why nothing came back last, as the log said it; empty after an answer."""
    _swept_s: float | None = field(default=None, init=False, repr=False)
    _greeted_s: float | None = field(default=None, init=False, repr=False)

    def run_until_level(self) -> bool:
        """Exchange until all is in step or the cloud is away; return whether it is.

        It waits only where the line was too slow for a batch and may carry a smaller
        one, and no longer than until it is told to stop.
        """
        for _ in range(_MAX_STEPS):
            max_pairs = self.device.link.max_pairs
            wait_s = self.exchange()
            if wait_s is None:
                break
            has_shrunk = self.device.link.max_pairs < max_pairs
            if wait_s > 0 and not (has_shrunk and not self.wait(wait_s)):
                break
        return self.device.is_level

    def exchange(self, *, is_polling: bool = False) -> float | None:
        """Exchange once, and return how long to wait; None if nothing is to be asked.

        Raises:
            StorageFullError, DataDirectoryError: the answer could not be kept.
        """
        greeted_s = self._greeted_s
        if greeted_s is not None and self.read_s() - greeted_s >= GREET_S:
            self.device.renew_greeting()
        request = self.device.find_request(is_polling=is_polling)
        if request is None:
            return None
        return self._apply(request, self._take_ahead(request) or self._send(request))

    def run(self) -> None:
        """Exchange until told to stop, or until the device has emptied itself.

        What is said goes up within `LOOK_S`, also while the cloud is asked for news. A
        disk that is full, damaged or does not answer is tried again; it is logged once.
        """
        fault = ""
        while True:
            try:
                if self.device.cursor.error is DeviceFault.GONE:
                    log.warning("the device was shut out or erased: it is empty")
                    return
                wait_s, fault = self._exchange_or_listen(), ""
            except GieokError as error:
                before, fault = fault, type(error).__name__
                if fault != before:
                    log.warning("the device cannot be kept in step: %s", fault)
                wait_s = LONGEST_WAIT_S
            if self.wait(wait_s):
                return

    def _exchange_or_listen(self) -> float:
        """Exchange once, or look whether there is news; return how long to wait."""
        wait_s = self.exchange()
        if self._swept_s is None or self.read_s() - self._swept_s >= SWEEP_S:
            self._swept_s = self.read_s()
            self.device.sweep()
        if wait_s is not None:
            return wait_s
        news = self.news
        if news is None:
            self.news = self._request_news()
        elif news.reply is not None:
            wait_s = self._apply_news(news.request, news.reply, news.started_s)
            self.news = None
            return wait_s
        return LOOK_S

    def _request_news(self) -> SentRequest | None:
        request = self.device.find_request(is_polling=True)
        if request is None or self._is_greeted_just_now(request):
            return None
        waiting = _add_wait(request, self.device.link.wait_s)
        return SentRequest(request, lambda: self._send(waiting))

    def _is_greeted_just_now(self, request: SyncRequest) -> bool:
        """Tell whether a hello would only repeat that nothing may be held."""
        if request.kind is not RequestKind.HELLO or self._greeted_s is None:
            return False
        return self.read_s() - self._greeted_s < WITHHELD_S

    def _apply_news(
        self, request: SyncRequest, reply: SyncReply, started_s: float
    ) -> float:
        """Apply an answer, unless the device has moved on since it was asked for."""
        if self.device.find_request(is_polling=True) != request:
            return 0.0
        before = self.device.cursor.last_cloud_update_seq
        wait_s = self._apply(request, reply)
        if self.device.cursor.last_cloud_update_seq != before:
            return wait_s
        # An answer that did not wait, without news: no reason to ask again at once.
        return max(wait_s, POLL_S - (time.monotonic() - started_s))

    def _apply(self, request: SyncRequest, reply: SyncReply) -> float:
        """Apply an answer, while what follows it is asked for."""
        following = build_next_request(request, reply)
        if following is not None and self.ahead is None:
            self.ahead = SentRequest(following, lambda: self._send(following))
        wait_s = self.device.apply_reply(request, reply)
        if request.kind is RequestKind.HELLO and self.device.link.is_greeted:
            self._greeted_s = self.read_s()
        return wait_s

    def _take_ahead(self, request: SyncRequest) -> SyncReply | None:
        """Return what came back if just this was asked ahead; forget it otherwise."""
        ahead = self.ahead
        if ahead is None:
            return None
        if ahead.request == request and not ahead.is_stale:
            self.ahead = None
            return ahead.wait()
        ahead.is_stale = True
        if not ahead.thread.is_alive():
            self.ahead = None
        return None

    def _send(self, request: SyncRequest) -> SyncReply:
        """Return what came back; nothing, if the transport or its token fails."""
        try:
            reply = self.transport.send(request, self.device.link.encodings)
        except Exception as error:  # noqa: BLE001 - the caller's own code
            reply = SyncReply.from_error(error, self.device.clock_ms())
        if reply.failure and reply.failure != self.last_failure:
            log.warning("nothing came back from the cloud: %s", reply.failure)
        self.last_status, self.last_failure = reply.status, reply.failure
        return reply


def _add_wait(request: SyncRequest, wait_s: int) -> SyncRequest:
    """Return a request for news whose answer may wait for some."""
    if request.kind is not RequestKind.PULL or not wait_s:
        return request
    return replace(request, fields={**request.fields, "wait": wait_s})
