"""Removes what was kept, with everything that was derived from it."""

from gieok.erasure.model import Erased, Receipt
from gieok.erasure.retention import Retention
from gieok.erasure.service import Erasure

__all__ = ["Erased", "Erasure", "Receipt", "Retention"]
