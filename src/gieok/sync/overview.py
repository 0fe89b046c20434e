"""How many devices there are in which state, over all people; figures only."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from gieok.database import Database
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Vault
from gieok.sync import store
from gieok.sync.model import ConflictKind, SyncStatus


@dataclass(frozen=True, slots=True)
class SyncOverview:
    """Where the installations of everybody's devices stand."""

    people: int
    """How many people were looked at."""
    states: Mapping[SyncStatus, int]
    conflicts: Mapping[ConflictKind, int]
    """Why those are not in step that are not."""
    oldest: Mapping[SyncStatus, datetime]
    """When the one was heard of that was heard of longest ago."""


async def count_devices(
    database: Database,
    vault: Vault,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> SyncOverview:
    """Count everybody's devices, one person after another; no key is opened.

    `progress` is told (done, all).
    """
    people = await vault.keystore.list_people()
    states, conflicts = Counter[SyncStatus](), Counter[ConflictKind]()
    oldest: dict[SyncStatus, datetime] = {}
    for done, user_id in enumerate(people, start=1):
        async with database.begin(Scope(user_id, Actor.ADMIN), durable=False) as tx:
            found = await store.list_states(tx)
        for status, conflict, heard_of in found:
            states[status] += 1
            oldest[status] = min(oldest.get(status, heard_of), heard_of)
            conflicts.update([] if conflict is None else [conflict])
        progress(done, len(people))
    return SyncOverview(len(people), states, conflicts, oldest)
