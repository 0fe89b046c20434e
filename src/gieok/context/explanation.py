"""Why a block holds what it holds: what was found, and what became of each of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from gieok.context.model import Block
from gieok.recall import Hit


class BlockOutcome(StrEnum):
    """What became of something that was found for a block."""

    SHOWN = "shown"
    IRRELEVANT = "irrelevant"
    """It bears on the question no more than most of what is known, or is no statement
    of the person's own."""
    INSTRUCTION = "instruction"
    """It could be taken for an instruction."""
    REPEATED = "repeated"
    """A line says it already, a newer memory says otherwise, it is outdated, or its
    conversation still goes on."""
    CROWDED = "crowded"
    """Better ones took its place, or enough of the same session or day stands there."""
    BUDGET = "budget"
    """The budget in tokens did not take it."""


@dataclass(frozen=True, slots=True)
class ConsideredHit:
    """Something that was found, and what became of it."""

    hit: Hit
    outcome: BlockOutcome


@dataclass(frozen=True, slots=True)
class Explanation:
    """A block, and all that was considered for it, best first.

    `memories` are what is known, `words` what was said or is told of it.
    """

    block: Block
    memories: tuple[ConsideredHit, ...] = ()
    words: tuple[ConsideredHit, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What was found, and what each step of choosing left of it, best first."""

    found: Sequence[Hit] = ()
    steps: tuple[tuple[BlockOutcome, Sequence[Hit]], ...] = ()

    @property
    def left(self) -> Sequence[Hit]:
        """What the last step left."""
        return self.steps[-1][1] if self.steps else self.found

    def append_step(self, outcome: BlockOutcome, left: Sequence[Hit]) -> "Selection":
        """Return it after a step that left this much, and why it left out the rest."""
        return Selection(self.found, (*self.steps, (outcome, left)))

    def list_considered(
        self, shown: Collection[UUID | None]
    ) -> tuple[ConsideredHit, ...]:
        """Return what became of each thing found; these ids stand in the block."""
        steps = [(why, {hit.id for hit in left}) for why, left in self.steps]
        steps.append((BlockOutcome.BUDGET, {each for each in shown if each}))
        considered: list[ConsideredHit] = []
        for hit in self.found:
            lost = (why for why, ids in steps if hit.id not in ids)
            considered.append(ConsideredHit(hit, next(lost, BlockOutcome.SHOWN)))
        return tuple(considered)
