"""Which episodes of one persona stay active (E07).

Of those about the same matter only the newest stays, except what a person put back. Of
these the most important stay, of equally important ones the newest, as many as the plan
allows. Nothing is lost: the others are archived.
"""

import unicodedata
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.episodes.model import ArchivedReason, Episode

FREE_LIMIT: Final = 5
"""Active episodes of one persona on the free plan; the paid one has no limit."""
MAX_COMPARED: Final = 20
"""Active episodes, the last said, that may be about the same matter as a new one."""


def get_plan_limit(plan: str) -> int | None:
    """Return how many episodes of a persona may be active; None means any number."""
    return FREE_LIMIT if plan == "free" else None


def select_archived(
    active: Iterable[Episode],
    limit: int | None,
    repeated: Collection[UUID] = (),
) -> dict[UUID, ArchivedReason]:
    """Return what to archive of one persona's active episodes, and why.

    `select_repeated` names those about the same matter as a newer one.
    """
    stay: list[Episode] = []
    given_up: dict[UUID, ArchivedReason] = {}
    for episode in active:
        if episode.episode_id in repeated and not episode.is_restored:
            given_up[episode.episode_id] = ArchivedReason.TOPIC
        else:
            stay.append(episode)
    if limit is not None:
        for episode in sorted(stay, key=build_rank_key, reverse=True)[limit:]:
            given_up[episode.episode_id] = ArchivedReason.PLAN
    return given_up


def find_older_duplicates(
    active: Iterable[Episode], kept: Episode, alike: Collection[str]
) -> set[UUID]:
    """Return all but the one said last of those about the same matter as `kept`.

    They are near in meaning, which sentences of one form are too, and name one topic.
    """
    others = [e for e in active if e.episode_id != kept.episode_id]
    near = [e for e in others if e.summary in alike and _has_common_topic(e, kept)]
    matter = [kept, *near]
    return {e.episode_id for e in matter} - {
        max(matter, key=_build_recency_key).episode_id
    }


def build_rank_key(episode: Episode) -> tuple[int, datetime, UUID]:
    """Return what orders episodes: importance, then recency."""
    return episode.importance, *_build_age_key(episode)


def _has_common_topic(one: Episode, other: Episode) -> bool:
    return not _normalize_topics(one).isdisjoint(_normalize_topics(other))


def _normalize_topics(episode: Episode) -> frozenset[str]:
    """Return the topics as they compare: "K-Pop " and "kpop" are one."""
    return frozenset(
        "".join(filter(str.isalnum, unicodedata.normalize("NFKC", topic).casefold()))
        for topic in episode.topics
    )


def _build_recency_key(episode: Episode) -> tuple[datetime, datetime, UUID]:
    return episode.said_at, *_build_age_key(episode)


def _build_age_key(episode: Episode) -> tuple[datetime, UUID]:
    return episode.created_at, episode.episode_id
