"""`recall` and `context`: what is found, and what a prompt would get."""

from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.recall import Filters, HitKind
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_table_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

QuestionArgument = Annotated[
    str, typer.Argument(help="arg.question", metavar="QUESTION")
]


@print_result(known=True)
async def recall(
    gieok: Gieok,
    scope: Scope,
    question: QuestionArgument,
    *,
    limit: Annotated[int, typer.Option(min=1, max=200, help="opt.limit")] = 10,
    kind: Annotated[HitKind | None, typer.Option(help="opt.kind")] = None,
) -> CommandResult:
    """Find what was said or is known."""
    filters = Filters(kinds=[kind] if kind else None)
    hits = await gieok.recall.search(scope, question, limit=limit, filters=filters)
    return CommandResult(
        {"hits": [encoding.encode_hit(hit) for hit in hits]},
        build_table_view(hits, show.render_hits, none="recall.none"),
    )


@print_result(known=True)
async def context_block(
    gieok: Gieok,
    scope: Scope,
    question: QuestionArgument,
    *,
    tokens: Annotated[int | None, typer.Option(min=1, help="opt.tokens")] = None,
) -> CommandResult:
    """Print the block that goes into a prompt."""
    block = await gieok.context.build(scope, question, token_budget=tokens)

    def view(terminal: Terminal) -> None:
        if block:
            terminal.out.print(show.render_plain_block(block.text), soft_wrap=True)
        else:
            terminal.print_message("context.none")

    return CommandResult(encoding.encode_block(block), view)
