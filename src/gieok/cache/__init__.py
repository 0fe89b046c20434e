"""What may be kept at hand, in this process or in Redis; losing it loses nothing."""

from gieok.cache.local import LocalCache
from gieok.cache.model import Cache, SessionRecord
from gieok.cache.opening import open_cache

__all__ = ["Cache", "LocalCache", "SessionRecord", "open_cache"]
