"""Known memories that say again what a change or an end is about.

What was said once may be known twice: as a memory of its own, and as a quotation. What
ends the one ends the other: "not vegan any more" left “im vegan btw” beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Self

from gieok.kernel.language import Basis, Finding, FindingOperation, KnownMemory
from gieok.models.rules.item_owners import is_of_user
from gieok.models.rules.wishes.subjects import extract_terms_and_people
from gieok.text.kiwi import Morphology
from gieok.text.patterns import compile_lazily
from gieok.text.same_wording import is_negated

_OUTDATES: Final = (FindingOperation.UPDATE, FindingOperation.DELETE)
_QUOTED: Final = compile_lazily(r"^[^“”]*“(?P<said>[^“”]+)”[^“”]*$")


def end_restated_memories(
    findings: Sequence[Finding], known: Sequence[KnownMemory], morphology: Morphology
) -> Iterator[Finding]:
    """Yield an end of each known memory that says just what a stated change outdates.

    Wishes to forget are not looked at: what they mean is weighed for each memory.
    """
    outdated = {
        each.target: each
        for each in findings
        if each.operation in _OUTDATES and each.basis is Basis.STATED and each.target
    }
    if not outdated:
        return
    named = [
        (_NamedMemory.from_content(each.content, morphology), outdated[each.id])
        for each in known
        if each.id in outdated
    ]
    settled = {each.target for each in findings}
    for other in known:
        if other.id in settled:
            continue
        for one, finding in named:
            if one.is_same(other.content, morphology):
                yield replace(
                    finding,
                    operation=FindingOperation.DELETE,
                    content=other.content,
                    category=other.category,
                    target=other.id,
                )
                break


class _NamedMemory(NamedTuple):
    """What a memory names, and how it says it."""

    terms: frozenset[str]
    people: frozenset[int]
    is_negated: bool
    is_of_user: bool

    @classmethod
    def from_content(cls, content: str, morphology: Morphology) -> Self:
        """Return what a memory names; of a quotation, what is quoted."""
        quoted = _QUOTED.match(content)
        terms, people = extract_terms_and_people(
            quoted["said"] if quoted else content, morphology
        )
        return cls(terms, people, is_negated(content), is_of_user(content))

    def is_same(self, content: str, morphology: Morphology) -> bool:
        """Tell whether another memory says just the same."""
        low = content.lower()
        words = (term for term in self.terms if not term.isdigit())
        if not any(term in low for term in words):
            return False
        return self == self.from_content(content, morphology)
