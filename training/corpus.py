"""Reads the labelled dialogues and says which clause states which fact."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from gieok.kernel.language import (
    Category,
    Conversation,
    Known,
    Operation,
    Role,
    Utterance,
)
from gieok.models.kiwi import Morphology, shared
from gieok.models.rules.candidates import Candidate, candidates
from gieok.models.rules.link import OPERATIONS
from gieok.models.rules.reading import read

DIALOGUES = Path(__file__).parent / "dialogues"
FOLDS = 5
LEAST_OVERLAP = 3  # characters a clause and a quote must share


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One labelled dialogue with its candidates."""

    id: str
    conversation: Conversation
    candidates: tuple[Candidate, ...]
    facts: tuple[dict[str, Any], ...]
    short: bool = False

    @property
    def fold(self) -> int:
        """The part of the cross-validation it is held out in, fixed by its id."""
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % FOLDS


def conversation_of(row: dict[str, Any]) -> Conversation:
    """Return the conversation of one line of a dialogues file."""
    return Conversation(
        messages=tuple(
            Utterance(index, Role(m["role"]), m["content"])
            for index, m in enumerate(row["messages"])
        ),
        known=tuple(
            Known(k["id"], k["content"], Category(k["category"])) for k in row["known"]
        ),
        at=datetime.fromisoformat(row["at"]),
    )


def dialogue_of(
    row: dict[str, Any], morphology: Morphology, *, short: bool
) -> Dialogue:
    """Return one dialogue with its candidates."""
    conversation = conversation_of(row)
    found = candidates(read(conversation), morphology)
    facts = tuple(row["gold"]["facts"])
    return Dialogue(row["id"], conversation, found, facts, short)


def load(paths: Sequence[Path] | None = None) -> list[Dialogue]:
    """Return the training dialogues (or those of other files)."""
    morphology = shared()
    found: list[Dialogue] = []
    for path in paths or sorted(DIALOGUES.glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").split("\n")
        rows = [json.loads(line) for line in lines if line.strip()]
        short = "short" in path.stem
        found += [dialogue_of(row, morphology, short=short) for row in rows]
    return found


def hit(must: list[list[str]], text: str) -> bool:
    """Tell whether a text holds a term of every group."""
    low = text.lower()
    return all(any(term.lower() in low for term in group) for group in must)


def _overlap(candidate: Candidate, quotes: list[str]) -> int:
    """Count the characters a clause shares with the quotes of a fact."""
    text, clause, shared_length = candidate.turn.text, candidate.clause, 0
    for quote in quotes:
        start = text.find(unicodedata.normalize("NFC", quote))
        if start >= 0:
            end = start + len(quote)
            shared_length += max(0, min(clause.end, end) - max(clause.start, start))
    return shared_length


def _states(dialogue: Dialogue, fact: dict[str, Any]) -> Iterator[tuple[float, int]]:
    """Yield (how fully, place) of the clauses that state a fact."""
    for place, candidate in enumerate(dialogue.candidates):
        if candidate.clause.message not in fact["evidence"]:
            continue
        overlap = _overlap(candidate, fact.get("quote", []))
        text = candidate.clause.text
        alone = hit(fact["must"], text)
        joined = hit(fact["must"], candidate.turn.asked + " " + text)
        partly = any(hit([[t]], text) for group in fact["must"] for t in group)
        said = overlap >= LEAST_OVERLAP if fact.get("quote") else alone or partly
        if said:
            yield 3 * alone + joined + partly + overlap / 100, place


@dataclass(slots=True)
class Labels:
    """What the classifiers should answer for the candidates of one dialogue."""

    worth: np.ndarray
    weight: np.ndarray
    category: list[list[str]]
    link: np.ndarray
    link_weight: np.ndarray
    facts: list[set[int]]


def _mark_link(labels: Labels, dialogue: Dialogue, fact: dict[str, Any]) -> None:
    """Note which clause relates to the fact's target, and which might as well."""
    known = [item.id for item in dialogue.conversation.known].index(fact["target"])
    kind = OPERATIONS.index(Operation(fact["op"]))
    ranked = sorted(_states(dialogue, fact), reverse=True)
    if fact["op"] == "delete":
        commanded = [(dialogue.candidates[p].flags["forget"], s, p) for s, p in ranked]
        ranked = [(score, place) for _, score, place in sorted(commanded, reverse=True)]
    for order, (_, place) in enumerate(ranked):
        labels.link_weight[place, known, kind] = 0.3 if order else 1
        if not order:
            labels.link[place, known, kind] = 1


def labels_of(dialogue: Dialogue) -> Labels:
    """Return the labels of one dialogue.

    A fact belongs to the clause that states it most fully; the other clauses of the
    same quotation are neither right nor plainly wrong, so they count less.
    """
    count, items = len(dialogue.candidates), len(dialogue.conversation.known)
    shape = (count, items, len(OPERATIONS))
    labels = Labels(
        worth=np.zeros(count),
        weight=np.ones(count),
        category=[[] for _ in range(count)],
        link=np.zeros(shape),
        link_weight=np.ones(shape),
        facts=[set() for _ in range(count)],
    )
    for number, fact in enumerate(dialogue.facts):
        ranked = sorted(_states(dialogue, fact), reverse=True)
        for _, place in ranked:
            labels.facts[place].add(number)
        if fact["op"] in ("update", "delete", "reinforce"):
            _mark_link(labels, dialogue, fact)
        for order, (fullness, place) in enumerate(ranked):
            if fact["op"] == "delete":
                labels.weight[place] = min(labels.weight[place], 0.5)
            elif order:
                lower = 0.4 if fullness >= 1 else 0.7
                if not labels.worth[place]:
                    labels.weight[place] = min(labels.weight[place], lower)
            else:
                labels.worth[place], labels.weight[place] = 1, 1
                labels.category[place] += fact["category"]
    return labels
