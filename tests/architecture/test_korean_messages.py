"""Every phrase that an error may carry can be said in Korean."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import gieok
from gieok.locale.phrases import to_korean

SOURCE = Path(gieok.__file__).parent
SPOKEN = {
    "InvalidInputError",
    "NotFoundError",
    "ConflictError",
    "NotPermittedError",
    "AuthenticationError",
    "refuse",
}
"""Errors that a person meets; what stops a process at its start is for operators."""


def phrases() -> Iterator[tuple[str, str]]:
    """Yield the last argument of every such error, with 7 in place of values."""
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        named: dict[str, ast.expr] = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and target.id in {"reason", "thing"}
        }
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in SPOKEN and node.args:
                for phrase in spelled(node.args[-1], named):
                    yield f"{file.relative_to(SOURCE)}:{node.lineno}", phrase


def spelled(node: ast.expr, named: dict[str, ast.expr]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "7"
            for part in node.values
        )
    elif isinstance(node, ast.Name) and node.id in named:
        yield from spelled(named[node.id], {})


FOUND = sorted(set(phrases()))


def test_there_are_phrases_to_check() -> None:
    assert len(FOUND) > 25


@pytest.mark.parametrize(("place", "phrase"), FOUND)
def test_a_phrase_has_a_korean_form(place: str, phrase: str) -> None:
    korean = to_korean(phrase)
    assert any("가" <= letter <= "힣" for letter in korean), f"{place}: {phrase}"
