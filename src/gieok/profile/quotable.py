"""Which of the person's memories a prompt may show as a card, and in which words."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from gieok.guard.judge import Guard, can_show
from gieok.memories import Fact, Memory, Trust
from gieok.memories.decay import MIN_CONFIDENCE
from gieok.memories.newest import find_newer, select_newest
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
    time has faded, that a newer one says otherwise than, or that could be taken for an
    instruction and nobody reviewed.
    """
    if not settings.is_enabled:
        return []

    def is_quotable(memory: Memory) -> bool:
        return (
            is_usable(memory, settings, defaults)
            and can_store_texts(settings, memory.content)
            and memory.confidence_at(now) >= MIN_CONFIDENCE
            and _is_data(memory, guard)
        )

    quotable = [fact for fact in facts if is_quotable(fact.memory)]
    newer = find_newer([fact.memory for fact in quotable], now)
    current = {*select_newest(newer, [fact.memory.memory_id for fact in quotable])}
    return [
        _render_fact(fact, now) for fact in quotable if fact.memory.memory_id in current
    ]


def _is_data(memory: Memory, guard: Guard) -> bool:
    """Tell whether a memory only states something, or the person reviewed it."""
    reviewed = memory.trust is Trust.CONFIRMED
    return can_show(
        guard, memory.content, is_reviewed=reviewed, verdict=memory.is_directive
    )


def _render_fact(fact: Fact, now: datetime) -> Fact:
    told = fact.memory.render_at(now)
    return replace(fact, memory=replace(fact.memory, content=told))
