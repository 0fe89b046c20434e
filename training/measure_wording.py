"""Prints how English facts are worded, wherever what is worth telling is known.

    .venv/bin/python training/measure_wording.py                  # the figures
    .venv/bin/python training/measure_wording.py --show wrong     # and what is lost

Every clause that a label says to state a fact is given to the wording as likely, every
other as not, so that nothing is measured but wording. A memory is whole if it stands
by itself (`english.sound`), reported if it is told in any words. A fact is covered if
the memories hold at least four in five of the content words of how it should be said.
A third of the texts, by their hash, is held out: its lines are never shown.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from corpus import DIALOGUES, Dialogue, load_files, load_statements, states
from worded_clauses import is_held_out, word_clauses

from gieok.models.rules.answers import merge_answers
from gieok.models.rules.clause_texts import is_english
from gieok.text.english import stem_word
from gieok.text.kiwi import get_shared_morphology
from gieok.text.patterns import compile_lazily

ENOUGH = 0.8
WORTHY = -0.1
"""Log-odds of what is told by itself or not at all."""
LIKELY = 1.0  # … of what is told in any words
IDLE = -9.0  # … of every other clause
SHORTEST = 4  # letters of a stem that another may go on
_WORD = compile_lazily(r"[a-z0-9]+(?:-[a-z]+)*")
_UNSAID = frozenset({"user", "assist", "want", "say", "said", "s"})


@dataclass(frozen=True, slots=True)
class WordedFact:
    """One labelled fact with what is told of its clauses."""

    said: str
    say: str
    whole: tuple[str, ...]
    told: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The content words that no memory holds."""
        have = _stems(" ".join(self.told))
        return tuple(w for w in sorted(_stems(self.say)) if not _has(have, w))

    @property
    def covers(self) -> bool:
        """Whether the memories hold what should be said."""
        wanted = _stems(self.say)
        return len(self.missing) <= (1 - ENOUGH) * len(wanted)


def _stems(text: str) -> frozenset[str]:
    found = {stem_word(w) for w in _WORD.findall(text.lower())}
    return frozenset(found - {""} - _UNSAID)


def _has(have: frozenset[str], word: str) -> bool:
    return any(
        h == word
        or (
            min(len(h), len(word)) >= SHORTEST
            and (h.startswith(word) or word.startswith(h))
        )
        for h in have
    )


def word_facts(dialogue: Dialogue) -> Iterator[WordedFact]:
    """Yield every new fact of a session with what is told of its clauses."""
    candidates = merge_answers(dialogue.candidates, get_shared_morphology())
    dialogue = replace(dialogue, candidates=candidates)
    for fact in dialogue.facts:
        if fact["op"] != "add" or not fact.get("quote"):
            continue
        places = sorted(n for share, n in states(dialogue, fact) if share > 0)
        if not places or not is_english(candidates[places[0]].clause.text):
            continue
        told = [_tell(dialogue, places, odds) for odds in (WORTHY, LIKELY)]
        asked = candidates[places[0]].turn.asked
        said = f"{asked} ~ {candidates[places[0]].turn.text}"
        say = fact.get("say") or " ".join(g[0] for g in fact["must"])
        yield WordedFact(said, say, *told)


def _tell(dialogue: Dialogue, places: list[int], odds: float) -> tuple[str, ...]:
    worth = np.full(len(dialogue.candidates), IDLE)
    worth[places] = odds
    return word_clauses(dialogue, [[n] for n in places], worth)


def print_figures(name: str, worded: list[WordedFact]) -> None:
    """Print the shares of one part."""
    count = len(worded) or 1
    whole = sum(bool(w.whole) for w in worded)
    told = sum(bool(w.told) for w in worded)
    covers = sum(w.covers for w in worded)
    both = sum(w.covers and bool(w.whole) for w in worded)
    print(
        f"{name}: {len(worded)} facts; whole {whole / count:.3f}, "
        f"told {told / count:.3f}, "
        f"covered {covers / count:.3f}, whole and covered {both / count:.3f}"
    )


def main() -> None:
    """Word every labelled English fact, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", choices=("wrong", "all"))
    options = parser.parse_args()
    parts = {
        "statements": [d for d in load_statements() if d.person.startswith("en_")],
        "dialogues": load_files(DIALOGUES.glob("later_en_*.jsonl")),
    }
    for name, dialogues in parts.items():
        worded = [w for d in dialogues for w in word_facts(d)]
        seen = [w for w in worded if not is_held_out(w.said)]
        print_figures(f"{name}, seen", seen)
        print_figures(f"{name}, held out", [w for w in worded if is_held_out(w.said)])
        for w in seen if options.show else ():
            if options.show == "all" or not (w.covers and w.whole):
                print(f"\n  {w.said}\n  = {w.say}\n  w {w.whole}")
                print(f"  t {w.told}\n  - {w.missing}")


if __name__ == "__main__":
    main()
