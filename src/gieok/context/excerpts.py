"""Chooses what was once said that stands in a block beside what is known now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID

from gieok.context.momentary import is_momentary
from gieok.guard.fence import escape_line
from gieok.guard.judge import Guard
from gieok.kernel.language import Role, Tokenizer
from gieok.recall import Hit, HitKind
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import remove_subject
from gieok.text.sentences import split_sentences

MIN_RELEVANCE: Final = 1.25
"""Standard deviations above the mean of all messages. Of 150 next-day questions, with
two excerpts for three of them, 7 more are answered by the block."""
FEW: Final = 8
"""Messages among which no mean says what bears on a question; a shared word does."""
SHARES_A_WORD: Final = 1.0
LONGEST_EXCERPT: Final = 200
"""Characters of one excerpt."""
STATED_SHARE: Final = 0.7
"""Of the words of a memory, how many a sentence holds at least that says it."""
MIN_SHARED: Final = 2
"""Words at least that a sentence and a memory share; one says nothing."""
MAX_MORE: Final = 3
"""Words that a sentence may hold beside those of a memory that it repeats."""
_SENTENCE = compile_lazily(r"[^.!?。！？\n]+[.!?。！？]*")
_QUESTION_MARKS: Final = ("?", "？")


def select_bearing(hits: Sequence[Hit]) -> list[Hit]:
    """Return what bears on the question and may be said of it, best first.

    Of messages only the person's own statements.
    """
    least = MIN_RELEVANCE if len(hits) > FEW else SHARES_A_WORD
    return [
        hit
        for hit in hits
        if (hit.kind is not HitKind.MESSAGE or _is_own_statement(hit))
        and hit.relevance is not None
        and hit.relevance >= least
    ]


def _is_own_statement(hit: Hit) -> bool:
    """Tell whether a message is the person's and not for the moment only."""
    return (
        hit.role is Role.USER
        and hit.other_speaker is None
        and not hit.content.rstrip().endswith(_QUESTION_MARKS)
        and not is_momentary(hit.content)
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
    shares = [
        -1 if is_momentary(each) else len(asked & set(tokenizer.terms(each)))
        for each in sentences
    ]
    return _join_sentences(sentences[shares.index(max(shares)) :])


class _StatedText(NamedTuple):
    """What a memory says, or said before it was changed."""

    terms: frozenset[str]
    is_outdated: bool


def drop_stated(
    said: Sequence[Hit],
    shown: Sequence[str],
    outdated: Mapping[UUID, Sequence[str]],
    tokenizer: Tokenizer,
) -> list[Hit]:
    """Return what was said, summaries without what is shown already or is outdated.

    `outdated` is by the session that told it. A summary goes with the sentence that it
    is quoted for, its first one. A sentence that goes on to say more than what is shown
    stays.
    """
    lines = [_read_stated(each, tokenizer, is_outdated=False) for each in shown]
    gone = {
        session_id: [_read_stated(each, tokenizer, is_outdated=True) for each in told]
        for session_id, told in outdated.items()
    }
    kept: list[Hit] = []
    for hit in said:
        if hit.kind is HitKind.MESSAGE or hit.session_id is None:
            kept.append(hit)
            continue
        stated = [*lines, *gone.get(hit.session_id, ())]
        sentences = split_sentences(hit.content)
        left = [
            each
            for each in sentences
            if not any(_is_stated({*tokenizer.terms(each)}, one) for one in stated)
        ]
        if left[:1] == sentences[:1]:
            kept.append(replace(hit, content=_join_sentences(left)))
    return kept


def _read_stated(
    content: str, tokenizer: Tokenizer, *, is_outdated: bool
) -> _StatedText:
    terms = tokenizer.terms(remove_subject(content))
    return _StatedText(frozenset(terms), is_outdated)


def _is_stated(sentence: set[str], one: _StatedText) -> bool:
    """Tell whether a sentence holds most of what is stated."""
    shared = len(sentence & one.terms)
    if shared < MIN_SHARED:
        return False
    if one.is_outdated:
        return shared >= STATED_SHARE * min(len(one.terms), len(sentence))
    more = len(sentence - one.terms)
    return shared >= STATED_SHARE * len(one.terms) and more <= MAX_MORE


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
