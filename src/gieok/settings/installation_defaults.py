"""Which defaults hold for everybody, and which of them what is kept is as yet."""

import json
from datetime import timedelta
from typing import Final

from gieok.accounts import store as accounts
from gieok.database import Database, DefaultsChanged, schedule_event
from gieok.database.installation import load_values, store_values
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Keystore
from gieok.settings.model import Keep, Settings

log = get_logger("gieok.settings")

_CURRENT: Final = "defaults"
_REACHED: Final = "defaults_reached"
_APART: Final = timedelta(milliseconds=50)
"""So that the jobs of thousands of people do not come due at once."""
_PUT_OFF: Final = timedelta(minutes=1)
"""When a change is due again that came to a process with other defaults."""


def describe_defaults(defaults: Settings, keep: Keep, messages: timedelta) -> str:
    """Return what of the defaults holds for what is kept already, to compare it."""
    return json.dumps(
        {
            "categories": sorted(defaults.allowed_categories),
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
    await store_values(database, {_CURRENT: described}, replaces=replaces)
    values = await load_values(database, (_CURRENT, _REACHED))
    if values[_CURRENT] != values.get(_REACHED) and not await keystore.list_people():
        await store_values(database, {_REACHED: values[_CURRENT]})


async def schedule_default_changes(
    database: Database, keystore: Keystore, own: str
) -> int:
    """Enter for everybody that defaults changed, if they did; return how many people.

    `own` are the defaults of this process. Where others hold, it leaves that to those
    that were started with them. Broken off, it begins again.
    """
    values = await load_values(database, (_CURRENT, _REACHED))
    current = values.get(_CURRENT)
    if current is None or current == values.get(_REACHED):
        return 0
    if current != own:
        log.warning("other_defaults_hold")
        return 0
    entered = 0
    for user_id in await keystore.list_people():
        async with database.begin(Scope(user_id, Actor.CLOUD)) as tx:
            if await accounts.is_known(tx):
                due = tx.now + entered * _APART
                await schedule_event(tx, DefaultsChanged, due)
                entered += 1
    await store_values(database, {_REACHED: current})
    return entered


async def put_off_other_defaults(database: Database, scope: Scope, own: str) -> bool:
    """Enter a person's change again where others than a process's `own` hold."""
    values = await load_values(database, (_CURRENT,))
    if values.get(_CURRENT, own) == own:
        return False
    async with database.begin(scope) as tx:
        if await accounts.is_known(tx):
            await schedule_event(tx, DefaultsChanged, tx.now + _PUT_OFF)
    return True
