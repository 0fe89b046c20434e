"""A tutor on a DynamoDB of moto's, and events as AWS sends them."""

import base64
import json
import time
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt

TABLE = "eng-learning-conversations"
SECRET = "a secret of tests, thirty-two bytes"
FAKE = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "ap-northeast-2",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def sign(person: str, **claims: object) -> str:
    """Return a token as an app gives it to a person."""
    told = {"sub": person, "aud": "gieok", "exp": int(time.time()) + 3_600}
    return jwt.encode({**told, **claims}, SECRET, algorithm="HS256")


def http_v2(body: object, token: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return an event of an HTTP API or a function URL."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    return {
        "version": "2.0",
        "headers": headers,
        "requestContext": {"http": {"method": "POST", "path": "/"}},
        "body": body if isinstance(body, str) else json.dumps(body),
        "isBase64Encoded": False,
    } | changes


def http_v1(body: object, token: str | None = None) -> dict[str, Any]:
    """Return an event of a REST API, its body in base64."""
    return {
        "httpMethod": "POST",
        "headers": {"Authorization": f"Bearer {token}"} if token else None,
        "requestContext": {"requestId": "1", "authorizer": None},
        "body": base64.b64encode(json.dumps(body).encode()).decode(),
        "isBase64Encoded": True,
    }


def create_table(client: Any) -> None:
    client.create_table(
        TableName=TABLE,
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "S"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )


@dataclass(slots=True)
class ChatServer:
    """An OpenAI-compatible endpoint that says what a test wants."""

    url: str
    answers: list[str | int | bytes]
    """Each a text, a status, or the bytes of a body."""
    asked: list[dict[str, Any]]
    pause: float = 0.0
    """Seconds before it answers."""
    drip: float = 0.0
    """Seconds before each byte of an answer."""


def _build_body(content: str | int) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


def serve_chat() -> tuple[ThreadingHTTPServer, ChatServer]:
    """Start an endpoint; the caller shuts it down."""
    chat = ChatServer("", [], [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            chat.asked.append(json.loads(self.rfile.read(size)))
            time.sleep(chat.pause)
            answer = chat.answers.pop(0) if chat.answers else "Sure!"
            status = answer if isinstance(answer, int) else 200
            data = answer if isinstance(answer, bytes) else _build_body(answer)
            with suppress(ConnectionError):
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                for part in map(bytes, zip(data)) if chat.drip else [data]:
                    time.sleep(chat.drip)
                    self.wfile.write(part)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    chat.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server, chat
