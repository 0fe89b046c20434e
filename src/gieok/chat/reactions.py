"""Which of a client's messages a session does not hold yet.

A client numbers and dates its messages; what the server recorded while they chatted
has neither, and is told by who said what.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from typing import Final

from gieok.chat.model import ClientMessage, RemovedMessages, UnseenMessages
from gieok.kernel.errors import InvalidInputError

Key = tuple[str | float, ...]
Line = tuple[str, str]
NO_TIME: Final = (
    "it must be given, as something of this conversation was erased and the message "
    "may be of that"
)


def find_unseen(
    held: Sequence[ClientMessage], told: Sequence[ClientMessage]
) -> UnseenMessages:
    """Return what of `told` is new, each once, by time where every one has a time.

    Two messages are the same if they have the same id; without one, if role, content
    and time are the same. A message that the session holds without id and time is
    matched by role and content, as often as it is there: with the last ones that say
    so, up to where what is held ends.
    """
    said, pool = _remove_repeated(_sort_by_time(told)), _RecordedMessages(held)
    end = _find_end(held, said)
    order = [*reversed(range(end)), *range(end, len(said))]
    taken = {at for at in order if pool.take(said[at])}
    first = min(taken, default=len(said))
    last = max((at for at in taken if at < end), default=first)
    unseen = [at for at in range(first, len(said)) if at not in taken]
    roles = {each.role for each in told}
    comparable = sum(each.role in roles for each in held)
    return UnseenMessages(
        said[:first],
        [said[at] for at in unseen if at < last],
        [said[at] for at in unseen if at > last],
        has_nothing_recorded=not held,
        has_most_recorded=2 * len(taken) > comparable,
    )


def filter_removed(
    unseen: UnseenMessages, removed: RemovedMessages
) -> list[ClientMessage]:
    """Return what is left of unseen messages without those that were removed.

    That is what was said until the last of them. Without a time they are told by their
    order: they stand before what is held, as many as there were, and all that stand
    before where it ends where the person erased some.

    Raises:
        InvalidInputError: the person erased some, and a message has no time, nor does
            its place tell whether it is one of them.
    """
    if removed.is_erased:
        leading = [*unseen.leading, *unseen.between]
        unseen = replace(unseen, leading=leading, between=[])
    until, left = removed.until, _count_leading(unseen, removed)
    new: list[ClientMessage] = []
    for said in unseen.leading:
        is_removed = left > 0 if said.at is None else _is_dated_until(said, until)
        if is_removed:
            left -= 1
        else:
            new.append(said)
    later = [*unseen.between, *unseen.following]
    return new + [said for said in later if not _is_dated_until(said, until)]


def _count_leading(unseen: UnseenMessages, removed: RemovedMessages) -> int:
    """Return how many of the first messages are taken for removed ones."""
    undated = [said for said in unseen.leading if said.at is None]
    if removed.is_erased:
        if undated and not unseen.has_most_recorded:
            raise InvalidInputError(f"{undated[0].place}.timestamp", NO_TIME)
        return len(unseen.leading)
    roles = {said.role for said in undated}
    count = removed.count - (removed.pairs if len(roles) == 1 else 0)
    if unseen.has_nothing_recorded:
        old = [said for said in unseen.leading if _is_dated_until(said, removed.until)]
        return count if len(undated) + len(old) >= count else 0
    return count if unseen.has_most_recorded else 0


def _is_dated_until(said: ClientMessage, until: datetime | None) -> bool:
    return said.at is not None and until is not None and said.at <= until


class _RecordedMessages:
    """What is held, from which each message that is told is taken once."""

    def __init__(self, held: Sequence[ClientMessage]) -> None:
        self._keys = {key for said in held if (key := _get_sort_key(said))}
        self._named, self._unnamed = Counter[Line](), Counter[Line]()
        for said in held:
            pool = self._named if _get_sort_key(said) else self._unnamed
            pool[_build_line(said)] += 1

    def take(self, said: ClientMessage) -> bool:
        """Tell whether a message is held, and has not been taken."""
        key, line = _get_sort_key(said), _build_line(said)
        if key in self._keys:
            return True
        pools = (self._unnamed,) if key else (self._unnamed, self._named)
        pool = next((pool for pool in pools if pool[line] > 0), None)
        if pool is None:
            return False
        pool[line] -= 1
        return True


def _find_end(held: Sequence[ClientMessage], told: Sequence[ClientMessage]) -> int:
    """Return how many were told when the last that is held was.

    It is where most of what was told before is what is held, in its order.
    """
    kept = [_build_line(said) for said in reversed(held)]
    lines = [_build_line(said) for said in told]

    def count_equal(end: int) -> int:
        pairs = zip(kept, reversed(lines[:end]), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    return max(range(len(told) + 1), key=lambda end: (count_equal(end), end))


def _remove_repeated(told: Sequence[ClientMessage]) -> list[ClientMessage]:
    once: dict[Key, ClientMessage] = {}
    for number, said in enumerate(told):
        _ = once.setdefault(_get_sort_key(said) or (number,), said)
    return list(once.values())


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


def _build_line(said: ClientMessage) -> Line:
    return said.role.value, said.content
