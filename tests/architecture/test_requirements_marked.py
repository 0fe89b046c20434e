"""Every requirement id that a test claims to prove is one of the documents'."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent.parent
KNOWN = {
    f"{letter}{number:02d}"
    for letter, count in {"A": 22, "B": 11, "C": 10, "D": 16, "E": 24}.items()
    for number in range(1, count + 1)
}


def _is_req(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "req"


def marked(source: str) -> Iterator[object]:
    """Yield the arguments of every `req` mark."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _is_req(node.func):
            yield from (
                argument.value if isinstance(argument, ast.Constant) else None
                for argument in node.args
            )


def test_every_marked_id_exists() -> None:
    found = {
        (path.relative_to(TESTS).as_posix(), one)
        for path in TESTS.rglob("*.py")
        for one in marked(path.read_text("utf-8"))
    }
    assert len(found) > 30
    assert sorted(name for name, one in found if one not in KNOWN) == []


def test_no_mark_is_empty() -> None:
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _is_req(node.func):
                assert node.args, f"{path}:{node.lineno}"
