"""A DynamoDB for cards, behind a line that can fail."""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from support.kms_server import Line, kms_process, line_to
from support.tutor_cloud import FAKE, TABLE, create_table


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    pytest.importorskip("moto.server")
    with kms_process() as url:
        yield url


@pytest.fixture
def line(moto: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The way to DynamoDB; its table is there."""
    for name, value in FAKE.items():
        monkeypatch.setenv(name, value)
    with line_to(moto) as line:
        yield line


@pytest.fixture
def client(line: Line) -> Any:
    """What another program has: a client of its own."""
    boto3 = pytest.importorskip("boto3")
    client = boto3.client("dynamodb", endpoint_url=line.target)
    if TABLE not in client.list_tables()["TableNames"]:
        create_table(client)
    return client


@pytest.fixture
def user() -> str:
    return f"user-{secrets.token_hex(6)}"
