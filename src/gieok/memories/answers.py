"""What somebody answers who was asked whether a memory is what they want forgotten.

A wish that may mean several things erases nothing; what it may mean is asked about, by
an app's agent in its own words. So a question is known by three things: it asks, it is
about forgetting, and it names the memory. The answer is the person's next message.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from gieok.kernel.language import Role
from gieok.memories.model import ForgetQuestion
from gieok.sessions import Message
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import remove_subject

NAMED: Final = 0.5
"""Share of a memory's terms that a question which names it holds at least."""
MOST_NAMED: Final = 4
"""Terms that are enough; of a long message an agent names as many as it needs."""
SMALLEST_SHARE: Final = 0.1
"""Share of a memory's own terms by which a reply may name it among others."""
LEAST_PART: Final = 2
"""Letters of a Korean term that counts as part of a longer word."""
LONGEST_ANSWER: Final = 200
"""Characters; a longer message says more than an answer to a question."""
_LISTS: Final = PatternFile("gieok.memories", "answers.toml")
_FORGETTING: Final = _LISTS.build_vocabulary("forgetting")
_NO: Final = _LISTS.build_vocabulary("no")
_YES: Final = _LISTS.build_vocabulary("yes")
_ALL: Final = _LISTS.build_vocabulary("all")
_CLAUSE: Final = compile_lazily(r"[.,!?;…\n。，！？]+")
_QUESTION_MARKS: Final = ("?", "？")
_USER: Final = frozenset({"사용자", "user"})

TermSplitter = Callable[[str], Sequence[str]]
"""Splits a text into the terms by which it is searched."""


class QuestionAnswers(NamedTuple):
    """What was asked about, and what the person answered."""

    confirmed: tuple[ForgetQuestion, ...] = ()
    """What is to be forgotten."""
    declined: tuple[ForgetQuestion, ...] = ()
    """What is to be kept, or is not what was meant."""
    asked: tuple[ForgetQuestion, ...] = ()
    """What was asked about and not answered."""
    message_ids: frozenset[UUID] = frozenset()
    """The questions that were answered, and the answers."""


def find_answers(
    messages: Sequence[Message],
    questions: Sequence[ForgetQuestion],
    unread: Collection[UUID],
    split: TermSplitter,
) -> QuestionAnswers:
    """Return what the person answered in messages that nobody has read yet.

    `messages` are a session's, in order; `unread` the ids of those that are new. What
    was confirmed among several things that one wish may have meant declines the others.
    """
    open_ = {question.candidate_id: question for question in questions}
    confirmed: list[ForgetQuestion] = []
    declined: list[ForgetQuestion] = []
    answers: set[UUID] = set()
    asked: dict[UUID, ForgetQuestion] = {}
    for place, message in enumerate(messages):
        if message.role is not Role.ASSISTANT:
            continue
        named = _find_named(message.content, [*open_.values()], split)
        asked |= {question.candidate_id: question for question in named}
        reply = _get_reply(messages, place)
        if reply is None or reply.message_id not in unread or not named:
            continue
        yes, no = _interpret_reply(reply.content, named, split)
        siblings = {question.wish for question in yes}
        no += [q for q in open_.values() if q.wish in siblings and q not in yes]
        for question in {*yes, *no}:
            open_.pop(question.candidate_id, None)
        confirmed += yes
        declined += [question for question in no if question not in declined]
        answers |= {message.message_id, reply.message_id} if yes or no else set()
    waiting = tuple(q for each, q in asked.items() if each in open_)
    return QuestionAnswers(
        tuple(confirmed), tuple(declined), waiting, frozenset(answers)
    )


def _get_reply(messages: Sequence[Message], place: int) -> Message | None:
    """Return the person's own message directly after another."""
    reply = messages[place + 1] if place + 1 < len(messages) else None
    if reply is None or reply.role is not Role.USER or reply.other_speaker:
        return None
    return reply


def _find_named(
    asking: str, questions: Sequence[ForgetQuestion], split: TermSplitter
) -> list[ForgetQuestion]:
    """Return what a message asks whether to forget, in the order it names it."""
    low = asking.casefold()
    if not any(mark in low for mark in _QUESTION_MARKS) or not _FORGETTING.search(low):
        return []
    terms = frozenset(split(asking))
    found: list[tuple[int, ForgetQuestion]] = []
    for question in questions:
        own = _collect_terms(question, split)
        shared = _find_shared(own, terms, low)
        if shared and len(shared) >= min(NAMED * len(own), MOST_NAMED):
            found.append((min(low.find(term) for term in shared), question))
    return [question for _, question in sorted(found, key=lambda each: each[0])]


def _find_shared(
    own: frozenset[str], terms: frozenset[str], text: str
) -> frozenset[str]:
    """Return which terms a text holds; a Korean one may be part of a longer word."""
    return own & terms | {
        term
        for term in own
        if len(term) >= LEAST_PART and has_hangul(term) and term in text
    }


def _interpret_reply(
    reply: str, named: Sequence[ForgetQuestion], split: TermSplitter
) -> tuple[list[ForgetQuestion], list[ForgetQuestion]]:
    """Return what a reply confirms and what it declines of what was asked about.

    Whoever is asked about several things has to name what they mean, or all of them.
    """
    if len(reply) > LONGEST_ANSWER:
        return [], []
    low = reply.casefold()
    said = {_find_polarity(clause) for clause in _CLAUSE.split(low)} - {None}
    picked = _find_picked(reply, named, split)
    if said == {False}:
        return [], picked or list(named)
    if False in said:
        return [], []
    if picked:
        return picked, []
    if said and (len(named) == 1 or _ALL.search(low)):
        return list(named), []
    return [], []


def _find_polarity(clause: str) -> bool | None:
    """Return whether a clause says yes or no; "don't delete it" is a no."""
    if _NO.search(clause):
        return False
    return True if _YES.search(clause) else None


def _find_picked(
    reply: str, named: Sequence[ForgetQuestion], split: TermSplitter
) -> list[ForgetQuestion]:
    """Return what a reply names most by words that belong to it alone."""
    if len(named) == 1:
        return []
    terms = [_collect_terms(question, split) for question in named]
    said, low = frozenset(split(reply)), reply.casefold()
    shares: list[float] = []
    for place in range(len(named)):
        others = frozenset[str]().union(*(terms[:place] + terms[place + 1 :]))
        own = terms[place] - others
        shares.append(len(_find_shared(own, said, low)) / max(1, len(own)))
    least = max(max(shares) / 2, SMALLEST_SHARE)
    return [q for q, share in zip(named, shares, strict=True) if share >= least]


def _collect_terms(question: ForgetQuestion, split: TermSplitter) -> frozenset[str]:
    """Return the terms of a memory without the user, whom every memory is about."""
    return frozenset(split(remove_subject(question.content))) - _USER
