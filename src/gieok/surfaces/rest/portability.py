"""Everything about the person who asks, as a file (E19)."""

from fastapi import status
from fastapi.responses import StreamingResponse

from gieok.surfaces.export_answers import NDJSON, create_export_answer
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.portability import ExportLink

router = create_router("/api/v1/users/me", "portability")


@router.post(
    "/export",
    status_code=status.HTTP_201_CREATED,
    responses=build_error_responses(409),
)
async def prepare_export(caller: CurrentCaller) -> ExportLink:
    """Prepare an export of everything; the link works for a day, for this person only.

    What waits is sealed with a key that stands in the link alone. It takes the place of
    the one that waits; 409: another one is still being made.
    """
    return ExportLink.from_archive(await caller.gieok.portability.prepare(caller.scope))


@router.get(
    "/export/{token}",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {NDJSON: {"schema": {"type": "string"}}},
            "description": "One JSON object a line; the last one is the manifest.",
        },
        **build_error_responses(404),
    },
)
async def fetch_export(caller: CurrentCaller, token: str) -> StreamingResponse:
    """Return a prepared export."""
    chunks = caller.gieok.portability.fetch(caller.scope, token)
    return await create_export_answer(chunks)
