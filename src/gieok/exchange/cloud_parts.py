"""What the cloud has for a planner, and what of a device's snapshot still holds.

A device may be days behind: a summary or memory that it names counts only if the cloud
still holds it, in the cloud's words and order. Where it names none, the cloud's newest
stand in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Transaction
from gieok.exchange.model import (
    ExchangeRequest,
    Omission,
    OmissionReason,
    PartName,
    PartSource,
    PlannerLine,
)
from gieok.guard.active_content import has_active_content, has_role_token
from gieok.guard.fence import defuse_value
from gieok.guard.judge import Guard, can_show
from gieok.memories import Memory, Trust
from gieok.memories import store as memories
from gieok.memories.decay import MIN_CONFIDENCE
from gieok.memories.newest import find_newer, select_newest
from gieok.memories.permission import is_usable
from gieok.pii import TextMasker
from gieok.privacy import Ledger, PersonKey
from gieok.sessions import Session, session_store
from gieok.settings import Settings
from gieok.settings.consent_rules import can_store_texts
from gieok.summaries import SessionSummary, day_store, week_store
from gieok.summaries import session_store as summaries
from gieok.sync.pushing import find_erased

MAX_DAYS: Final = 7
MAX_WEEKS: Final = 2


@dataclass(slots=True)
class PlannerParts:
    """Lines by part, and what was left out while they were gathered."""

    guard: Guard
    """Tells what could be taken for an instruction."""
    lines: dict[PartName, list[PlannerLine]] = field(
        default_factory=dict[PartName, list[PlannerLine]]
    )
    omissions: list[Omission] = field(default_factory=list[Omission])

    def add(self, part: PartName, line: PlannerLine) -> None:
        """Put a line at the end of its part."""
        self.lines.setdefault(part, []).append(line)

    def exclude(self, part: PartName, reason: OmissionReason, about: object) -> None:
        """Note that a line is not there."""
        named = None if about is None else str(about)
        self.omissions.append(Omission(part, reason, named))


@dataclass(frozen=True, slots=True)
class CloudState:
    """What one transaction read about a person for an utterance."""

    session: Session | None
    summary: SessionSummary | None
    days: dict[str, str]
    """Summaries of days by date, newest first."""
    weeks: dict[str, str]
    """Summaries of weeks by their key, newest first."""
    memories: dict[UUID, Memory]
    """The device's hints that are in use and may be told, what was recalled, and what
    says otherwise than these and is newer."""
    read_at: datetime
    is_erased: bool = False
    """Whether the session was erased and is not there again, or the person was."""


async def read_cloud_state(
    tx: Transaction,
    key: PersonKey,
    request: ExchangeRequest,
    session_id: UUID,
    recalled: Sequence[UUID],
    ledger: Ledger,
) -> CloudState:
    """Return what the cloud holds of what a request names, and memories by id."""
    end = await session_store.find_successor(tx, session_id)
    session = await session_store.get_session(tx, end)
    about = await summaries.list_summaries(tx, key, [end])
    days = await day_store.list_newest_days(tx, key, MAX_DAYS)
    weeks = await week_store.list_newest_weeks(tx, key, MAX_WEEKS)
    hinted = {hint.memory_id for hint in request.profile_hints if hint.memory_id}
    missing = () if session else (session_id,)
    return CloudState(
        session=session,
        summary=about.get(end),
        days={day.date_key.isoformat(): day.text for day in days},
        weeks={week.week_key: week.text for week in weeks},
        memories=await _load_memories(tx, key, hinted.union(recalled)),
        read_at=tx.now,
        is_erased=bool(await find_erased(tx, ledger, missing)),
    )


async def _load_memories(
    tx: Transaction, key: PersonKey, ids: set[UUID]
) -> dict[UUID, Memory]:
    """Return those in use, and what says otherwise than they and is newer, by id."""
    found: dict[UUID, Memory] = {}
    asked: set[UUID] = set()
    while wanted := ids - asked:
        asked |= wanted
        loaded = await memories.list_active(tx, key, list(wanted))
        found |= {memory.memory_id: memory for memory in loaded}
        ids = {each.contradicted_by for each in loaded if each.contradicted_by}
    return found


def select_usable(
    cloud: CloudState, settings: Settings, defaults: Settings
) -> CloudState:
    """Return a state with the memories that may be told, and have not faded."""
    usable = {
        memory_id: memory
        for memory_id, memory in cloud.memories.items()
        if is_usable(memory, settings, defaults)
        and memory.confidence_at(cloud.read_at) >= MIN_CONFIDENCE
    }
    return replace(cloud, memories=usable)


def collect_parts(
    request: ExchangeRequest, cloud: CloudState, settings: Settings, guard: Guard
) -> PlannerParts:
    """Return what may be shown to a planner, but for memories that recall finds.

    Reads texts of any size: to be called beside the event loop.
    """
    parts = PlannerParts(guard)
    if cloud.is_erased:
        request = _exclude_erased(parts, request)
    _add_workflow(parts, request, cloud)
    _add_turns(parts, request, settings)
    if not settings.is_enabled:
        _exclude_memory(parts, request)
        return parts
    _add_session_summary(parts, request, cloud, settings)
    held = (
        (PartName.SHORT_TERM, request.short_term, cloud.days),
        (PartName.MID_TERM, request.mid_term, cloud.weeks),
    )
    for part, sent, known in held:
        for each in sent:
            if each.key not in known:
                parts.exclude(part, OmissionReason.NOT_IN_CLOUD, each.key)
        sent_keys = {each.key for each in sent}
        named = [key for key in known if key in sent_keys]
        for key in named or known:
            text = f"{key}: {known[key]}"
            _add_checked(
                parts, part, PlannerLine(text, PartSource.CLOUD, key), settings
            )
    _add_hints(parts, request, cloud, settings)
    return parts


def _exclude_erased(parts: PlannerParts, request: ExchangeRequest) -> ExchangeRequest:
    """Return a request without what it holds of a session that was erased."""
    for number in range(len(request.recent_turns)):
        parts.exclude(PartName.RECENT_TURNS, OmissionReason.ERASED, number)
    if request.session_summary:
        parts.exclude(PartName.SESSION_SUMMARY, OmissionReason.ERASED, None)
    if request.active_workflow_id:
        parts.exclude(PartName.ACTIVE_WORKFLOW, OmissionReason.ERASED, None)
    return replace(
        request, recent_turns=(), session_summary=None, active_workflow_id=None
    )


def _add_workflow(
    parts: PlannerParts, request: ExchangeRequest, cloud: CloudState
) -> None:
    known = cloud.session.active_workflow_id if cloud.session else None
    name = request.active_workflow_id or known
    if name:
        source = PartSource.SNAPSHOT if request.active_workflow_id else PartSource.CLOUD
        line = PlannerLine(defuse_value(name), source, name)
        parts.add(PartName.ACTIVE_WORKFLOW, line)


def _add_turns(
    parts: PlannerParts, request: ExchangeRequest, settings: Settings
) -> None:
    """Add the device's last turns, masked as everything is that is kept."""
    masker = TextMasker()
    said = [
        text
        for turn in request.recent_turns
        for text in (turn.user_text, turn.assistant_text)
    ]
    masked = masker.mask_texts(said)
    for number, turn in enumerate(request.recent_turns):
        user, assistant = masked[2 * number : 2 * number + 2]
        route = f" [{defuse_value(turn.route_family)}]" if turn.route_family else ""
        if not can_store_texts(settings, user, assistant):
            parts.exclude(PartName.RECENT_TURNS, OmissionReason.SENSITIVE, number)
        elif has_role_token(f"{user} {assistant}{route}"):
            parts.exclude(PartName.RECENT_TURNS, OmissionReason.INSTRUCTION, number)
        else:
            end = f"{defuse_value(assistant)}{route}"
            text = f"user: {defuse_value(user)} / assistant: {end}"
            line = PlannerLine(text, PartSource.SNAPSHOT, str(number))
            parts.add(PartName.RECENT_TURNS, line)


def _add_session_summary(
    parts: PlannerParts,
    request: ExchangeRequest,
    cloud: CloudState,
    settings: Settings,
) -> None:
    """Add what the session is about: the cloud's words if it has any."""
    if cloud.summary is not None and cloud.summary.gist.summary:
        text, source = cloud.summary.gist.summary, PartSource.CLOUD
    elif request.session_summary:
        text = TextMasker().mask_text(request.session_summary)
        source = PartSource.SNAPSHOT
    else:
        return
    _add_checked(parts, PartName.SESSION_SUMMARY, PlannerLine(text, source), settings)


def _add_hints(
    parts: PlannerParts,
    request: ExchangeRequest,
    cloud: CloudState,
    settings: Settings,
) -> None:
    """Add those of the device's hints that are confirmed memories, as they are now.

    Where a newer one says otherwise, it stands in the place of the hint.
    """
    able = [
        memory
        for memory in cloud.memories.values()
        if _find_fault(parts.guard, memory, settings) is None
    ]
    newer = find_newer(able, cloud.read_at)
    hinted = [hint.memory_id for hint in request.profile_hints]
    for memory_id in hinted:
        if memory_id not in cloud.memories or memory_id in newer:
            reason = OmissionReason.NOT_CONFIRMED
            parts.exclude(PartName.PROFILE_HINTS, reason, memory_id)
    known = [each for each in hinted if each is not None and each in cloud.memories]
    for memory_id in select_newest(newer, known):
        _add_memory(parts, cloud, memory_id, settings)


def add_memories(
    parts: PlannerParts, cloud: CloudState, recalled: Sequence[UUID], settings: Settings
) -> None:
    """Add what recall finds beside the device's hints, each memory once."""
    if not settings.is_enabled:
        return
    there = {line.about for line in parts.lines.get(PartName.PROFILE_HINTS, ())}
    for memory_id in recalled:
        if memory_id in cloud.memories and str(memory_id) not in there:
            _add_memory(parts, cloud, memory_id, settings)


def _add_memory(
    parts: PlannerParts, cloud: CloudState, memory_id: UUID, settings: Settings
) -> None:
    """Add a memory as it is to be told now, with its day, unless it may not be."""
    memory, about = cloud.memories[memory_id], str(memory_id)
    fault = _find_fault(parts.guard, memory, settings)
    if fault is not None:
        parts.exclude(PartName.PROFILE_HINTS, fault, about)
        return
    told = defuse_value(memory.render_at(cloud.read_at))
    text = f"{told} [{memory.reference_day.isoformat()}]"
    parts.add(PartName.PROFILE_HINTS, PlannerLine(text, PartSource.CLOUD, about))


def _find_fault(
    guard: Guard, memory: Memory, settings: Settings
) -> OmissionReason | None:
    """Return why a memory in use may not be told: it orders, or it is sensitive."""
    reviewed, verdict = memory.trust is Trust.CONFIRMED, memory.is_directive
    if not can_show(
        guard,
        memory.content,
        is_reviewed=reviewed,
        verdict=verdict,
        render=defuse_value,
    ):
        return OmissionReason.INSTRUCTION
    is_storable = can_store_texts(settings, memory.content)
    return None if is_storable else OmissionReason.SENSITIVE


def _add_checked(
    parts: PlannerParts, part: PartName, line: PlannerLine, settings: Settings
) -> None:
    """Add a summary, unless it is sensitive, acts by itself or reads as an order."""
    told = defuse_value(line.text)
    if parts.guard.is_suspicious(line.text) or has_active_content(told):
        parts.exclude(part, OmissionReason.INSTRUCTION, line.about)
    elif not can_store_texts(settings, line.text):
        parts.exclude(part, OmissionReason.SENSITIVE, line.about)
    else:
        parts.add(part, replace(line, text=told))


def _exclude_memory(parts: PlannerParts, request: ExchangeRequest) -> None:
    """Note what a device sent that may not be used, as memory is off."""
    off = OmissionReason.MEMORY_OFF
    sent: Sequence[tuple[PartName, object]] = (
        *((PartName.SHORT_TERM, each.key) for each in request.short_term),
        *((PartName.MID_TERM, each.key) for each in request.mid_term),
        *((PartName.PROFILE_HINTS, each.memory_id) for each in request.profile_hints),
    )
    if request.session_summary:
        parts.exclude(PartName.SESSION_SUMMARY, off, None)
    for part, about in sent:
        parts.exclude(part, off, about)
