"""Removes what was kept, with everything that was derived from it."""

from gieok.erasure.model import Forgotten, Receipt
from gieok.erasure.retention import Retention
from gieok.erasure.service import Erasure

__all__ = ["Erasure", "Forgotten", "Receipt", "Retention"]
