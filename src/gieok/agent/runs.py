"""One run of the agent: what happens in it, where it stands, what may be edited."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from typing import Any, Final, Self, cast
from uuid import UUID

from langgraph.types import StateSnapshot

from gieok.agent.prompts import MAX_STEPS
from gieok.agent.turns import find_question
from gieok.kernel.errors import ConflictError, InvalidInputError
from gieok.pii import TextMasker
from gieok.sessions import Layer, Session
from gieok.text.cleaning import clean_text

LONGEST_EDIT_BYTES: Final = 8_000


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened in a run: `kind` is "layer" or "token"."""

    kind: str
    text: str

    @classmethod
    def from_mapping(cls, told: Mapping[str, str]) -> Self:
        """Return what a node told."""
        ((kind, text),) = told.items()
        return cls(kind, text)


@dataclass(frozen=True, slots=True)
class Edits:
    """What a person puts in place of what the layers so far came to."""

    understanding: str | None = None
    plan: Sequence[str] | None = None

    def to_changes(self) -> dict[str, Any]:
        """Return what is to be changed in the state.

        Raises:
            InvalidInputError: a text that is empty or too long, or too many steps.
        """
        changes: dict[str, Any] = {}
        if self.understanding is not None:
            changes["understanding"] = _mask_edit(
                "edits.understanding", self.understanding
            )
        if self.plan is not None:
            if not 1 <= len(self.plan) <= MAX_STEPS:
                field = "edits.plan"
                raise InvalidInputError(field, f"it must be from 1 to {MAX_STEPS}")
            changes["plan"] = [
                _mask_edit(f"edits.plan.{at}", step)
                for at, step in enumerate(self.plan)
            ]
        return changes


@dataclass(frozen=True, slots=True)
class RunState:
    """Where the last run of a session stands.

    `waits_before` is the layer that a paused run goes on with; `questions` are what
    tools asked by `interrupt`. `memories` are the facts that the run was told, as they
    are now, without what was forgotten since.
    """

    session: Session
    message: str | None
    waits_before: str | None
    understanding: str | None
    plan: tuple[str, ...]
    memories: tuple[Mapping[str, Any], ...]
    questions: tuple[Any, ...]
    response: str | None

    @classmethod
    def from_snapshot(
        cls,
        session: Session,
        snapshot: StateSnapshot,
        memories: Sequence[Mapping[str, Any]],
    ) -> Self:
        """Return what a session and its graph's state tell."""
        values = cast("Mapping[str, Any]", snapshot.values)
        return cls(
            session=session,
            message=find_question(values.get("messages") or ()) or None,
            waits_before=next(iter(snapshot.next), None),
            understanding=values.get("understanding"),
            plan=tuple(values.get("plan") or ()),
            memories=tuple(memories),
            questions=tuple(each.value for each in snapshot.interrupts),
            response=values.get("response"),
        )


class Run:
    """A run that goes on by itself, until its process ends.

    Iterating follows it from its beginning, once; `outcome` waits for its end.
    `watcher` is told of everything that happens, as it does.
    """

    watcher: Callable[[Happened], None] | None = None

    def __init__(
        self, session_id: UUID, driven: AsyncGenerator[Happened | RunState]
    ) -> None:
        self.session_id = session_id
        self._told: asyncio.Queue[Happened | None] = asyncio.Queue()
        self.task = asyncio.create_task(self._run_to_end(driven))
        self.task.add_done_callback(_read_exception)

    async def outcome(self) -> RunState:
        """Return how the run ended; raises what stopped it."""
        return await asyncio.shield(self.task)

    async def __aiter__(self) -> AsyncIterator[Happened]:
        while (happened := await self._told.get()) is not None:
            yield happened

    async def _run_to_end(
        self, driven: AsyncGenerator[Happened | RunState]
    ) -> RunState:
        outcome: RunState | None = None
        try:
            async for each in driven:
                if isinstance(each, RunState):
                    outcome = each
                else:
                    self._told.put_nowait(each)
                    if self.watcher is not None:
                        self.watcher(each)
        finally:
            self._told.put_nowait(None)
        assert outcome is not None  # noqa: S101 - a run that does not raise ends so
        return outcome


def require_resumable(
    snapshot: StateSnapshot, changes: Mapping[str, Any], answer: object
) -> None:
    """Refuse edits or an answer that do not fit where a run waits.

    Raises:
        ConflictError: it is past its plan, or asks something else, or nothing.
    """
    asks = bool(snapshot.interrupts)
    if changes and asks:
        raise ConflictError("the run asks something that is to be answered first")
    if changes and snapshot.next[0] not in {Layer.PLANNING, Layer.EXECUTION}:
        raise ConflictError("the run is past its plan")
    if answer is not None and not asks:
        raise ConflictError("the run asks nothing")
    if answer is None and asks:
        raise ConflictError("the run asks something that is to be answered first")


def _read_exception(task: asyncio.Task[RunState]) -> None:
    """Let nobody be told of a failure that whoever waited has been told of."""
    if not task.cancelled():
        task.exception()


def _mask_edit(field: str, text: str) -> str:
    return TextMasker().mask_text(
        clean_text(field, text, max_bytes=LONGEST_EDIT_BYTES).strip()
    )
