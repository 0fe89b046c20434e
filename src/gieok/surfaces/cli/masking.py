"""`eval pii`: what is masked of labelled texts, and what is wrongly masked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from gieok.evaluation.dialogues import read_lines
from gieok.kernel.errors import InvalidInputError
from gieok.pii import PiiFinding, SensitivityLevel, find_all


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """Messages that follow one another, and what must be masked in them.

    A near-miss has no kind and no values. The kind is the label's own word: a value
    counts as masked whatever gieok takes it for.
    """

    id: str
    texts: tuple[str, ...]
    kind: str | None
    values: tuple[str, ...]


@dataclass(slots=True)
class MaskingScore:
    """Counts over a labelled set; (hits, cases) by kind."""

    recall: dict[str, tuple[int, int]] = field(
        default_factory=dict[str, tuple[int, int]]
    )
    near_misses: int = 0
    wrong: list[tuple[str, str, str]] = field(
        default_factory=list[tuple[str, str, str]]
    )
    """Id, kind ("" of a near-miss), and the messages."""

    @property
    def false_marks(self) -> int:
        """How many near-misses had something masked."""
        return sum(not kind for _, kind, _ in self.wrong)

    @property
    def false_in_1000(self) -> float:
        """How many that is of a thousand near-misses."""
        return 1_000 * self.false_marks / max(1, self.near_misses)

    def record(self, case: LabelledCase) -> None:
        """Look at one case."""
        spans = [
            [(one.start, one.end) for one in found if _is_counted(one, case.kind)]
            for found in find_all(case.texts)
        ]
        if case.kind is None:
            self.near_misses += 1
            hit = not any(spans)
        else:
            hit = all(_is_masked(value, case.texts, spans) for value in case.values)
            hits, cases = self.recall.get(case.kind, (0, 0))
            self.recall[case.kind] = hits + hit, cases + 1
        if not hit:
            self.wrong.append((case.id, case.kind or "", " / ".join(case.texts)))

    def as_json(self) -> dict[str, Any]:
        """Return the counts for programs."""
        return {
            "recall": self.recall,
            "near_misses": self.near_misses,
            "false_marks": self.false_marks,
        }


def read_labelled(path: Path) -> Iterator[LabelledCase]:
    """Yield the cases of a file: id, text, kind or null, value or values.

    Raises:
        InvalidInputError: a line is not as the format says, or has no such value.
    """
    return read_lines(path, _parse_labelled)


def _parse_labelled(row: Mapping[str, Any]) -> LabelledCase:
    texts, kind = _to_texts(row["text"]), row["kind"]
    values = _to_texts(row.get("value") or ()) if kind is not None else ()
    if kind is not None and not values:
        raise InvalidInputError("value", f"{row['id']} has a kind and no value")
    for value in values:
        if not any(value in text for text in texts):
            raise InvalidInputError("value", f"{row['id']} does not hold its value")
    return LabelledCase(str(row["id"]), texts, kind, values)


def _to_texts(one_or_more: object) -> tuple[str, ...]:
    if isinstance(one_or_more, str):
        return (one_or_more,)
    return tuple(str(each) for each in cast("Sequence[object]", one_or_more))


def _is_counted(one: PiiFinding, kind: str | None) -> bool:
    """Tell whether it is masked, or of a kind that is asked for and only labelled."""
    if one.kind.topic or one.level is SensitivityLevel.S1:
        return kind == one.kind.value
    return True


def _is_masked(
    value: str, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
) -> bool:
    """Tell whether no letter or digit of a value is left wherever it is said."""
    return any(
        all(
            any(start <= at < end for start, end in some)
            for at in range(first, first + len(value))
            if text[at].isalnum()
        )
        for text, some in zip(texts, spans, strict=True)
        for first in _iterate_places(text, value)
    )


def _iterate_places(text: str, value: str) -> Iterator[int]:
    at = text.find(value)
    while at >= 0:
        yield at
        at = text.find(value, at + 1)
