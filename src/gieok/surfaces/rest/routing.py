"""How every router of the REST surface begins."""

from fastapi import APIRouter
from pydantic import BaseModel

from gieok.surfaces.rest.errors import EVERYWHERE, build_error_responses
from gieok.surfaces.rest.schemas.shared import ErrorBody


def create_router(
    prefix: str, tag: str, *statuses: int, body: type[BaseModel] = ErrorBody
) -> APIRouter:
    """Return a router below a path, with the errors any call may answer.

    `statuses` are what all its calls may answer besides.
    """
    responses = build_error_responses(*EVERYWHERE, *statuses, body=body)
    return APIRouter(prefix=prefix, tags=[tag], responses=responses)
