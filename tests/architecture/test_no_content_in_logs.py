"""Logs carry ids, never content: what a log call may be given, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import gieok

SOURCE = Path(gieok.__file__).parent
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
LOGGERS = {"log", "logger"}
CONTENT = {"content", "text", "claim", "question", "query", "message", "body", "said"}


def log_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in LEVELS
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in LOGGERS
        ):
            yield node


def named(call: ast.Call) -> Iterator[str]:
    """Yield every name, attribute and keyword within a call's arguments."""
    for argument in [*call.args, *call.keywords]:
        for node in ast.walk(argument):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name
                case ast.keyword(arg=str(name)):
                    yield name
                case _:
                    continue


def test_no_log_call_is_given_content_or_a_built_string() -> None:
    calls = 0
    for path in SOURCE.rglob("*.py"):
        for call in log_calls(ast.parse(path.read_text("utf-8"))):
            calls += 1
            where = f"{path.relative_to(SOURCE)}:{call.lineno}"
            assert isinstance(call.args[0], ast.Constant), f"{where}: an event's name"
            assert not set(named(call)) & CONTENT, where
    assert calls, "the test looks for log calls in the right way"
