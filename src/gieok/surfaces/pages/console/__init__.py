"""The pages below `/console`: how the installation runs, and never what people say."""

from typing import Final

from gieok.surfaces.pages.console import (
    entry,
    health,
    keys,
    people,
    quality,
    queue,
    seals,
    sync,
    traffic,
)

ROUTERS: Final = tuple(
    page.router
    for page in (entry, health, keys, people, quality, queue, seals, sync, traffic)
)
"""One for each page."""
