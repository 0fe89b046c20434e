"""`recall` and `context`: what is found, and what a prompt would get."""

from typing import Annotated

import typer

from gieok.recall import Filters, HitKind
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.terminal import get_terminal, run_command

QuestionArgument = Annotated[
    str, typer.Argument(help="arg.question", metavar="QUESTION")
]


def recall(
    context: typer.Context,
    user: PersonArgument,
    question: QuestionArgument,
    *,
    limit: Annotated[int, typer.Option(min=1, max=200, help="opt.limit")] = 10,
    kind: Annotated[HitKind | None, typer.Option(help="opt.kind")] = None,
    as_json: AsJson = False,
) -> None:
    """Find what was said or is known."""
    terminal = get_terminal(context)
    filters = Filters(kinds=[kind] if kind else None)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            hits = await gieok.recall.search(
                gieok.person(user), question, limit=limit, filters=filters
            )
        if as_json:
            terminal.print_json({"hits": [show.encode_hit(hit) for hit in hits]})
        elif hits:
            terminal.out.print(show.render_hits(terminal, hits))
        else:
            terminal.print_message("recall.none")

    run_command(work)


def context_block(
    context: typer.Context,
    user: PersonArgument,
    question: QuestionArgument,
    *,
    tokens: Annotated[int, typer.Option(min=1, help="opt.tokens")] = 800,
    as_json: AsJson = False,
) -> None:
    """Print the block that goes into a prompt."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            block = await gieok.context.build(
                gieok.person(user), question, token_budget=tokens
            )
        if as_json:
            terminal.print_json(show.encode_block(block))
        elif block:
            terminal.out.print(show.render_plain_block(block.text), soft_wrap=True)
        else:
            terminal.print_message("context.none")

    run_command(work)
