"""Says how many wanted memories pass the checks of a language model's findings.

    .venv/bin/python training/measure_grounding.py  # a minute

The memories of `rewrites/` are worded by people beside the messages that they came of,
as a good model words them. What another person's message would have to support shows
how much passes that nobody said.
"""

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    Role,
    Utterance,
)
from gieok.models.evidence import find_fault
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.verification import ReadTalk, verify_findings
from gieok.text.kiwi import get_shared_morphology

REWRITES = Path(__file__).parent / "rewrites"
AT = datetime(2026, 11, 24, 12, tzinfo=UTC)
DRAWN, FOREIGN, FOLLOWED = 4_000, 2_000, 1_600
LANGUAGES = ("en", "ko")


class Wanted(NamedTuple):
    """A memory that should come of the last message of a talk."""

    language: str
    talk: Conversation
    memory: str

    @property
    def finding(self) -> Finding:
        """The memory as a model finds it."""
        last = len(self.talk.messages) - 1
        return Finding(
            FindingOperation.ADD,
            self.memory,
            Category.CONTEXT,
            0.9,
            Basis.STATED,
            (last,),
        )


def read_wanted() -> Iterator[Wanted]:
    """Yield every memory that should come of a message."""
    for path in sorted(REWRITES.glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            messages = tuple(
                Utterance(n, Role.USER if who == "u" else Role.ASSISTANT, text)
                for n, (who, text) in enumerate([*row["before"], ["u", row["text"]]])
            )
            for fact in row["facts"]:
                if fact["say"]:
                    talk = Conversation(messages, (), AT)
                    yield Wanted(row["lang"], talk, fact["say"])


def print_share(name: str, cases: Sequence[Wanted], passed: Sequence[bool]) -> None:
    """Print what share passed, by language."""
    for language in LANGUAGES:
        own = [
            ok
            for each, ok in zip(cases, passed, strict=True)
            if each.language == language
        ]
        print(f"{name}, {language}: {np.mean(own):.3f} of {len(own)}")


def is_followed(wanted: Wanted) -> bool:
    """Tell whether a memory counts at once, its worth aside."""
    morphology = get_shared_morphology()
    found = collect_candidates(wanted.talk.messages, morphology)
    clauses = merge_answers(found, morphology)
    talk = ReadTalk(
        wanted.talk.messages,
        clauses,
        np.zeros((0, 0)),
        {},
        (),
        np.zeros((0, 0)),
        morphology,
    )
    (kept,) = verify_findings([wanted.finding], [None], talk)
    return kept.confidence == wanted.finding.confidence


def main() -> None:
    """Print what passes of what is wanted, and of what somebody else said."""
    chance = random.Random(1)  # noqa: S311 - a sample
    every = list(read_wanted())
    wanted = chance.sample(every, DRAWN)
    passed = [find_fault(each.finding, each.talk) is None for each in wanted]
    print_share("wanted memories that pass", wanted, passed)
    foreign = [
        each._replace(
            memory=chance.choice(
                [other.memory for other in wanted if other.language == each.language]
            )
        )
        for each in wanted[:FOREIGN]
    ]
    passed = [find_fault(each.finding, each.talk) is None for each in foreign]
    print_share("memories of other messages that pass", foreign, passed)
    some = wanted[:FOLLOWED]
    print_share("wanted memories that count at once", some, [*map(is_followed, some)])


if __name__ == "__main__":
    main()
