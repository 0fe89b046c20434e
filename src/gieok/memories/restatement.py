"""Which memories say again what a wish to forget erased.

What was said once is often kept twice: as a memory of its own, and within a quotation
of the sentences around it. Who wants the one forgotten means the other as well, as far
as it says the same; what else a quotation says stays.

A message, a summary or a memory that lies elsewhere repeats what was erased if it holds
all of it (`is_repeating`), as nobody has told what in it the wish meant. Two other
tests look alike and weigh other errors: `models.rules.changes.restated_memories` ends a
second wording of what has changed, where too much would lose what is true, and takes
only what says just the same; `context.excerpts` leaves out of a prompt what stands in
it, where too much loses a quotation, and takes what has most of the words.
"""

from collections.abc import Iterable, Iterator, Sequence
from re import IGNORECASE
from typing import Final, NamedTuple, Self
from uuid import UUID

from gieok.memories.model import Memory
from gieok.memories.replies import TermSplitter
from gieok.text.kiwi import Morphology
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily
from gieok.text.relatives import (
    extract_relatives,
    find_subject_relatives,
    split_clauses,
)
from gieok.text.sentences import split_sentences

MIN_ELSEWHERE: Final = 2
"""Terms of an erased memory by which what another message told says it again."""
MIN_NAMED: Final = 2
"""Terms that a wish names of what it erased, by which more of the message goes."""
MIN_BESIDE_PRONOUN: Final = 2
"""Terms, beside who it is about, by which "she" is known to be the same."""
MIN_LEFT: Final = 2
"""Terms of a sentence that is worth keeping of a quotation."""
LONGEST: Final = 2_000
"""Characters of a text whose clauses are told apart; a longer one counts as a whole."""
USER: Final = frozenset({"사용자", "user"})
"""Terms by which memories and summaries name whose they are."""

_LISTS: Final = PatternFile("gieok.memories", "patterns.toml")
_PRONOUN: Final = _LISTS.compile_list("restatement.pronoun")
_ONESELF: Final = _LISTS.compile_list("restatement.oneself")
_OF_USER: Final = _LISTS.compile_list("restatement.of_user")
_REPORTED: Final = _LISTS.compile_list("restatement.reported")
_QUOTED: Final = compile_lazily(r"“(?P<said>[^“”]+)”")
_DATED: Final = compile_lazily(r"\([^()]*\d[^()]*\)")
_USER: Final = compile_lazily(
    r"사용자[의는가]?|자신의|\bthe user\b(?:['’]s)?", IGNORECASE
)


class Restatement(NamedTuple):
    """A memory that says again what was erased."""

    memory: Memory
    rest: str | None
    """What it says besides, as a memory of its own."""


class ErasedWording(NamedTuple):
    """A memory that was erased, as others are compared with it."""

    terms: tuple[str, ...]
    named: frozenset[str]
    """Terms of it that the wish names."""
    is_of_user: bool
    """Whether it says something of the user, and not of somebody of theirs."""
    message_ids: frozenset[UUID]

    @classmethod
    def from_memory(cls, memory: Memory, wish: str, split: TermSplitter) -> Self:
        """Return it with the terms that a wish shares with it."""
        terms = _split_terms(_REPORTED.sub("", memory.content), split)
        return cls(
            terms,
            frozenset(terms) & {*split(wish)},
            _OF_USER.search(memory.content) is not None,
            frozenset(memory.source_message_ids),
        )

    def is_repeated_by(self, passage: str, split: TermSplitter, *, here: bool) -> bool:
        """Tell whether a passage says it again; `here` is from the same message.

        All of its terms are there; or, of the same message, all that the wish names, or
        a pronoun stands for whom it is about.
        """
        terms = _split_terms(passage, split)
        missing = [term for term in self.terms if term not in terms]
        if not self._is_same_subject(terms):
            return False
        if not missing:
            return len(self.terms) >= (1 if here else MIN_ELSEWHERE)
        if not here:
            return False
        if len(self.named) >= MIN_NAMED and self.named <= {*terms}:
            return True
        return (
            missing == [self.terms[0]]
            and not self.is_of_user
            and len(self.terms) > MIN_BESIDE_PRONOUN
            and _PRONOUN.match(passage) is not None
        )

    def _is_same_subject(self, terms: Sequence[str]) -> bool:
        """Tell whether nobody else is named before what is said of the user."""
        return not self.is_of_user or (bool(terms) and terms[0] in self.terms)


def list_restatements(
    erased: Sequence[ErasedWording], others: Sequence[Memory], split: TermSplitter
) -> list[Restatement]:
    """Return which of other memories say again what was erased, and what else they say.

    `others` are all that came from the same messages or sessions.
    """
    repeated = {
        each.memory_id: [_is_repeated(one, each, erased, split) for one in _split(each)]
        for each in others
    }
    found = {each: parts for each, parts in repeated.items() if any(parts)}
    beside = [
        {*_split_terms(memory.content, split)}
        for memory in others
        if memory.is_active and memory.memory_id not in found
    ]
    again: list[Restatement] = []
    for memory in others:
        if memory.memory_id in found:
            parts = zip(_split(memory), found[memory.memory_id], strict=True)
            left = [passage for passage, repeats in parts if not repeats]
            kept = [*_select_left(left, erased, beside, split)]
            again.append(Restatement(memory, _render_rest(memory.content, kept)))
    return again


def is_repeating(
    text: str,
    memory: str,
    split_terms: TermSplitter,
    morphology: Morphology,
) -> bool:
    """Tell whether a text holds all that an erased memory says.

    What it tells of a relative whom the memory does not name does not count:
    "엄마가 커피를 좋아하셔서" repeats nothing that was known of its speaker.
    """
    wanted = {*split_terms(memory)} - USER
    if len(wanted) < MIN_ELSEWHERE or not wanted <= {*split_terms(text)}:
        return False
    if len(text) > LONGEST:
        return True
    named = extract_relatives(memory, morphology)
    own = (
        clause
        for sentence in split_sentences(text)
        for clause in split_clauses(sentence, morphology)
        if find_subject_relatives(clause, morphology) <= named
    )
    return wanted <= {*split_terms(" ".join(own))}


def _split(memory: Memory) -> list[str]:
    """Return the sentences that a memory quotes, or all that it says."""
    quoted = _QUOTED.findall(memory.content)
    return split_sentences(quoted[0]) if len(quoted) == 1 else [memory.content]


def _is_repeated(
    passage: str,
    memory: Memory,
    erased: Iterable[ErasedWording],
    split: TermSplitter,
) -> bool:
    return any(
        each.is_repeated_by(
            passage,
            split,
            here=not each.message_ids.isdisjoint(memory.source_message_ids),
        )
        for each in erased
    )


def _select_left(
    passages: Iterable[str],
    erased: Sequence[ErasedWording],
    beside: Sequence[set[str]],
    split: TermSplitter,
) -> Iterator[str]:
    """Yield sentences that speak of something else, which no other memory tells."""
    gone = {term for each in erased for term in each.terms}
    for passage in passages:
        terms = {*_split_terms(passage, split)}
        if (
            len(terms) >= MIN_LEFT
            and terms.isdisjoint(gone)
            and not _PRONOUN.match(passage)
            and not any(terms <= each for each in beside)
        ):
            yield passage


def _render_rest(content: str, kept: Sequence[str]) -> str | None:
    """Return a quotation of these sentences alone, or None if there are none."""
    if not kept:
        return None
    said = " ".join(kept).rstrip(".")
    return _QUOTED.sub(lambda _: f"“{said}”", content)


def _split_terms(text: str, split: TermSplitter) -> tuple[str, ...]:
    """Return the terms of a text without the user, and without dates worked out."""
    bare = _USER.sub("", _DATED.sub("", text))
    terms = split(_PRONOUN.sub("", _ONESELF.sub("", bare)))
    return tuple(dict.fromkeys(filter(None, terms)))
