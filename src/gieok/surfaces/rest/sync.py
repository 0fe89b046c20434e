"""What a device asks: hello, push, pull, snapshot, ack (A08, A16, A17)."""

import asyncio
from collections.abc import Awaitable
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Query, Request, status

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import (
    BATCH_BYTES,
    BatchTooLargeError,
    build_error_responses,
)
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.sync import (
    SyncAck,
    SyncCursorView,
    SyncGreeting,
    SyncHello,
    SyncPage,
    SyncSnapshot,
)
from gieok.surfaces.rest.schemas.sync_push import SyncPush, SyncPushed
from gieok.sync import MAX_CHANGES, MAX_WAIT_S, Installation, Page

DeviceId = Annotated[str, Query(max_length=512, description="Your id of the device.")]
Incarnation = Annotated[UUID, Query(description="Made when the device started empty.")]
EpochName = Annotated[str, Query(max_length=64, description="As hello gave it.")]
WaitSeconds = Annotated[
    int,
    Query(
        ge=0,
        le=MAX_WAIT_S,
        description="Seconds in which the answer may wait for a change.",
    ),
]
PageLimit = Annotated[int, Query(ge=1, le=MAX_CHANGES)]
LISTENING_S: Final = 1.0
"""Between two looks whether somebody who waits is still there."""

router = create_router("/api/v1/sync", "sync", 409, 410)


async def _read_installation(
    device_id: DeviceId, incarnation: Incarnation, epoch: EpochName
) -> Installation:
    return Installation(device_id, incarnation, epoch)


AskingDevice = Annotated[Installation, Depends(_read_installation)]


@router.post("/hello", responses=build_error_responses(426))
async def sync_hello(caller: CurrentCaller, said: SyncHello) -> SyncGreeting:
    """Say who a device is; a new one joins. The first call after every time apart.

    409 `sync_fork`: another installation sent other words under these numbers; make a
    new incarnation and send again, under the same pair ids, what is still there.
    410: the device empties itself.
    """
    caller.require_device(said.device_id)
    greeting = await caller.gieok.sync.hello(
        caller.scope,
        said.installation,
        said.up.to_position(),
        said.down,
        waiting=said.waiting,
        protocol=said.proto,
    )
    return SyncGreeting.from_greeting(greeting, BATCH_BYTES)


@router.post("/push")
async def sync_push(
    request: Request, caller: CurrentCaller, sent: SyncPush
) -> SyncPushed:
    """Keep what was said on the device; repeating it changes nothing.

    413 `batch_too_large`: several pairs hold more than hello's `limits.bytes`; nothing
    was taken, send fewer. A single pair may be larger.

    409 `sync_gap`, `sync_fork`, `sync_epoch` or `sync_unknown`: nothing was taken, say
    hello. A pair in `rejected` is not kept; the ones after it are.
    """
    caller.require_device(sent.device_id)
    if len(sent.pairs) > 1 and len(await request.body()) > BATCH_BYTES:
        raise BatchTooLargeError
    pushed = await caller.gieok.sync.push(
        caller.scope,
        sent.installation,
        sent.base.to_position(),
        [pair.to_pair() for pair in sent.pairs],
    )
    return SyncPushed.from_pushed(pushed)


async def _await_unless_gone(request: Request, work: Awaitable[Page]) -> Page:
    """Return what comes of work, which is broken off once its caller hangs up."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LISTENING_S)
            if not task.done() and await request.is_disconnected():
                break
    finally:
        if not task.done():
            task.cancel()
    return await task


@router.get("/pull")
async def sync_pull(
    request: Request,
    caller: CurrentCaller,
    device: AskingDevice,
    since: Annotated[int, Query(ge=0, le=2**63 - 1)],
    limit: PageLimit = MAX_CHANGES,
    wait: WaitSeconds = 0,
) -> SyncPage:
    """Return what changed since a change number, at once or within `wait` seconds.

    409 `sync_epoch`: take a snapshot.
    """
    caller.require_device(device.device)
    pull = caller.gieok.sync.pull(caller.scope, device, since, limit=limit, wait_s=wait)
    page = await (_await_unless_gone(request, pull) if wait else pull)
    return SyncPage.from_page(page, caller.now)


@router.get("/snapshot")
async def sync_snapshot(
    caller: CurrentCaller,
    device: AskingDevice,
    page: Annotated[str | None, Query(max_length=64)] = None,
    limit: PageLimit = MAX_CHANGES,
) -> SyncSnapshot:
    """Return a part of everything that a device may hold."""
    caller.require_device(device.device)
    part = await caller.gieok.sync.snapshot(
        caller.scope,
        device,
        page=page,
        limit=limit,
    )
    return SyncSnapshot.from_snapshot(part, caller.now)


@router.post("/ack")
async def sync_ack(caller: CurrentCaller, heard: SyncAck) -> SyncCursorView:
    """Note that a device has applied all changes up to a number."""
    caller.require_device(heard.device_id)
    cursor = await caller.gieok.sync.ack(caller.scope, heard.installation, heard.down)
    return SyncCursorView.from_cursor(cursor, heard.device_id)


@router.post(
    "/revoke/{device_id:path}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def revoke_device(caller: CurrentCaller, device_id: str) -> None:
    """Shut a device out for good: whatever it asks, it is told to empty itself (410).

    What was said on it stays; `DELETE /api/v1/users/me/devices/{device_id}` erases it.
    """
    known = caller.gieok.accounts.device_id(caller.scope, device_id)
    await caller.gieok.sync.revoke(caller.scope, known)
