"""A table is written by its own room only (docs/reference/tables.md, decision 0020)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gieok

SRC = Path(gieok.__file__).parent
PAGE = Path(__file__).parents[2] / "docs/reference/tables.md"
ANY = "?"
"""Stands for a table that a statement takes as an argument."""
CREATED = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(\w+)")
WRITTEN = re.compile(
    r"""
    \b(?: insert\s+into | delete\s+from | truncate(?:\s+table)? | merge\s+into
        | copy(?=\s+\w+\s+from\s+stdin)
        | (?<!for\ )(?<!key\ )(?<!do\ ) update (?!\s+set\b) )
    \s+ (?:only\s+)? (?:\w+\.)? (\w+ | \{\} | $)
    """,
    re.IGNORECASE | re.VERBOSE,
)
ELSEWHERE = {"device"}
"""Rooms whose SQL is of a database of their own: the SQLite file of a device."""
DYNAMIC = {"", "{}"}
KNOWN_VIOLATIONS: set[tuple[str, str]] = set()
"""Tables and rooms that write them though they are not theirs; it only shrinks."""


class Write(NamedTuple):
    """A statement that changes rows of a table."""

    table: str
    path: str
    function: str

    @property
    def room(self) -> str:
        return self.path.split("/")[0]


def list_writes(root: Path) -> list[Write]:
    """Return every writing statement in the string literals under a folder."""
    return [
        write
        for source in sorted(root.rglob("*.py"))
        if "migrations" not in source.relative_to(root).parts
        and source.relative_to(root).parts[0] not in ELSEWHERE
        for write in _read_writes(source, source.relative_to(root).as_posix())
    ]


def _read_writes(source: Path, path: str) -> Iterator[Write]:
    tree = ast.parse(source.read_text("utf-8"))
    for function, literal in _iterate_literals(tree, ""):
        for found in WRITTEN.finditer(re.sub(r"\s+", " ", literal)):
            named = found.group(1)
            table = ANY if named in DYNAMIC else named.lower()
            yield Write(table, path, function)


def _iterate_literals(node: ast.AST, function: str) -> Iterator[tuple[str, str]]:
    """Yield the literals that are no docstrings, each with the function it is in."""
    for child in ast.iter_child_nodes(node):
        inside = function
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = child.name
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.JoinedStr):
            yield inside, "".join(map(_spell_part, child.values))
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield inside, child.value
        else:
            yield from _iterate_literals(child, inside)


def _spell_part(part: ast.expr) -> str:
    """Return a part of an f-string; a name that is one of its values counts as {}."""
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def read_page() -> tuple[dict[str, str], set[tuple[str, str]]]:
    """Return the owner of every table, and the functions that take any table."""
    tables, functions = PAGE.read_text("utf-8").split("## Statements over any table")
    owners = re.findall(r"^\| `(\w+)` \| (\w+) \|", tables, re.MULTILINE)
    takers = re.findall(r"^\| `(\S+)` `(\w+)` \|", functions, re.MULTILINE)
    assert len(owners) == len(dict(owners)), "a table stands there twice"
    return dict(owners), set(takers)


def list_violations(writes: list[Write], owners: dict[str, str]) -> list[Write]:
    """Return the statements that write what belongs to another room."""
    return [
        write
        for write in writes
        if write.table in owners and owners[write.table] != write.room
    ]


def test_a_table_is_written_by_its_own_room_only() -> None:
    owners, _ = read_page()
    found = list_violations(list_writes(SRC), owners)
    foreign = {(write.table, write.room) for write in found}
    assert foreign == KNOWN_VIOLATIONS, [
        write for write in found if (write.table, write.room) not in KNOWN_VIOLATIONS
    ]


def test_the_page_lists_every_table_and_each_is_written() -> None:
    owners, _ = read_page()
    created = {
        table
        for source in (*SRC.rglob("*.py"), *SRC.rglob("*.sql"))
        if source.relative_to(SRC).parts[0] not in ELSEWHERE
        for table in CREATED.findall(source.read_text("utf-8"))
    }
    assert owners.keys() - created == {"procrastinate_jobs"}  # the queue's own
    assert not created - owners.keys()
    unwritten = owners.keys() - {write.table for write in list_writes(SRC)}
    assert unwritten == {"checkpoint_migrations"}


def test_only_these_functions_take_any_table() -> None:
    _, takers = read_page()
    found = {(w.path, w.function) for w in list_writes(SRC) if w.table == ANY}
    assert found == takers


def test_a_planted_violation_is_found(tmp_path: Path) -> None:
    """Whatever way it is written; reading, locking and prose are none."""
    room = tmp_path / "chat"
    room.mkdir()
    (room / "store.py").write_text(
        '''
"""Prose: UPDATE sessions, INSERT INTO users."""
READ = "SELECT FROM sessions FOR UPDATE"
LOCK = """SELECT 1 FROM users FOR NO KEY
    UPDATE"""
UPSERT = "INSERT INTO chats (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2"

async def move(tx, table, column):
    """UPDATE sessions, but only in words."""
    await tx.execute("update sessions SET a = 1")
    await tx.execute(f"UPDATE ONLY gieok.session_messages SET {column} = 1")
    await tx.execute("WITH gone AS (DELETE\\n FROM recall_items) SELECT 1")
    await tx.execute("TRUNCATE users")
    await tx.execute(f"INSERT INTO {table} VALUES (1)")
    await tx.execute("DELETE FROM " + table + " WHERE true")
''',
        "utf-8",
    )
    owners, _ = read_page()
    writes = list_writes(tmp_path)
    assert [write.table for write in list_violations(writes, owners)] == [
        "sessions",
        "session_messages",
        "recall_items",
        "users",
    ]
    assert [w.function for w in writes if w.table == ANY] == ["move", "move"]
