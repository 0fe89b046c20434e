"""How memory answers a question: what was found, its scores, and what was left out."""

from dataclasses import asdict
from typing import Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.context import Explanation
from gieok.context.service import TOKEN_BUDGET
from gieok.kernel.errors import InvalidInputError
from gieok.search.rank import DEFAULT
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

BUDGETS: Final = (TOKEN_BUDGET // 2, TOKEN_BUDGET, 2 * TOKEN_BUDGET, 4 * TOKEN_BUDGET)
"""Tokens of a block, to choose from."""

router = APIRouter()


@router.get("/explain")
async def show_explaining(visitor: CurrentVisitor) -> HTMLResponse:
    """Ask for the question whose answer is to be explained."""
    return _render(visitor, "", TOKEN_BUDGET, None)


@router.post("/explain")
async def explain_block(visitor: CurrentVisitor, fields: VisitorForm) -> HTMLResponse:
    """Show the block that would answer a question, and why it holds what it holds.

    The words stand in the body, never in an address that logs or histories keep.
    """
    question, budget = fields.get("question"), _parse_budget(fields.get("budget"))
    explained = None
    if question.strip():
        explained = await visitor.gieok.context.explain(
            visitor.scope, question, token_budget=budget
        )
    return _render(visitor, question, budget, explained)


def _parse_budget(given: str) -> int:
    chosen = next((each for each in BUDGETS if str(each) == given), None)
    if chosen is None:
        field = "budget"
        raise InvalidInputError(field, "it must be one of those offered")
    return chosen


def _render(
    visitor: Visitor, question: str, budget: int, explained: Explanation | None
) -> HTMLResponse:
    return visitor.render(
        "explain.html",
        question=question,
        budget=budget,
        budgets=BUDGETS,
        weights=asdict(DEFAULT),
        explained=explained,
    )
