"""Which of the person's memories a prompt may show as a card, and in which words."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from gieok.guard.judge import Guard, can_show
from gieok.memories import Fact, Memory, Trust
from gieok.memories.decay import LEAST_CONFIDENCE
from gieok.memories.lapse import render_as_of
from gieok.memories.permission import is_usable
from gieok.settings import Settings
from gieok.settings.consent_rules import can_store_texts


def select_quotable(
    facts: Iterable[Fact],
    settings: Settings,
    defaults: Settings,
    guard: Guard,
    now: datetime,
) -> list[Fact]:
    """Return what every prompt may be told, each worded as of now.

    Nothing while memory is off, nothing that the settings do not let be told, that
    time has faded, or that could be taken for an instruction and nobody reviewed.
    """
    if not settings.is_enabled:
        return []

    def is_quotable(memory: Memory) -> bool:
        return (
            is_usable(memory, settings, defaults)
            and can_store_texts(settings, memory.content)
            and memory.confidence_at(now) >= LEAST_CONFIDENCE
            and _is_data(memory, guard)
        )

    return [_render_fact(fact, now) for fact in facts if is_quotable(fact.memory)]


def _is_data(memory: Memory, guard: Guard) -> bool:
    """Tell whether a memory only states something, or the person reviewed it."""
    reviewed = memory.trust is Trust.CONFIRMED
    return can_show(
        guard, memory.content, is_reviewed=reviewed, verdict=memory.is_directive
    )


def _render_fact(fact: Fact, now: datetime) -> Fact:
    memory = fact.memory
    zone = ZoneInfo(memory.time_zone)
    said, today = (at.astimezone(zone).date() for at in (memory.reference_time, now))
    worded = render_as_of(memory.content, said, today)
    return replace(fact, memory=replace(memory, content=worded))
