"""What starts fast stays fast: `gieok --help` and opening memory import little."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gieok

HEAVY = {
    "alembic",
    "cryptography",
    "fastapi",
    "kiwipiepy",
    "langgraph",
    "numpy",
    "procrastinate",
    "psycopg",
    "pydantic",
    "pydantic_ai",
    "sqlalchemy",
    "structlog",
    "uvicorn",
}
HELP = "from gieok.surfaces.cli.app import execute; execute(['--help'])"
OPEN = "from gieok import ALL_CATEGORIES, Memory, Turn, open_memory; open_memory()"
PACKAGES = sorted(
    source.parent.name
    for source in Path(gieok.__file__).parent.glob("*/__init__.py")
    if "export_lazily" in source.read_text("utf-8")
)


def list_imports(statement: str) -> set[str]:
    program = (
        "import contextlib, io, sys\n"
        f"with contextlib.redirect_stdout(io.StringIO()): {statement}\n"
        "print(*sys.modules)"
    )
    return set(run_program(program))


def run_program(program: str) -> list[str]:
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("statement", "most_modules"), [("import gieok", 5), (OPEN, 58), (HELP, 60)]
)
def test_the_front_door_imports_little(statement: str, most_modules: int) -> None:
    imported = list_imports(statement)
    assert not imported & HEAVY
    ours = {name for name in imported if name.split(".")[0] == "gieok"}
    assert len(ours) <= most_modules, sorted(ours)


def test_a_command_imports_no_other() -> None:
    imported = list_imports("from gieok.surfaces.cli.app import execute; execute([])")
    assert "gieok.surfaces.cli.memories" not in imported
    called = list_imports(
        "from gieok.surfaces.cli.app import execute; execute(['erase', '--help'])"
    )
    assert "gieok.surfaces.cli.erase" in called
    assert "gieok.surfaces.cli.memories" not in called


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_package_is_found_when_used(package: str) -> None:
    module = import_module(f"gieok.{package}")
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        module.nonsense  # noqa: B018


def test_no_module_compiles_an_expression_while_it_is_imported() -> None:
    assert list_compiling_modules("import gieok.bootstrap, gieok.surfaces.rest") == []


def test_a_module_that_compiles_an_expression_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "gieok_planted.py"
    planted.write_text("import re\nA = [re.compile('a')]\n")
    statement = f"sys.path.append({str(tmp_path)!r}); import gieok_planted"
    assert list_compiling_modules(statement) == ["gieok_planted"]


def list_compiling_modules(statement: str) -> list[str]:
    """Return which modules of ours call `re.compile` while a statement runs."""
    program = (
        "import re, sys\n"
        "compile, callers = re.compile, set()\n"
        "def note(*arguments, **options):\n"
        "    callers.add(sys._getframe(1).f_globals['__name__'])\n"
        "    return compile(*arguments, **options)\n"
        f"re.compile = note\n{statement}\nprint(*sorted(callers))"
    )
    return [name for name in run_program(program) if name.startswith("gieok")]
