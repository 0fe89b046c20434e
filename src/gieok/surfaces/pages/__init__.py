"""Pages: for a person what is remembered of them, for an operator how it runs."""

from gieok.surfaces.pages.app import add_pages

__all__ = ["add_pages"]
