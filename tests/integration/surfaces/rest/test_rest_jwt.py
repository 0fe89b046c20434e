"""Tokens of an identity service: its keys, its algorithms, its name and ours."""

import asyncio
import hmac
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import httpx
import jwt
import jwt.utils
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from gieok import Config, Gieok
from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    UnavailableError,
)
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Claims, Edge, Tokens, create_app
from gieok.surfaces.rest.jwks import (
    FRESH_SECONDS,
    PATIENCE_SECONDS,
    PAUSE_SECONDS,
    STALE_SECONDS,
    IssuerTokens,
    Jwks,
)
from gieok.testing import FixedClock
from support.rest_people import SECRET, TRUST, serving

ISSUER: Final = "https://id.example.com/"
CLOCK: Final = FixedClock()
NOW: Final = int(CLOCK().timestamp())
RSA: Final = rsa.generate_private_key(65_537, 2_048)
RSA_NEXT: Final = rsa.generate_private_key(65_537, 2_048)
WEAK: Final = rsa.generate_private_key(65_537, 1_024)  # noqa: S505 - to be refused
EC: Final = ec.generate_private_key(ec.SECP256R1())
ANY: Final[Any] = {"RS256": RSA, "ES256": EC}


def public(key: Any, kid: str, **changes: Any) -> dict[str, Any]:
    algorithm: Any = RSAAlgorithm if hasattr(key, "decrypt") else ECAlgorithm
    written: dict[str, Any] = json.loads(algorithm.to_jwk(key.public_key()))
    written.pop("key_ops", None)
    return {**written, "kid": kid, "use": "sig", **changes}


def signed(
    key: Any = RSA, algorithm: str = "RS256", kid: str | None = "r1", **changes: Any
) -> str:
    claims = {
        "sub": "minji",
        "aud": "gieok",
        "iss": ISSUER,
        "exp": NOW + 60,
        **changes,
    }
    kept = {name: value for name, value in claims.items() if value is not None}
    headers = {"kid": kid} if kid is not None else {}
    return jwt.encode(kept, key, algorithm=algorithm, headers=headers)


@dataclass(slots=True)
class Service:
    """An identity service's keys over HTTP."""

    address: str = ""
    status: int = 200
    body: bytes = b""
    asked: int = 0
    may_answer: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    def has(self, *keys: dict[str, Any]) -> None:
        self.body = json.dumps({"keys": keys}).encode()


@dataclass(slots=True)
class Ticks:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Checked:
    """An identity service, time, and what checks its tokens."""

    service: Service
    ticks: Ticks
    tokens: IssuerTokens = field(init=False)

    def __post_init__(self) -> None:
        jwks = Jwks(self.service.address, self.ticks)
        self.tokens = IssuerTokens(jwks, ISSUER, CLOCK)

    async def verify(self, token: str) -> Claims:
        return await self.tokens.verify(token, jwt.get_unverified_header(token))


@pytest.fixture
def service() -> Iterator[Service]:
    known = Service()
    known.has(public(RSA, "r1"), public(EC, "e1"))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked += 1
            known.may_answer.wait(PATIENCE_SECONDS)
            self.send_response(known.status)
            self.send_header("Content-Length", str(len(known.body)))
            self.send_header("Location", known.address)
            self.end_headers()
            self.wfile.write(known.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        known.address = f"http://127.0.0.1:{server.server_port}/jwks.json"
        running = threading.Thread(target=server.serve_forever, args=(0.01,))
        running.start()
        yield known
        known.may_answer.set()
        server.shutdown()
        running.join()


@pytest.fixture
def checked(service: Service) -> Checked:
    return Checked(service, Ticks())


@pytest.mark.parametrize(("algorithm", "kid"), [("RS256", "r1"), ("ES256", "e1")])
async def test_a_token_of_the_service_names_a_person(
    checked: Checked, algorithm: str, kid: str
) -> None:
    claims = await checked.verify(signed(ANY[algorithm], algorithm, kid))
    assert claims.user_id == "minji"
    assert int(claims.expires_at.timestamp()) == NOW + 60


async def test_the_service_makes_nobody_an_admin(checked: Checked) -> None:
    claims = await checked.verify(signed(actor="admin"))
    assert claims.actor is Actor.USER


@pytest.mark.parametrize("device", ["iPhone", {"model": "iPhone"}, ["x"], ""])
async def test_a_device_of_the_service_is_none_of_the_person_s(
    checked: Checked, device: object
) -> None:
    """Bound to one device, it would be refused by every other."""
    claims = await checked.verify(signed(device=device))
    assert (claims.user_id, claims.device) == ("minji", None)


async def test_the_service_s_clock_may_be_a_little_ahead(checked: Checked) -> None:
    assert (await checked.verify(signed(nbf=NOW + 5, iat=NOW + 5))).user_id == "minji"
    own = jwt.encode(
        {"sub": "minji", "aud": "gieok", "exp": NOW + 60, "nbf": NOW + 1},
        SECRET,
        algorithm="HS256",
    )
    with pytest.raises(AuthenticationError, match="not valid yet"):
        Tokens(SECRET, CLOCK).verify(own)


REFUSED: Final = {
    "expired": signed(exp=NOW),
    "no expiry": signed(exp=None),
    "not yet valid": signed(nbf=NOW + 60),
    "another issuer": signed(iss="https://evil.example.com/"),
    "no issuer": signed(iss=None),
    "another audience": signed(aud="elsewhere"),
    "no audience": signed(aud=None),
    "no subject": signed(sub=None),
    "subject with a NUL": signed(sub="a\x00b"),
    "another key": signed(RSA_NEXT),
    "an unknown key": signed(RSA_NEXT, kid="r9"),
    "no key named": signed(kid=None),
    "an EC key's id": signed(kid="e1"),
    "an RSA key's id": signed(EC, "ES256", "r1"),
    "another algorithm of the key": signed(algorithm="RS512"),
    "PSS": signed(algorithm="PS256"),
    "signed for something else": ".".join(
        [*signed(sub="a").split(".")[:2], signed().split(".")[2]]
    ),
}


@pytest.mark.parametrize("token", REFUSED.values(), ids=REFUSED.keys())
async def test_anything_else_is_refused(checked: Checked, token: str) -> None:
    with pytest.raises(AuthenticationError):
        await checked.verify(token)


async def test_several_audiences_may_be_named(checked: Checked) -> None:
    assert (await checked.verify(signed(aud=["else", "gieok"]))).user_id == "minji"


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
async def test_the_public_key_is_no_secret_to_sign_with(service: Service) -> None:
    """The classic confusion: HS256 with what everybody can read."""
    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    checked = Checked(service, Ticks())
    for secret in (pem, pem.strip(), json.dumps(public(RSA, "r1")).encode()):
        head, body = (
            jwt.utils.base64url_encode(json.dumps(part).encode())
            for part in (
                {"alg": "HS256", "typ": "JWT", "kid": "r1"},
                {"sub": "a", "aud": "gieok", "iss": ISSUER, "exp": NOW + 60},
            )
        )
        signature = jwt.utils.base64url_encode(
            hmac.digest(secret, head + b"." + body, "sha256")
        )
        token = b".".join((head, body, signature)).decode()
        with pytest.raises(AuthenticationError):
            await checked.verify(token)
        with pytest.raises(AuthenticationError):
            Tokens(SECRET, CLOCK).verify(token)


async def test_keys_are_fetched_once_while_they_are_fresh(checked: Checked) -> None:
    await asyncio.gather(*(checked.verify(signed()) for _ in range(20)))
    assert checked.service.asked == 1
    checked.ticks.now += FRESH_SECONDS
    for _ in range(20):
        await checked.verify(signed())
    async with asyncio.timeout(PATIENCE_SECONDS):  # it is fetched behind them
        while checked.service.asked < 2:  # noqa: ASYNC110 - it counts in a thread
            await asyncio.sleep(0.01)
    assert checked.service.asked == 2


async def test_a_service_that_hangs_keeps_nobody_waiting_whose_key_is_known(
    checked: Checked,
) -> None:
    await checked.verify(signed())
    checked.ticks.now += FRESH_SECONDS
    checked.service.may_answer.clear()
    async with asyncio.timeout(PATIENCE_SECONDS / 2):
        for _ in range(2):
            await asyncio.gather(*(checked.verify(signed()) for _ in range(20)))
    checked.service.has(public(RSA_NEXT, "r2"))
    checked.service.may_answer.set()
    assert (await checked.verify(signed(RSA_NEXT, kid="r2"))).user_id == "minji"
    assert checked.service.asked == 2


async def test_a_rotated_key_is_found_and_the_old_one_forgotten(
    checked: Checked,
) -> None:
    await checked.verify(signed())
    checked.service.has(public(RSA_NEXT, "r2"))
    checked.ticks.now += PAUSE_SECONDS
    assert (await checked.verify(signed(RSA_NEXT, kid="r2"))).user_id == "minji"
    with pytest.raises(AuthenticationError):
        await checked.verify(signed())


async def test_made_up_key_ids_do_not_make_us_fetch(checked: Checked) -> None:
    for number in range(20):
        with pytest.raises(AuthenticationError):
            await checked.verify(signed(kid=f"x{number}"))
    assert checked.service.asked == 1


BROKEN: Final = {
    "away": (503, b""),
    "moved": (302, b""),
    "no JSON": (200, b"<html>"),
    "no set": (200, b"[]"),
    "no list": (200, b'{"keys": {}}'),
    "too large": (200, b" " * 300_000),
    "nested": (200, b"[" * 100_000),
}


@pytest.mark.parametrize(("status", "body"), BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_service_is_survived_for_an_hour(
    checked: Checked, status: int, body: bytes
) -> None:
    await checked.verify(signed())
    checked.service.status, checked.service.body = status, body
    checked.ticks.now += FRESH_SECONDS
    assert (await checked.verify(signed())).user_id == "minji"
    checked.ticks.now += STALE_SECONDS
    with pytest.raises(UnavailableError):
        await checked.verify(signed())


UNUSABLE: Final = {
    "for encryption": public(RSA, "r1", use="enc"),
    "for another algorithm": public(RSA, "r1", alg="RS512"),
    "a secret": {"kty": "oct", "k": "c2VjcmV0", "kid": "r1", "alg": "HS256"},
    "short": public(WEAK, "r1"),
    "private": {**json.loads(RSAAlgorithm.to_jwk(RSA)), "kid": "r1"},
    "another curve": public(ec.generate_private_key(ec.SECP384R1()), "r1"),
    "nonsense": {"kty": "RSA", "kid": "r1", "n": "!", "e": "AQAB"},
    "no number": {"kty": "RSA", "kid": 1},
    "no object": "r1",
}


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
@pytest.mark.parametrize("key", UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_unusable_keys_are_passed_over(checked: Checked, key: Any) -> None:
    checked.service.has(key, public(EC, "e1"))
    assert (await checked.verify(signed(EC, "ES256", "e1"))).user_id == "minji"
    with pytest.raises(AuthenticationError):
        await checked.verify(signed())


async def test_keys_may_lie_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": [public(RSA, "r1")]}))
    token = signed()
    tokens = IssuerTokens(Jwks(str(path)), ISSUER, CLOCK)
    claims = await tokens.verify(token, jwt.get_unverified_header(token))
    assert claims.user_id == "minji"


@pytest.mark.parametrize(
    "source", ["http://id.example.com/jwks", "ftp://x/y", "http://127.0.0.1.evil.io/"]
)
def test_keys_are_not_fetched_in_the_open(source: str) -> None:
    with pytest.raises(ConfigurationError, match="https"):
        Jwks(source)


def test_an_issuer_is_configured_whole() -> None:
    given = {"GIEOK_DATA": "/tmp/x", "GIEOK_JWKS_URL": "https://id.example.com/jwks"}  # noqa: S108
    with pytest.raises(ConfigurationError, match="GIEOK_JWT_ISSUER"):
        Config.from_environment(given)
    config = Config.from_environment({**given, "GIEOK_JWT_ISSUER": ISSUER})
    edge = Edge.from_config(config, CLOCK)
    assert edge.issuer is not None
    assert (edge.issuer.issuer, edge.issuer.audience) == (ISSUER, "gieok")
    assert Edge.from_config(Config(data=config.data), CLOCK).issuer is None


async def test_the_server_takes_both_kinds_of_tokens(
    gieok: Gieok, checked: Checked
) -> None:
    local = Tokens(SECRET, CLOCK)
    app = create_app(gieok, local, Edge(issuer=checked.tokens))
    own = jwt.encode(
        {"sub": "minji", "aud": "gieok", "exp": NOW + 60}, SECRET, algorithm="HS256"
    )
    async with (
        serving(app) as url,
        httpx.AsyncClient(base_url=url, verify=TRUST) as http,
    ):

        async def status(token: str) -> int:
            headers = {"Authorization": f"Bearer {token}"}
            return (await http.get("/api/v1/sessions", headers=headers)).status_code

        assert [await status(token) for token in (own, signed())] == [200, 200]
        assert await status(REFUSED["another key"]) == 401
        checked.service.status = 500
        checked.ticks.now += 2 * STALE_SECONDS
        assert [await status(token) for token in (own, signed())] == [200, 503]
