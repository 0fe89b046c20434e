"""Chooses what was once said that stands in a block beside what is known now."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.guard.fence import escape_line
from gieok.guard.judge import Guard
from gieok.kernel.language import Role, Tokenizer
from gieok.recall import Hit, HitKind
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import remove_subject
from gieok.text.sentences import split_sentences

LEAST_RELEVANCE: Final = 1.25
"""Standard deviations above the mean of all messages. Of 150 next-day questions, with
two excerpts for three of them, 7 more are answered by the block."""
FEW: Final = 8
"""Messages among which no mean says what bears on a question; a shared word does."""
SHARES_A_WORD: Final = 1.0
LONGEST_EXCERPT: Final = 200
"""Characters of one excerpt."""
STATED_SHARE: Final = 0.7
"""Of the words of a memory, how many a sentence holds at least that says it."""
_SENTENCE = compile_lazily(r"[^.!?。！？\n]+[.!?。！？]*")
_QUESTION_MARKS: Final = ("?", "？")


def select_bearing(hits: Sequence[Hit]) -> list[Hit]:
    """Return what bears on the question and may be said of it, best first.

    Of messages only the person's own statements.
    """
    least = LEAST_RELEVANCE if len(hits) > FEW else SHARES_A_WORD
    return [
        hit
        for hit in hits
        if (hit.kind is not HitKind.MESSAGE or _is_own_statement(hit))
        and hit.relevance is not None
        and hit.relevance >= least
    ]


def _is_own_statement(hit: Hit) -> bool:
    """Tell whether a message is the person's, and no question."""
    return (
        hit.role is Role.USER
        and hit.other_speaker is None
        and not hit.content.rstrip().endswith(_QUESTION_MARKS)
    )


def is_quotable(text: str, guard: Guard) -> bool:
    """Tell whether words can stand in a prompt: none of them asks for anything."""
    if guard.is_suspicious(text):
        return False
    return not guard.is_instruction_capable(escape_line(text))


def clip_hit(hit: Hit, question: str, tokenizer: Tokenizer) -> str:
    """Return the sentences of a text from the one that bears most on the question.

    A short message is returned whole; of a summary, recall has found the sentence.
    """
    if hit.kind is not HitKind.MESSAGE:
        return _join_sentences(split_sentences(hit.content)[hit.position or 0 :])
    if len(hit.content) <= LONGEST_EXCERPT:
        return hit.content
    sentences = list(_split_sentences(hit.content))
    asked = set(tokenizer.terms(question))
    shares = [len(asked & set(tokenizer.terms(each))) for each in sentences]
    return _join_sentences(sentences[shares.index(max(shares)) :])


def drop_sentences(hit: Hit, told: Sequence[str], tokenizer: Tokenizer) -> Hit | None:
    """Return a summary without the sentences that say what is told.

    Nothing where that is the sentence that it is quoted for, its first one.
    """
    terms = [set(tokenizer.terms(remove_subject(each))) for each in told]
    sentences = split_sentences(hit.content)
    left = [
        each
        for each in sentences
        if not any(_is_stated(set(tokenizer.terms(each)), one) for one in terms)
    ]
    if left[:1] != sentences[:1]:
        return None
    return replace(hit, content=_join_sentences(left))


def _is_stated(sentence: set[str], told: set[str]) -> bool:
    """Tell whether a sentence holds most words of what was told."""
    return bool(told) and len(sentence & told) >= STATED_SHARE * len(told)


def _join_sentences(sentences: Sequence[str]) -> str:
    """Return the first sentences that make up an excerpt."""
    quoted = ""
    for sentence in sentences:
        if quoted and len(quoted) + 1 + len(sentence) > LONGEST_EXCERPT:
            break
        quoted = f"{quoted} {sentence}".lstrip()
    if len(quoted) > LONGEST_EXCERPT:
        return quoted[: LONGEST_EXCERPT - 1] + "…"
    return quoted


def _split_sentences(text: str) -> Iterator[str]:
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return (sentence for sentence in found if sentence)
