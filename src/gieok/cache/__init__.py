"""What may be kept at hand, in this process or in Redis; losing it loses nothing."""

from gieok.cache.factory import open_cache
from gieok.cache.local import LocalCache
from gieok.cache.model import Cache, SessionRecord

__all__ = ["Cache", "LocalCache", "SessionRecord", "open_cache"]
