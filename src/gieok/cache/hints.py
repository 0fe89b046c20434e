"""Who in this process waits for which session, and who follows it."""

from asyncio import Event
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gieok.cache.model import CLIENT_SILENT


class SessionTopic(NamedTuple):
    """One person's session."""

    user_id: UUID
    session_id: UUID


class ListenerRegistry:
    """Events of this process's listeners, by topic."""

    def __init__(self) -> None:
        self._listeners: dict[SessionTopic, set[Event]] = {}

    def wake_listeners(self, topic: SessionTopic) -> None:
        """Set the events of all who listen."""
        for event in self._listeners.get(topic, ()):
            event.set()

    def add_listener(self, topic: SessionTopic, event: Event) -> bool:
        """Add a listener; True for the topic's first."""
        listeners = self._listeners.setdefault(topic, set())
        listeners.add(event)
        return len(listeners) == 1

    def remove_listener(self, topic: SessionTopic, event: Event) -> bool:
        """Remove a listener; True for the topic's last."""
        listeners = self._listeners[topic]
        listeners.discard(event)
        if listeners:
            return False
        del self._listeners[topic]
        return True

    @property
    def topics(self) -> Iterable[SessionTopic]:
        """Everything that somebody listens to."""
        return tuple(self._listeners)


class Presence:
    """When this process last saw each client of a session."""

    def __init__(self) -> None:
        self._seen: dict[SessionTopic, dict[str, datetime]] = {}

    def record_client(self, topic: SessionTopic, client: str, now: datetime) -> int:
        """Note a client and return how many there are."""
        seen = {
            other: at
            for other, at in self._seen.get(topic, {}).items()
            if now - at < CLIENT_SILENT
        }
        self._seen[topic] = {**seen, client: now}
        return len(self._seen[topic])

    def remove_client(self, topic: SessionTopic, client: str) -> None:
        """Forget a client."""
        seen = self._seen.get(topic, {})
        seen.pop(client, None)
        if not seen:
            self._seen.pop(topic, None)
