"""A model that finds what a test says."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
)


@dataclass(slots=True)
class Script:
    """What the model will find in the next conversations it reads."""

    answers: list[Callable[[Conversation], Iterable[Finding]]] = field(
        default_factory=list
    )

    def says(self, *findings: Finding) -> None:
        """Queue one answer."""
        self.answers.append(lambda _: findings)

    def computes(self, answer: Callable[[Conversation], Iterable[Finding]]) -> None:
        """Queue one answer that depends on the conversation."""
        self.answers.append(answer)

    def __call__(self, conversation: Conversation) -> Iterable[Finding]:
        """Answer, nothing when nothing was queued."""
        return self.answers.pop(0)(conversation) if self.answers else ()


def fact(
    content: str,
    category: Category = Category.CONTEXT,
    *,
    basis: Basis = Basis.STATED,
    confidence: float = 0.9,
    evidence: tuple[int, ...] = (0,),
) -> Finding:
    """Return a finding that adds a fact."""
    return Finding(FindingOperation.ADD, content, category, confidence, basis, evidence)
