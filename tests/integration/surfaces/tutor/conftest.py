"""A tutor's cloud (moto's DynamoDB, a chat endpoint, its variables), and a browser."""

import secrets
from collections.abc import AsyncGenerator, Iterator

import pytest
from playwright.async_api import Browser

from support.browser import run_chromium
from support.kms_server import Line, kms_process, line_to
from support.tutor_cloud import (
    FAKE,
    SECRET,
    TABLE,
    ChatServer,
    create_table,
    serve_chat,
)


@pytest.fixture(scope="session")
def moto() -> Iterator[str]:
    boto3 = pytest.importorskip("boto3")
    pytest.importorskip("moto.server")
    with kms_process() as url, pytest.MonkeyPatch.context() as patched:
        for name, value in FAKE.items():
            patched.setenv(name, value)
        create_table(boto3.client("dynamodb", endpoint_url=url))
        yield url


@pytest.fixture
def line(moto: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    for name, value in FAKE.items():
        monkeypatch.setenv(name, value)
    with line_to(moto) as line:
        yield line


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    server, chat = serve_chat()
    yield chat
    server.shutdown()
    server.server_close()


@pytest.fixture
def environment(line: Line, chat: ChatServer) -> dict[str, str]:
    return {
        "GIEOK_TUTOR_TABLE": TABLE,
        "GIEOK_TUTOR_SECRET": SECRET,
        "GIEOK_DYNAMODB_ENDPOINT": line.url,
        "GIEOK_MODEL": "openai:scripted",
        "GIEOK_MODEL_BASE_URL": chat.url,
        "GIEOK_CORS_ORIGINS": "https://tutor.example",
    }


@pytest.fixture
def user() -> str:
    return f"user-{secrets.token_hex(6)}"


@pytest.fixture(scope="session")
async def browser() -> AsyncGenerator[Browser]:
    async with run_chromium() as browser:
        yield browser
