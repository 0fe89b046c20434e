"""What routes depend on is read at once: FastAPI gives a plain function a thread."""

import ast
from collections.abc import Iterator
from pathlib import Path

SURFACES = Path(__file__).parents[2] / "src" / "gieok" / "surfaces"


def walk() -> Iterator[ast.AST]:
    for path in SURFACES.rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def test_no_dependency_of_a_route_takes_a_thread() -> None:
    wanted = {
        node.args[0].id
        for node in walk()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Depends"
        and isinstance(node.args[0], ast.Name)
    }
    at_once = {node.name for node in walk() if isinstance(node, ast.AsyncFunctionDef)}
    assert {"get_gieok", "_resolve_caller"} <= wanted
    assert wanted - at_once == set(), "a thread costs every request 0.2 ms"
