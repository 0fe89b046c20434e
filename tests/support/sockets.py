"""How a socket of the application is closed."""

import asyncio
from typing import Any
from uuid import uuid4

from fastapi import FastAPI


async def read_close_code(app: FastAPI, headers: dict[str, str]) -> int:
    """Return the code with which a socket on a session nobody has is closed."""
    sent: list[Any] = []
    scope = {
        "type": "websocket",
        "path": f"/api/v1/sessions/{uuid4()}/events",
        "query_string": b"",
        "headers": [
            (name.lower().encode(), value.encode()) for name, value in headers.items()
        ],
        "subprotocols": [],
    }

    async def receive() -> dict[str, str]:
        if sent:
            await asyncio.sleep(60)
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[-1]["code"]
