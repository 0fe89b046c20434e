"""Known memories that tell several facts, of which a change touches only some.

"사용자는 약사이고 남편은 기자이다" is read as two memories while it is related to what
is said; what nothing was said of goes on when the rest changes or ends.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gieok.kernel.language import Basis, Finding, FindingOperation, KnownMemory
from gieok.models.rules.changes.moves import select_part_category
from gieok.models.rules.english.joined_statements import split_joined
from gieok.models.rules.korean.wording import KoreanContext, list_memories
from gieok.text.kiwi import Morphology
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

_QUOTED: Final = compile_lazily(r"[“”\"]|라고 (?:말|답)했다")
_JOINED_KO: Final = compile_lazily(r"(?:고요?|며),? |\. ")
_SENTENCE_END: Final = compile_lazily(r"(?<=[a-z가-힣\d])\. (?=[A-Z가-힣])")
_OUTDATING: Final = (FindingOperation.UPDATE, FindingOperation.DELETE)


class JoinedMemory(NamedTuple):
    """A known memory, and the facts that it tells as memories of their own."""

    whole: KnownMemory
    parts: tuple[KnownMemory, ...]


def find_joined_memories(
    known: Iterable[KnownMemory], morphology: Morphology
) -> dict[str, JoinedMemory]:
    """Return the known memories that tell several facts, by their id."""
    found: dict[str, JoinedMemory] = {}
    for memory in known:
        contents = _split_content(memory.content, morphology)
        if len(contents) > 1:
            parts = tuple(
                KnownMemory(
                    f"{memory.id}#{place}",
                    content,
                    select_part_category(content, memory.category),
                )
                for place, content in enumerate(contents)
            )
            found[memory.id] = JoinedMemory(memory, parts)
    return found


def replace_joined(
    known: Iterable[KnownMemory], joined: Mapping[str, JoinedMemory]
) -> tuple[KnownMemory, ...]:
    """Return known memories with the facts of those that tell several."""
    return tuple(
        part
        for memory in known
        for part in (joined[memory.id].parts if memory.id in joined else (memory,))
    )


def _split_content(content: str, morphology: Morphology) -> Sequence[str]:
    """Return the facts that a memory tells, each so that it stands by itself."""
    if _QUOTED.search(content):
        return (content,)
    return [
        fact
        for sentence in _SENTENCE_END.split(content)
        for fact in _split_sentence(sentence, morphology)
    ]


def _split_sentence(sentence: str, morphology: Morphology) -> Sequence[str]:
    if not has_hangul(sentence):
        return split_joined(sentence)
    if not _JOINED_KO.search(sentence):
        return (sentence,)
    told = list_memories(sentence, KoreanContext(), morphology) or ()
    return told if len(told) > 1 else (sentence,)


def merge_joined(
    findings: Iterable[Finding], joined: Mapping[str, JoinedMemory]
) -> tuple[Finding, ...]:
    """Return findings about known memories as they are, not about their facts."""
    owners = {part.id: each for each in joined.values() for part in each.parts}
    told: list[Finding] = []
    touching: dict[str, list[Finding]] = {}
    for one in findings:
        if one.target in owners:
            touching.setdefault(owners[one.target].whole.id, []).append(one)
        else:
            told.append(one)
    for place, found in touching.items():
        told += _merge_touching(joined[place], found, {one.content for one in told})
    return tuple(sorted(told, key=lambda one: one.evidence))


def _merge_touching(
    memory: JoinedMemory, found: Sequence[Finding], told: set[str]
) -> Iterator[Finding]:
    """Yield what becomes of a memory whose facts change, end or are said again.

    What is to be forgotten goes as a whole. A new value beside what goes on is a memory
    of its own.
    """
    whole = memory.whole
    wishes = [one for one in found if one.basis is Basis.REQUESTED]
    changes = [one for one in found if one.operation in _OUTDATING]
    first = (wishes or changes or found)[0]
    gone = {one.target for one in changes}
    rest = [part for part in memory.parts if part.id not in gone]
    if wishes or not changes:
        yield replace(first, target=whole.id, content=whole.content)
    elif rest:
        yield replace(
            first,
            operation=FindingOperation.UPDATE,
            target=whole.id,
            content=". ".join(part.content for part in rest),
            category=rest[0].category if len(rest) == 1 else whole.category,
        )
    else:
        yield replace(first, target=whole.id)
    for one in changes if not wishes else ():
        is_told = one.content in told or (one is first and not rest)
        if one.operation is FindingOperation.UPDATE and not is_told:
            yield replace(one, operation=FindingOperation.ADD, target=None)
