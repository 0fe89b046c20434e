"""`doctor`: is everything in place, and if not, what to do."""

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from gieok.bootstrap import DatabaseAddresses, build_gieok, start_databases
from gieok.facade import Gieok
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import (
    ConfigurationError,
    DataDirectoryError,
    GieokError,
    KeyFileError,
)
from gieok.kernel.language import Conversation, Role, Utterance
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import Keyring
from gieok.recall import EmbedderRecord
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import (
    Terminal,
    get_terminal,
    render_plain,
    run_command,
)

LEAST_FREE = 1 << 30
"""Bytes of free disk under which something is about to go wrong."""
LONGEST_LAG = 300
"""Seconds a job may be overdue."""
PROBE = "기억 memory"


class _SkippedCheck(Exception):  # noqa: N818 - nothing is wrong with the check itself
    """What this check needs is not there."""


class _CheckProblem(Exception):  # noqa: N818 - reported, never raised to the user
    """Something is wrong; `advice` is the key of what to do."""

    def __init__(self, finding: str, advice: str) -> None:
        super().__init__(finding)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found; `ok` None means it could not be made."""

    name: str
    ok: bool | None
    finding: str
    advice: str = ""


@dataclass(slots=True)
class _Examination:
    """The checks in order; later ones use what earlier ones opened."""

    terminal: Terminal
    stack: AsyncExitStack
    addresses: DatabaseAddresses | None = None
    gieok: Gieok | None = None
    checks: list[CheckResult] = field(default_factory=list[CheckResult])

    async def add_check(self, name: str, look: Callable[[], Awaitable[str]]) -> None:
        self.checks.append(await self._run_check(name, look))

    async def _run_check(
        self, name: str, look: Callable[[], Awaitable[str]]
    ) -> CheckResult:
        terminal = self.terminal
        try:
            return CheckResult(name, ok=True, finding=await look())
        except _SkippedCheck:
            return CheckResult(
                name, ok=None, finding=terminal.translate_message("doctor.skipped")
            )
        except _CheckProblem as found:
            return CheckResult(
                name,
                ok=False,
                finding=str(found),
                advice=terminal.translate_message(found.advice),
            )
        except GieokError as error:
            advice = terminal.translate_message(f"advice.{name}")
            return CheckResult(
                name, ok=False, finding=error.message(terminal.language), advice=advice
            )
        except Exception as error:  # noqa: BLE001 - whatever is broken is a finding
            advice = terminal.translate_message("advice.unknown")
            return CheckResult(
                name,
                ok=False,
                finding=f"{type(error).__name__}: {error}",
                advice=advice,
            )

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
        if free < LEAST_FREE:
            raise _CheckProblem(finding, "advice.disk")
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
            raise _CheckProblem(finding, "advice.key_file_open")
        return finding

    async def check_keystore(self) -> str:
        if self.addresses is None:
            raise _SkippedCheck
        terminal = self.terminal
        self.gieok = await build_gieok(
            terminal.config, self.addresses, terminal.parts, self.stack
        )
        people = await self.gieok.vault.keystore.list_people()
        return terminal.translate_message("doctor.people", count=len(people))

    async def check_schema(self) -> str:
        async with self._require_gieok().database.connection() as connection:
            found = await connection.execute("SHOW server_version")
            row = await found.fetchone()
        return self.terminal.translate_message(
            "doctor.schema", version=row[0] if row else "?"
        )

    async def check_embedder(self) -> str:
        gieok = self._require_gieok()
        embedder = gieok.recall.embedder
        await EmbedderRecord(gieok.database).verify(embedder)
        (vector,) = await embedder.passages([PROBE])
        if vector.shape != (embedder.dimension,) or not np.isfinite(vector).all():
            raise ConfigurationError(f"{embedder.name}: {vector.shape}")
        return f"{embedder.name} ({embedder.dimension})"

    async def check_tokenizer(self) -> str:
        tokenizer = self._require_gieok().recall.tokenizer
        terms = await asyncio.to_thread(tokenizer.terms, PROBE)
        if not terms:
            raise ConfigurationError(f"{PROBE!r} → {terms!r}")
        return ", ".join(terms)

    async def check_model(self) -> str:
        model = self._require_gieok().memories.model
        said = (Utterance(0, Role.USER, PROBE),)
        await model.extract(Conversation(said, (), read_system_clock()))
        return model.name

    async def check_tutor_cards(self) -> str:
        cards = self._require_gieok().tutor_cards
        if cards is None:
            raise _SkippedCheck
        await cards.verify()
        return cards.documents.table

    async def check_queue(self) -> str:
        jobs = self._require_gieok().jobs
        counts, now = await jobs.count_by_status(), read_system_clock()
        due = [job.scheduled_at for job in await jobs.list_waiting(limit=1_000)]
        lag = max((_compute_lag(at, now) for at in due if at is not None), default=0.0)
        ready = sum(at is None or at <= now for at in due)
        finding = self.terminal.translate_message(
            "doctor.queue", waiting=counts.get("todo", 0), ready=ready, lag=f"{lag:.0f}"
        )
        if lag > LONGEST_LAG:
            raise _CheckProblem(finding, "advice.queue")
        return finding

    async def collect_rows(self) -> str:
        gieok = self._require_gieok()
        found = Counter[str]()
        for user_id in await gieok.vault.keystore.list_people():
            scope = Scope(user_id, Actor.ADMIN)
            found.update(await gieok.portability.unreadable(scope))
        if not found:
            return self.terminal.translate_message("doctor.rows")
        told = ", ".join(f"{table} {count}" for table, count in sorted(found.items()))
        finding = self.terminal.translate_message("doctor.unreadable", rows=told)
        raise _CheckProblem(finding, "advice.rows")

    async def check_dead_letters(self) -> str:
        failed = (await self._require_gieok().jobs.count_by_status()).get("failed", 0)
        finding = self.terminal.translate_message("doctor.failed", count=failed)
        if failed:
            raise _CheckProblem(finding, "advice.dead_letters")
        return finding

    def _require_gieok(self) -> Gieok:
        if self.gieok is None:
            raise _SkippedCheck
        return self.gieok


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
            await it.add_check("schema", it.check_schema)
            await it.add_check("embedder", it.check_embedder)
            await it.add_check("tokenizer", it.check_tokenizer)
            await it.add_check("model", it.check_model)
            if terminal.config.tutor_table is not None:
                await it.add_check("tutor_cards", it.check_tutor_cards)
            await it.add_check("queue", it.check_queue)
            await it.add_check("dead_letters", it.check_dead_letters)
            if rows:
                await it.add_check("rows", it.collect_rows)
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


def _compute_lag(at: datetime, now: datetime) -> float:
    return max(0.0, (now - at).total_seconds())
