"""People: who they are to gieok, their personas and devices."""

from gieok.accounts.model import Person
from gieok.accounts.service import Accounts

__all__ = ["Accounts", "Person"]
