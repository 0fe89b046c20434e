"""Chooses the person's own words that stand in a block beside what is known of them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final
from uuid import UUID

from gieok.guard.fence import escape_line
from gieok.guard.judge import Guard
from gieok.kernel.language import Role, Tokenizer
from gieok.recall import Hit
from gieok.text.patterns import compile_lazily

LEAST_RELEVANCE: Final = 1.25
"""Standard deviations above the mean of all messages. Of 150 next-day questions, with
two excerpts for three of them, 7 more are answered by the block."""
FEW: Final = 8
"""Messages among which no mean says what bears on a question; a shared word does."""
SHARES_A_WORD: Final = 1.0
LONGEST_EXCERPT: Final = 200
"""Characters of one excerpt."""
_SENTENCE = compile_lazily(r"[^.!?。！？\n]+[.!?。！？]*")
_QUESTION_MARKS: Final = ("?", "？")


def select_excerpts(
    hits: Sequence[Hit],
    *,
    open_sessions: Collection[UUID],
    withheld: Collection[UUID],
) -> list[Hit]:
    """Return the messages worth quoting, best first.

    Only the person's own statements from conversations that are over, which bear on the
    question and are not withheld.
    """
    least = LEAST_RELEVANCE if len(hits) > FEW else SHARES_A_WORD
    return [
        hit
        for hit in hits
        if hit.role is Role.USER
        and hit.other_speaker is None
        and hit.id not in withheld
        and hit.session_id not in open_sessions
        and hit.relevance is not None
        and hit.relevance >= least
        and not hit.content.rstrip().endswith(_QUESTION_MARKS)
    ]


def is_quotable(text: str, guard: Guard) -> bool:
    """Tell whether words can stand in a prompt: none of them asks for anything."""
    if guard.is_suspicious(text):
        return False
    return not guard.is_instruction_capable(escape_line(text))


def clip_message(text: str, question: str, tokenizer: Tokenizer) -> str:
    """Return the sentences of a message from the one that bears most on the question.

    A short message is returned whole.
    """
    if len(text) <= LONGEST_EXCERPT:
        return text
    sentences = list(_split_sentences(text))
    asked = set(tokenizer.terms(question))
    shares = [len(asked & set(tokenizer.terms(each))) for each in sentences]
    first = shares.index(max(shares))
    quoted = ""
    for sentence in sentences[first:]:
        if quoted and len(quoted) + 1 + len(sentence) > LONGEST_EXCERPT:
            break
        quoted = f"{quoted} {sentence}".lstrip()
    if len(quoted) > LONGEST_EXCERPT:
        return quoted[: LONGEST_EXCERPT - 1] + "…"
    return quoted


def _split_sentences(text: str) -> Iterator[str]:
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return (sentence for sentence in found if sentence)
