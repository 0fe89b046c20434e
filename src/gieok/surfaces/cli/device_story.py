"""A speaker without a network and a phone with one: the same memory on both.

Real files, a real server on this machine, real HTTP; every expectation is checked.
"""

import asyncio
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import uvicorn

from gieok.device import Device, HttpTransport, PassphraseKeys, SpokenTurn, SyncLoop
from gieok.device import open_device as open_device_file
from gieok.device.opening import read_clock_ms
from gieok.kernel.scope import Actor
from gieok.sessions import Turn
from gieok.surfaces.cli.story import DemoStory
from gieok.surfaces.rest import Tokens, create_app

_SECRET: Final = bytes(32)
_PAUSE_S: Final = 0.01


@dataclass(frozen=True, slots=True)
class DeviceStory:
    """One evening with two devices."""

    story: DemoStory
    data: Path

    async def run(self) -> None:
        """Talk to both, bring them in step, and have one thing forgotten."""
        story, scenario = self.story, self.story.scenario
        story.begin_next_day("demo.devices")
        tokens = Tokens(_SECRET, story.clock)
        kitchen, phone = (self._open_device(name) for name in ("kitchen", "phone"))
        try:
            app = create_app(story.gieok, tokens)
            async with serve_here(app) as address:
                here = (address, tokens)
                self._record(kitchen, scenario.first[:2], "demo.kitchen")
                self._record(phone, [scenario.third], "demo.phone")
                await self._exchange(here, phone)
                waiting = kitchen.report().waiting
                story.check_expectation(
                    "device_waits", waiting == len(scenario.first[:2])
                )
                await self._exchange(here, kitchen, phone, kitchen)
                self._check_converged(kitchen, phone)
                self._record(phone, [scenario.forgetting], "demo.phone_forgets")
                await self._exchange(here, phone, kitchen, phone)
                gone = not any(
                    has_words(each, scenario.private) for each in (kitchen, phone)
                )
                story.check_expectation("device_forgets", gone)
        finally:
            kitchen.close()
            phone.close()

    def _check_converged(self, kitchen: Device, phone: Device) -> None:
        story, scenario = self.story, self.story.scenario
        items = [
            {(each.entity, each.item_id) for each in device.rows.iterate_items()}
            for device in (kitchen, phone)
        ]
        is_level = kitchen.is_level and phone.is_level and items[0] == items[1]
        story.check_expectation("device_level", is_level and len(items[0]) > 0)
        heard = has_words(phone, scenario.private) and has_words(
            kitchen, scenario.drink
        )
        story.check_expectation("device_recalls", heard)

    def _open_device(self, name: str) -> Device:
        keys = PassphraseKeys(self.data / f"{name}.key", name)
        return open_device_file(self.data / f"{name}.db", name, keys)

    def _record(self, device: Device, turns: Sequence[Turn], title: str) -> None:
        for turn in turns:
            device.record(SpokenTurn(turn.user_text, turn.assistant_text))
        device.end_session()
        self.story.print_panel(title, self.story.render_turns(turns), "cyan")

    async def _exchange(self, here: tuple[str, Tokens], *devices: Device) -> None:
        """Bring devices in step one after the other, with what follows in between."""
        address, tokens = here
        for device in devices:
            token = tokens.issue(
                self.story.scenario.person,
                timedelta(days=1),
                Actor.DEVICE,
                device=device.name,
            )
            transport = HttpTransport(
                address, lambda issued=token: issued, read_clock_ms
            )
            loop = SyncLoop(device, transport, lambda _: True)
            try:
                await asyncio.to_thread(_exchange_all, loop)
            finally:
                transport.close()
            gieok, scope = self.story.gieok, self.story.scope
            await gieok.settled(scope)


def _exchange_all(loop: SyncLoop) -> None:
    loop.run_until_level()
    loop.exchange(is_polling=True)
    loop.run_until_level()


def has_words(device: Device, word: str) -> bool:
    """Tell whether a device recalls something with a word in it, without a network."""
    return any(word in hit.text for hit in device.recall(word, most=50))


@asynccontextmanager
async def serve_here(app: object) -> AsyncGenerator[str]:
    """Serve an app on a free port of this machine, and yield its address."""
    config = uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType]
        lifespan="off",
        log_config=None,
        ws="none",
        access_log=False,
    )
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not (server.started or serving.done()):  # noqa: ASYNC110 - no other way
            await asyncio.sleep(_PAUSE_S)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await serving
