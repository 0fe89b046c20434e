"""Whether the process runs, and whether it can do its work."""

import asyncio

from fastapi import APIRouter

from gieok.kernel.errors import DatabaseUnavailableError
from gieok.surfaces.rest.caller import MemoryDependency
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.schemas.shared import Health

PATIENCE_SECONDS = 2

router = APIRouter(prefix="/health", tags=["health"])


@router.get("/live")
async def live() -> Health:
    """Answer as long as the process runs."""
    return Health()


@router.get("/ready", responses=build_error_responses(503))
async def ready(gieok: MemoryDependency) -> Health:
    """Answer once both databases do."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async with gieok.maintenance.database.connection() as connection:
                await connection.execute("SELECT 1")
            await gieok.maintenance.vault.keystore.get_probe()
    except TimeoutError:
        reason = f"it did not answer within {PATIENCE_SECONDS} seconds"
        raise DatabaseUnavailableError(reason) from None
    return Health()
