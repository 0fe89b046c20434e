"""`remember`, `forget` and `memories`: what is known about a person."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.language import Category
from gieok.kernel.scope import Scope
from gieok.memories import Candidate, CandidateStatus, Memory
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.arguments import (
    DefaultListGroup,
    IdArgument,
    PersonArgument,
    resolve_candidate,
    resolve_memory,
)
from gieok.surfaces.cli.command_result import (
    CommandResult,
    YesOption,
    build_message_view,
    build_page_view,
    build_table_view,
    print_result,
    verify_known,
)
from gieok.surfaces.cli.terminal import Terminal

memories = typer.Typer(cls=DefaultListGroup, help="help.memories")

ContentArgument = Annotated[str, typer.Argument(help="arg.content", metavar="TEXT")]
MemoryLimitOption = Annotated[int, typer.Option(min=1, max=1_000, help="opt.limit")]


@print_result
async def remember(
    gieok: Gieok,
    scope: Scope,
    content: ContentArgument,
    *,
    category: Annotated[Category | None, typer.Option(help="opt.category")] = None,
) -> CommandResult:
    """Keep a fact."""
    memory = await gieok.memories.remember(scope, content, category=category)
    view = build_message_view("remembered", mark=show.truncate_id(memory.memory_id))
    return CommandResult(encoding.encode_memory(memory, gieok.clock()), view)


@print_result
async def forget(
    terminal: Terminal,
    user: PersonArgument,
    name: Annotated[str, typer.Argument(help="arg.mark", metavar="ID")] = "",
    *,
    about: Annotated[str, typer.Option("--about", help="opt.about")] = "",
    everything: Annotated[bool, typer.Option("--all", help="opt.forget_all")] = False,
    yes: YesOption = False,
) -> CommandResult:
    """Erase one memory, what a wish names, or everything."""
    if [everything, bool(name), bool(about)].count(True) != 1:
        raise typer.BadParameter(terminal.translate_message("forget.what"))
    if everything and not yes:
        typer.confirm(
            terminal.translate_message("forget.sure", user=user), abort=True, err=True
        )
    async with terminal.open_gieok() as gieok:
        scope = gieok.person(user)
        await verify_known(gieok, scope)
        if about:
            forgotten = await gieok.erasure.about(scope, about)
            view = partial(show.print_forgotten, forgotten)
            return CommandResult(encoding.encode_forgotten(forgotten), view)
        gone = await _forget_named(gieok, scope, name)
    return CommandResult(
        {"forgotten": gone}, build_message_view("forgotten", count=gone)
    )


async def _forget_named(gieok: Gieok, scope: Scope, name: str) -> int:
    if not name:
        return await gieok.memories.forget_all(scope)
    memory = await resolve_memory(gieok, scope, name)
    await gieok.memories.forget(scope, memory.memory_id)
    return 1


@memories.command("list", help="help.memories.list")
@print_result(known=True)
async def listing(
    gieok: Gieok,
    scope: Scope,
    *,
    everything: Annotated[bool, typer.Option("--all", help="opt.all")] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="opt.candidates")
    ] = False,
    limit: MemoryLimitOption = 100,
) -> CommandResult:
    """List memories, newest first, or the candidates that wait for review."""
    if candidates:
        status = None if everything else CandidateStatus.PENDING
        return _build_candidates_result(
            await gieok.memories.candidates(scope, status=status, limit=limit)
        )
    found, total = await gieok.memories.page(
        scope, include_inactive=everything, limit=limit
    )
    now = gieok.clock()
    rows = [encoding.encode_memory(memory, now) for memory in found]
    render = partial(show.render_memories, now=now)
    view = build_page_view(found, total, render, none="memories.none")
    return CommandResult({"total": total, "memories": rows}, view)


@memories.command("held", help="help.memories.held")
@print_result(known=True)
async def quarantine(
    gieok: Gieok, scope: Scope, *, limit: MemoryLimitOption = 100
) -> CommandResult:
    """List the candidates that only a review releases, and why."""
    return _build_candidates_result(
        await gieok.memories.candidates(
            scope, status=CandidateStatus.PENDING, held=True, limit=limit
        )
    )


def _build_candidates_result(found: Sequence[Candidate]) -> CommandResult:
    return CommandResult(
        {"candidates": [encoding.encode_candidate(one) for one in found]},
        build_table_view(found, show.render_candidates, none="candidates.none"),
    )


def _build_memory_result(told: str, memory: Memory, now: datetime) -> CommandResult:
    view = build_message_view(told, mark=show.truncate_id(memory.memory_id))
    return CommandResult({"memory": encoding.encode_memory(memory, now)}, view)


@memories.command("why", help="help.memories.why")
@print_result(known=True)
async def why(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Show what a memory rests on, what it replaced, and what stands beside it."""
    memory = await resolve_memory(gieok, scope, name)
    origins = await gieok.memories.why(scope, memory.memory_id)
    now = gieok.clock()
    return CommandResult(
        encoding.encode_origins(origins, now),
        partial(show.print_origins, origins, now),
    )


@memories.command("correct", help="help.memories.correct")
@print_result(known=True)
async def correct(
    gieok: Gieok, scope: Scope, name: IdArgument, content: ContentArgument
) -> CommandResult:
    """Say what is true instead of a memory."""
    called = await resolve_memory(gieok, scope, name)
    memory = await gieok.memories.correct(scope, called.memory_id, content)
    return _build_memory_result("corrected", memory, gieok.clock())


@memories.command("confirm", help="help.memories.confirm")
@print_result(known=True)
async def confirm(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Make a candidate a memory."""
    candidate = await resolve_candidate(gieok, scope, name)
    memory = await gieok.memories.confirm(scope, candidate)
    if memory is None:
        return CommandResult({"memory": None}, build_message_view("confirmed.gone"))
    return _build_memory_result("remembered", memory, gieok.clock())


@memories.command("reject", help="help.memories.reject")
@print_result(known=True)
async def reject(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Refuse a candidate for good."""
    candidate = await resolve_candidate(gieok, scope, name)
    await gieok.memories.reject(scope, candidate)
    view = build_message_view("rejected", mark=show.truncate_id(candidate))
    return CommandResult({"rejected": str(candidate)}, view)


@memories.command("pin", help="help.memories.pin")
@print_result(known=True)
async def pin(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Have a memory stand first in every prompt, and not fade."""
    called = await resolve_memory(gieok, scope, name)
    pinned = await gieok.memories.pin(scope, called.memory_id)
    return _build_memory_result("pinned", pinned, gieok.clock())


@memories.command("unpin", help="help.memories.unpin")
@print_result(known=True)
async def unpin(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Have a memory fade and rank as any other."""
    called = await resolve_memory(gieok, scope, name)
    memory = await gieok.memories.unpin(scope, called.memory_id)
    return _build_memory_result("unpinned", memory, gieok.clock())


@memories.command("policy", help="help.memories.policy")
@print_result(known=True)
async def policy(
    gieok: Gieok,
    scope: Scope,
    name: IdArgument,
    what: Annotated[str, typer.Argument(help="arg.policy", metavar="POLICY")],
) -> CommandResult:
    """Say what becomes of a memory once its time is over."""
    called = await resolve_memory(gieok, scope, name)
    memory = await gieok.retention.set_policy(scope, called.memory_id, what)
    view = build_message_view(
        "policy.set",
        mark=show.truncate_id(memory.memory_id),
        policy=memory.delete_policy.value,
    )
    row = encoding.encode_memory(memory, gieok.clock())
    return CommandResult({"memory": row}, view)
