"""Everything about a person as a file, out and in again; archives of other products."""

from gieok.portability.model import Archive, Imported, Source
from gieok.portability.service import Portability

__all__ = ["Archive", "Imported", "Portability", "Source"]
