"""`remember`, `forget` and `memories`: what is known about a person."""

from typing import Annotated, NamedTuple

import typer

from gieok.facade import Gieok
from gieok.kernel.language import Category
from gieok.kernel.scope import Scope
from gieok.memories import CandidateStatus
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import (
    AsJson,
    DefaultListGroup,
    IdArgument,
    PersonArgument,
    resolve_candidate,
    resolve_memory,
)
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

memories = typer.Typer(cls=DefaultListGroup, help="help.memories")

MemoryLimitOption = Annotated[int, typer.Option(min=1, max=1_000, help="opt.limit")]


def remember(
    context: typer.Context,
    user: PersonArgument,
    content: Annotated[str, typer.Argument(help="arg.content", metavar="TEXT")],
    *,
    category: Annotated[Category, typer.Option(help="opt.category")] = Category.CONTEXT,
    as_json: AsJson = False,
) -> None:
    """Keep a fact."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            memory = await gieok.memories.remember(scope, content, category=category)
        if as_json:
            terminal.print_json(show.encode_memory(memory))
        else:
            terminal.print_message(
                "remembered", mark=show.truncate_id(memory.memory_id)
            )

    run_command(work)


def forget(  # noqa: PLR0913 - every option is one
    context: typer.Context,
    user: PersonArgument,
    name: Annotated[str, typer.Argument(help="arg.mark", metavar="ID")] = "",
    *,
    about: Annotated[str, typer.Option("--about", help="opt.about")] = "",
    everything: Annotated[bool, typer.Option("--all", help="opt.forget_all")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase one memory, what a wish names, or everything."""
    terminal = get_terminal(context)
    if [everything, bool(name), bool(about)].count(True) != 1:
        raise typer.BadParameter(terminal.translate_message("forget.what"))
    if everything and not yes:
        typer.confirm(
            terminal.translate_message("forget.sure", user=user), abort=True, err=True
        )

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            if about:
                forgotten = await gieok.erasure.about(scope, about)
                show.print_forgotten(terminal, forgotten, as_json=as_json)
                return
            gone = await _forget_named(gieok, scope, name)
        if as_json:
            terminal.print_json({"forgotten": gone})
        else:
            terminal.print_message("forgotten", count=gone)

    run_command(work)


async def _forget_named(gieok: Gieok, scope: Scope, name: str) -> int:
    if not name:
        return await gieok.memories.forget_all(scope)
    memory = await resolve_memory(gieok, scope, name)
    await gieok.memories.forget(scope, memory.memory_id)
    return 1


@memories.command("list", help="help.memories.list")
def listing(
    context: typer.Context,
    user: PersonArgument,
    *,
    everything: Annotated[bool, typer.Option("--all", help="opt.all")] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="opt.candidates")
    ] = False,
    limit: MemoryLimitOption = 100,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first, or the candidates that wait for review."""
    terminal = get_terminal(context)
    list_them = _list_candidates if candidates else _list_memories
    wanted = _ListOptions(everything, limit, as_json)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            await list_them(terminal, gieok, scope, wanted)

    run_command(work)


@memories.command("held", help="help.memories.held")
def quarantine(
    context: typer.Context,
    user: PersonArgument,
    *,
    limit: MemoryLimitOption = 100,
    as_json: AsJson = False,
) -> None:
    """List the candidates that only a review releases, and why."""
    terminal = get_terminal(context)
    wanted = _ListOptions(everything=False, limit=limit, as_json=as_json, held=True)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            await _list_candidates(terminal, gieok, gieok.person(user), wanted)

    run_command(work)


class _ListOptions(NamedTuple):
    everything: bool
    """Or what is in use, or waits."""
    limit: int
    as_json: bool
    held: bool = False
    """What is in quarantine, and nothing else."""


async def _list_memories(
    terminal: Terminal, gieok: Gieok, scope: Scope, wanted: _ListOptions
) -> None:
    found, total = await gieok.memories.page(
        scope, include_inactive=wanted.everything, limit=wanted.limit
    )
    if wanted.as_json:
        rows = [show.encode_memory(memory) for memory in found]
        terminal.print_json({"total": total, "memories": rows})
    elif found:
        terminal.out.print(show.render_memories(terminal, found))
        terminal.print_message("memories.shown", shown=len(found), total=total)
    else:
        terminal.print_message("memories.none")


async def _list_candidates(
    terminal: Terminal, gieok: Gieok, scope: Scope, wanted: _ListOptions
) -> None:
    found = await gieok.memories.candidates(
        scope,
        status=None if wanted.everything else CandidateStatus.PENDING,
        held=wanted.held,
        limit=wanted.limit,
    )
    if wanted.as_json:
        terminal.print_json(
            {"candidates": [show.encode_candidate(one) for one in found]}
        )
    elif found:
        terminal.out.print(show.render_candidates(terminal, found))
    else:
        terminal.print_message("candidates.none")


@memories.command("why", help="help.memories.why")
def why(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what a memory rests on, what it replaced, and what stands beside it."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            memory = await resolve_memory(gieok, scope, name)
            grounds = await gieok.memories.why(scope, memory.memory_id)
        if as_json:
            terminal.print_json(show.encode_origins(grounds))
        else:
            show.print_origins(terminal, grounds)

    run_command(work)


@memories.command("confirm", help="help.memories.confirm")
def confirm(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    as_json: AsJson = False,
) -> None:
    """Make a candidate a memory."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            candidate = await resolve_candidate(gieok, scope, name)
            memory = await gieok.memories.confirm(scope, candidate)
        if as_json:
            terminal.print_json({"memory": memory and show.encode_memory(memory)})
        elif memory is None:
            terminal.print_message("confirmed.gone")
        else:
            terminal.print_message(
                "remembered", mark=show.truncate_id(memory.memory_id)
            )

    run_command(work)


@memories.command("reject", help="help.memories.reject")
def reject(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    as_json: AsJson = False,
) -> None:
    """Refuse a candidate for good."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            candidate = await resolve_candidate(gieok, scope, name)
            await gieok.memories.reject(scope, candidate)
        if as_json:
            terminal.print_json({"rejected": str(candidate)})
        else:
            terminal.print_message("rejected", mark=show.truncate_id(candidate))

    run_command(work)


@memories.command("policy", help="help.memories.policy")
def policy(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    what: Annotated[str, typer.Argument(help="arg.policy", metavar="POLICY")],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what becomes of a memory once its time is over."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            called = await resolve_memory(gieok, scope, name)
            memory = await gieok.retention.set_policy(scope, called.memory_id, what)
        if as_json:
            terminal.print_json({"memory": show.encode_memory(memory)})
        else:
            mark = show.truncate_id(memory.memory_id)
            terminal.print_message(
                "policy.set", mark=mark, policy=memory.delete_policy.value
            )

    run_command(work)
