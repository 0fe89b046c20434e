"""What an app may do, by its keys, and where people and operators are signed in."""

from gieok.access.model import (
    ApiKey,
    NewKey,
    OpenOperatorSignIn,
    OpenSignIn,
    OperatorSignIn,
    Right,
    SignIn,
    SignInLink,
)
from gieok.access.operator_sign_ins import OperatorSignIns
from gieok.access.service import Access
from gieok.access.sign_ins import SignIns

__all__ = [
    "Access",
    "ApiKey",
    "NewKey",
    "OpenOperatorSignIn",
    "OpenSignIn",
    "OperatorSignIn",
    "OperatorSignIns",
    "Right",
    "SignIn",
    "SignInLink",
    "SignIns",
]
