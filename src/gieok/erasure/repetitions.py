"""Which texts say again what an erased memory said."""

from collections.abc import Callable, Sequence
from typing import Final

from gieok.text.kiwi import Morphology
from gieok.text.relatives import (
    extract_relatives,
    find_subject_relatives,
    split_clauses,
)
from gieok.text.sentences import split_sentences

FEWEST_TERMS: Final = 2
"""Terms of an erased memory by which a text may repeat it."""
LONGEST: Final = 2_000
"""Characters of a text whose clauses are told apart; a longer one counts as a whole."""
USER: Final = frozenset({"사용자", "user"})
"""Terms by which memories and summaries name whose they are."""


def is_repeating(
    text: str,
    memory: str,
    split_terms: Callable[[str], Sequence[str]],
    morphology: Morphology,
) -> bool:
    """Tell whether a text holds all that an erased memory says.

    What it tells of a relative whom the memory does not name does not count:
    "엄마가 커피를 좋아하셔서" repeats nothing that was known of its speaker.
    """
    wanted = {*split_terms(memory)} - USER
    if len(wanted) < FEWEST_TERMS or not wanted <= {*split_terms(text)}:
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
