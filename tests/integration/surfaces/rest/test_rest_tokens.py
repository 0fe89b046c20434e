"""Tokens: signed by us, for us, in time, and nothing else."""

import base64
import json
import subprocess
import sys
from datetime import timedelta
from typing import Any

import jwt
import pytest

from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    InvalidInputError,
)
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock
from support.rest_people import HOUR, SECRET

CLOCK = FixedClock()
TOKENS = Tokens(SECRET, CLOCK)
NOW = int(CLOCK().timestamp())


def signed(algorithm: str = "HS256", secret: bytes = SECRET, **changes: Any) -> str:
    claims = {"sub": "minji", "aud": "gieok", "exp": NOW + 60, **changes}
    kept = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(kept, secret, algorithm=algorithm)


def unsigned(**header: str) -> str:
    parts = (header, {"sub": "minji", "aud": "gieok", "exp": NOW + 60})
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in parts
    )
    return f"{head}.{body}."


def test_a_token_says_who_and_until_when() -> None:
    claims = TOKENS.verify(TOKENS.issue("민지@example.com", HOUR))
    assert claims.user_id == "민지@example.com"
    assert claims.actor is Actor.USER
    assert claims.expires_at == CLOCK() + HOUR


@pytest.mark.parametrize("actor", list(Actor))
def test_a_token_says_who_is_acting(actor: Actor) -> None:
    assert TOKENS.verify(TOKENS.issue("minji", HOUR, actor.value)).actor is actor


def test_a_token_without_an_actor_is_the_persons_own() -> None:
    assert TOKENS.verify(signed()).actor is Actor.USER


def test_a_token_ends_by_the_given_clock_to_the_second() -> None:
    clock = FixedClock()
    tokens = Tokens(SECRET, clock)
    token = tokens.issue("minji", timedelta(seconds=10))
    clock.advance(timedelta(seconds=9))
    assert tokens.verify(token).user_id == "minji"
    clock.advance(timedelta(seconds=1))
    with pytest.raises(AuthenticationError, match="has expired"):
        tokens.verify(token)


REFUSED = {
    "expired": signed(exp=NOW),
    "long expired": signed(exp=0),
    "no expiry": signed(exp=None),
    "expiry as text": signed(exp="never"),
    "expiry not a number": signed(exp=float("nan")),
    "expiry for ever": signed(exp=float("inf")),
    "expiry beyond dates": signed(exp=10**18),
    "expiry true": signed(exp=True),
    "not yet valid": signed(nbf=NOW + 60),
    "nbf as text": signed(nbf="soon"),
    "no subject": signed(sub=None),
    "empty subject": signed(sub=" "),
    "overlong subject": signed(sub="a" * 129),
    "subject with a NUL": signed(sub="a\x00b"),
    "half a surrogate": signed(sub="\ud800"),
    "no audience": signed(aud=None),
    "another audience": signed(aud="elsewhere"),
    "several audiences": signed(aud=["gieok", "elsewhere"]),
    "unknown actor": signed(actor="root"),
    "actor of another type": signed(actor=["admin"]),
    "another secret": signed(secret=b"another secret that has 32 bytes"),
    "another algorithm": signed(algorithm="HS512", secret=SECRET * 2),
    "same secret, another algorithm": signed(algorithm="HS384", secret=SECRET * 2),
    "alg none": unsigned(alg="none", typ="JWT"),
    "alg None": unsigned(alg="None", typ="JWT"),
    "no alg": unsigned(typ="JWT"),
    "cut": TOKENS.issue("minji", HOUR)[:-1],
    "changed": TOKENS.issue("minji", HOUR).replace(".", ".A", 1),
    "no token": "minji",
    "empty": "",
    "dots": "..",
    "not ASCII": "민지.민지.민지",
    "five parts": "a.b.c.d.e",
    "half a surrogate as token": "\ud800",
}


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
@pytest.mark.parametrize("token", REFUSED.values(), ids=REFUSED.keys())
def test_anything_else_is_refused(token: str) -> None:
    with pytest.raises(AuthenticationError) as refused:
        TOKENS.verify(token)
    assert not token or token not in str(refused.value)


@pytest.mark.parametrize("user_id", ["", " ", "a" * 129, "a\x00", "a\nb", "\udc00"])
def test_no_token_is_issued_for_what_is_no_id(user_id: str) -> None:
    with pytest.raises(InvalidInputError, match="user_id"):
        TOKENS.issue(user_id, HOUR)


@pytest.mark.parametrize("ttl", [timedelta(0), -HOUR, timedelta(milliseconds=999)])
def test_no_token_is_issued_that_ends_at_once(ttl: timedelta) -> None:
    with pytest.raises(InvalidInputError, match="ttl"):
        TOKENS.issue("minji", ttl)


def test_no_token_is_issued_for_an_unknown_actor() -> None:
    with pytest.raises(InvalidInputError, match="actor"):
        TOKENS.issue("minji", HOUR, "root")


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="32 bytes"):
        Tokens(b"short", CLOCK)


def test_a_secret_that_is_a_key_for_something_else_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="random bytes"):
        Tokens(json.dumps({"kty": "oct", "k": "x" * 32}).encode(), CLOCK)


def test_every_random_secret_loads_what_it_needs_at_once() -> None:
    """The JWT library reads a secret as JSON, in the encoding its first bytes suggest.

    One of 128 random secrets suggests UTF-16, whose codec was imported by the first
    request.
    """
    code = (
        "import sys; from gieok.surfaces.rest import Tokens; from datetime import *\n"
    )
    code += "tokens = Tokens(bytes([0, 1]) + bytes(30), lambda: datetime.now(UTC))\n"
    code += "loaded = set(sys.modules); tokens.issue('minji', timedelta(hours=1))\n"
    code += "print(*set(sys.modules) - loaded)"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own words
    assert not run.stdout.split()


def test_the_secret_is_not_shown() -> None:
    assert "secret of tests" not in repr(TOKENS)
