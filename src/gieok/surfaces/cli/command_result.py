"""The result of a command: data and a view, and the one way it is printed."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial, update_wrapper
from inspect import Parameter
from typing import Annotated, Any, Final, TypeVar

import typer
from rich.console import RenderableType

from gieok.facade import Gieok
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

T = TypeVar("T")
View = Callable[[Terminal], None]
"""Prints a result for people."""

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")]
_INJECTED: Final = (Gieok, Scope, Terminal)
"""Types of parameters that the command line does not give."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of a command."""

    data: object
    """What `--json` prints."""
    view: View
    code: int = 0
    """What the process exits with."""


def print_result(
    work: Callable[..., Awaitable[CommandResult]] | None = None,
    *,
    sure: str = "",
    known: bool = False,
) -> Any:
    """Make a command of a function that returns a `CommandResult`.

    It runs on an event loop, and what it returns is printed once it is done: as JSON
    with `--json`, else by its view. Parameters are given by their type: a `Terminal`,
    an opened `Gieok`, and for a `Scope` that of the person whom the argument USER
    names. All others are arguments and options of the command.

    With `sure`, a message, the command asks before it begins, unless told `--yes`. With
    `known`, it is about what is kept of the person, and makes nobody of a wrong name.
    """
    if work is None:
        return partial(print_result, sure=sure, known=known)
    wanted = inspect.signature(work).parameters

    def command(context: typer.Context, **given: Any) -> None:
        terminal = get_terminal(context)
        as_json = given.pop("as_json")
        if sure and not given.pop("yes"):
            typer.confirm(
                terminal.translate_message(sure, **given), abort=True, err=True
            )
        result = run_command(
            partial(_run_work, terminal, work, wanted, given, known=known)
        )
        if as_json:
            terminal.print_json(result.data)
        else:
            result.view(terminal)
        if result.code:
            raise typer.Exit(result.code)

    update_wrapper(command, work)
    del command.__wrapped__  # type: ignore[attr-defined]
    signature = _build_signature(wanted, asks=bool(sure))
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {
        name: each.annotation for name, each in signature.parameters.items()
    }
    return command


async def verify_known(gieok: Gieok, scope: Scope) -> None:
    """Make sure that something is kept of a person, so that looking makes nobody.

    Raises:
        NotFoundError: there is no such person, or they were erased.
    """
    if await gieok.accounts.is_known(scope):
        return
    if gieok.tutor_cards is None or not await gieok.tutor_cards.load(scope):
        thing = "person"
        raise NotFoundError(thing)


async def _run_work(
    terminal: Terminal,
    work: Callable[..., Awaitable[CommandResult]],
    wanted: Mapping[str, Parameter],
    given: dict[str, Any],
    *,
    known: bool,
) -> CommandResult:
    types = {each.annotation: name for name, each in wanted.items()}
    async with AsyncExitStack() as stack:
        if Terminal in types:
            given[types[Terminal]] = terminal
        if Gieok in types or Scope in types:
            gieok = await stack.enter_async_context(terminal.open_gieok())
            if Scope in types:
                scope = given[types[Scope]] = gieok.person(given.pop("user"))
                if known:
                    await verify_known(gieok, scope)
            if Gieok in types:
                given[types[Gieok]] = gieok
        return await work(**given)


def _build_signature(
    wanted: Mapping[str, Parameter], *, asks: bool
) -> inspect.Signature:
    """Return what the command line gives, in the order of the function."""
    positional = [Parameter("context", _POSITIONAL, annotation=typer.Context)]
    options: list[Parameter] = []
    for each in wanted.values():
        if each.annotation is Scope:
            positional.append(Parameter("user", _POSITIONAL, annotation=PersonArgument))
        elif each.annotation not in _INJECTED:
            (options if each.kind is _KEYWORD else positional).append(each)
    if asks:
        options.append(_build_flag("yes", YesOption))
    options.append(_build_flag("as_json", AsJson))
    return inspect.Signature([*positional, *options])


_POSITIONAL: Final = Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD: Final = Parameter.KEYWORD_ONLY


def _build_flag(name: str, annotation: Any) -> Parameter:
    return Parameter(name, _KEYWORD, default=False, annotation=annotation)


def build_message_view(key: str, **details: object) -> View:
    """Return a view that is one message."""
    return lambda terminal: terminal.print_message(key, **details)


def build_table_view(
    rows: Sequence[T],
    render: Callable[[Terminal, Sequence[T]], RenderableType],
    *,
    none: str,
) -> View:
    """Return a view that is a table, or the message `none` where there is no row."""

    def view(terminal: Terminal) -> None:
        if rows:
            terminal.out.print(render(terminal, rows))
        else:
            terminal.print_message(none)

    return view


def build_page_view(
    rows: Sequence[T],
    total: int,
    render: Callable[[Terminal, Sequence[T]], RenderableType],
    *,
    none: str,
) -> View:
    """Return the same view, with how many rows there are beneath."""

    def view(terminal: Terminal) -> None:
        build_table_view(rows, render, none=none)(terminal)
        if rows:
            terminal.print_message("memories.shown", shown=len(rows), total=total)

    return view


def build_fields_view(fields: Mapping[str, object]) -> View:
    """Return a view of names and values, a line each."""

    def view(terminal: Terminal) -> None:
        for name, value in fields.items():
            terminal.out.print(
                name, value, markup=False, highlight=False, soft_wrap=True
            )

    return view
