"""`GieokStore`: LangGraph's long-term store on gieok's items, sealed and searchable.

store = GieokStore(memory)                      # the run's config names the person
graph = builder.compile(checkpointer=saver, store=store)
await store.aput(("memories",), "cat", {"text": "My cat is called Momo."})
await store.asearch(("memories",), query="what is the cat's name?")
"""

import asyncio
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Self, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)
from langgraph.store.base import Item as StoreItem

from gieok.agent.person import MemoryOwner
from gieok.agent.portal import open_shared_memory
from gieok.config import Config
from gieok.facade import Gieok
from gieok.items import (
    Get,
    Item,
    ListNamespaces,
    Match,
    Operation,
    Put,
    Search,
)
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Role
from gieok.kernel.scope import Scope
from gieok.parts import Parts

WHOLE: Final = "$"
"""The path that LangGraph reads as the whole value."""
DEFAULT_FIELDS: Final = (WHOLE,)
LONGEST_TEXT: Final = 20_000
"""Characters of a text that it is found by."""
MAX_TEXTS: Final = 64
"""Texts of one item; further ones of a long list are kept but not found."""
_ROLES: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
}
_WHO: Final = ("speaker", "role")


class GieokStore(BaseStore):
    """A store whose items belong to people; synchronous and asynchronous.

    `person` is whose items they are: a scope or the app's id. Without one, the config
    of the graph that runs (`config["configurable"]["user_id"]`) says it. `fields` are
    the paths an item is found by unless `put` names others; "$" is everything in it.
    An item that says who spoke (`speaker`, a name, or `role`) is a turn of the
    conversation that its namespace holds. `ttl` is LangGraph's; items whose time is
    over are never returned. What is never kept, such as card numbers and passwords, is
    masked in values, not in namespaces and keys (A19). Made inside a running event
    loop; the synchronous methods work from other threads. Synchronous code has
    `from_config`.

    Raises:
        InvalidInputError: `person` is not a usable id.
    """

    __slots__ = ("_loop", "fields", "memory", "owner", "ttl_config")

    supports_ttl = True

    def __init__(
        self,
        memory: Gieok,
        person: Scope | str | None = None,
        *,
        fields: Sequence[str] = DEFAULT_FIELDS,
        ttl: TTLConfig | None = None,
    ) -> None:
        self.memory = memory
        self.owner = MemoryOwner.from_person(memory, person)
        self.fields = tuple(fields)
        self.ttl_config = ttl
        self._loop = asyncio.get_running_loop()

    @classmethod
    @contextmanager
    def from_config(
        cls,
        config: Config | None = None,
        person: Scope | str | None = None,
        *,
        fields: Sequence[str] = DEFAULT_FIELDS,
        ttl: TTLConfig | None = None,
        parts: Parts | None = None,
        worker: bool = True,
    ) -> Generator[Self]:
        """Lend a store to code without an event loop; raises as `open_memory`.

        The memory is opened in a thread of its own, for the time of the block, and
        shared with a `GieokSaver.from_config` of the same config, parts and worker.
        Only the synchronous methods are for use, from any thread.
        """
        with open_shared_memory(config, parts, worker=worker) as (portal, memory):
            yield portal.call(partial(cls, memory, person, fields=fields, ttl=ttl))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all operations in one transaction, reading first.

        Raises:
            InvalidInputError: names what cannot be accepted, or that nobody is named.
            InvalidNamespaceError: LangGraph's, for a label that is empty or has a dot.
            NotPermittedError: the person switched memory off, and something was put.
        """
        listed = list(ops)
        return await self._run_operations(self.owner.resolve_running(), listed)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do as `abatch`, from another thread than the event loop's.

        Raises:
            InvalidStateError: called in the event loop, which would wait for itself.
        """
        listed, scope = list(ops), self.owner.resolve_running()
        if _find_running_loop() is self._loop:
            message = "in the event loop use the asynchronous methods: aget, aput, ..."
            raise asyncio.InvalidStateError(message)
        doing = self._run_operations(scope, listed)
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result()

    async def sweep_ttl(self) -> int:
        """Remove the person's items whose time is over, and return how many.

        A worker does so by itself.
        """
        return await self.memory.items.sweep(self.owner.resolve_running())

    async def _run_operations(self, scope: Scope, ops: Sequence[Op]) -> list[Result]:
        operations = [self._to_operation(op) for op in ops]
        answers = await self.memory.items.batch(scope, operations)
        return [_to_result(op, answer) for op, answer in zip(ops, answers, strict=True)]

    def _to_operation(self, op: Op) -> Operation:
        validate_op_namespace(op)
        match op:
            case GetOp():
                return Get(tuple(op.namespace), op.key, refresh=op.refresh_ttl)
            case SearchOp():
                return Search(
                    tuple(op.namespace_prefix),
                    op.query,
                    op.filter,
                    op.limit,
                    op.offset,
                    op.refresh_ttl,
                )
            case PutOp():
                return self._to_put(op)
            case _:
                matches = tuple(
                    Match(each.match_type, tuple(each.path))
                    for each in op.match_conditions or ()
                )
                return ListNamespaces(matches, op.max_depth, op.limit, op.offset)

    def _to_put(self, op: PutOp) -> Put:
        namespace = tuple(op.namespace)
        if op.value is None:
            return Put(namespace, op.key, None)
        value = cast("object", op.value)
        if not isinstance(value, Mapping):
            field = "value"
            raise InvalidInputError(field, "it must be an object")
        given = cast("Mapping[str, Any]", value)
        speaker, role = _find_speaker(given)
        return Put(
            namespace,
            op.key,
            given,
            found_by=partial(_collect_texts, paths=self._select_paths(op.index)),
            speaker=speaker,
            role=role,
            ttl_minutes=op.ttl,
        )

    def _select_paths(self, index: object) -> Sequence[str]:
        if index is False:
            return ()
        paths = cast("Sequence[object]", self.fields if index is None else index)
        if isinstance(paths, str) or not all(isinstance(path, str) for path in paths):
            field = "index"
            raise InvalidInputError(field, "it must be a list")
        return [str(path) for path in paths]


def _collect_texts(value: Mapping[str, Any], paths: Sequence[str]) -> list[str]:
    found = [text for path in paths for text in _extract_texts(value, path)]
    whole = [text[:LONGEST_TEXT] for text in found if text.strip()]
    return list(dict.fromkeys(whole))[:MAX_TEXTS]


def _extract_texts(value: Mapping[str, Any], path: str) -> list[str]:
    """Return what stands at a path; of the whole value, its words without the JSON."""
    try:
        if path != WHOLE:
            return get_text_at_path(dict(value), path)
        told = {name: part for name, part in value.items() if name not in _WHO}
        return [" ".join(_iterate_words(told))]
    except (RecursionError, TypeError, ValueError):
        return []  # what cannot be written is refused when it is kept


def _iterate_words(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in cast("Mapping[str, object]", value).values():
            yield from _iterate_words(part)
    elif isinstance(value, list | tuple):
        for part in cast("Sequence[object]", value):
            yield from _iterate_words(part)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield json.dumps(value, default=str)


def _find_speaker(value: Mapping[str, Any]) -> tuple[str | None, Role | None]:
    """Return who said it, if the value tells."""
    speaker, role = (value.get(name) for name in _WHO)
    named = speaker if isinstance(speaker, str) and speaker.strip() else None
    return named, _ROLES.get(role) if isinstance(role, str) else None


def _to_result(op: Op, answer: object) -> Result:
    if isinstance(answer, Item):
        return StoreItem(
            value=dict(answer.value),
            key=answer.key,
            namespace=answer.namespace,
            created_at=answer.created_at,
            updated_at=answer.updated_at,
        )
    if isinstance(op, SearchOp):
        return [_to_search_item(item) for item in cast("Sequence[Item]", answer)]
    if isinstance(op, ListNamespacesOp):
        return list(cast("Sequence[tuple[str, ...]]", answer))
    return None


def _to_search_item(item: Item) -> SearchItem:
    return SearchItem(
        namespace=item.namespace,
        key=item.key,
        value=dict(item.value),
        created_at=item.created_at,
        updated_at=item.updated_at,
        score=item.score,
    )


def _find_running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
