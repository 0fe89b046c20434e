"""Which defaults hold for everybody, and which of them what is kept is as yet."""

import json
from datetime import timedelta
from typing import Final

from gieok.accounts import store as accounts
from gieok.database import Database, DefaultsChanged, schedule_event
from gieok.database.installation import load_values, store_values
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Keystore
from gieok.settings.model import Keep, Settings

_CURRENT: Final = "defaults"
_REACHED: Final = "defaults_reached"
_APART: Final = timedelta(milliseconds=50)
"""So that the jobs of thousands of people do not come due at once."""


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


async def schedule_default_changes(database: Database, keystore: Keystore) -> int:
    """Enter for everybody that defaults changed, if they did; return how many people.

    Broken off, it begins again.
    """
    values = await load_values(database, (_CURRENT, _REACHED))
    current = values.get(_CURRENT)
    if current is None or current == values.get(_REACHED):
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
