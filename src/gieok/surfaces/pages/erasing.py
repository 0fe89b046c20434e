"""A person being erased: how far it is, and the receipt, for whoever began it.

Nobody can sign in as somebody who is being erased. So the page stands at an address
that nobody can guess, and whoever has it sees the receipt: no content, and whose it was
only as a pseudonym. How far it is, and why it failed, only the process knows that began
it, and others say so; the receipt is found by all of them.
"""

from collections import Counter
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.locale import LANGUAGES
from gieok.privacy.receipts import Receipt
from gieok.surfaces.pages.long_work import LongWorks, Progress, Works
from gieok.surfaces.pages.rendering import PageStyle, render_page
from gieok.surfaces.pages.requests import (
    Limits,
    PageGieok,
    get_base,
    get_network,
    get_stranger_style,
)

router = APIRouter()


@router.get("/gone/{secret}")
async def show_erasing(
    request: Request,
    gieok: PageGieok,
    limits: Limits,
    works: Works,
    secret: str,
    language: str = "",
) -> HTMLResponse:
    """Show how far an erasure is, and its receipt once it is done."""
    async with limits.strangers.count_failures(get_network(request)):
        values = await load_receipt_values(gieok, works, secret)
    style = get_stranger_style(request)
    if language in LANGUAGES:
        style = PageStyle(language, get_base(request))
    return render_page("gone.html", style, {"secret": secret, **values})


async def start_erasing(gieok: Gieok, works: LongWorks, scope: Scope) -> str:
    """Begin to erase a person; return the secret at whose address it is seen.

    When it is short it is done on return. One that a restart cuts off is finished when
    the server is up again.
    """
    secret = gieok.erasure.create_receipt_link(scope)
    work = works.ensure(_name_erasing(secret))

    async def erase(progress: Progress) -> Receipt:
        gone = Counter[str]()

        def count_rows(table: str, rows: int) -> None:
            gone[table] = rows
            progress(gone.total(), 0)

        return await gieok.erasure.person(scope, count_rows)

    work.start(erase, gieok.clock)
    await work.wait()
    return secret


async def load_receipt_values(
    gieok: Gieok, works: LongWorks, secret: str
) -> dict[str, Any]:
    """Return what a page shows of an erasure.

    Raises:
        AuthenticationError: none was begun with this secret.
    """
    receipt = await gieok.erasure.find_receipt(secret)
    is_signed = receipt is not None and gieok.erasure.verify(receipt)
    work = works.get(_name_erasing(secret))
    return {"work": work, "receipt": receipt, "is_signed": is_signed}


def _name_erasing(secret: str) -> str:
    return f"erase {secret}"
