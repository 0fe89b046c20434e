"""The consent screen: what a person is asked before anything is shown (D14)."""

from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.errors import InvalidInputError
from gieok.settings import Consent, Purpose
from gieok.surfaces.pages.forms import FormFields
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

NOTICE: Final = "pages/1"
"""The version of the texts that a person agrees to; who saw another is asked anew.
`tests/unit/surfaces/test_page_texts.py` fails when the texts change without it."""
ANSWERS: Final = {"yes": True, "no": False}

router = APIRouter()


@router.get("/welcome")
async def show_consent(visitor: CurrentVisitor) -> HTMLResponse:
    """Ask what may be done; what was never decided has no answer beforehand."""
    decisions = await visitor.gieok.settings.consents(visitor.scope)
    return visitor.render("welcome.html", decisions=decisions, notice=NOTICE)


@router.post("/consent")
async def record_consent(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Note what was decided; a refusal holds at once, and what was kept for it goes."""
    await visitor.gieok.settings.consent(
        visitor.scope, parse_decisions(fields), notice=NOTICE
    )
    return visitor.send_to("switches", "consented")


def parse_decisions(fields: FormFields) -> dict[str, bool]:
    """Return the decisions, of every purpose but those left as they were shown.

    What was decided elsewhere since the page was shown stays decided.

    Raises:
        InvalidInputError: one was not decided.
    """
    decided: dict[str, bool] = {}
    for purpose in Purpose:
        answer = fields.get(purpose.value)
        if answer not in ANSWERS:
            raise InvalidInputError(purpose.value, "it is missing")
        if fields.is_changed(purpose.value):
            decided[purpose.value] = ANSWERS[answer]
    return decided


def has_seen_notice(decisions: tuple[Consent, ...]) -> bool:
    """Tell whether every purpose was decided on the present texts."""
    return all(each.notice == NOTICE for each in decisions)


async def should_ask_consent(visitor: Visitor) -> bool:
    """Tell whether the person has yet to see the present consent screen."""
    return not has_seen_notice(await visitor.gieok.settings.consents(visitor.scope))
