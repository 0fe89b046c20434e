"""What comes back over HTTP is read, or left out: never what makes no sense."""

from uuid import UUID

import httpx
import pytest

from gieok.device import HttpTransport
from gieok.device.wire import RequestKind, SyncRequest

pytestmark = pytest.mark.req("A16")
HELLO = SyncRequest(RequestKind.HELLO, UUID(int=1), {"device_id": "kitchen"})


@pytest.mark.parametrize(
    ("spelled", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("", 0.0),
        ("-3", 0.0),
        ("nan", 0.0),
        ("NaN", 0.0),
        ("-nan", 0.0),
        ("inf", 3_600.0),
        ("-inf", 0.0),
        ("1e300", 3_600.0),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0),
    ],
)
def test_how_long_to_wait_is_always_a_time(spelled: str, seconds: float) -> None:
    answer = httpx.Response(429, headers={"retry-after": spelled})
    client = httpx.Client(transport=httpx.MockTransport(lambda _: answer))
    transport = HttpTransport("http://cloud", lambda: "t", lambda: 1, client)
    assert transport.send(HELLO).retry_after_s == seconds
    transport.close()
