"""What a language model has to write, and how it becomes what gieok knows."""

from typing import Annotated, Final, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from gieok.kernel.language import (
    Basis,
    Category,
    Emotion,
    Finding,
    FindingOperation,
    Gist,
)

MAX_FINDINGS: Final = 100
"""Findings of one answer that are read; whoever writes more babbles."""
_KOREAN_EMOTIONS = {
    "기쁨": Emotion.JOY,
    "슬픔": Emotion.SADNESS,
    "스트레스": Emotion.STRESS,
    "평온": Emotion.CALM,
    "흥분": Emotion.EXCITEMENT,
}


def _normalize_emotion(value: object) -> object:
    """Accept the Korean names (E04) and capital letters."""
    if not isinstance(value, str):
        return value
    name = value.strip().lower()
    return _KOREAN_EMOTIONS.get(name, name)


class FoundAnswer(BaseModel):
    """One finding as the model writes it."""

    model_config = ConfigDict(extra="ignore")

    operation: FindingOperation
    target: str | None = None
    content: str
    category: Category
    confidence: float = Field(ge=0, le=1)
    basis: Basis
    evidence: list[int]

    def to_finding(self, aliases: dict[str, str]) -> Finding:
        """Return the finding, with the id that its target's short one stands for."""
        target = None if self.target is None else aliases.get(self.target, self.target)
        return Finding(
            operation=self.operation,
            content=self.content,
            category=self.category,
            confidence=self.confidence,
            basis=self.basis,
            evidence=tuple(self.evidence),
            target=None if self.operation is FindingOperation.ADD else target,
        )


def _select_readable(findings: object) -> object:
    """Leave out findings that cannot be read, unless none can.

    One of a category that does not exist must not cost the others.
    """
    if not isinstance(findings, list):
        return findings
    first = cast("list[object]", findings)[:MAX_FINDINGS]
    readable = [each for each in first if _is_readable(each)]
    return readable or first


def _is_readable(finding: object) -> bool:
    try:
        _ = FoundAnswer.model_validate(finding)
    except ValidationError:
        return False
    return True


class FindingsAnswer(BaseModel):
    """What is worth remembering about the user; usually nothing."""

    model_config = ConfigDict(extra="ignore")

    findings: Annotated[list[FoundAnswer], BeforeValidator(_select_readable)]


class GistAnswer(BaseModel):
    """What the conversation was about; empty if nothing is worth coming back to.

    An importance outside its scale is refused: nobody knows what 90 was meant to be.
    """

    model_config = ConfigDict(extra="ignore")

    summary: str
    topics: list[str] = []
    emotion: Annotated[Emotion, BeforeValidator(_normalize_emotion)]
    importance: int = Field(ge=1, le=10)
    open_tasks: list[str] = []
    preferences: list[str] = []
    evidence: list[int] = []

    def to_gist(self) -> Gist:
        """Return the gist, which nobody believes yet."""
        return Gist(
            summary=self.summary,
            topics=tuple(self.topics),
            emotion=self.emotion,
            importance=self.importance,
            open_tasks=tuple(self.open_tasks),
            preferences=tuple(self.preferences),
            evidence=tuple(self.evidence),
        )


class TextAnswer(BaseModel):
    """The one text that was asked for."""

    model_config = ConfigDict(extra="ignore")

    text: str
