"""The code speaks the glossary's language: verbs with objects, each type once."""

import re
from collections import Counter

import pytest
from vocabulary import SOURCE, Name, find_faults, iterate_names, read_verbs

VERBS = read_verbs()


def names() -> list[Name]:
    """Return every function, method and class of the library."""
    return [
        name
        for file in sorted(SOURCE.rglob("*.py"))
        for name in iterate_names(
            str(file.relative_to(SOURCE)), file.read_text("utf-8")
        )
    ]


def test_every_name_is_in_the_vocabulary() -> None:
    faults = [fault for name in names() for fault in find_faults(name, VERBS)]
    assert not faults, "\n".join(faults)


def test_a_limit_is_a_minimum_or_a_maximum() -> None:
    superlative = re.compile(
        r"^_?(?:MOST|LEAST|FEWEST|LARGEST)_[A-Z0-9_]+\b", re.MULTILINE
    )
    faults = [
        f"{file.relative_to(SOURCE)}: {found}"
        for file in sorted(SOURCE.rglob("*.py"))
        for found in superlative.findall(file.read_text("utf-8"))
    ]
    assert not faults, "\n".join(faults)


def test_a_file_is_named_after_what_is_in_it() -> None:
    nothing = {"utils", "helpers", "common", "manager", "base", "steps", "misc"}
    assert not [file for file in SOURCE.rglob("*.py") if file.stem in nothing]


def test_a_type_is_declared_once() -> None:
    declared = Counter(
        name.qualified for name in names() if name.is_type and name.is_public
    )
    assert {name: count for name, count in declared.items() if count > 1} == {}


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("class Held: ...", "retired word: held"),
        ("class TextsKept: ...", "retired word: kept"),
        ("def told(x): ...", "retired word: told"),
        ("def _last_said(x): ...", "retired word: said"),
        ("def newest(x): ...", "does not open with an approved verb"),
        ("class A:\n def pairs(self): ...", "does not open with an approved verb"),
        ('def is_new(tx): tx.execute("DELETE FROM jobs")', "predicate, and writes"),
        (
            'async def has_room(tx):\n await tx.execute("UPDATE jobs SET a = 1")',
            "predicate, and writes",
        ),
    ],
)
def test_a_planted_fault_is_seen(planted: str, fault: str) -> None:
    found = [
        each
        for name in iterate_names("planted.py", planted)
        for each in find_faults(name, VERBS)
    ]
    assert len(found) >= 1
    assert fault in "\n".join(found)


@pytest.mark.parametrize(
    "fine",
    [
        "def mask_text(text): ...",
        "def is_idle(session): ...",
        "class A:\n @property\n def pairs(self): ...",
        "class PersonIndex: ...",
        "def to_utterance(message): ...",
    ],
)
def test_what_is_in_the_vocabulary_passes(fine: str) -> None:
    assert not [
        each
        for name in iterate_names("fine.py", fine)
        for each in find_faults(name, VERBS)
    ]
