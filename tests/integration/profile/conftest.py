"""DynamoDB twice, by servers that share nothing, behind a line that can fail."""

import secrets
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, NamedTuple

import pytest

from support.dynamo_server import dynalite_process
from support.kms_server import Line, kms_process, line_to
from support.tutor_cloud import FAKE, TABLE, create_table


class Cloud(NamedTuple):
    """What answers for DynamoDB."""

    name: str
    url: str


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    pytest.importorskip("moto.server")
    with kms_process() as url:
        yield url


@pytest.fixture(scope="module")
def dynalite() -> Iterator[str]:
    with dynalite_process() as url:
        yield url


@pytest.fixture(params=["moto", "dynalite"])
def cloud(request: pytest.FixtureRequest) -> Cloud:
    """One of the two; a test of PostgreSQL's cards has moto beside it."""
    server = "dynalite" if request.param == "dynalite" else "moto"
    return Cloud(request.param, request.getfixturevalue(server))


@pytest.fixture
def line(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The way to DynamoDB; its table is there."""
    for name, value in FAKE.items():
        monkeypatch.setenv(name, value)
    with line_to(cloud.url) as line:
        if cloud.name == "dynalite":
            line.turn = nullcontext()
        yield line


@pytest.fixture
def client(line: Line) -> Any:
    """What another program has: a client of its own."""
    boto3 = pytest.importorskip("boto3")
    client = boto3.client("dynamodb", endpoint_url=line.target)
    if TABLE not in client.list_tables()["TableNames"]:
        create_table(client)
        client.get_waiter("table_exists").wait(
            TableName=TABLE, WaiterConfig={"Delay": 1}
        )
    return client


@pytest.fixture
def user() -> str:
    return f"user-{secrets.token_hex(6)}"
