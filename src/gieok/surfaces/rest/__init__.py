"""The REST surface: `create_app` makes it, `Tokens` says who may call it."""

from gieok.surfaces.rest.app import Edge, create_app
from gieok.surfaces.rest.tokens import Claims, Tokens

__all__ = ["Claims", "Edge", "Tokens", "create_app"]
