"""`doctor`: is everything in place, and if not, what to do."""

import os
import shutil
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.table import Table

from gieok.bootstrap import DatabaseAddresses, build_gieok, start_databases
from gieok.facade import Gieok
from gieok.kernel.errors import (
    DataDirectoryError,
    KeyFileError,
)
from gieok.privacy import Keyring
from gieok.surfaces.checks import (
    CheckProblem,
    CheckResult,
    InstallationChecks,
    SkippedCheck,
    run_check,
)
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import (
    Terminal,
    get_terminal,
    render_plain,
    run_command,
)

MIN_FREE = 1 << 30
"""Bytes of free disk under which something is about to go wrong."""


@dataclass(slots=True)
class _Examination:
    """The checks in order; later ones use what earlier ones opened."""

    terminal: Terminal
    stack: AsyncExitStack
    addresses: DatabaseAddresses | None = None
    gieok: Gieok | None = None
    checks: list[CheckResult] = field(default_factory=list[CheckResult])

    async def add_check(self, name: str, look: Callable[[], Awaitable[str]]) -> None:
        translate, language = self.terminal.translate_message, self.terminal.language
        self.checks.append(await run_check(name, look, translate, language))

    def select_check(self, name: str) -> Callable[[], Awaitable[str]]:
        """Return a check of what is open by then; it is skipped if nothing is."""

        async def look() -> str:
            if self.gieok is None:
                raise SkippedCheck
            translate = self.terminal.translate_message
            return await InstallationChecks(self.gieok, translate).list_checks()[name]()

        return look

    async def check_data(self) -> str:
        path = self.terminal.config.data
        place = path if path.exists() else path.parent
        while not place.exists():
            place = place.parent
        if not os.access(place, os.W_OK | os.X_OK):
            raise DataDirectoryError(f"{place} cannot be written.")
        free = shutil.disk_usage(place).free
        finding = self.terminal.translate_message(
            "doctor.free", path=path, free=f"{free / 1e9:.1f}"
        )
        if free < MIN_FREE:
            raise CheckProblem(finding, "advice.disk")
        return finding

    async def check_database(self) -> str:
        self.addresses = await start_databases(self.terminal.config, self.stack)
        own = self.terminal.config.database_url is not None
        return self.terminal.translate_message(
            "doctor.own" if own else "doctor.embedded"
        )

    async def check_key(self) -> str:
        config = self.terminal.config
        path = config.key_path
        if not path.exists() and self.gieok is None:
            raise KeyFileError(
                self.terminal.translate_message("doctor.no_key", path=path)
            )
        ring = await Keyring.open(path, kms_key=config.kms_key)
        if ring.kms is None:
            return f"{path} ({ring.key_id})"
        finding = self.terminal.translate_message("doctor.kms", name=ring.key_id)
        if not ring.is_sealed:
            raise CheckProblem(finding, "advice.key_file_open")
        return finding

    async def check_keystore(self) -> str:
        if self.addresses is None:
            raise SkippedCheck
        terminal = self.terminal
        self.gieok = await build_gieok(
            terminal.config,
            self.addresses,
            terminal.parts,
            self.stack,
            sets_defaults=False,
        )
        checks = InstallationChecks(self.gieok, terminal.translate_message)
        return await checks.check_keystore()


def doctor(
    context: typer.Context,
    *,
    rows: Annotated[bool, typer.Option("--rows/--no-rows", help="opt.rows")] = True,
    as_json: AsJson = False,
) -> None:
    """Check that everything is in place; exit code 1 says that something is not."""
    terminal = get_terminal(context)
    checks = run_command(lambda: _run_checks(terminal, rows=rows))
    well = all(check.ok for check in checks)
    if as_json:
        told = [
            {
                "name": check.name,
                "ok": check.ok,
                "finding": check.finding,
                "advice": check.advice,
            }
            for check in checks
        ]
        terminal.print_json({"ok": well, "checks": told})
    else:
        terminal.out.print(_render_table(terminal, checks))
        terminal.print_message("doctor.well" if well else "doctor.unwell")
    raise typer.Exit(0 if well else 1)


async def _run_checks(terminal: Terminal, *, rows: bool) -> list[CheckResult]:
    async with AsyncExitStack() as stack:
        it = _Examination(terminal, stack)
        with terminal.err.status(terminal.translate_message("doctor.looking")):
            await it.add_check("data", it.check_data)
            await it.add_check("database", it.check_database)
            await it.add_check("keystore", it.check_keystore)
            await it.add_check("key", it.check_key)
            await it.add_check("schema", it.select_check("schema"))
            await it.add_check("embedder", it.select_check("embedder"))
            await it.add_check("tokenizer", it.select_check("tokenizer"))
            await it.add_check("model", it.select_check("model"))
            if terminal.config.tutor_table is not None:
                await it.add_check("tutor_cards", it.select_check("tutor_cards"))
            await it.add_check("queue", it.select_check("queue"))
            await it.add_check("dead_letters", it.select_check("dead_letters"))
            if rows:
                await it.add_check("rows", it.select_check("rows"))
        return it.checks


def _render_table(terminal: Terminal, checks: list[CheckResult]) -> Table:
    table = Table(header_style="bold")
    for column in ("check", "state", "finding", "advice"):
        table.add_column(
            terminal.translate_message(f"column.{column}"), overflow="fold"
        )
    states = {
        True: render_plain(terminal.translate_message("state.ok"), "green"),
        False: render_plain(terminal.translate_message("state.problem"), "bold red"),
        None: render_plain(terminal.translate_message("state.skipped"), "yellow"),
    }
    for check in checks:
        table.add_row(
            terminal.translate_message(f"check.{check.name}"),
            states[check.ok],
            render_plain(" ".join(check.finding.split())),
            render_plain(check.advice),
        )
    return table
