"""Which episodes of one persona stay active (E07).

Of those about the same topic only the newest stays. Of these the most important stay,
of equally important ones the newest, as many as the plan allows. Nothing is lost: the
others are archived.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.episodes.model import ArchivedReason, Episode

FREE_LIMIT: Final = 5
"""Active episodes of one persona on the free plan; the paid one has no limit."""
SHARED = 0.5
"""Topics that two episodes share, of those the richer one has, to be about the same."""

_SEPARATORS: Final = re.compile(r"[\W_]+")


def limit_of(plan: str) -> int | None:
    """Return how many episodes of a persona may be active; None means any number."""
    return FREE_LIMIT if plan == "free" else None


def giving_way(
    active: Iterable[Episode], limit: int | None
) -> dict[UUID, ArchivedReason]:
    """Return what to archive of one persona's active episodes, and why."""
    stay: list[Episode] = []
    given_up: dict[UUID, ArchivedReason] = {}
    told = _Told()
    for episode in sorted(active, key=_age, reverse=True):
        if told.again(distinct_topics(episode)):
            given_up[episode.episode_id] = ArchivedReason.TOPIC
        else:
            stay.append(episode)
    if limit is not None:
        for episode in sorted(stay, key=worth, reverse=True)[limit:]:
            given_up[episode.episode_id] = ArchivedReason.PLAN
    return given_up


def worth(episode: Episode) -> tuple[int, datetime, UUID]:
    """Return what orders episodes: importance, then recency."""
    return episode.importance, *_age(episode)


def same_topic(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tell whether topics, each given once, are those of the same conversation.

    They are if both name the same ones in any order, or the same one first and at
    least half of the others too. Without topics nothing is the same as anything.
    """
    if not mine or not theirs:
        return False
    if mine[0] != theirs[0] and set(mine) != set(theirs):
        return False
    shared = len(set(mine) & set(theirs))
    return shared >= SHARED * max(len(mine), len(theirs))


@dataclass(slots=True)
class _Told:
    """The topics of those that stay, found again without comparing with each."""

    whole: set[frozenset[str]] = field(default_factory=set[frozenset[str]])
    by_first: defaultdict[str, list[list[str]]] = field(
        default_factory=lambda: defaultdict[str, list[list[str]]](list)
    )

    def again(self, topics: list[str]) -> bool:
        """Tell whether one that stays has the same topics; else this one stays."""
        if not topics:
            return False
        alike = self.by_first[topics[0]]
        if frozenset(topics) in self.whole:
            return True
        if any(same_topic(topics, other) for other in alike):
            return True
        self.whole.add(frozenset(topics))
        alike.append(topics)
        return False


def _age(episode: Episode) -> tuple[datetime, UUID]:
    return episode.created_at, episode.episode_id


def distinct_topics(episode: Episode) -> list[str]:
    """Return the distinct topics as they compare: "K-Pop " and "kpop" are one."""
    folded = (
        _SEPARATORS.sub("", unicodedata.normalize("NFKC", topic).casefold())
        for topic in episode.topics
    )
    return [topic for topic in dict.fromkeys(folded) if topic]
