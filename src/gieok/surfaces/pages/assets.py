"""The styles of the pages: files of the package, named by what is in them."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from gieok.surfaces.rest.errors import NoSuchRouteError

FOLDER: Final = Path(__file__).parent / "static"
NAMES: Final = ("pico.min.css", "pages.css")
FOREVER: Final = "public, max-age=31536000, immutable"

router = APIRouter()


@cache
def list_assets() -> Mapping[str, str]:
    """Return where each file is served, below the pages: it changes with the file."""
    return MappingProxyType(
        {name: f"assets/{_hash_file(name)}/{name}" for name in NAMES}
    )


@cache
def _read_file(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def _hash_file(name: str) -> str:
    return hashlib.sha256(_read_file(name)).hexdigest()[:16]


@router.get("/assets/{digest}/{name}")
async def get_asset(digest: str, name: str) -> Response:
    """Return a file of styles; it may be kept for good."""
    if list_assets().get(name) != f"assets/{digest}/{name}":
        raise NoSuchRouteError
    return Response(
        _read_file(name), media_type="text/css", headers={"Cache-Control": FOREVER}
    )
