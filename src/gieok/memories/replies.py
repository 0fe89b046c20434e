"""Which clauses of a reply answer a question whether something is to be forgotten.

Only a clear answer may erase. A clause answers if it holds nothing but words of a yes
or a no, of the question, and small ones. Whoever says a bare yes and goes on about
something else ("right, but what time is it") may only have heard; the yes counts where
it is a sentence of its own, or the rest is added to it ("yes, and what time is it?").
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

LONGEST_ANSWER: Final = 200
"""Characters; a longer message says more than an answer to a question."""
MIN_PART: Final = 2
"""Letters of a Korean term that counts as part of a longer word."""
QUESTION_MARKS: Final = ("?", "？")
LISTS: Final = PatternFile("gieok.memories", "answers.toml")
NO: Final = LISTS.build_vocabulary("no")
YES: Final = LISTS.build_vocabulary("yes")
ALL: Final = LISTS.build_vocabulary("all")
BOTH: Final = LISTS.build_vocabulary("both")
PART: Final = LISTS.build_vocabulary("part")
PLACES: Final = {
    0: LISTS.build_vocabulary("first"),
    1: LISTS.build_vocabulary("second"),
    2: LISTS.build_vocabulary("third"),
    -1: LISTS.build_vocabulary("last"),
}
_BESIDE: Final = LISTS.build_vocabulary("beside")
_CLEAR: Final = LISTS.build_vocabulary("clear")
_EXPLICIT: Final = LISTS.build_vocabulary("explicit")
_UNSURE: Final = LISTS.build_vocabulary("unsure")
_TURNING: Final = LISTS.build_vocabulary("turning")
_ADDING: Final = LISTS.build_vocabulary("adding")
_CLAUSE: Final = compile_lazily(r"([^.,!?;…\n。，！？]+)([.,!?;…\n。，！？]*)")
_SENTENCE_ENDS: Final = frozenset(".!\n。！")
_MARKS: Final = " ~ㅋㅎㅠㅜ^'\"’:)-"

TermSplitter = Callable[[str], Sequence[str]]
"""Splits a text into the terms by which it is searched."""


class _Clause(NamedTuple):
    """A clause of a reply."""

    text: str
    answers: bool
    """Whether it says nothing but an answer."""
    asks: bool
    is_sentence: bool
    """Whether a sentence ends with it."""
    is_turn: bool
    """Whether it turns to something else: "but", "그나저나"."""
    is_added: bool
    """Whether it adds something: "and", "그리고"."""


def select_answers(
    reply: str, echoed: Collection[str], split: TermSplitter
) -> list[str]:
    """Return the clauses of a reply that answer, in lower case; none if it is unclear.

    `echoed` are the terms of the question, and of what it asks about.
    """
    if len(reply) > LONGEST_ANSWER:
        return []
    clauses = _split_reply(reply.casefold(), echoed, split)
    told = [each for each in clauses if not each.asks]
    if any(_UNSURE.search(each.text) for each in told):
        return []
    turns = (n for n, each in enumerate(clauses) if each.is_turn or not each.answers)
    other = next(turns, len(clauses))
    opening, rest = clauses[:other], clauses[other:]
    is_clear = not rest or _is_clear(opening, rest[0])
    return [
        each.text
        for place, each in enumerate(clauses)
        if each.answers and not each.asks
        if _is_explicit(each.text) or (is_clear and place < other)
    ]


def _is_clear(opening: Sequence[_Clause], rest: _Clause) -> bool:
    """Tell whether an answer stands by itself before something else is said."""
    if rest.is_turn or not opening or not _CLEAR.search(opening[0].text):
        return False
    return opening[-1].is_sentence or rest.is_added


def _is_explicit(clause: str) -> bool:
    """Tell whether an answer says what is to be done, or with which of several."""
    return any(each.search(clause) for each in (_EXPLICIT, BOTH, *PLACES.values()))


def _split_reply(
    reply: str, echoed: Collection[str], split: TermSplitter
) -> list[_Clause]:
    """Return the clauses of a reply; words that turn or add begin a new one."""
    found: list[_Clause] = []
    for match in _CLAUSE.finditer(reply):
        said, signs = match.groups()
        cuts = {
            m.start() for words in (_TURNING, _ADDING) for m in words.finditer(said)
        }
        places = sorted({0, len(said), *cuts})
        parts = [said[a:b] for a, b in pairwise(places)]
        for place, part in enumerate(parts):
            is_last = place == len(parts) - 1
            found.append(
                _Clause(
                    part,
                    _is_answer_alone(part, echoed, split),
                    is_last and signs[:1] in QUESTION_MARKS,
                    is_last and not _SENTENCE_ENDS.isdisjoint(signs),
                    _TURNING.match(part.lstrip()) is not None,
                    _ADDING.match(part.lstrip()) is not None,
                )
            )
    return [each for each in found if each.text.strip(_MARKS)]


def _is_answer_alone(clause: str, echoed: Collection[str], split: TermSplitter) -> bool:
    """Tell whether a clause holds nothing but an answer, and words of the question."""
    own = [word for word in clause.split() if not _is_echo(word, echoed, split)]
    lists = (_TURNING, _ADDING, *PLACES.values(), BOTH, ALL, PART)
    return has_only(" ".join(own), *lists)


def has_only(clause: str, *lists: re.Pattern[str]) -> bool:
    """Tell whether a clause holds nothing but words of lists, and small ones."""
    for words in (*lists, NO, YES, _BESIDE):
        clause = words.sub(" ", clause)
    return not clause.strip(_MARKS)


def _is_echo(word: str, echoed: Collection[str], split: TermSplitter) -> bool:
    """Tell whether a word of a reply is one of the question's; Korean ones inflect."""
    terms = split(word)
    if terms and all(term in echoed for term in terms):
        return True
    long = (term for term in echoed if len(term) >= MIN_PART and has_hangul(term))
    return any(word.startswith(term) for term in long)
