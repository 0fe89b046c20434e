"""Which episodes answer a search, best first (E21).

A term counts for more the fewer episodes hold it. What is written in the summary counts
once, a topic or tag twice; the query standing in an episode word for word comes first.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gieok.episodes.active_rule import build_rank_key
from gieok.episodes.model import Episode
from gieok.kernel.language import Tokenizer

LABEL_WEIGHT = 2.0
"""What a term counts as a topic or tag."""


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """A search: a text, and tags that must all be there; either may be empty."""

    text: str
    tags: Sequence[str] = ()


def filter_by_tags(episodes: Iterable[Episode], tags: Sequence[str]) -> list[Episode]:
    """Return the episodes that have all of the tags, in order."""
    wanted = {_normalize_text(tag) for tag in tags}
    return [e for e in episodes if wanted <= {_normalize_text(tag) for tag in e.tags}]


def match_episodes(
    wanted: EpisodeQuery, episodes: Sequence[Episode], tokenizer: Tokenizer
) -> list[Episode]:
    """Return the episodes that match, best first, then by importance and recency."""
    among = filter_by_tags(episodes, wanted.tags)
    if not wanted.text:
        return sorted(among, key=build_rank_key, reverse=True)
    terms = set(tokenizer.terms(wanted.text))
    held = [_weigh_terms(episode, tokenizer) for episode in among]
    spread = Counter(term for weights in held for term in terms & weights.keys())
    scored = [
        (
            _is_verbatim(wanted.text, episode),
            _score_terms(weights, spread, len(among)),
            episode,
        )
        for episode, weights in zip(among, held, strict=True)
    ]
    found = [one for one in scored if one[0] or one[1]]
    found.sort(key=lambda one: (*one[:2], *build_rank_key(one[2])), reverse=True)
    return [episode for _, _, episode in found]


def _weigh_terms(episode: Episode, tokenizer: Tokenizer) -> dict[str, float]:
    weights = dict.fromkeys(tokenizer.terms(episode.summary), 1.0)
    labels = " ".join((*episode.topics, *episode.tags))
    return weights | dict.fromkeys(tokenizer.terms(labels), LABEL_WEIGHT)


def _score_terms(weights: dict[str, float], spread: Counter[str], among: int) -> float:
    return sum(
        weights[term] * math.log1p(among / held)
        for term, held in spread.items()
        if term in weights
    )


def _is_verbatim(text: str, episode: Episode) -> bool:
    written = "\n".join((episode.summary, *episode.topics, *episode.tags))
    return _normalize_text(text) in _normalize_text(written)


def _normalize_text(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
