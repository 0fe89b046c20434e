"""SQL files cut into statements."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gieok.database
from gieok.database.statements import split_statements, to_one_line
from gieok.sessions.capture_store import RECORD

MIGRATIONS = Path(gieok.database.__file__).parent / "migrations" / "versions"


@pytest.mark.parametrize(
    ("script", "statements"),
    [
        ("", []),
        (" ;; \n;", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\nSELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("-- one; two\nSELECT 1; -- three;\n", ["SELECT 1"]),
        ("SELECT\n  1 -- why\n;", ["SELECT\n  1"]),
    ],
)
def test_statements_are_cut_at_semicolons_outside_comments(
    script: str, statements: list[str]
) -> None:
    assert list(split_statements(script)) == statements


@given(st.lists(st.from_regex(r"[A-Z][A-Z (),\n]*[A-Z]", fullmatch=True)))
def test_joined_statements_come_apart_again(statements: list[str]) -> None:
    assert list(split_statements(";\n".join(statements))) == statements


@pytest.mark.parametrize(
    "script", sorted(MIGRATIONS.glob("*.sql")), ids=lambda p: p.name
)
def test_every_migration_is_cut_into_whole_statements(script: Path) -> None:
    for statement in split_statements(script.read_text("utf-8")):
        assert statement.startswith(
            ("CREATE ", "ALTER ", "DROP ", "INSERT ", "UPDATE ", "GRANT ")
        )
        assert statement.count("(") == statement.count(")")
        assert statement.count("'") % 2 == 0


def test_one_line_changes_nothing_but_the_space_between_words() -> None:
    assert to_one_line("\n  SELECT 1,\n\t 2 ") == "SELECT 1, 2"


def test_the_statement_of_every_turn_is_one_the_driver_keeps_parsed() -> None:
    assert len(RECORD) <= 4096
