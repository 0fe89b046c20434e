"""Words short messages as memories, told worth it or not by who wrote them.

    .venv/bin/python training/word_lone_messages.py en_1 < LINES >> OUT.jsonl

A line is `w|message` or `n|message`, or `w|asked: QUESTION|message`; the rows are those
of `memory_checks/*_lone.jsonl`. A message that is not worded as one memory is left out.
"""

import json
import sys
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
from corpus import Dialogue
from worded_clauses import word_clauses

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.rules.answers import merge_answers
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.message_context import normalize_text
from gieok.text.kiwi import get_shared_morphology

SAID: Final = datetime(2026, 11, 30, tzinfo=UTC)
SURE: Final = 3.0
"""Log-odds of every clause: all are worded."""
ASKED: Final = "asked:"


def word_message(line: str, hand: str) -> dict[str, Any] | None:
    """Return the memory that is made of a line; None if it is none or several."""
    judged, *asked, said = (part.strip() for part in line.split("|"))
    question = asked[0].removeprefix(ASKED).strip() if asked else ""
    turns = [(Role.ASSISTANT, question)] if question else []
    messages = tuple(
        Utterance(n, role, normalize_text(text))
        for n, (role, text) in enumerate([*turns, (Role.USER, said)])
    )
    morphology = get_shared_morphology()
    found = merge_answers(collect_candidates(messages, morphology), morphology)
    if not found:
        return None
    talk = Dialogue(said, hand, "lone", Conversation(messages, (), SAID), found, ())
    worth = np.full(len(found), SURE)
    told = word_clauses(talk, [[*range(len(found))]], worth)
    if len(told) != 1:
        return None
    return {
        "source": "lone",
        "hand": hand,
        "before": "",
        "asked": question,
        "said": messages[-1].content,
        "memory": told[0],
        "judged": judged,
    }


def main() -> None:
    """Print a row for each line of standard input."""
    hand = sys.argv[1]
    for line in sys.stdin.read().splitlines():
        row = word_message(line, hand) if line.count("|") else None
        if row is not None:
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
