"""An export as an answer: a file of JSON lines, sent as it is read."""

from collections.abc import AsyncIterator
from typing import Final

from fastapi.responses import StreamingResponse

NDJSON: Final = "application/x-ndjson"


async def create_export_answer(chunks: AsyncIterator[bytes]) -> StreamingResponse:
    """Return an export as a file; what fails at once, fails before the answer begins.

    Raises:
        NotFoundError: there is no such export.
    """
    first = await anext(chunks, b"")
    return StreamingResponse(
        _join_chunks(first, chunks),
        media_type=NDJSON,
        headers={"Content-Disposition": 'attachment; filename="gieok-export.jsonl"'},
    )


async def _join_chunks(
    first: bytes, rest: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk
