"""What conversations were like over time: importance, emotions and topics by month."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from zoneinfo import ZoneInfo

from gieok.episodes import Episode
from gieok.kernel.language import Emotion

TOPICS_SHOWN: Final = 3


@dataclass(slots=True)
class EpisodeMonth:
    """The episodes of one month."""

    name: str
    importances: list[int] = field(default_factory=list[int])
    emotions: Counter[Emotion] = field(default_factory=Counter[Emotion])
    _topics: Counter[str] = field(default_factory=Counter[str])

    @property
    def importance(self) -> float:
        """Their mean importance, 1 to 10."""
        return sum(self.importances) / len(self.importances)

    @property
    def topics(self) -> list[str]:
        """What they were about most often."""
        return [topic for topic, _ in self._topics.most_common(TOPICS_SHOWN)]

    def add_episode(self, episode: Episode) -> None:
        """Count one more."""
        self.importances.append(episode.importance)
        self.emotions[episode.emotion] += 1
        self._topics.update(episode.topics)


def group_by_month(episodes: Iterable[Episode], zone: ZoneInfo) -> list[EpisodeMonth]:
    """Return the months in which something was talked about, oldest first."""
    months: dict[str, EpisodeMonth] = {}
    for episode in episodes:
        name = f"{episode.said_at.astimezone(zone):%Y-%m}"
        months.setdefault(name, EpisodeMonth(name)).add_episode(episode)
    return [months[name] for name in sorted(months)]
