"""`recall` and `context`: what is found, and what a prompt would get."""

from typing import Annotated

import typer

from gieok.recall import Filters, HitKind
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson, Person
from gieok.surfaces.cli.terminal import run, terminal_of

Question = Annotated[str, typer.Argument(help="arg.question", metavar="QUESTION")]


def recall(
    context: typer.Context,
    user: Person,
    question: Question,
    *,
    limit: Annotated[int, typer.Option(min=1, max=200, help="opt.limit")] = 10,
    kind: Annotated[HitKind | None, typer.Option(help="opt.kind")] = None,
    as_json: AsJson = False,
) -> None:
    """Find what was said or is known."""
    terminal = terminal_of(context)
    filters = Filters(kinds=[kind] if kind else None)

    async def work() -> None:
        async with terminal.memory() as gieok:
            hits = await gieok.recall.search(
                gieok.person(user), question, limit=limit, filters=filters
            )
        if as_json:
            terminal.data({"hits": [show.hit_json(hit) for hit in hits]})
        elif hits:
            terminal.out.print(show.hit_table(terminal, hits))
        else:
            terminal.tell("recall.none")

    run(work)


def context_block(
    context: typer.Context,
    user: Person,
    question: Question,
    *,
    tokens: Annotated[int, typer.Option(min=1, help="opt.tokens")] = 800,
    as_json: AsJson = False,
) -> None:
    """Print the block that goes into a prompt."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            block = await gieok.context.build(
                gieok.person(user), question, token_budget=tokens
            )
        if as_json:
            terminal.data(show.block_json(block))
        elif block:
            terminal.out.print(show.plain_block(block.text), soft_wrap=True)
        else:
            terminal.tell("context.none")

    run(work)
