"""Keys of apps: hashed, limited to their rights, and worth nothing once revoked."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from fastapi import FastAPI

from gieok import Gieok
from gieok.access import NewKey, Right
from gieok.kernel.errors import (
    AuthenticationError,
    DatabaseUnavailableError,
    InvalidInputError,
    NotFoundError,
)
from gieok.surfaces.rest import Edge, Tokens, create_app
from gieok.surfaces.rest.rights import NEEDED, SOCKET
from support.rest_people import HOUR, Person
from support.sockets import read_close_code

LIST = "/api/v1/users/me/memories"
ID = "018f0000-0000-7000-8000-000000000000"
FACT = {"content": "강남구에 산다", "category": "location"}


async def made(gieok: Gieok, *rights: str) -> NewKey:
    return await gieok.access.create("app", rights)


@pytest.fixture
def http(anyone: httpx.AsyncClient) -> httpx.AsyncClient:
    return anyone


def acting(key: NewKey, person: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.secret}", "X-Gieok-User": person}


async def test_a_key_is_kept_as_a_digest_only(gieok: Gieok) -> None:
    key = await made(gieok, "read")
    assert key.secret.startswith("gk_")
    assert key.secret not in repr(key)
    async with gieok.maintenance.database.connection() as connection:
        found = await connection.execute(
            "SELECT a::text, digest FROM api_keys AS a WHERE key_id = %s",
            [key.key.key_id],
        )
        ((row, digest),) = await found.fetchall()
    assert key.secret not in row
    assert len(digest) == 32
    assert key.secret.encode() not in bytes(digest)


async def test_a_key_that_acts_as_people_opens_the_memory_of_whom_it_names(
    http: httpx.AsyncClient, gieok: Gieok, minji: Person, other: Person
) -> None:
    memory_id = await minji.remembers("강남구에 산다", "location")
    key = await made(gieok, "read", "act_as")
    for headers in (
        acting(key, minji.user_id),
        {"X-API-Key": key.secret, "X-Gieok-User": minji.user_id},
    ):
        answer = await http.get(f"{LIST}/{memory_id}", headers=headers)
        assert answer.status_code == 200, answer.text
    answer = await http.get(f"{LIST}/{memory_id}", headers=acting(key, other.user_id))
    assert answer.status_code == 404


async def test_a_name_in_hangul_is_sent_in_utf_8(
    http: httpx.AsyncClient, gieok: Gieok, tokens: Tokens
) -> None:
    """Whatever bytes it ends with: of "베" and "à" the last is a space in Latin-1."""
    key = await made(gieok, "read", "write", "act_as")
    for name in ("민지-키", "은베", "voilà", "xꅅ"):
        headers: Any = {
            b"X-API-Key": key.secret.encode(),
            b"X-Gieok-User": name.encode(),
        }
        answer = await http.post(LIST, headers=headers, json=FACT)
        assert answer.status_code == 201, name
        own = {"Authorization": f"Bearer {tokens.issue(name, HOUR)}"}
        assert (await http.get(LIST, headers=own)).json()["total"] == 1


async def test_what_a_key_does_is_audited_as_the_cloud(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    key = await made(gieok, "read", "write", "act_as")
    answer = await http.post(LIST, headers=acting(key, "audited"), json=FACT)
    assert answer.status_code == 201
    lines = await gieok.audit.lines(gieok.person("audited"))
    assert {line.actor for line in lines if line.target_table == "user_memories"} == {
        "cloud"
    }


@pytest.mark.parametrize(
    "rights",
    [{"read"}, {"write"}, {"admin"}, {"read", "write", "admin"}],
    ids=lambda rights: "+".join(sorted(rights)),
)
async def test_every_address_asks_for_its_rights(
    http: httpx.AsyncClient, gieok: Gieok, rights: set[str]
) -> None:
    key = await made(gieok, "act_as", *rights)
    for route, needs in NEEDED.items():
        method, path = route.split()
        if method in {SOCKET, "HEAD"}:
            continue
        where = path.replace("{", "").replace("}", "")
        answer = await http.request(
            method, where, headers=acting(key, "rights"), content=b"{ not JSON"
        )
        allowed = needs <= rights
        assert (answer.status_code != 403) == allowed, (route, answer.text)
        if not allowed:
            told = answer.json()["error"]
            code = told if isinstance(told, str) else told["code"]
            assert code.lower() == "not_permitted"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", LIST),
        ("PATCH", f"{LIST}/{ID}"),
        ("PUT", f"{LIST}/{ID}/pin"),
        ("POST", f"{LIST}/{ID}/reactivate"),
        ("POST", f"/api/v1/users/me/memory-candidates/{ID}/confirm"),
        ("POST", "/api/v1/memory/summarize"),
        ("POST", "/api/v1/memory/create"),
        ("PATCH", f"/api/v1/memory/{ID}"),
        ("POST", f"/api/v1/memory/{ID}/restore"),
    ],
)
async def test_a_key_that_may_only_write_is_told_nothing_that_is_known(
    http: httpx.AsyncClient, gieok: Gieok, method: str, path: str
) -> None:
    """These answer with what was known before, in its words."""
    key = await made(gieok, "write", "act_as")
    answer = await http.request(method, path, headers=acting(key, "told"), json={})
    assert answer.status_code == 403, answer.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nowhere"),
        ("PUT", LIST),
        ("GET", f"{LIST}/x/y"),
        ("GET", f"{LIST}/"),
        ("OPTIONS", LIST),
        ("GET", "//health/live"),
        ("GET", "/health/live/"),
    ],
)
async def test_where_nothing_is_every_key_is_told_so(
    http: httpx.AsyncClient, gieok: Gieok, tokens: Tokens, method: str, path: str
) -> None:
    token = {"Authorization": f"Bearer {tokens.issue('someone', HOUR)}"}
    told = await http.request(method, path, headers=token)
    assert told.status_code in {404, 405}
    for rights in (["act_as"], [*Right]):
        key = await made(gieok, *rights)
        answer = await http.request(method, path, headers=acting(key, "someone"))
        assert (answer.status_code, answer.json()) == (told.status_code, told.json())


async def test_only_who_may_read_is_told_what_a_rollback_would_take_back(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    asked = {"since": "2026-01-01T00:00:00Z"}
    for rights, status in ((["write"], 403), (["read", "write"], 200)):
        headers = acting(await made(gieok, "act_as", *rights), "looked at")
        looked = await http.post(
            f"{LIST}/rollback", headers=headers, json={**asked, "dry_run": True}
        )
        assert looked.status_code == status, looked.text
        done = await http.post(f"{LIST}/rollback", headers=headers, json=asked)
        assert done.status_code == 200, done.text


async def test_a_key_that_may_not_act_goes_beside_the_persons_token(
    http: httpx.AsyncClient, gieok: Gieok, tokens: Tokens
) -> None:
    key = await made(gieok, "read")
    token = {"Authorization": f"Bearer {tokens.issue('owner', HOUR)}"}
    both = {**token, "X-API-Key": key.secret}
    assert (await http.get(LIST, headers=both)).status_code == 200
    assert (await http.post(LIST, headers=both, json=FACT)).status_code == 403
    assert (await http.post(LIST, headers=token, json=FACT)).status_code == 201
    for alone in (acting(key, "owner"), {"X-API-Key": key.secret}):
        assert (await http.get(LIST, headers=alone)).status_code == 401


async def test_a_token_and_a_named_person_contradict_each_other(
    http: httpx.AsyncClient, gieok: Gieok, tokens: Tokens
) -> None:
    key = await made(gieok, *Right)
    token = {"Authorization": f"Bearer {tokens.issue('a', HOUR)}", "X-Gieok-User": "b"}
    for headers in (token, {**token, "X-API-Key": key.secret}):
        assert (await http.get(LIST, headers=headers)).status_code == 401


async def test_a_bad_token_is_not_made_good_by_a_key(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    key = await made(gieok, *Right)
    headers = {"Authorization": "Bearer x.y.z", "X-API-Key": key.secret}
    assert (await http.get(LIST, headers=headers)).status_code == 401


@pytest.mark.parametrize("person", [b"", b"a" * 129, b"\xff\xfe", b"a\tb"], ids=repr)
async def test_a_key_has_to_name_somebody(
    http: httpx.AsyncClient, gieok: Gieok, person: bytes
) -> None:
    key = await made(gieok, *Right)
    headers: Any = {b"X-API-Key": key.secret.encode(), b"X-Gieok-User": person}
    assert (await http.get(LIST, headers=headers)).status_code == 401


async def test_a_header_that_is_there_twice_is_refused(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    key = await made(gieok, *Right)
    headers = [("X-API-Key", key.secret), ("X-Gieok-User", "a"), ("X-Gieok-User", "b")]
    assert (await http.get(LIST, headers=headers)).status_code == 401


async def test_revoking_acts_at_once_and_for_good(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    old, new = await made(gieok, *Right), await made(gieok, *Right)
    assert (await http.get(LIST, headers=acting(old, "a"))).status_code == 200
    await gieok.access.revoke(old.key.key_id)
    refused = await http.get(LIST, headers=acting(old, "a"))
    unknown = await http.get(
        LIST, headers={"X-API-Key": "gk_unknown", "X-Gieok-User": "a"}
    )
    assert refused.status_code == unknown.status_code == 401
    assert refused.json() == unknown.json()
    assert (await http.get(LIST, headers=acting(new, "a"))).status_code == 200
    first = next(k for k in await gieok.access.list() if k.key_id == old.key.key_id)
    await gieok.access.revoke(old.key.key_id)
    again = next(k for k in await gieok.access.list() if k.key_id == old.key.key_id)
    assert again.revoked_at == first.revoked_at is not None


@pytest.mark.req("E19")
async def test_a_revoked_key_stays_revoked_after_a_restore(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    leaked, sound = await made(gieok, *Right), await made(gieok, *Right)
    await gieok.access.revoke(leaked.key.key_id)
    before = await gieok.access.list()
    async with gieok.maintenance.database.connection() as restored:
        await restored.execute(
            "UPDATE api_keys SET revoked_at = NULL WHERE key_id = %s",
            [leaked.key.key_id],
        )
    assert (await gieok.maintenance.replay()).revocations == 1
    assert (await http.get(LIST, headers=acting(leaked, "a"))).status_code == 401
    assert (await http.get(LIST, headers=acting(sound, "a"))).status_code == 200
    kept = {each.key_id: each.revoked_at for each in before}
    now = {each.key_id: each.revoked_at for each in await gieok.access.list()}
    assert now == kept, "since when it was"
    assert (await gieok.maintenance.replay()).revocations == 0


@pytest.mark.req("E19")
async def test_a_key_is_not_shown_as_revoked_that_a_restore_would_let_in_again(
    gieok: Gieok, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaked = await made(gieok, *Right)

    async def fails(*_: object) -> None:
        reason = "it does not answer"
        raise DatabaseUnavailableError(reason)

    with monkeypatch.context() as patched:
        patched.setattr(type(gieok.access.ledger), "append_revocation", fails)
        with pytest.raises(DatabaseUnavailableError):
            await gieok.access.revoke(leaked.key.key_id)
    assert (await gieok.access.verify(leaked.secret)).revoked_at is None
    await gieok.access.revoke(leaked.key.key_id)
    ledger = gieok.maintenance.vault.keystore.ledger
    assert leaked.key.key_id in await ledger.list_revocations()
    with pytest.raises(AuthenticationError):
        await gieok.access.verify(leaked.secret)


async def test_a_list_says_when_a_key_was_used_last(
    http: httpx.AsyncClient, gieok: Gieok
) -> None:
    async def used(key_id: UUID) -> Any:
        keys = await gieok.access.list()
        return next(key.last_used_at for key in keys if key.key_id == key_id)

    key = await made(gieok, *Right)
    assert await used(key.key.key_id) is None
    for _ in range(2):
        await http.get(LIST, headers=acting(key, "a"))
    noted = await used(key.key.key_id)
    assert abs(noted - gieok.clock()) < timedelta(minutes=2)


@pytest.mark.parametrize(
    "secret", ["gk_", "gk_" + "a" * 43, "gk_" + "a" * 9_000, "민지", "eyJ"]
)
async def test_what_is_no_key_is_refused(http: httpx.AsyncClient, secret: str) -> None:
    headers: Any = {b"X-API-Key": secret.encode(), b"X-Gieok-User": b"a"}
    assert (await http.get(LIST, headers=headers)).status_code == 401


async def test_a_socket_asks_for_the_right_to_read(
    app: FastAPI, gieok: Gieok, tokens: Tokens
) -> None:
    reads = await made(gieok, "read", "act_as")
    writes = await made(gieok, "write", "act_as")
    assert await read_close_code(app, acting(reads, "a")) == 4404
    assert await read_close_code(app, acting(writes, "a")) == 4403
    await gieok.access.revoke(reads.key.key_id)
    assert await read_close_code(app, acting(reads, "a")) == 4401
    token = {"Authorization": f"Bearer {tokens.issue('a', HOUR)}"}
    hasty = create_app(gieok, tokens, Edge(per_person=1))
    assert [await read_close_code(hasty, token) for _ in range(2)] == [4404, 4429]


@pytest.mark.parametrize(
    ("name", "rights", "field"),
    [
        ("app", [], "rights"),
        ("app", ["root"], "rights"),
        ("", ["read"], "name"),
        ("a" * 129, ["read"], "name"),
    ],
)
async def test_a_key_without_name_or_rights_is_not_made(
    gieok: Gieok, name: str, rights: list[str], field: str
) -> None:
    before = len(await gieok.access.list())
    with pytest.raises(InvalidInputError, match=field):
        await gieok.access.create(name, rights)
    assert len(await gieok.access.list()) == before


async def test_there_is_nothing_to_revoke_where_there_is_no_key(gieok: Gieok) -> None:
    with pytest.raises(NotFoundError, match="key"):
        await gieok.access.revoke(uuid4())


def test_a_right_is_named_as_on_the_command_line() -> None:
    assert [str(right) for right in Right] == ["read", "write", "admin", "act_as"]
