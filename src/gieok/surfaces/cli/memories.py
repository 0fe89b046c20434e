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
    ListsByDefault,
    Mark,
    Person,
    candidate_called,
    memory_called,
)
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of

memories = typer.Typer(cls=ListsByDefault, help="help.memories")

Limit = Annotated[int, typer.Option(min=1, max=1_000, help="opt.limit")]


def remember(
    context: typer.Context,
    user: Person,
    content: Annotated[str, typer.Argument(help="arg.content", metavar="TEXT")],
    *,
    category: Annotated[Category, typer.Option(help="opt.category")] = Category.CONTEXT,
    as_json: AsJson = False,
) -> None:
    """Keep a fact."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            memory = await gieok.memories.remember(scope, content, category=category)
        if as_json:
            terminal.data(show.memory_json(memory))
        else:
            terminal.tell("remembered", mark=show.mark(memory.memory_id))

    run(work)


def forget(  # noqa: PLR0913 - every option is one
    context: typer.Context,
    user: Person,
    name: Annotated[str, typer.Argument(help="arg.mark", metavar="ID")] = "",
    *,
    about: Annotated[str, typer.Option("--about", help="opt.about")] = "",
    everything: Annotated[bool, typer.Option("--all", help="opt.forget_all")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase one memory, what a wish names, or everything."""
    terminal = terminal_of(context)
    if [everything, bool(name), bool(about)].count(True) != 1:
        raise typer.BadParameter(terminal.say("forget.what"))
    if everything and not yes:
        typer.confirm(terminal.say("forget.sure", user=user), abort=True, err=True)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            if about:
                forgotten = await gieok.erasure.about(scope, about)
                show.wish_fulfilled(terminal, forgotten, as_json=as_json)
                return
            gone = await _forget(gieok, scope, name)
        if as_json:
            terminal.data({"forgotten": gone})
        else:
            terminal.tell("forgotten", count=gone)

    run(work)


async def _forget(gieok: Gieok, scope: Scope, name: str) -> int:
    if not name:
        return await gieok.memories.forget_all(scope)
    memory = await memory_called(gieok, scope, name)
    await gieok.erasure.memory(scope, memory.memory_id)
    return 1


@memories.command("list", help="help.memories.list")
def listing(
    context: typer.Context,
    user: Person,
    *,
    everything: Annotated[bool, typer.Option("--all", help="opt.all")] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="opt.candidates")
    ] = False,
    limit: Limit = 100,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first, or the candidates that wait for review."""
    terminal = terminal_of(context)
    list_them = _list_candidates if candidates else _list_memories
    wanted = _Wanted(everything, limit, as_json)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            await list_them(terminal, gieok, scope, wanted)

    run(work)


@memories.command("held", help="help.memories.held")
def quarantine(
    context: typer.Context, user: Person, *, limit: Limit = 100, as_json: AsJson = False
) -> None:
    """List the candidates that only a review releases, and why."""
    terminal = terminal_of(context)
    wanted = _Wanted(everything=False, limit=limit, as_json=as_json, held=True)

    async def work() -> None:
        async with terminal.memory() as gieok:
            await _list_candidates(terminal, gieok, gieok.person(user), wanted)

    run(work)


class _Wanted(NamedTuple):
    everything: bool
    """Or what is in use, or waits."""
    limit: int
    as_json: bool
    held: bool = False
    """What is in quarantine, and nothing else."""


async def _list_memories(
    terminal: Terminal, gieok: Gieok, scope: Scope, wanted: _Wanted
) -> None:
    found, total = await gieok.memories.page(
        scope, include_inactive=wanted.everything, limit=wanted.limit
    )
    if wanted.as_json:
        rows = [show.memory_json(memory) for memory in found]
        terminal.data({"total": total, "memories": rows})
    elif found:
        terminal.out.print(show.memory_table(terminal, found))
        terminal.tell("memories.shown", shown=len(found), total=total)
    else:
        terminal.tell("memories.none")


async def _list_candidates(
    terminal: Terminal, gieok: Gieok, scope: Scope, wanted: _Wanted
) -> None:
    found = await gieok.memories.candidates(
        scope,
        status=None if wanted.everything else CandidateStatus.PENDING,
        held=wanted.held,
        limit=wanted.limit,
    )
    if wanted.as_json:
        terminal.data({"candidates": [show.candidate_json(one) for one in found]})
    elif found:
        terminal.out.print(show.candidate_table(terminal, found))
    else:
        terminal.tell("candidates.none")


@memories.command("why", help="help.memories.why")
def why(
    context: typer.Context, user: Person, name: Mark, *, as_json: AsJson = False
) -> None:
    """Show what a memory rests on, what it replaced, and what stands beside it."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            memory = await memory_called(gieok, scope, name)
            grounds = await gieok.memories.why(scope, memory.memory_id)
        if as_json:
            terminal.data(show.grounds_json(grounds))
        else:
            show.grounds(terminal, grounds)

    run(work)


@memories.command("confirm", help="help.memories.confirm")
def confirm(
    context: typer.Context, user: Person, name: Mark, *, as_json: AsJson = False
) -> None:
    """Make a candidate a memory."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            candidate = await candidate_called(gieok, scope, name)
            memory = await gieok.memories.confirm(scope, candidate)
        if as_json:
            terminal.data({"memory": memory and show.memory_json(memory)})
        elif memory is None:
            terminal.tell("confirmed.gone")
        else:
            terminal.tell("remembered", mark=show.mark(memory.memory_id))

    run(work)


@memories.command("reject", help="help.memories.reject")
def reject(
    context: typer.Context, user: Person, name: Mark, *, as_json: AsJson = False
) -> None:
    """Refuse a candidate for good."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            candidate = await candidate_called(gieok, scope, name)
            await gieok.memories.reject(scope, candidate)
        if as_json:
            terminal.data({"rejected": str(candidate)})
        else:
            terminal.tell("rejected", mark=show.mark(candidate))

    run(work)


@memories.command("policy", help="help.memories.policy")
def policy(
    context: typer.Context,
    user: Person,
    name: Mark,
    what: Annotated[str, typer.Argument(help="arg.policy", metavar="POLICY")],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what becomes of a memory once its time is over."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            called = await memory_called(gieok, scope, name)
            memory = await gieok.retention.set_policy(scope, called.memory_id, what)
        if as_json:
            terminal.data({"memory": show.memory_json(memory)})
        else:
            mark = show.mark(memory.memory_id)
            terminal.tell("policy.set", mark=mark, policy=memory.delete_policy.value)

    run(work)
