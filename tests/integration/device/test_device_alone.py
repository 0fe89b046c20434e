"""A device needs httpx, apsw and cryptography alone, and is there at once."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.req("A10")

PROGRAM = """
import sys, time
ALLOWED = {"apsw", "cryptography", "gieok", "httpx"} | sys.stdlib_module_names
ALLOWED |= {"httpcore", "h11", "anyio", "idna", "certifi", "cffi", "_cffi_backend"}
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ALLOWED and not top.startswith("_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from pathlib import Path
from tempfile import TemporaryDirectory
began = time.process_time()
from gieok.device import (
    Device, HttpTransport, PassphraseKeys, SpokenTurn, SyncLoop, open_device)
print(time.process_time() - began)
with TemporaryDirectory() as name:
    folder = Path(name)
    keys = PassphraseKeys(folder / "key", "tea")
    device = open_device(folder / "db", "kitchen", keys)
    device.record(SpokenTurn("내 번호는 010-1234-5678이야", "네"))
    found = device.recall("번호")
    assert "1234-5678" not in found[0].text, found
    transport = HttpTransport("http://127.0.0.1:9", lambda: "t", device.clock_ms)
    assert not SyncLoop(device, transport, lambda _: True).run_until_level()
    transport.close()
    device.close()
"""


def test_a_device_runs_where_nothing_else_is_installed() -> None:
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.6, "seconds of CPU; 0.15 on a machine at rest"
