"""Words every clause of casual talks as a memory, told worth it or not by its writer.

    .venv/bin/python training/word_told_memories.py casual_answers en_z ko_r > OUT.jsonl

The rows are those of `memory_checks/*_told.jsonl`: `w` where a clause states one of the
facts that the writer of the talk named, else `n`. A minute for each hand.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from corpus import Dialogue, labels_of, load_casual, load_casual_answers
from tqdm import tqdm
from worded_clauses import word_clauses

from gieok.models.rules.message_context import find_message_context, select_messages

LOADERS: Final = {"casual": load_casual, "casual_answers": load_casual_answers}
SURE: Final = 3.0
"""Log-odds of the one clause that is worded; those of the others are as far below."""


def word_memories(dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    """Yield what is made of each clause of a talk, and whether it is worth it."""
    messages = select_messages(dialogue.conversation)
    stated = labels_of(dialogue).facts
    for place, candidate in enumerate(dialogue.candidates):
        worth = np.full(len(dialogue.candidates), -SURE)
        worth[place] = SURE
        context = find_message_context(messages, candidate.turn.index)
        for memory in word_clauses(dialogue, [[place]], worth)[:1]:
            yield {
                "source": "casual",
                "hand": dialogue.person,
                "before": context.previous_message,
                "asked": context.previous_reply,
                "said": candidate.turn.text,
                "memory": memory,
                "judged": "w" if stated[place] else "n",
            }


def main() -> None:
    """Print the rows of the hands that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", choices=LOADERS)
    parser.add_argument("hands", nargs="+")
    asked = parser.parse_args()
    talks = [d for d in LOADERS[asked.folder]() if d.person in asked.hands]
    for talk in tqdm(talks, mininterval=20):
        for row in word_memories(talk):
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
