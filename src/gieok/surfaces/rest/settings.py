"""What a person allows (D04, D12)."""

from fastapi import APIRouter

from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.settings import (
    MemorySettings,
    MemoryUsage,
    SettingsChange,
)

router = APIRouter(
    prefix="/api/v1/users/me", tags=["settings"], responses=documented(*EVERYWHERE)
)


@router.get("/memory-settings")
async def get_memory_settings(caller: Asking) -> MemorySettings:
    """Return the person's settings."""
    return MemorySettings.of(await caller.gieok.settings.get(caller.scope))


@router.patch("/memory-settings")
async def change_memory_settings(
    caller: Asking, change: SettingsChange
) -> MemorySettings:
    """Change the settings that are given and return all of them."""
    settings = await caller.gieok.settings.update(caller.scope, change.changes())
    return MemorySettings.of(settings)


@router.get("/memory-usage")
async def get_memory_usage(caller: Asking) -> MemoryUsage:
    """Return what is remembered of the person, in numbers (D14)."""
    return MemoryUsage.of(await caller.gieok.settings.usage(caller.scope))
