"""The pages on which a person sees what is remembered of them, and decides about it."""

from gieok.surfaces.pages.app import create_pages

__all__ = ["create_pages"]
