"""What the tests of the store share."""

from collections.abc import Iterable
from typing import Any

from langgraph.store.base import Item, SearchItem

from gieok.surfaces.langgraph import GieokStore


def keys(found: Iterable[Item]) -> list[str]:
    return [each.key for each in found]


def values(found: Iterable[SearchItem]) -> list[dict[str, Any]]:
    return [each.value for each in found]


async def fill(store: GieokStore, *namespaces: tuple[str, ...]) -> None:
    for namespace in namespaces:
        await store.aput(namespace, "k", {"v": 1})
