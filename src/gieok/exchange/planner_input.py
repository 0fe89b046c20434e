"""Puts together what a planner goes by, in A13's order and within a budget of tokens.

The utterance comes first and whole. What follows is data: fenced, one line each, and
cut from the end, so that what matters least goes first.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gieok.context.budget import estimate_tokens
from gieok.exchange.contradictions import compare_values, find_values
from gieok.exchange.model import (
    HintStrength,
    Omission,
    OmissionReason,
    PartName,
    PlannerInput,
    PlannerLine,
)
from gieok.guard.fence import escape_line, fence_block

Parts = Mapping[PartName, Sequence[PlannerLine]]

MAX_LINES: Final[Mapping[HintStrength, Mapping[PartName, int]]] = {
    HintStrength.NONE: {PartName.ACTIVE_WORKFLOW: 1, PartName.PROFILE_HINTS: 8},
    HintStrength.WEAK: {
        PartName.ACTIVE_WORKFLOW: 1,
        PartName.RECENT_TURNS: 2,
        PartName.SESSION_SUMMARY: 1,
        PartName.SHORT_TERM: 1,
        PartName.PROFILE_HINTS: 8,
    },
    HintStrength.STRONG: {
        PartName.ACTIVE_WORKFLOW: 1,
        PartName.RECENT_TURNS: 8,
        PartName.SESSION_SUMMARY: 1,
        PartName.SHORT_TERM: 7,
        PartName.MID_TERM: 2,
        PartName.PROFILE_HINTS: 8,
    },
}
"""How many lines of each part go in, by how far the past bears on the utterance."""
HEADINGS: Final[Mapping[str, Mapping[PartName, str]]] = {
    "ko": {
        PartName.ACTIVE_WORKFLOW: "진행 중인 작업",
        PartName.RECENT_TURNS: "최근 대화",
        PartName.SESSION_SUMMARY: "이번 대화 요약",
        PartName.SHORT_TERM: "최근 며칠",
        PartName.MID_TERM: "최근 몇 주",
        PartName.PROFILE_HINTS: "확인된 사용자 정보",
    },
    "en": {
        PartName.ACTIVE_WORKFLOW: "Workflow under way",
        PartName.RECENT_TURNS: "Recent turns",
        PartName.SESSION_SUMMARY: "This conversation so far",
        PartName.SHORT_TERM: "The last days",
        PartName.MID_TERM: "The last weeks",
        PartName.PROFILE_HINTS: "Confirmed about the user",
    },
}
UTTERANCE: Final = {"ko": "현재 발화", "en": "Current utterance"}


class InputForm(NamedTuple):
    """How a planner's input is written."""

    language: str
    token: str
    """What the fence is made of; nobody can guess it."""
    budget: int
    """Tokens."""


class SelectedParts(NamedTuple):
    """What may go in, and what may not."""

    parts: dict[PartName, list[PlannerLine]]
    omissions: list[Omission]


def select_parts(utterance: str, parts: Parts, strength: HintStrength) -> SelectedParts:
    """Return the parts without what contradicts the utterance or is not wanted."""
    chosen: dict[PartName, list[PlannerLine]] = {}
    omissions: list[Omission] = []
    most = MAX_LINES[strength]
    for name in PartName:
        lines = list(parts.get(name, ()))
        if name is PartName.PROFILE_HINTS:
            lines, contradicting = _drop_contradicting(utterance, lines)
            omissions += contradicting
        limit = most.get(name, 0)
        # Of turns the last ones count most; everything else comes best first.
        is_turns = name is PartName.RECENT_TURNS
        kept = lines[max(0, len(lines) - limit) :] if is_turns else lines[:limit]
        over = lines[: len(lines) - len(kept)] if is_turns else lines[limit:]
        omissions += [
            Omission(name, OmissionReason.HINT_STRENGTH, each.about) for each in over
        ]
        if kept:
            chosen[name] = kept
    return SelectedParts(chosen, omissions)


def _drop_contradicting(
    utterance: str, lines: Iterable[PlannerLine]
) -> tuple[list[PlannerLine], list[Omission]]:
    said = find_values(utterance)
    kept: list[PlannerLine] = []
    omissions: list[Omission] = []
    for line in lines:
        found = compare_values(said, find_values(line.text))
        if found is None:
            kept.append(line)
            continue
        reason = OmissionReason.CONTRADICTS_UTTERANCE
        detail = f"{found.slot}: {', '.join(sorted(found.said))}"
        omissions.append(Omission(PartName.PROFILE_HINTS, reason, line.about, detail))
    return kept, omissions


def build_planner_input(
    utterance: str,
    selected: SelectedParts,
    form: InputForm,
    device_context: Mapping[str, Any],
) -> PlannerInput:
    """Return what the budget takes, the most important parts first.

    The utterance goes in whatever the budget. Lines that do not fit are left out from
    the end of the order; of recent turns, the oldest first.
    """
    left = list(selected.omissions)
    parts: dict[PartName, list[PlannerLine]] = {}
    opening = f"{UTTERANCE[form.language]}: {utterance}"
    text = opening
    for name, lines in selected.parts.items():
        is_turns = name is PartName.RECENT_TURNS
        for line in reversed(lines) if is_turns else lines:
            before = parts.get(name, [])
            tried = {**parts, name: [line, *before] if is_turns else [*before, line]}
            larger = f"{opening}\n\n{_render(tried, form)}"
            if estimate_tokens(larger) > form.budget:
                left.append(Omission(name, OmissionReason.BUDGET, line.about))
            else:
                parts, text = tried, larger
    return PlannerInput(
        recognized_text=utterance,
        parts={name: tuple(parts[name]) for name in PartName if name in parts},
        text=text,
        tokens=estimate_tokens(text),
        omissions=tuple(left),
        device_context=device_context,
    )


def _render(parts: Mapping[PartName, Sequence[PlannerLine]], form: InputForm) -> str:
    headings = HEADINGS[form.language]
    blocks = [
        "\n".join(
            [
                f"## {headings[name]}",
                *(f"- {escape_line(line.text)}" for line in parts[name]),
            ]
        )
        for name in PartName
        if name in parts
    ]
    return fence_block("\n\n".join(blocks), form.token, form.language)
