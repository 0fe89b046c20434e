"""Which of a client's messages a session does not hold yet.

A client numbers and dates its messages; what the server recorded while they chatted
has neither, and is told by who said what.
"""

from collections import Counter
from collections.abc import Sequence

from gieok.chat.model import ClientMessage, RemovedMessages

Key = tuple[str | float, ...]


def select_unseen(
    held: Sequence[ClientMessage], told: Sequence[ClientMessage]
) -> list[ClientMessage]:
    """Return what of `told` is new, each once, by time where every one has a time.

    Two messages are the same if they have the same id; without one, if role, content
    and time are the same. A message that the session holds without id and time is
    matched by role and content, as often as it is there.
    """
    known = {key for said in held if (key := _get_sort_key(said))}
    unnamed = Counter(_build_line(said) for said in held if not _get_sort_key(said))
    named = Counter(_build_line(said) for said in held if _get_sort_key(said))
    fresh: list[ClientMessage] = []
    for said in _sort_by_time(told):
        key, line = _get_sort_key(said), _build_line(said)
        if key in known:
            continue
        if key:
            known.add(key)
        pools = (unnamed,) if key else (unnamed, named)
        pool = next((pool for pool in pools if pool[line] > 0), None)
        if pool is None:
            fresh.append(said)
        else:
            pool[line] -= 1
    return fresh


def filter_removed(
    unseen: Sequence[ClientMessage], removed: RemovedMessages
) -> list[ClientMessage]:
    """Return what is left of unseen messages without those that were removed.

    That is what was said until the last of them. Without a time the first are taken for
    them, as many as there were, and all where the person erased some.
    """
    left, until = removed.count, removed.until
    new: list[ClientMessage] = []
    for said in unseen:
        if said.at is None:
            is_old = removed.is_erased or left > 0
        else:
            is_old = until is not None and said.at <= until
        if is_old:
            left -= 1
        else:
            new.append(said)
    return new


def _sort_by_time(told: Sequence[ClientMessage]) -> list[ClientMessage]:
    dated = [(said.at.timestamp(), said) for said in told if said.at is not None]
    if len(dated) < len(told):
        return list(told)
    return [said for _, said in sorted(dated, key=lambda each: each[0])]


def _get_sort_key(said: ClientMessage) -> Key | None:
    if said.id is not None:
        return (said.id,)
    if said.at is not None:
        return (*_build_line(said), said.at.timestamp())
    return None


def _build_line(said: ClientMessage) -> tuple[str, str]:
    return said.role.value, said.content
