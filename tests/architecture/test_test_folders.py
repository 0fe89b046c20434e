"""Tests stand by room, and share what they share in `tests/support`."""

import ast
from collections.abc import Iterator
from pathlib import Path

from support.paths import ROOT, TESTS

ROOMS = {path.stem for path in (ROOT / "src" / "gieok").iterdir()}
BESIDE_ROOMS = {"configuration", "surfaces"}


def list_imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_test_imports_a_test_or_a_conftest() -> None:
    tests = {path.stem for path in TESTS.rglob("test_*.py")} | {"conftest"}
    found = {
        f"{path.relative_to(TESTS)} imports {name}"
        for path in TESTS.rglob("*.py")
        for name in list_imports(path)
        if name.rpartition(".")[2] in tests and not name.startswith("support.")
    }
    assert found == set()


def test_every_folder_of_unit_and_integration_is_a_room() -> None:
    folders = {
        folder.name
        for kind in ("unit", "integration")
        for folder in (TESTS / kind).iterdir()
        if folder.is_dir() and folder.name != "__pycache__"
    }
    assert folders - ROOMS - BESIDE_ROOMS == set()


def test_tests_lie_in_folders_and_names_are_unique() -> None:
    paths = list(TESTS.rglob("test_*.py"))
    assert [path for path in paths if path.parent == TESTS] == []
    assert len({path.name for path in paths}) == len(paths)


def test_contributing_names_every_folder() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    source = ROOT / "src" / "gieok"
    folders = {
        folder.name
        for folder in (*source.iterdir(), *TESTS.iterdir())
        if folder.is_dir() and folder.name != "__pycache__"
    }
    assert {name for name in folders if f"{name}/" not in page} == set()
