"""Which defaults hold for everybody, and which of them what is kept is as yet."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import (
    AgendaEvent,
    Database,
    DefaultCategoriesChanged,
    DefaultsChanged,
    Transaction,
    schedule_event,
    schedule_events,
)
from gieok.database.installation import load_values, store_values
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Keystore
from gieok.settings import store
from gieok.settings.model import Keep, Settings

log = get_logger("gieok.settings")

PORTION: Final = 1_000
"""For how many people a call enters changed defaults; the next one goes on."""
_CURRENT: Final = "defaults"
_REACHED: Final = "defaults_reached"
_SINCE: Final = "defaults_since_reached"
"""A list of what held after the defaults that reached everybody, for some perhaps."""
_PROGRESS: Final = "defaults_progress"
"""Which defaults are entered, and the last person for whom they are."""
_CATEGORIES: Final = "categories"
_APART: Final = timedelta(milliseconds=50)
"""So that the jobs of thousands of people do not come due at once."""
_PUT_OFF: Final = timedelta(minutes=1)
"""When a change is due again that came to a process with other defaults."""

_Parts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Defaults:
    """The defaults that hold, and those by which what is kept may be made."""

    described: str
    current: _Parts
    former: Sequence[_Parts]
    after: UUID | None
    """The last person for whom the current ones are entered."""

    def has_changed(self, part: str) -> bool:
        """Tell whether a part may hold otherwise for somebody as yet."""
        return any(
            part not in former or former[part] != self.current[part]
            for former in self.former
        )

    def list_changed(self) -> list[str]:
        """Return the parts that may hold otherwise for somebody as yet."""
        return [part for part in self.current if self.has_changed(part)]

    def is_affecting(self, chosen: Sequence[str] | None) -> bool:
        """Tell whether who chose these categories, or none, may be told other things.

        What people wrote themselves is told of all categories while theirs are those of
        the installation.
        """
        if chosen is None:
            return True
        known = (parts.get(_CATEGORIES) for parts in (self.current, *self.former))
        return sorted(chosen) in known


def describe_defaults(defaults: Settings, keep: Keep, messages: timedelta) -> str:
    """Return what of the defaults holds for what is kept already, to compare it."""
    return json.dumps(
        {
            _CATEGORIES: sorted(defaults.allowed_categories),
            "retention_days": defaults.retention_days,
            "keep": [keep.days, keep.weeks, keep.episodes, keep.candidates],
            "messages": messages.days,
        }
    )


async def store_defaults(
    database: Database, keystore: Keystore, described: str, *, replaces: bool
) -> None:
    """Say for all processes which defaults hold; where nobody is met, all are as they.

    What was said before stands unless this replaces it.
    """
    values = await load_values(database, (_CURRENT, _SINCE))
    before = values.get(_CURRENT)
    if before is None or (replaces and before != described):
        since = {*json.loads(values.get(_SINCE, "[]")), *([before] if before else [])}
        stored = {_CURRENT: described, _SINCE: json.dumps(sorted(since)), _PROGRESS: ""}
        await store_values(database, stored, replaces=replaces)
    defaults = await _load_defaults(database)
    if defaults and defaults.list_changed() and not await keystore.page_people(limit=1):
        await _store_reached(database, defaults)


async def schedule_default_changes(
    database: Database, keystore: Keystore, own: str
) -> int:
    """Enter for the next people that defaults changed, if they did; return how many.

    `own` are the defaults of this process. Where others hold, it leaves that to those
    that were started with them. Where they change once more, it begins again.
    """
    defaults = await _load_defaults(database)
    if defaults is None or not (changed := defaults.list_changed()):
        return 0
    if defaults.described != own:
        log.warning("other_defaults_hold")
        return 0
    people = await keystore.page_people(after=defaults.after, limit=PORTION)
    entered = 0
    for user_id in people:
        async with database.begin(Scope(user_id, Actor.CLOUD)) as tx:
            if events := await _list_events(tx, defaults, changed):
                due = tx.now + entered * _APART
                await schedule_events(tx, dict.fromkeys(events, due))
                entered += 1
    if len(people) < PORTION:
        await _store_reached(database, defaults)
    else:
        await store_values(database, {_PROGRESS: f"{own} {people[-1]}"})
    return entered


async def put_off_other_defaults(
    database: Database, scope: Scope, own: str, event: type[AgendaEvent]
) -> bool:
    """Enter a person's change again where others than a process's `own` hold."""
    values = await load_values(database, (_CURRENT,))
    if values.get(_CURRENT, own) == own:
        return False
    async with database.begin(scope) as tx:
        if await accounts.is_known(tx):
            await schedule_event(tx, event, tx.now + _PUT_OFF)
    return True


async def _load_defaults(database: Database) -> _Defaults | None:
    """Return what is known of the defaults, unless none were stored yet."""
    values = await load_values(database, (_CURRENT, _REACHED, _SINCE, _PROGRESS))
    described = values.get(_CURRENT)
    if described is None:
        return None
    current = json.loads(described)
    # Before it was noted what reached everybody, nothing told of other categories: to
    # suppose so would send everybody's memories to every device again.
    reached = values.get(_REACHED)
    assumed = {_CATEGORIES: current[_CATEGORIES]}
    since = json.loads(values.get(_SINCE, "[]"))
    return _Defaults(
        described,
        current,
        former=[json.loads(reached) if reached else assumed, *map(json.loads, since)],
        after=_read_progress(values.get(_PROGRESS), described),
    )


def _read_progress(progress: str | None, described: str) -> UUID | None:
    """Return the last person for whom these defaults are entered."""
    entered, _, after = (progress or "").rpartition(" ")
    return UUID(after) if entered == described else None


async def _store_reached(database: Database, defaults: _Defaults) -> None:
    """Note that what is kept of everybody is, or soon will be, as the defaults say."""
    values = {_REACHED: defaults.described, _SINCE: "[]", _PROGRESS: ""}
    await store_values(database, values)


async def _list_events(
    tx: Transaction, defaults: _Defaults, changed: Sequence[str]
) -> list[type[AgendaEvent]]:
    """Return what to enter for the transaction's person."""
    if not await accounts.is_known(tx):
        return []
    events: list[type[AgendaEvent]] = []
    if any(part != _CATEGORIES for part in changed):
        events.append(DefaultsChanged)
    if _CATEGORIES in changed and defaults.is_affecting(
        await store.find_chosen_categories(tx)
    ):
        events.append(DefaultCategoriesChanged)
    return events
