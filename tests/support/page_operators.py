"""Operators who look at the pages of the installation."""

from dataclasses import dataclass

import httpx
from playwright.async_api import Page

from gieok import Gieok
from gieok.access import NewKey
from support.browser import follow

SAME = {"Sec-Fetch-Site": "same-origin"}
CONSOLE_COOKIE = "gieok-console-local"


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody who looks after the installation."""

    gieok: Gieok

    async def key(self, *rights: str, name: str = "operator") -> NewKey:
        """Return a key with rights, by default the one to administer."""
        return await self.gieok.access.create(name, rights or ("admin",))

    async def links(self) -> str:
        """Return the path of a link that signs in once."""
        link = await self.gieok.operator_sign_ins.create_link()
        return f"/console/open/{link.secret}"

    async def opens(self, page: Page) -> None:
        """Open a link in a browser."""
        await page.goto(await self.links())
        await follow(page.locator("main button"))

    async def enters(self, http: httpx.AsyncClient, key: str) -> str:
        """Sign in with a key and without a browser; return what the forms carry."""
        http.cookies.clear()
        sent = {"key": key}
        answer = await http.post("/console/sign-in", data=sent, headers=SAME)
        assert answer.status_code == 303, answer.text
        return read_form_token((await http.get("/console/")).text)


def read_form_token(page: str) -> str:
    """Return what the forms of a page carry."""
    return page.split('name="form_token" value="')[1].split('"', maxsplit=1)[0]
