"""People who look at the pages of their own memory."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from playwright.async_api import Page

from gieok import Gieok, Memory, Scope, Turn
from gieok.kernel.errors import SyncForkError
from gieok.kernel.language import Basis, Category, Finding, FindingOperation, Gist
from support.browser import follow
from support.episodes import PLAIN_EPISODE
from support.rest_people import Script
from support.sync_device import joined

NOTICE: Final = "pages/1"
AGREED: Final = {
    "storage": True,
    "profile": True,
    "sensitive": True,
    "sync": True,
    "words": False,
}


@dataclass(frozen=True, slots=True)
class PagePerson:
    """Somebody nobody else in the run is."""

    user_id: str
    gieok: Gieok
    script: Script

    @property
    def scope(self) -> Scope:
        return self.gieok.person(self.user_id)

    async def links(self) -> str:
        """Return the path of a link that signs them in once."""
        return f"/me/open/{(await self.gieok.sign_ins.create_link(self.scope)).secret}"

    async def signs_in(self, page: Page) -> None:
        """Open a link in a browser."""
        await page.goto(await self.links())
        await follow(page.locator("main button"))

    async def consents(self) -> None:
        """Have seen the consent screen, and agreed."""
        await self.gieok.settings.consent(self.scope, AGREED, notice=NOTICE)

    async def remembers(
        self, content: str, category: Category = Category.CONTEXT
    ) -> Memory:
        """Have something kept."""
        return await self.gieok.memories.remember(
            self.scope, content, category=category
        )

    async def tells(
        self,
        text: str,
        answer: str = "OK.",
        *,
        basis: Basis = Basis.STATED,
        fact: str | None = None,
        category: Category = Category.HABIT,
    ) -> UUID:
        """Say something that is read as a fact; return the session."""
        session = await self.gieok.sessions.start(self.scope)
        turn = Turn(text, answer)
        await self.gieok.sessions.record(self.scope, session.session_id, turn)
        self.script.findings = [
            Finding(
                FindingOperation.ADD, fact or text, category, 0.7, basis, evidence=(0,)
            )
        ]
        await self.gieok.sessions.close(self.scope, session.session_id)
        await self.gieok.settled(self.scope)
        return session.session_id

    async def forks(self, name: str) -> None:
        """Have a device, and a copy of it, say different things."""
        device = await joined(self.gieok, self.scope, name)
        device.says("both said this")
        await device.push()
        copy = replace(device, said=list(device.said), store={})
        device.says("the device said this")
        copy.says("the copy said that")
        await device.push()
        with suppress(SyncForkError):
            await copy.push()

    async def waits(self, name: str) -> None:
        """Have a device say that three turns of it wait for somebody to decide."""
        device = await joined(self.gieok, self.scope, name)
        await self.gieok.sync.hello(
            self.scope, device.installation, device.position(0), 0, waiting=3
        )

    async def owns(self, taint: str) -> dict[str, str]:
        """Have one of everything, with the taint in it; return every page there is."""
        device = await self.gieok.accounts.device(self.scope, f"{taint} speaker")
        await self.forks(f"{taint} phone")
        session = await self.gieok.sessions.start(self.scope, device_id=device)
        turn = Turn(f"I live with {taint}.", f"With {taint}!")
        await self.gieok.sessions.record(self.scope, session.session_id, turn)
        await self.gieok.sessions.close(self.scope, session.session_id)
        known = await self.remembers(f"The user likes {taint}", Category.PREFERENCE)
        memory = await self.gieok.memories.correct(
            self.scope, known.memory_id, f"The user loves {taint}"
        )
        aside = await self.remembers(f"The user once had {taint}")
        await self.gieok.memories.deactivate(self.scope, aside.memory_id)
        gone = await self.remembers(f"The user lost {taint}")
        receipt = await self.gieok.memories.forget(self.scope, gone.memory_id)
        await self.tells(f"{taint} again", basis=Basis.OBSERVED)
        await self.gieok.profile.merge(
            self.scope, {"name": taint, "interests": [f"{taint} and more"]}
        )
        persona_id = await self.gieok.accounts.persona(self.scope, f"{taint} friend")
        gist = Gist(f"Talked of {taint}", (taint,))
        kept = [
            await self.gieok.episodes.create(
                self.scope, persona_id=persona_id, gist=gist, **PLAIN_EPISODE
            )
            for _ in range(2)
        ]
        episode, archived = (each.episode.episode_id for each in kept)
        await self.gieok.episodes.edit(self.scope, episode, tags=[taint])
        await self.gieok.episodes.archive(self.scope, archived)
        await self.gieok.settled(self.scope)
        return {
            "known": "/me/?aside=true&order=used",
            "memory": f"/me/memories/{memory.memory_id}",
            "memory aside": f"/me/memories/{aside.memory_id}",
            "forget": f"/me/memories/{memory.memory_id}/forget",
            "receipts": "/me/receipts",
            "receipt": f"/me/receipts/{receipt.receipt_id}",
            "waiting": "/me/waiting",
            "conversations": "/me/conversations",
            "conversation": f"/me/conversations/{session.session_id}",
            "conversation erase": f"/me/conversations/{session.session_id}/erase",
            "episodes": "/me/episodes?archived=true",
            "episode": f"/me/episodes/{episode}",
            "episode archived": f"/me/episodes/{archived}",
            "episode erase": f"/me/episodes/{episode}/erase",
            "profile": "/me/profile",
            "switches": "/me/switches",
            "welcome": "/me/welcome",
            "statistics": "/me/statistics",
            "explain": "/me/explain",
            "devices": "/me/devices",
            "device erase": f"/me/devices/{device}/erase",
            "looks": "/me/looks",
            "everything": "/me/looks?everything=true",
            "leave": "/me/leave",
        }
