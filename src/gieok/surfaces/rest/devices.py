"""The devices a person talks on: registered, seen, shut out, and erased (A15)."""

from datetime import timedelta
from typing import Annotated, Literal, cast

from fastapi import Depends, Query, Request, status

from gieok.kernel.scope import Actor
from gieok.surfaces.rest.caller import CurrentCaller, CurrentClaims
from gieok.surfaces.rest.errors import (
    build_error_responses,
    select_language,
)
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.devices import (
    ConflictResolution,
    DeviceList,
    DeviceView,
    NewDevice,
    RegisteredDevice,
)
from gieok.surfaces.rest.tokens import Tokens

router = create_router("/api/v1/users/me/devices", "devices")


async def _get_language(request: Request) -> str:
    return select_language(request.headers.get("accept-language"))


async def _get_tokens(request: Request) -> Tokens:
    return cast("Tokens", request.app.state.tokens)


ReaderLanguage = Annotated[str, Depends(_get_language)]


@router.get("")
async def list_devices(caller: CurrentCaller, language: ReaderLanguage) -> DeviceList:
    """Return the person's devices: when each was heard of, and if it is in step."""
    found = await caller.gieok.sync.devices(caller.scope)
    return DeviceList(
        devices=[DeviceView.from_device(each, language) for each in found]
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def register_device(
    caller: CurrentCaller,
    claims: CurrentClaims,
    language: ReaderLanguage,
    tokens: Annotated[Tokens, Depends(_get_tokens)],
    new: NewDevice,
) -> RegisteredDevice:
    """Register a device, and return a credential that is good for it alone.

    The credential opens what devices ask and nothing else. Registering the device again
    gives another one; shut the device out to have none of them work any more. One that
    was shut out stays so: register it under another id.
    """
    ttl = timedelta(days=new.token_days)
    device = await caller.gieok.sync.register(caller.scope, new.id)
    token = tokens.issue(claims.person, ttl, Actor.DEVICE, device=new.id)
    return RegisteredDevice.from_registered(
        device, language, token, tokens.clock() + ttl
    )


@router.post("/{device_id:path}/resolve", responses=build_error_responses(404, 409))
async def resolve_device(
    caller: CurrentCaller,
    language: ReaderLanguage,
    device_id: str,
    decided: ConflictResolution,
) -> DeviceView:
    """Decide about a device's conflict, as its `ways_out` allow.

    A device that waits for somebody (`needs_person`) hears of it when it next asks. A
    fork or a restored cloud it ends by itself, by sending: of one that does not come
    back any more, `send` says that its conflict is over. 409: nothing is to be decided.
    """
    gieok, scope = caller.gieok, caller.scope
    known = gieok.accounts.device_id(scope, device_id)
    device = await gieok.sync.resolve(scope, known, decided.resolution)
    return DeviceView.from_device(device, language)


@router.delete(
    "/{device_id:path}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def delete_device(
    caller: CurrentCaller,
    device_id: str,
    words: Annotated[Literal["erase", "keep"], Query()] = "erase",
) -> None:
    """Erase a device, what was said on it, and all that was learned from that alone.

    The id is yours. The receipt is the first of `erasure-receipts`. With `words=keep`
    the device is shut out and forgotten, and what was said on it stays.
    """
    gieok, scope = caller.gieok, caller.scope
    known = gieok.accounts.device_id(scope, device_id)
    if words == "keep":
        await gieok.sync.unregister(scope, known)
    else:
        await gieok.erasure.device(scope, known)
