"""A device that somebody talks to all the time: talker.py FOLDER NAME URL TOKEN PAUSE.

It prints every pair once it is on the disk, as "pair ID NUMBER", in numbers from 1. At
a line on its standard input it records no more, and says "level" once all is in step.
"""

import sys
import threading
import time
from pathlib import Path

from fakes import say

from gieok.device import (
    HttpTransport,
    PassphraseKeys,
    SpokenTurn,
    SyncLoop,
    open_device,
)
from gieok.device.opening import read_clock_ms


def wait_for_line(told: threading.Event) -> None:
    """Tell of a line on the standard input, or of its end."""
    sys.stdin.readline()
    told.set()


def main(folder: str, name: str, url: str, token: str, pause: float) -> None:
    """Talk and stay in step until told to stop."""
    place = Path(folder) / name
    keys = PassphraseKeys(place.with_suffix(".key"), "tea")
    device = open_device(place.with_suffix(".db"), name, keys)
    transport = HttpTransport(url, lambda: token, read_clock_ms)
    told, stop = threading.Event(), threading.Event()
    threading.Thread(
        target=lambda: (sys.stdin.readline(), told.set()), daemon=True
    ).start()
    loop = SyncLoop(device, transport, stop.wait)
    syncing = threading.Thread(target=loop.run, daemon=True)
    syncing.start()
    say("ready")
    while not told.wait(pause):
        number = device.cursor.newest.seq + 1
        pair = device.record(SpokenTurn(f"{name} {number}", "네"))
        say("pair", pair.pair_id, number)
    while device.report().waiting or not device.is_level:
        time.sleep(0.1)
    say("level", device.cursor.newest.seq)
    stop.set()
    syncing.join()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]))
