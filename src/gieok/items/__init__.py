"""Items: values that an app keeps under keys, per person, sealed and searchable."""

from gieok.items.model import (
    Get,
    Item,
    ListNamespaces,
    Match,
    Namespace,
    Operation,
    Put,
    Search,
)
from gieok.items.service import Items

__all__ = [
    "Get",
    "Item",
    "Items",
    "ListNamespaces",
    "Match",
    "Namespace",
    "Operation",
    "Put",
    "Search",
]
