"""What people say stands as data beside a room, not in its code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/gieok"
WORD = re.compile(r"[가-힣ㄱ-ㅎ]+|[A-Za-z]{2,}")
NO_WORD = re.compile(r"\\[A-Za-z]|\(\?P?<\w+>")
MOST = 17
"""Words of an expression that says how something is written, rather than a list."""
ALLOWED = {
    "pii/passwords.py": "what may stand between a word and the value it announces",
    "models/rules/secrets.py": "shapes of numbers, with a comment on each",
}

WHOLE = {"topics", "number_rules", "utterance_slots", "feelings", "en", "ko"}
"""Files that are read as a whole."""


def find_lists(source: str) -> Iterator[str]:
    """Yield what is wrong with how a source file holds words."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        literals = [one for one in node.args if isinstance(one, ast.Constant)]
        texts = [one.value for one in literals if isinstance(one.value, str)]
        if called == "build_vocabulary" and texts:
            yield f"line {node.lineno}: {called} of words that stand in code"
        if called == "compile_lazily":
            words = WORD.findall(NO_WORD.sub(" ", " ".join(texts)))
            if len(words) > MOST:
                yield f"line {node.lineno}: an expression of {len(words)} words"


def test_words_stand_in_files_beside_their_room() -> None:
    faults = [
        f"{file.relative_to(SOURCE)}, {fault}"
        for file in sorted(SOURCE.rglob("*.py"))
        if str(file.relative_to(SOURCE)) not in ALLOWED
        for fault in find_lists(file.read_text("utf-8"))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "planted",
    [
        'build_vocabulary("폰, 전화")',
        f'compile_lazily(r"{"|".join(["바다"] * 9 + ["sea"] * 9)}")',
    ],
)
def test_a_planted_list_is_seen(planted: str) -> None:
    assert list(find_lists(planted))


def test_every_list_is_asked_for_by_its_room() -> None:
    """A part of a list goes with it; some are asked for by a name put together."""
    for file in sorted(SOURCE.rglob("*.toml")):
        room = SOURCE / file.relative_to(SOURCE).parts[0]
        code = "".join(one.read_text("utf-8") for one in room.rglob("*.py"))
        tables = re.findall(r"^\[([\w.]+)\]", file.read_text("utf-8"), re.MULTILINE)
        unread = [
            table
            for table in tables
            if table.rpartition(".")[2] not in {"values", "rewrites", "parts"}
            and not re.search(rf"""["']{re.escape(table)}["']""", code)
            and f'f"{table.rpartition(".")[0]}.{{' not in code
        ]
        assert file.stem in WHOLE or not unread, file


READERS = frozenset(
    {"get_words", "get_word_list", "get_forms", "get_numbers", "get_spellings"}
    | {"compile_list", "build_vocabulary", "rewrite"}
)


def find_read_lists(source: str) -> Iterator[tuple[str, ...]]:
    """Yield the package, file and name of each list that a module reads."""
    tree = ast.parse(source)
    files = {
        ast.unparse(target): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        file = files.get(ast.unparse(node.func.value)) or node.func.value
        if node.func.attr in READERS and ast.unparse(file).startswith("PatternFile("):
            named = (*file.args, node.args[0]) if isinstance(file, ast.Call) else ()
            if all(isinstance(one, ast.Constant) for one in named):
                yield tuple(map(ast.literal_eval, named))


def test_a_list_is_read_by_one_module() -> None:
    """Others import what it makes of it, so that a list has one name in the code."""
    readers: dict[tuple[str, ...], set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for name in find_read_lists(file.read_text("utf-8")):
            readers.setdefault(name, set()).add(str(file.relative_to(SOURCE)))
    shared = {name: sorted(by) for name, by in readers.items() if len(by) > 1}
    assert len(readers) > 100
    assert not shared
