"""A person being erased: how far it is, and the receipt, for whoever began it.

Nobody can sign in as somebody who is being erased. So the page stands at an address
that nobody can guess, and whoever has it sees the receipt: no content, and whose it was
only as a pseudonym.
"""

import secrets
from collections import Counter
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from gieok.facade import Gieok
from gieok.kernel.errors import AuthenticationError
from gieok.kernel.scope import Scope
from gieok.locale import LANGUAGES
from gieok.privacy.receipts import Receipt
from gieok.surfaces.pages.long_work import LongWork, LongWorks, Progress, Works
from gieok.surfaces.pages.rendering import PageStyle, render_page
from gieok.surfaces.pages.requests import (
    Limits,
    PageGieok,
    get_base,
    get_network,
    get_stranger_style,
)

SECRET_BYTES: Final = 32

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
        work = find_erasing(works, secret)
    style = get_stranger_style(request)
    if language in LANGUAGES:
        style = PageStyle(language, get_base(request))
    return render_page(
        "gone.html", style, {"secret": secret, **build_receipt_values(gieok, work)}
    )


async def start_erasing(gieok: Gieok, works: LongWorks, scope: Scope) -> str:
    """Begin to erase a person; return the secret at whose address it is seen.

    When it is short it is done on return. One that a restart cuts off is finished when
    the server is up again.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    work = works.get(_name_erasing(secret))

    async def erase(progress: Progress) -> Receipt:
        gone = Counter[str]()

        def count_rows(table: str, rows: int) -> None:
            gone[table] = rows
            progress(gone.total(), 0)

        return await gieok.erasure.person(scope, count_rows)

    work.start(erase, gieok.clock)
    await work.wait()
    return secret


def find_erasing(works: LongWorks, secret: str) -> LongWork:
    """Return an erasure that was begun here.

    Raises:
        AuthenticationError: none has this secret.
    """
    work = works.find(_name_erasing(secret))
    if work is None:
        raise AuthenticationError("there is no sign-in")
    return work


def build_receipt_values(gieok: Gieok, work: LongWork) -> dict[str, Any]:
    """Return what a page shows of an erasure."""
    receipt: Receipt | None = work.result
    is_signed = receipt is not None and gieok.erasure.verify(receipt)
    return {"work": work, "receipt": receipt, "is_signed": is_signed}


def _name_erasing(secret: str) -> str:
    return f"erase {secret}"
