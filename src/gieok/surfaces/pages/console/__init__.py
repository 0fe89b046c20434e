"""The pages below `/console`: how the installation runs, and never what people say."""

from typing import Final

from gieok.surfaces.pages.console import entry, health

ROUTERS: Final = (entry.router, health.router)
"""One for each page."""
