"""Removes what was kept, with everything that was derived from it."""

from gieok.erasure.model import Forgotten
from gieok.erasure.retention import Retention
from gieok.erasure.service import Erasure
from gieok.privacy.receipts import Receipt

__all__ = ["Erasure", "Forgotten", "Receipt", "Retention"]
