"""What an app may do: its keys, and the rights they give."""

from gieok.access.model import ApiKey, NewKey, Right
from gieok.access.service import Access

__all__ = ["Access", "ApiKey", "NewKey", "Right"]
