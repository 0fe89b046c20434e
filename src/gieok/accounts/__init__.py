"""People: who they are to gieok, in which language and time zone."""

from gieok.accounts.service import Accounts

__all__ = ["Accounts"]
