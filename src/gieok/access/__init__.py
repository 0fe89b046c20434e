"""What an app may do, by its keys, and where a person is signed in."""

from gieok.access.model import (
    ApiKey,
    NewKey,
    OpenSignIn,
    Right,
    SignIn,
    SignInLink,
)
from gieok.access.service import Access
from gieok.access.sign_ins import SignIns

__all__ = [
    "Access",
    "ApiKey",
    "NewKey",
    "OpenSignIn",
    "Right",
    "SignIn",
    "SignInLink",
    "SignIns",
]
