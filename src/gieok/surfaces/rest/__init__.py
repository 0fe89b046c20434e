"""The REST surface: `create_app` makes it, `Tokens` says who may call it."""

from gieok.surfaces.rest.app import create_app
from gieok.surfaces.rest.tokens import Claims, Tokens

__all__ = ["Claims", "Tokens", "create_app"]
