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

from gieok.bootstrap import Addresses, assemble, prepare
from gieok.facade import Gieok
from gieok.kernel.clock import system_clock
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
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of

LEAST_FREE = 1 << 30
"""Bytes of free disk under which something is about to go wrong."""
LONGEST_LAG = 300
"""Seconds a job may be overdue."""
PROBE = "기억 memory"


class _Skipped(Exception):  # noqa: N818 - nothing is wrong with the check itself
    """What this check needs is not there."""


class _Problem(Exception):  # noqa: N818 - reported, never raised to the user
    """Something is wrong; `advice` is the key of what to do."""

    def __init__(self, finding: str, advice: str) -> None:
        super().__init__(finding)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Check:
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
    addresses: Addresses | None = None
    gieok: Gieok | None = None
    checks: list[Check] = field(default_factory=list[Check])

    async def check(self, name: str, look: Callable[[], Awaitable[str]]) -> None:
        self.checks.append(await self._looked(name, look))

    async def _looked(self, name: str, look: Callable[[], Awaitable[str]]) -> Check:
        terminal = self.terminal
        try:
            return Check(name, ok=True, finding=await look())
        except _Skipped:
            return Check(name, ok=None, finding=terminal.say("doctor.skipped"))
        except _Problem as found:
            return Check(
                name, ok=False, finding=str(found), advice=terminal.say(found.advice)
            )
        except GieokError as error:
            advice = terminal.say(f"advice.{name}")
            return Check(
                name, ok=False, finding=error.message(terminal.language), advice=advice
            )
        except Exception as error:  # noqa: BLE001 - whatever is broken is a finding
            advice = terminal.say("advice.unknown")
            return Check(
                name,
                ok=False,
                finding=f"{type(error).__name__}: {error}",
                advice=advice,
            )

    async def data(self) -> str:
        path = self.terminal.config.data
        place = path if path.exists() else path.parent
        while not place.exists():
            place = place.parent
        if not os.access(place, os.W_OK | os.X_OK):
            raise DataDirectoryError(f"{place} cannot be written.")
        free = shutil.disk_usage(place).free
        finding = self.terminal.say("doctor.free", path=path, free=f"{free / 1e9:.1f}")
        if free < LEAST_FREE:
            raise _Problem(finding, "advice.disk")
        return finding

    async def database(self) -> str:
        self.addresses = await prepare(self.terminal.config, self.stack)
        own = self.terminal.config.database_url is not None
        return self.terminal.say("doctor.own" if own else "doctor.embedded")

    async def key(self) -> str:
        config = self.terminal.config
        path = config.key_path
        if not path.exists() and self.gieok is None:
            raise KeyFileError(self.terminal.say("doctor.no_key", path=path))
        ring = await Keyring.open(path, kms_key=config.kms_key)
        if ring.kms is None:
            return f"{path} ({ring.key_id})"
        finding = self.terminal.say("doctor.kms", name=ring.key_id)
        if not ring.is_sealed:
            raise _Problem(finding, "advice.key_file_open")
        return finding

    async def keystore(self) -> str:
        if self.addresses is None:
            raise _Skipped
        terminal = self.terminal
        self.gieok = await assemble(
            terminal.config, self.addresses, terminal.parts, self.stack
        )
        people = await self.gieok.vault.keystore.people()
        return terminal.say("doctor.people", count=len(people))

    async def schema(self) -> str:
        async with self._opened().database.connection() as connection:
            found = await connection.execute("SHOW server_version")
            row = await found.fetchone()
        return self.terminal.say("doctor.schema", version=row[0] if row else "?")

    async def embedder(self) -> str:
        gieok = self._opened()
        embedder = gieok.recall.embedder
        await EmbedderRecord(gieok.database).verify(embedder)
        (vector,) = await embedder.passages([PROBE])
        if vector.shape != (embedder.dimension,) or not np.isfinite(vector).all():
            raise ConfigurationError(f"{embedder.name}: {vector.shape}")
        return f"{embedder.name} ({embedder.dimension})"

    async def tokenizer(self) -> str:
        tokenizer = self._opened().recall.tokenizer
        terms = await asyncio.to_thread(tokenizer.terms, PROBE)
        if not terms:
            raise ConfigurationError(f"{PROBE!r} → {terms!r}")
        return ", ".join(terms)

    async def model(self) -> str:
        model = self._opened().memories.model
        said = (Utterance(0, Role.USER, PROBE),)
        await model.extract(Conversation(said, (), system_clock()))
        return model.name

    async def queue(self) -> str:
        jobs = self._opened().jobs
        counts, now = await jobs.counts(), system_clock()
        due = [job.scheduled_at for job in await jobs.waiting(limit=1_000)]
        lag = max((_seconds(at, now) for at in due if at is not None), default=0.0)
        ready = sum(at is None or at <= now for at in due)
        finding = self.terminal.say(
            "doctor.queue", waiting=counts.get("todo", 0), ready=ready, lag=f"{lag:.0f}"
        )
        if lag > LONGEST_LAG:
            raise _Problem(finding, "advice.queue")
        return finding

    async def rows(self) -> str:
        gieok = self._opened()
        found = Counter[str]()
        for user_id in await gieok.vault.keystore.people():
            scope = Scope(user_id, Actor.ADMIN)
            found.update(await gieok.portability.unreadable(scope))
        if not found:
            return self.terminal.say("doctor.rows")
        told = ", ".join(f"{table} {count}" for table, count in sorted(found.items()))
        finding = self.terminal.say("doctor.unreadable", rows=told)
        raise _Problem(finding, "advice.rows")

    async def dead_letters(self) -> str:
        failed = (await self._opened().jobs.counts()).get("failed", 0)
        finding = self.terminal.say("doctor.failed", count=failed)
        if failed:
            raise _Problem(finding, "advice.dead_letters")
        return finding

    def _opened(self) -> Gieok:
        if self.gieok is None:
            raise _Skipped
        return self.gieok


def doctor(
    context: typer.Context,
    *,
    rows: Annotated[bool, typer.Option("--rows/--no-rows", help="opt.rows")] = True,
    as_json: AsJson = False,
) -> None:
    """Check that everything is in place; exit code 1 says that something is not."""
    terminal = terminal_of(context)
    checks = run(lambda: _examined(terminal, rows=rows))
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
        terminal.data({"ok": well, "checks": told})
    else:
        terminal.out.print(_table(terminal, checks))
        terminal.tell("doctor.well" if well else "doctor.unwell")
    raise typer.Exit(0 if well else 1)


async def _examined(terminal: Terminal, *, rows: bool) -> list[Check]:
    async with AsyncExitStack() as stack:
        it = _Examination(terminal, stack)
        with terminal.err.status(terminal.say("doctor.looking")):
            await it.check("data", it.data)
            await it.check("database", it.database)
            await it.check("keystore", it.keystore)
            await it.check("key", it.key)
            await it.check("schema", it.schema)
            await it.check("embedder", it.embedder)
            await it.check("tokenizer", it.tokenizer)
            await it.check("model", it.model)
            await it.check("queue", it.queue)
            await it.check("dead_letters", it.dead_letters)
            if rows:
                await it.check("rows", it.rows)
        return it.checks


def _table(terminal: Terminal, checks: list[Check]) -> Table:
    table = Table(header_style="bold")
    for column in ("check", "state", "finding", "advice"):
        table.add_column(terminal.say(f"column.{column}"), overflow="fold")
    states = {
        True: show.plain(terminal.say("state.ok"), "green"),
        False: show.plain(terminal.say("state.problem"), "bold red"),
        None: show.plain(terminal.say("state.skipped"), "yellow"),
    }
    for check in checks:
        table.add_row(
            terminal.say(f"check.{check.name}"),
            states[check.ok],
            show.plain(" ".join(check.finding.split())),
            show.plain(check.advice),
        )
    return table


def _seconds(at: datetime, now: datetime) -> float:
    return max(0.0, (now - at).total_seconds())
