"""What `import gieok` gives, and what it does not load."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gieok
from gieok.kernel import errors
from support.paths import ROOT

SERVER_PARTS = ["psycopg", "fastapi", "numpy", "alembic", "procrastinate", "kiwipiepy"]


def exported() -> list[str]:
    return list(gieok.__all__)


@pytest.mark.parametrize("name", exported())
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(gieok, name) is not None


def test_the_list_is_sorted_complete_and_without_doubles() -> None:
    names = exported()
    assert len(set(names)) == len(names)
    constants = [name for name in names if name.isupper()]
    classes = [name for name in names if name[0].isupper() and not name.isupper()]
    functions = [name for name in names if name.islower()]
    assert names == sorted(constants) + sorted(classes) + sorted(functions)


def test_type_checkers_see_the_same_names() -> None:
    source = Path(gieok.__file__).read_text("utf-8")
    block = source.partition("if TYPE_CHECKING:\n")[2].partition("\nelse:")[0]
    imported = {
        name.strip(" (),")
        for line in block.splitlines()
        for name in line.partition(" import ")[2].split(",") or [line]
    }
    assert set(exported()) <= imported | {
        line.strip(" ,") for line in block.splitlines()
    }


def test_every_error_that_the_guides_name_can_be_imported() -> None:
    guides = (ROOT / "docs" / "howto").glob("*.md")
    named = {
        name
        for guide in guides
        for name in re.findall(r"\b[A-Z]\w+Error\b", guide.read_text("utf-8"))
    }
    ours = {name for name in named if hasattr(errors, name)}
    assert ours, "the guides name errors"
    assert ours <= set(exported())


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(gieok, "nonsense")  # noqa: B009 - not for the type checker


@pytest.mark.parametrize(
    "statement",
    [
        "import gieok",
        "import gieok.kernel.errors, gieok.kernel.scope",
    ],
)
def test_importing_gieok_alone_loads_nothing_of_the_server(statement: str) -> None:
    program = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & set(SERVER_PARTS)
