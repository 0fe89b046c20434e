"""Measures how Korean facts are worded, whatever the judges would say of them.

Every labelled fact of `statements/ko_*` and of `dialogues/later_ko_*` is given to the
wording with its real conversation as if the judges were sure of just those clauses.
A memory is told plainly, or reported ("사용자는 … 말했다"), or the fact is not told;
it covers what should be said where it holds most content words of `say` and little
else. A third of the conversations, by a hash of what is said, is held out.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from corpus import DIALOGUES, Dialogue, load_files, load_statements, states
from worded_clauses import is_held_out, word_clauses

from gieok.models.rules.answers import merge_answers
from gieok.text.kiwi import Morphology, get_shared_morphology

SURE = 2.0  # log-odds of a labelled clause
COVERED = 0.7  # share of the content words of `say` that a memory has to hold
OTHERS = 0.5  # share at most of a memory's content words that `say` has not
_CONTENT = ("NNG", "NNP", "VV", "VA", "XR", "SL", "SN", "NR")
_LEFT_OUT = frozenset({"사용자", "있", "하", "되", "것", "않", "없", "원하", "바라"})
_REPORTED = re.compile(
    r"^사용자: |라고 (?:말했다|답했다)|고 (?:말했다|답했다)$|에 대해 ‘"
)


@dataclass(frozen=True, slots=True)
class WordedFact:
    """A labelled fact with the memories made of its clauses."""

    source: str
    held: bool
    asked: str
    said: str
    quote: str
    say: str
    told: tuple[str, ...]

    @property
    def manner(self) -> str:
        """Whether it is told plainly, reported, or not told."""
        if not self.told:
            return "not told"
        if all(_REPORTED.search(text) for text in self.told):
            return "reported"
        return "plain"


def list_dialogues() -> list[Dialogue]:
    """Return the Korean conversations with labelled facts."""
    found = [d for d in load_statements() if d.person.startswith("ko_")]
    for path in sorted(DIALOGUES.glob("later_ko_*.jsonl")):
        found += [replace(d, person=path.stem) for d in load_files([path])]
    return [d for d in found if d.facts]


def word_facts(dialogue: Dialogue, morphology: Morphology) -> Iterator[WordedFact]:
    """Yield the labelled new facts of a conversation as they are worded."""
    candidates = merge_answers(dialogue.candidates, morphology)
    whole = replace(dialogue, candidates=candidates)
    groups = [
        sorted(place for _, place in states(whole, fact)) for fact in dialogue.facts
    ]
    for number, (fact, group) in enumerate(zip(dialogue.facts, groups, strict=True)):
        if fact["op"] not in ("add", "update") or not group:
            continue
        beside = [
            g for n, g in enumerate(groups) if n != number and set(g) & set(group)
        ]
        together = sorted(set(group).union(*beside))
        told = word_clauses(whole, [together], np.full(len(candidates), SURE))
        turn = candidates[group[0]].turn
        yield WordedFact(
            dialogue.person,
            is_held_out("\n".join(m.content for m in dialogue.conversation.messages)),
            turn.asked,
            turn.text,
            " / ".join(fact["quote"]),
            fact["say"],
            told,
        )


def list_content_words(text: str, morphology: Morphology) -> set[str]:
    """Return the stems and nouns of a text that say what it is about."""
    return {
        m.form
        for m in morphology.analyze(text)
        if m.tag in _CONTENT and m.form not in _LEFT_OUT
    }


def is_covered(worded: WordedFact, morphology: Morphology) -> bool:
    """Tell whether a memory holds the words of what should be said, and few others."""
    wanted = list_content_words(worded.say, morphology)
    for text in worded.told:
        own = list_content_words(text, morphology)
        held = sum(word in own or word in text for word in wanted)
        rest = sum(word not in wanted and word not in worded.say for word in own)
        if held >= COVERED * len(wanted) and rest <= OTHERS * max(1, len(own)):
            return True
    return False


def _print_table(worded: Sequence[WordedFact], morphology: Morphology) -> None:
    for name in sorted({w.source[:5] for w in worded}):
        for held in (False, True):
            rows = [w for w in worded if w.source.startswith(name) and w.held is held]
            manners = Counter(w.manner for w in rows)
            plain = [w for w in rows if w.manner == "plain"]
            covered = sum(is_covered(w, morphology) for w in plain)
            shares = ", ".join(
                f"{m} {manners[m] / len(rows):.3f}"
                for m in ("plain", "reported", "not told")
            )
            print(
                f"{name} {'held out' if held else 'read'}: {len(rows)} facts, "
                f"{shares}, plain and covering {covered / len(rows):.3f}"
            )


def main() -> None:
    """Print the shares, and write what may be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="the worded facts that may be read")
    args = parser.parse_args()
    morphology = get_shared_morphology()
    worded = [w for d in list_dialogues() for w in word_facts(d, morphology)]
    _print_table(worded, morphology)
    if args.out is None:
        return
    with args.out.open("w", encoding="utf-8") as file:
        for each in worded:
            if not each.held:
                row = {name: getattr(each, name) for name in each.__slots__}
                row |= {"manner": each.manner, "covered": is_covered(each, morphology)}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
