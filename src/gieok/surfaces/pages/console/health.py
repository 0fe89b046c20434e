"""Whether everything is in place, and what runs here."""

import platform
from importlib.metadata import version

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.database.migrate import list_revisions, read_revision
from gieok.surfaces.checks import CheckResult, InstallationChecks, run_check
from gieok.surfaces.pages.console.operator import (
    CurrentOperator,
    Operator,
    OperatorForm,
)
from gieok.surfaces.pages.long_work import Progress
from gieok.surfaces.pages.texts import format_text

router = APIRouter()
CHEAP = ("keystore", "schema", "queue", "dead_letters")
"""Checks that are made whenever the page is looked at."""


@router.get("/")
async def show_health(operator: CurrentOperator) -> HTMLResponse:
    """Show what the checks find, and which versions and migrations run here."""
    gieok = operator.gieok
    versions = {
        "gieok": version("gieok"),
        "python": platform.python_version(),
        "embedder": gieok.recall.embedder.name,
        "model": gieok.memories.model.name,
    }
    return operator.render(
        "health.html",
        checks=[await _check(operator, name) for name in CHEAP],
        versions=versions,
        revisions=list_revisions(),
        revision=await read_revision(gieok.maintenance.database),
        work=operator.works.get("checks"),
        vectors=operator.works.get("vectors"),
    )


@router.post("/checks")
async def start_checks(operator: CurrentOperator, _: OperatorForm) -> RedirectResponse:
    """Begin every check, those that take long and ask the models too."""

    async def check_all(progress: Progress) -> list[CheckResult]:
        names, found = list(_build_checks(operator).list_checks()), list[CheckResult]()
        for name in names:
            progress(len(found), len(names))
            found.append(await _check(operator, name))
        return found

    operator.works.ensure("checks").start(check_all, operator.gieok.clock)
    return operator.send_to("")


@router.post("/vectors")
async def start_reembedding(
    operator: CurrentOperator, _: OperatorForm
) -> RedirectResponse:
    """Begin to make every vector that the embedder has not made; it may be repeated."""
    gieok = operator.gieok
    operator.works.ensure("vectors").start(gieok.maintenance.reembed, gieok.clock)
    return operator.send_to("")


def _build_checks(operator: Operator) -> InstallationChecks:
    def translate(key: str, **details: object) -> str:
        return format_text(key, operator.style.language, **details)

    return InstallationChecks(operator.gieok, translate)


async def _check(operator: Operator, name: str) -> CheckResult:
    checks = _build_checks(operator)
    look = checks.list_checks()[name]
    return await run_check(name, look, checks.translate, operator.style.language)
