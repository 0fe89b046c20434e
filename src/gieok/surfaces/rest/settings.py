"""What a person allows (D04, D12)."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.settings import (
    MemorySettings,
    MemoryUsage,
    SettingsChange,
)

router = create_router("/api/v1/users/me", "settings")


@router.get("/memory-settings")
async def get_memory_settings(caller: CurrentCaller) -> MemorySettings:
    """Return the person's settings."""
    return MemorySettings.from_settings(await caller.gieok.settings.get(caller.scope))


@router.patch("/memory-settings")
async def change_memory_settings(
    caller: CurrentCaller, change: SettingsChange
) -> MemorySettings:
    """Change the settings that are given and return all of them."""
    settings = await caller.gieok.settings.update(caller.scope, change.to_changes())
    return MemorySettings.from_settings(settings)


@router.get("/memory-usage")
async def get_memory_usage(caller: CurrentCaller) -> MemoryUsage:
    """Return what is remembered of the person, in numbers (D14)."""
    return MemoryUsage.from_usage(await caller.gieok.settings.usage(caller.scope))
