"""Which of a client's messages a session does not hold yet.

A client numbers and dates its messages; what the server recorded while they chatted
has neither, and is told by who said what.
"""

from collections import Counter
from collections.abc import Sequence

from gieok.chat.model import Said

Key = tuple[str | float, ...]


def unseen(held: Sequence[Said], told: Sequence[Said]) -> list[Said]:
    """Return what of `told` is new, each once, by time where every one has a time.

    Two messages are the same if they have the same id; without one, if role, content
    and time are the same. A message that the session holds without id and time is
    matched by role and content, as often as it is there.
    """
    known = {key for said in held if (key := _key(said))}
    unnamed = Counter(_line(said) for said in held if not _key(said))
    named = Counter(_line(said) for said in held if _key(said))
    fresh: list[Said] = []
    for said in _in_order(told):
        key, line = _key(said), _line(said)
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


def _in_order(told: Sequence[Said]) -> list[Said]:
    dated = [(said.at.timestamp(), said) for said in told if said.at is not None]
    if len(dated) < len(told):
        return list(told)
    return [said for _, said in sorted(dated, key=lambda each: each[0])]


def _key(said: Said) -> Key | None:
    if said.id is not None:
        return (said.id,)
    if said.at is not None:
        return (*_line(said), said.at.timestamp())
    return None


def _line(said: Said) -> tuple[str, str]:
    return said.role.value, said.content
