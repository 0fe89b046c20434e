"""SQL files cut into statements, and values spelled for PostgreSQL."""

import json
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gieok.database
from gieok.database.arrays import to_bytes_array_literal, to_text_array_literal
from gieok.database.rows import encode_rows
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


def test_an_array_of_texts_holds_them_as_they_are() -> None:
    spelled = to_text_array_literal(["a b", None, 'say "hi"', "back\\slash", "{,}"])
    assert spelled == r"""{"a b",NULL,"say \"hi\"","back\\slash","{,}"}"""


def test_an_array_of_bytes_spells_each_in_hex() -> None:
    assert (
        to_bytes_array_literal([b"\xff0", None, b""]) == r"""{"\\xff30",NULL,"\\x"}"""
    )


def test_rows_spell_out_ids_times_and_bytes() -> None:
    row = {"id": UUID(int=1), "at": datetime(2026, 1, 2, tzinfo=UTC), "sealed": b"\xff"}
    [read] = json.loads(encode_rows([row | {"n": 1, "none": None}]))
    assert read == {
        "id": "00000000-0000-0000-0000-000000000001",
        "at": "2026-01-02T00:00:00+00:00",
        "sealed": r"\xff",
        "n": 1,
        "none": None,
    }


def test_a_row_of_anything_else_is_refused() -> None:
    with pytest.raises(TypeError):
        encode_rows([{"n": object()}])
