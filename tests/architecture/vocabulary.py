"""Reads the names of a source file and says which break the vocabulary.

The approved verbs stand in docs/glossary.md; a function or method is a verb and its
object, a property, or a predicate that only reads.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/gieok"
GLOSSARY = ROOT / "docs/glossary.md"
PREDICATES = frozenset({"is", "has", "can", "should", "needs"})
CONVERSIONS = frozenset({"from", "to", "as"})
RETIRED = frozenset(
    {
        *("held", "told", "said", "asked", "kept", "ground", "grounds", "sum", "sums"),
        *("standing", "following", "taking", "fit", "again", "outlived", "rested"),
    }
)
OUTSIDE = frozenset(
    {
        *("queries", "passages", "query", "passage", "terms", "message"),  # our ports
        *("connection", "transaction", "_cursor", "setup"),  # psycopg and its pool
        *("upgrade", "downgrade"),  # alembic
        *("stemWord", "aclose", "batch", "dumps_typed", "loads_typed"),
        *("_dump_blobs", "_dump_writes"),  # langgraph's saver
        *("fetchone", "fetchall", "executemany", "changes"),  # apsw
        *("connection_made", "data_received", "connection_lost"),  # asyncio
        *("main", "worker", "token", "chat", "demo", "doctor", "rollback"),  # commands
        *("context_block", "memory_retrieval", "memory_extraction", "system_message"),
        *("echo", "babble", "no_guard", "plain_gist", "confidence_at", "state"),
        "outcome",
    }
)
"""Names that another library, a command, a graph or a reader's code asks for."""
WRITES = re.compile(r"\b(?:INSERT INTO|UPDATE [a-z_]+\s+SET|DELETE FROM)\b")
REGISTERED = ("command", "callback", "router.", "middleware", "validator", "override")
"""Decorators whose function is called by its place, not by its name."""


@dataclass(frozen=True, slots=True)
class Name:
    """One function, method or class, and what the tree says of it."""

    file: str
    qualified: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

    @property
    def words(self) -> list[str]:
        """The words of the name: snake_case and CamelCase cut, in lower case."""
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.node.name)
        return [word.lower() for word in spaced.split("_") if word]

    @property
    def is_type(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_public(self) -> bool:
        """Whether no part of it is private."""
        return not any(part.startswith("_") for part in self.qualified.split("."))

    def has_decorator(self, *names: str) -> bool:
        """Tell whether one of the decorators holds one of the names."""
        spelled = [ast.unparse(each) for each in self.node.decorator_list]
        return any(name in each for each in spelled for name in names)


def iterate_names(file: str, source: str) -> Iterator[Name]:
    """Yield the functions, methods and classes of a file; not what is nested."""

    def walk(node: ast.AST, within: str) -> Iterator[Name]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                if not child.name.startswith("__"):
                    yield Name(file, within + child.name, child)
            elif isinstance(child, ast.ClassDef):
                yield Name(file, within + child.name, child)
                yield from walk(child, f"{within}{child.name}.")
            else:
                yield from walk(child, within)

    yield from walk(ast.parse(source), "")


def read_verbs() -> frozenset[str]:
    """Return the approved verbs of the glossary."""
    page = GLOSSARY.read_text("utf-8")
    section = page.split("## Verbs", 1)[1].split("\n## ", 1)[0]
    return frozenset(re.findall(r"`([a-z]+)`", section))


def find_faults(name: Name, verbs: frozenset[str]) -> Iterator[str]:
    """Yield what is wrong with a name."""
    where = f"{name.file}: {name.qualified}"
    if retired := RETIRED.intersection(name.words):
        yield f"{where} uses a retired word: {', '.join(sorted(retired))}"
    if name.is_type or name.has_decorator("property", *REGISTERED):
        return
    first = name.words[0]
    if first in PREDICATES:
        yield from _find_writes(name, where)
    elif first not in verbs | CONVERSIONS and not _is_noun_allowed(name):
        yield f"{where} does not open with an approved verb"


def _find_writes(name: Name, where: str) -> Iterator[str]:
    for node in ast.walk(name.node):
        if isinstance(node, ast.Constant) and WRITES.search(str(node.value)):
            yield f"{where} is a predicate, and writes"


def _is_noun_allowed(name: Name) -> bool:
    """Tell whether a name may be what it is: asked for from outside, or a result.

    A public method of a service may be the noun it returns (`summaries.day(…)`);
    LangGraph's asynchronous methods put an "a" before their verb.
    """
    if name.node.name in OUTSIDE:
        return True
    if name.file.startswith(("agent/", "surfaces/langgraph/")) and re.match(
        r"_?a(?:get|list|put|delete|prune|batch|before|after|wrap|generate)",
        name.node.name,
    ):
        return True
    return name.is_public and name.file.endswith(("service.py", "facade.py"))
