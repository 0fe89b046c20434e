"""The clauses of a conversation that could become facts, and all their flags."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.kernel.language import Utterance
from gieok.models.rules.clauses import Clause, split_clauses
from gieok.models.rules.discourse_frame import UserTurn, collect_turns, is_echo
from gieok.models.rules.flags import Flags, detect_flags
from gieok.models.rules.kinds import detect_kinds
from gieok.models.rules.korean.requests import rewrite_requests
from gieok.models.rules.nouns import extract_nouns
from gieok.models.rules.questions import extract_question
from gieok.models.rules.secrets import find_secrets, has_overlap
from gieok.text.kiwi import Morphology

MAX_CANDIDATES: Final = 120  # of one conversation, the last ones
ASKED_LENGTH: Final = 160  # characters of the assistant's turn that give context
MESSAGE_LENGTH: Final = 300
ELLIPTIC: Final = 24  # characters; shorter answers may lean on their question


@dataclass(frozen=True, slots=True)
class ClauseCandidate:
    """One clause with its turn and flags."""

    clause: Clause
    turn: UserTurn
    flags: Flags
    topic: str = ""
    """What the assistant's last question was about, where the clause leans on it."""

    is_answer: bool = False
    """Whether its words are a question and an answer, as one statement."""

    def has_flag(self, *names: str) -> bool:
        """Tell whether any of some flags is raised."""
        return any(self.flags[name] for name in names)

    @property
    def context(self) -> str:
        """What was asked and the whole message, for the context's vector."""
        asked = self.turn.asked[-ASKED_LENGTH:]
        return f"{asked}\n{self.turn.text[:MESSAGE_LENGTH]}".strip()


def is_elliptic(clause: Clause, flags: Flags) -> bool:
    """Tell whether a clause says nothing without the question that it answers."""
    if len(clause.text) > ELLIPTIC or not flags["answers"]:
        return False
    return bool(flags["no_predicate"] if flags["korean"] else not flags["me"])


def _extract_topic(asked: str, morphology: Morphology) -> str:
    """Return the nouns of the assistant's last question; never its words as they are.

    A question is polite ("요즘 어떻게 지내세요?"), and would read as an order.
    """
    question = extract_question(asked)
    found = extract_nouns(question, morphology.analyze(question))
    return ", ".join(dict.fromkeys(noun for noun, _ in found if noun))


def _build_context_flags(
    clause: Clause, turn: UserTurn, place: float, siblings: int
) -> Flags:
    """Return the flags that depend on where the clause stands."""
    frame = turn.frame
    return {
        "roleplay": float(frame.roleplay),
        "fiction": float(frame.fiction),
        "drill": float(frame.drill),
        "pasted": float(frame.pasted),
        "planted": float(frame.planted),
        "taken_back": float(frame.taken_back),
        "echo": float(is_echo(clause.text, turn.asked)),
        "answers": float(bool(extract_question(turn.asked))),
        "unprompted": float(not turn.asked),
        "siblings": min(siblings, 8) / 4,
        "place": place,
        "first_clause": float(clause.start == 0),
        "quotes": float(any(q in turn.asked for q in '"“')),
    }


def detect_own_flags(clause: Clause) -> Flags:
    """Return the flags of a clause by itself."""
    own = detect_flags(clause)
    return {**own, **detect_kinds(clause, own)}


def collect_candidates(
    messages: Sequence[Utterance], morphology: Morphology
) -> tuple[ClauseCandidate, ...]:
    """Return every clause the user said, in order; those with secrets never."""
    found: list[ClauseCandidate] = []
    spoken = collect_turns(messages)
    for number, said in enumerate(spoken):
        told = rewrite_requests(said.text, morphology)
        same = told == said.text
        turn = said if same else replace(said, text=told, written=said.text)
        clauses = split_clauses(turn.index, turn.text, morphology)
        place = number / len(spoken)
        hidden = find_secrets(turn.text) if clauses else ()
        clauses = [c for c in clauses if not has_overlap(hidden, c.start, c.end)]
        own = [detect_own_flags(clause) for clause in clauses]
        for clause, flagged in zip(clauses, own, strict=True):
            around = _build_context_flags(clause, turn, place, len(clauses))
            around["question_beside"] = max(f["question_mark"] for f in own)
            around["remember_beside"] = max(f["remember"] for f in own)
            around["me_beside"] = max(f["me"] for f in own)
            marks = {**flagged, **around}
            topic = (
                _extract_topic(turn.asked, morphology)
                if is_elliptic(clause, marks)
                else ""
            )
            found.append(ClauseCandidate(clause, turn, marks, topic))
    return tuple(found[-MAX_CANDIDATES:])


def list_messages(said: Iterable[ClauseCandidate]) -> tuple[int, ...]:
    """Return the messages that clauses come from, in order."""
    return tuple(sorted({candidate.clause.message for candidate in said}))
