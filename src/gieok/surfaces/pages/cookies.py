"""The cookies of the pages, and what shows that a form is from one of them.

Decision 0021 says why there are cookies at all, and why nothing else takes them.
"""

import hashlib
import hmac
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.responses import Response

from gieok.access.sign_ins import SIGN_IN_LASTS


class CookieNames(NamedTuple):
    """How the cookie of one kind of sign-in is called."""

    secure: str
    local: str
    """Without TLS on the machine itself, where browsers keep no `__Host-` cookie."""


PERSONS: Final = CookieNames("__Host-gieok", "gieok-local")
OPERATORS: Final = CookieNames("__Host-gieok-console", "gieok-console-local")
"""Another one, so that neither sign-in opens the other's pages."""


class CookieForm(NamedTuple):
    """How the cookie is called for an address, and whether it needs TLS."""

    name: str
    is_secure: bool


def select_cookie(
    scheme: str, host: str, names: CookieNames = PERSONS
) -> CookieForm | None:
    """Return the cookie for a scheme and host; None where no cookie would be safe."""
    if scheme == "https":
        return CookieForm(names.secure, is_secure=True)
    if is_loopback(host):
        return CookieForm(names.local, is_secure=False)
    return None


def is_loopback(host: str) -> bool:
    """Tell whether a Host header names the machine itself."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def is_same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Tell whether a browser says that one of our own pages sent a form.

    `Sec-Fetch-Site` decides; a browser that does not send it has to name our own
    origin in `Origin`.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return headers.get("origin") == f"{scheme}://{headers.get('host', '')}"


def derive_form_token(secret: str) -> str:
    """Return what every form of a sign-in carries; it says nothing of the secret."""
    return hmac.new(secret.encode(), b"gieok/pages/form", hashlib.sha256).hexdigest()


def set_cookie(answer: Response, form: CookieForm, secret: str) -> None:
    """Have the browser keep a sign-in."""
    answer.set_cookie(
        form.name,
        secret,
        max_age=int(SIGN_IN_LASTS.total_seconds()),
        path="/",
        secure=form.is_secure,
        httponly=True,
        samesite="strict",
    )


def clear_cookie(answer: Response, form: CookieForm) -> None:
    """Have the browser drop the cookie."""
    answer.delete_cookie(
        form.name, path="/", secure=form.is_secure, httponly=True, samesite="strict"
    )
