"""The compact snapshot that goes with a request to the cloud (A10, A11, A13).

Within a budget of bytes, and no more of a kind than the cloud takes, what the planner
looks at first is put in first: the active workflow, recent turns, the session's
summary, short- and mid-term summaries, confirmed hints. Only what was confirmed in the
cloud is a hint; a device confirms nothing itself.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gieok.device.model import DownloadedItem
from gieok.kernel.planning import (
    MAX_MID_TERM,
    MAX_PROFILE_HINTS,
    MAX_SHORT_TERM,
)

MAX_BYTES: Final = 4_096
"""What a snapshot may have unless another budget is given."""
MAX_TURNS: Final = 8
_SESSION: Final = "session"
STRONG_MS: Final = 2 * 60 * 1000
"""So soon after the last turn, what is said most likely goes on with it."""


@dataclass(frozen=True, slots=True)
class SpokenContext:
    """What a device has at hand when something is said."""

    session_id: str | None
    turns: list[dict[str, Any]] = field(repr=False)
    """Oldest first, with `user_text`, `assistant_text` and `route_family`."""
    workflow: Mapping[str, Any] | None = field(repr=False)
    since_last_ms: int | None
    device_cursor: int
    last_cloud_update_seq: int
    continues: str | None = None
    """The session that this one goes on from."""
    seqs: Sequence[int] = ()
    """The numbers of the turns."""


def build_request(
    recognized_text: str,
    context: SpokenContext,
    items: Iterable[DownloadedItem],
    *,
    max_bytes: int = MAX_BYTES,
    device_context: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the request of document A, 5.1, its snapshot within a budget of bytes."""
    budget = _ByteBudget(max_bytes)
    by_entity: dict[str, list[Mapping[str, Any]]] = {}
    about: dict[str | None, str] = {}
    for item in items:
        if item.body is None:
            continue
        if item.entity == _SESSION and item.body.get("session_summary"):
            about[item.item_id] = item.body["session_summary"]["summary"]
        else:
            by_entity.setdefault(item.entity, []).append(item.body)
    workflow = budget.take([context.workflow] if context.workflow else [])
    turns = budget.take(reversed(context.turns[-MAX_TURNS:]))[::-1]
    return {
        "recognized_text": recognized_text,
        "voice_context": {
            "session_id": context.session_id,
            "recent_turns": turns,
            "history_hint_strength": decide_hint_strength(context),
            "active_workflow_id": workflow[0].get("id") if workflow else None,
        },
        "memory_snapshot": {
            "session_summary": _find_summary(about, context, budget),
            "short_term": _take_latest(
                by_entity.get("short_term_summary", ()),
                ("date_key", "summary_text"),
                MAX_SHORT_TERM,
                budget,
            ),
            "mid_term": _take_latest(
                by_entity.get("mid_term_summary", ()),
                ("week_key", "summary_text"),
                MAX_MID_TERM,
                budget,
            ),
            "profile_hints": _take_hints(by_entity, budget),
        },
        "memory_sync": {
            "device_cursor": context.device_cursor,
            "last_cloud_update_seq": context.last_cloud_update_seq,
        },
        "device_context": dict(device_context or {}),
    }


def decide_hint_strength(context: SpokenContext) -> str:
    """Return none, weak or strong: how far what went before bears on what is said."""
    if context.since_last_ms is None or not context.turns:
        return "none"
    is_soon = 0 <= context.since_last_ms <= STRONG_MS
    return "strong" if context.workflow or is_soon else "weak"


@dataclass(slots=True)
class _ByteBudget:
    left: int

    def take(self, parts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the first parts that still have room; the rest is left out."""
        taken: list[dict[str, Any]] = []
        for part in parts:
            size = len(json.dumps(part, ensure_ascii=False).encode()) + 2
            if size > self.left:
                break
            self.left -= size
            taken.append(dict(part))
        return taken


def _find_summary(
    about: Mapping[str | None, str], context: SpokenContext, budget: _ByteBudget
) -> str | None:
    """Return what the session, or the one that it goes on from, is about."""
    summary = about.get(context.session_id) or about.get(context.continues)
    taken = budget.take([{"summary": summary}] if summary else [])
    return taken[0]["summary"] if taken else None


def _take_latest(
    summaries: Iterable[Mapping[str, Any]],
    names: tuple[str, ...],
    most: int,
    budget: _ByteBudget,
) -> list[dict[str, Any]]:
    found = sorted(summaries, key=_read(names[0]), reverse=True)[:most]
    return budget.take({name: each.get(name) for name in names} for each in found)


def _take_hints(
    by_entity: Mapping[str, list[Mapping[str, Any]]], budget: _ByteBudget
) -> list[dict[str, Any]]:
    found = sorted(
        (
            each
            for each in by_entity.get("user_memory", ())
            if isinstance(each.get("content"), str)
        ),
        key=lambda each: (-float(each.get("confidence") or 0), str(each.get("id"))),
    )
    return budget.take(
        {
            "id": each.get("id"),
            "category": each.get("category"),
            "claim": each["content"],
        }
        for each in found[:MAX_PROFILE_HINTS]
    )


def _read(name: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda each: str(each.get(name) or "")
