"""`GieokSaver`: LangGraph's states in gieok's database, sealed, each person's apart.

    saver = GieokSaver(memory)                      # config names the person
    graph = builder.compile(checkpointer=saver)
    config = {"configurable": {"thread_id": session_id, "user_id": "minji"}}

It is the library's own `AsyncPostgresSaver` on the library's own tables (B01), which
gieok's migrations make. A thread is a session: `thread_id` is the session's id, or a
name of the app's that stands for one (`accounts.session_id`).

What is never kept, such as card numbers and passwords, is masked in what is saved
(A19): a run goes on with what it holds, whoever resumes it finds `[card number]`.
"""

from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, Self, cast
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol

from gieok.agent.person import MemoryOwner, get_configurable, get_running_config
from gieok.agent.portal import open_shared_memory
from gieok.agent.sealing import (
    STRUCTURAL,
    hide_plain_values,
    is_filter_match,
)
from gieok.agent.thread import ThreadSaver
from gieok.config import Config
from gieok.database import Audit
from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError, SchemaError, TamperedError
from gieok.kernel.offload import is_long, run_in_thread
from gieok.kernel.scope import Scope
from gieok.parts import Parts
from gieok.pii import S3_ONLY, CleanDigests, TextMasker
from gieok.sessions.threads import delete_threads

MADE_FOR: Final = 10
"""Migrations of the library that gieok's tables have gone through."""


class SavedThread(NamedTuple):
    """One thread that is worked on; `handed` is what its configs have to say."""

    saver: ThreadSaver
    scope: Scope
    session_id: UUID
    handed: Mapping[str, Any]

    def to_library_config(self, config: Mapping[str, Any]) -> RunnableConfig:
        """Return a config for the library: the thread, and nothing of the app's."""
        given = get_configurable(config)
        kept = {
            name: given[name]
            for name in ("checkpoint_ns", "checkpoint_id")
            if given.get(name) is not None
        }
        return {"configurable": {**kept, "thread_id": str(self.session_id)}}

    def to_root_config(self, config: Mapping[str, Any]) -> RunnableConfig:
        """Return the configuration for the library; the graph's unless one is named."""
        whole = {
            "checkpoint_ns": "",
            **get_configurable(self.to_library_config(config)),
        }
        return {"configurable": whole}

    def to_caller_config(self, config: RunnableConfig) -> RunnableConfig:
        """Return a config of the library's as the caller knows the thread."""
        return {"configurable": {**get_configurable(config), **self.handed}}

    def open_tuple(self, found: CheckpointTuple) -> CheckpointTuple:
        """Return what the library found as it was given."""
        parent = found.parent_config
        return found._replace(
            config=self.to_caller_config(found.config),
            metadata=cast(
                "CheckpointMetadata", self.saver.sealing.open_metadata(found.metadata)
            ),
            parent_config=None if parent is None else self.to_caller_config(parent),
        )


class GieokSaver(AsyncPostgresSaver):
    """A checkpointer for graphs whose states belong to people.

    `person` is everyone's for whom it saves: a scope or the app's id. Without one, each
    call's `config["configurable"]["user_id"]` says whose the thread is; another
    person's thread answers as one that was never written. It is made inside a running
    event loop; its synchronous methods work from other threads. Synchronous code has
    `from_config`.

    Raises:
        InvalidInputError: `person` is not a usable id.
        SchemaError: this langgraph-checkpoint-postgres needs newer tables.
    """

    def __init__(
        self,
        memory: Gieok,
        person: Scope | str | None = None,
        *,
        serde: SerializerProtocol | None = None,
    ) -> None:
        if len(self.MIGRATIONS) > MADE_FOR:
            problem = (
                "This langgraph-checkpoint-postgres is newer than gieok's tables for "
                "it. Install a newer gieok, or langgraph-checkpoint-postgres 3.2."
            )
            raise SchemaError(problem)
        # No connection of its own: every call works in gieok's pool.
        super().__init__(cast("Any", None), serde=serde)
        self.owner = MemoryOwner.from_person(memory, person)
        self.memory = memory
        self._clean = CleanDigests()

    @classmethod
    @contextmanager
    def from_config(
        cls,
        config: Config | None = None,
        person: Scope | str | None = None,
        *,
        serde: SerializerProtocol | None = None,
        parts: Parts | None = None,
        worker: bool = True,
    ) -> Generator[Self]:
        """Lend a checkpointer to code without an event loop; raises as `open_memory`.

        The memory is opened in a thread of its own, for the time of the block, and
        shared with a `GieokStore.from_config` of the same config, parts and worker.
        Only the synchronous methods are for use, from any thread.
        """
        with open_shared_memory(config, parts, worker=worker) as (portal, memory):
            yield portal.call(partial(cls, memory, person, serde=serde))

    async def setup(self) -> None:
        """Do nothing: `open_memory` has made the tables, with row security."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the newest or the named checkpoint; None for one that is not there.

        Raises:
            TamperedError: it was changed or moved in the database.
            InvalidInputError: the config names no person or no thread.
        """
        thread = await self._resolve_thread(config)
        with _reject_malformed():
            found = await thread.saver.aget_tuple(thread.to_library_config(config))
            return None if found is None else thread.open_tuple(found)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the library's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first; raises as `aget_tuple`.

        What `filter` wants of the app's own metadata is looked for after opening, so
        a long thread is read whole for it. Without a thread all of the person's are
        listed; without a config the person is that of the graph that runs here.
        """
        wanted = filter or {}
        within = {name: value for name, value in wanted.items() if name in STRUCTURAL}
        at_most = limit if len(within) == len(wanted) else None
        found: list[CheckpointTuple] = []
        for thread in await self._resolve_threads(config):
            inner = thread.to_library_config(config or {})
            listed = thread.saver.alist(
                inner, filter=within or None, before=before, limit=at_most
            )
            with _reject_malformed():
                # Read to its end at once: no transaction stays open while the caller
                # looks at the first.
                found += [thread.open_tuple(each) async for each in listed]
        matching = [each for each in found if is_filter_match(each.metadata, wanted)]
        matching.sort(key=lambda each: each.checkpoint["id"], reverse=True)
        for each in matching[:limit]:
            yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, sealed; return the config that names it.

        Raises:
            NotFoundError: the thread is somebody else's.
            NotPermittedError: the person does not agree to storage.
            InvalidInputError: the config names no person or no thread, or a value is
                nested too deeply.
        """
        thread = await self._resolve_thread(config)
        shown = get_serializable_checkpoint_metadata(config, metadata)
        seal = partial(thread.saver.sealing.seal_metadata, shown)
        sealed = await run_in_thread(seal) if is_long(shown) else seal()
        stored = await thread.saver.aput(
            thread.to_root_config(config),
            hide_plain_values(checkpoint, new_versions),
            cast("CheckpointMetadata", sealed),
            new_versions,
        )
        return thread.to_caller_config(stored)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote before its step was over; raises as `aput`."""
        thread = await self._resolve_thread(config)
        await thread.saver.aput_writes(
            thread.to_root_config(config), writes, task_id, task_path
        )

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete every state of a thread; one that is not there changes nothing."""
        scope = self.owner.resolve_running()
        session_id = self._resolve_session_id(scope, thread_id)
        async with self.memory.maintenance.database.begin(scope) as tx:
            if await delete_threads(tx, [session_id]):
                tx.record_erasure()
                tx.record_audit(
                    Audit("delete", "checkpoints", session_id, "user_request")
                )

    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest"
    ) -> None:
        """Keep the newest state of each thread ("keep_latest") or none ("delete").

        With "delete" it is as `adelete_thread` of each.
        """
        scope = self.owner.resolve_running()
        for thread_id in [thread_ids] if isinstance(thread_ids, str) else thread_ids:
            if strategy == "delete":
                await self.adelete_thread(thread_id)
                continue
            thread = await self._open_thread(scope, thread_id, {})
            await thread.saver.aprune([str(thread.session_id)], strategy=strategy)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what was written to channels that keep differences only."""
        thread = await self._resolve_thread(config)
        with _reject_malformed():
            return await thread.saver.aget_delta_channel_history(
                config=thread.to_library_config(config), channels=channels
            )

    async def _resolve_thread(self, config: RunnableConfig) -> SavedThread:
        scope = self.owner.resolve_scope(config)
        thread_id = get_configurable(config).get("thread_id")
        return await self._open_thread(
            scope, thread_id, self.owner.to_configurable(config)
        )

    async def _resolve_threads(
        self, config: RunnableConfig | None
    ) -> list[SavedThread]:
        if config and get_configurable(config).get("thread_id") is not None:
            return [await self._resolve_thread(config)]
        naming = config or get_running_config()
        scope = self.owner.resolve_scope(naming)
        async with self.memory.maintenance.database.begin(scope) as tx:
            rows = await tx.fetch_all(
                "SELECT DISTINCT thread_id FROM checkpoints WHERE user_id = %s",
                [scope.user_id],
            )
        handed = self.owner.to_configurable(naming)
        return [await self._open_thread(scope, row[0], handed) for row in rows]

    async def _open_thread(
        self, scope: Scope, thread_id: object, handed: Mapping[str, Any]
    ) -> SavedThread:
        session_id = self._resolve_session_id(scope, thread_id)
        key = await self.memory.maintenance.vault.get_key(scope)
        database = self.memory.maintenance.database
        screen = TextMasker(S3_ONLY, clean=self._clean)
        saver = ThreadSaver(database, scope, key, session_id, self.serde, screen)
        return SavedThread(saver, scope, session_id, {**handed, "thread_id": thread_id})

    def _resolve_session_id(self, scope: Scope, thread_id: object) -> UUID:
        named = str(thread_id) if isinstance(thread_id, UUID | int) else thread_id
        try:
            return self.memory.accounts.session_id(scope, cast("str", named))
        except InvalidInputError as error:
            raise InvalidInputError("thread_id", error.problem) from None


@contextmanager
def _reject_malformed() -> Generator[None]:
    """Say of a checkpoint that does not have the library's form that it was changed."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        place = "checkpoints.checkpoint"
        raise TamperedError(place) from error
