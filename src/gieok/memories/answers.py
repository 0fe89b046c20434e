"""What somebody answers who was asked whether a memory is what they want forgotten.

A wish that may mean several things erases nothing; what it may mean is asked about, by
an app's agent in its own words. So a question is known by three things: it asks, it is
about forgetting, and it names the memory. The answer is the person's next message.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from gieok.kernel.language import Role
from gieok.memories.claims import ForgetQuestion
from gieok.memories.replies import (
    ALL,
    BOTH,
    LISTS,
    MIN_PART,
    NO,
    PART,
    PLACES,
    QUESTION_MARKS,
    YES,
    TermSplitter,
    has_only,
    select_answers,
)
from gieok.sessions import Message
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import remove_subject

NAMED: Final = 0.5
"""Share of a memory's terms that a question which names it holds at least."""
SEVERAL_NAMED: Final = 2
SEVERAL_SHARE: Final = 1 / 3
"""Share that is enough where it is several terms."""
MAX_NAMED: Final = 4
"""Terms that are enough; of a long message an agent names as many as it needs."""
SMALLEST_SHARE: Final = 0.1
"""Share of a memory's own terms by which a reply may name it among others."""
MAX_BOTH: Final = 2
"""Things that "both" may mean."""
_FORGETTING: Final = LISTS.build_vocabulary("forgetting")
_CHOICE: Final = LISTS.build_vocabulary("choice")
_SENTENCE: Final = compile_lazily(r"[^.!?…\n。！？]+[?？]?")
_USER: Final = frozenset({"사용자", "user"})


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


class _Inquiry(NamedTuple):
    """What a message asks whether to forget."""

    questions: list[ForgetQuestion]
    is_ordered: bool = False
    """Whether it is known which is named first."""
    is_choice: bool = False
    """Whether it asks which of them, so that a yes means none for sure."""
    terms: frozenset[str] = frozenset()
    """Terms of the question, and of what it asks about: a reply may repeat them."""


class _Naming(NamedTuple):
    """By which of its terms a message names a memory."""

    question: ForgetQuestion
    own: frozenset[str]
    shared: frozenset[str]

    @property
    def share(self) -> float:
        """Share of all of these terms that the message holds."""
        return len(self.shared) / max(1, len(self.own | self.shared))

    def is_enough(self) -> bool:
        """Tell whether these terms name the memory."""
        count = len(self.shared)
        least = NAMED if count < SEVERAL_NAMED else SEVERAL_SHARE
        return count > 0 and (self.share >= least or count >= MAX_NAMED)

    def has_more(self, other: "_Naming") -> bool:
        """Tell whether another's words are all among these, which name this better."""
        sizes = len(self.shared), self.share
        return other.shared <= self.shared and sizes > (len(other.shared), other.share)


def find_answers(
    messages: Sequence[Message],
    questions: Sequence[ForgetQuestion],
    unread: Collection[UUID],
    split: TermSplitter,
) -> QuestionAnswers:
    """Return what the person answered in messages that nobody has read yet.

    `messages` are a session's, in order; `unread` the ids of those that are new. What
    was confirmed among several things that one wish may have meant declines the others
    that were asked about with it.
    """
    open_ = {question.candidate_id: question for question in questions}
    confirmed: list[ForgetQuestion] = []
    declined: list[ForgetQuestion] = []
    answers: set[UUID] = set()
    asked: dict[UUID, ForgetQuestion] = {}
    for place, message in enumerate(messages):
        if message.role is not Role.ASSISTANT:
            continue
        asking = _find_inquiry(message.content, [*open_.values()], split)
        named = asking.questions
        asked |= {question.candidate_id: question for question in named}
        reply = _get_reply(messages, place)
        if reply is None or reply.message_id not in unread or not named:
            continue
        yes, no = _interpret_reply(reply.content, asking, split)
        siblings = {question.wish for question in yes}
        no += [q for q in named if q.wish in siblings and q not in yes]
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


def _find_inquiry(
    asking: str, questions: Sequence[ForgetQuestion], split: TermSplitter
) -> _Inquiry:
    """Return what a message asks whether to forget, in the order it names it."""
    low = asking.casefold()
    if not any(mark in low for mark in QUESTION_MARKS) or not _FORGETTING.search(low):
        return _Inquiry([])
    terms = split(asking)
    namings = [_find_naming(each, terms, low, split) for each in questions]
    named = [each for each in namings if _is_named(each, namings, low)]
    places = [_find_place(each, named, terms) for each in named]
    order = sorted(range(len(named)), key=places.__getitem__)
    known = frozenset[str]().union(*(each.shared for each in named))
    return _Inquiry(
        [named[each].question for each in order],
        is_ordered=len({*places, len(terms)}) > len(places)
        and all(each.shared <= known for each in namings),
        is_choice=_CHOICE.search(low) is not None,
        terms=_collect_repeated(asking, [each.question for each in named], split),
    )


def _collect_repeated(
    asking: str, questions: Sequence[ForgetQuestion], split: TermSplitter
) -> frozenset[str]:
    """Return the terms of a message's questions, and of what they ask about."""
    sentences = _SENTENCE.findall(asking)
    asked = [each for each in sentences if each.endswith(QUESTION_MARKS)]
    asked += [question.content for question in questions]
    return frozenset(term for each in asked for term in split(each)) - _USER


def _find_naming(
    question: ForgetQuestion, terms: Sequence[str], low: str, split: TermSplitter
) -> _Naming:
    """Return what a message says of a memory; also a part of one of its words."""
    own = _collect_terms(question, split)
    parts = _find_parts(frozenset(terms), question.content.casefold())
    return _Naming(question, own, _find_shared(own, frozenset(terms), low) | parts)


def _is_named(naming: _Naming, namings: Sequence[_Naming], low: str) -> bool:
    """Tell whether a memory is named, and not only one that says the same and more.

    Of two that share their words the smaller is named as well if they are said twice.
    """
    if not naming.is_enough():
        return False
    is_repeated = any(low.count(term) > 1 for term in naming.shared)
    if naming.own <= naming.shared and is_repeated:
        return True
    return not any(other.has_more(naming) for other in namings)


def _find_place(naming: _Naming, named: Sequence[_Naming], terms: Sequence[str]) -> int:
    """Return where a message names what belongs to one memory; its end if nowhere."""
    others = [each.shared for each in named if each is not naming]
    alone = naming.shared.difference(*others)
    places = (
        place
        for place, term in enumerate(terms)
        if term in alone or _find_parts(alone, term)
    )
    return next(places, len(terms))


def _find_shared(
    own: frozenset[str], terms: frozenset[str], text: str
) -> frozenset[str]:
    """Return which terms a text holds; a Korean one may be part of a longer word."""
    return own & terms | _find_parts(own, text)


def _find_parts(terms: frozenset[str], text: str) -> frozenset[str]:
    """Return which Korean terms stand in a text, be it within a word."""
    long = (term for term in terms if len(term) >= MIN_PART and has_hangul(term))
    return frozenset(term for term in long if term in text)


def _interpret_reply(
    reply: str, asked: _Inquiry, split: TermSplitter
) -> tuple[list[ForgetQuestion], list[ForgetQuestion]]:
    """Return what a reply confirms and what it declines of what was asked about.

    What does not clearly answer says nothing, and a yes beside a no neither.
    """
    told = select_answers(
        _trim_repeated(reply, asked.questions, split), asked.terms, split
    )
    refused = [each for each in told if NO.search(each)]
    if not refused:
        return _find_confirmed(told, asked, split), []
    other = [each for each in told if each not in refused]
    if any(map(YES.search, other)) or _find_confirmed(other, asked, split):
        return [], []
    return [], _find_picked(refused, asked, split) or list(asked.questions)


def _trim_repeated(
    reply: str, named: Sequence[ForgetQuestion], split: TermSplitter
) -> str:
    """Return a reply with what it repeats word for word put down by its terms alone.

    A button says "The user works at Barclays", of which "user" and "at" are no answer.
    """
    said = reply.casefold()
    for question in sorted(named, key=lambda each: -len(each.content)):
        content = question.content.casefold().rstrip(".")
        terms = (term for term in split(content) if term not in _USER)
        said = said.replace(content, " ".join(terms))
    return said


def _find_confirmed(
    clauses: Sequence[str], asked: _Inquiry, split: TermSplitter
) -> list[ForgetQuestion]:
    """Return what clauses without a no mean of what was asked about.

    A yes alone means all of it; where the question was which, "all" has to be said.
    """
    named = list(asked.questions)
    if not any(map(BOTH.search, clauses)):
        picked = _find_picked(clauses, asked, split)
        if picked or _list_places(clauses):
            return picked
    elif len(named) > MAX_BOTH:
        return []
    if any(map(_has_all, clauses)):
        return named
    agreed = [each for each in clauses if YES.search(each)]
    is_part = any(map(PART.search, clauses)) or not all(map(has_only, agreed))
    if len(named) > 1 and (asked.is_choice or is_part):
        return []
    return named if agreed else []


def _has_all(clause: str) -> bool:
    """Tell whether a clause agrees to all of it; "both" alone does."""
    if not (ALL.search(clause) or BOTH.search(clause)):
        return False
    return bool(YES.search(clause)) or has_only(clause, BOTH, ALL)


def _list_places(clauses: Sequence[str]) -> list[int]:
    """Return which of what was asked about an answer counts out; -1 is the last."""
    return [
        place
        for place, words in PLACES.items()
        if any(words.search(each) and has_only(each, words, PART) for each in clauses)
    ]


def _find_picked(
    clauses: Sequence[str], asked: _Inquiry, split: TermSplitter
) -> list[ForgetQuestion]:
    """Return what clauses count out, or name most by words that belong to it alone."""
    named = asked.questions
    if len(named) <= 1:
        return []
    places = _list_places(clauses)
    if places:
        is_known = asked.is_ordered and max(places) < len(named)
        picked = {place % len(named) for place in places} if is_known else set[int]()
        return [named[place] for place in sorted(picked)]
    text = ". ".join(clauses)
    said = frozenset(split(text))
    shares: list[float] = []
    for question in named:
        own = _collect_terms(question, split)
        for other in named:
            if other is not question:
                own -= _find_shared(
                    own, _collect_terms(other, split), other.content.casefold()
                )
        shares.append(len(_find_shared(own, said, text)) / max(1, len(own)))
    least = max(max(shares) / 2, SMALLEST_SHARE)
    return [q for q, share in zip(named, shares, strict=True) if share >= least]


def _collect_terms(question: ForgetQuestion, split: TermSplitter) -> frozenset[str]:
    """Return the terms of a memory without the user, whom every memory is about."""
    return frozenset(split(remove_subject(question.content))) - _USER
