"""Checks of an installation that is open: the same for a terminal and for a page."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from gieok.facade import Gieok
from gieok.kernel.errors import ConfigurationError, GieokError
from gieok.kernel.language import Conversation, Role, Utterance
from gieok.kernel.scope import Actor, Scope
from gieok.recall import EmbedderRecord

LONGEST_LAG: Final = 300
"""Seconds a job may be due."""
PROBE: Final = "기억 memory"


class Translate(Protocol):
    """Returns the sentence of a key in the reader's language."""

    def __call__(self, key: str, **details: object) -> str:
        """Fill the places of the sentence."""
        ...


class SkippedCheck(Exception):  # noqa: N818 - nothing is wrong with the check itself
    """What this check needs is not there."""


class CheckProblem(Exception):  # noqa: N818 - reported, never raised to the user
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


async def run_check(
    name: str, look: Callable[[], Awaitable[str]], translate: Translate, language: str
) -> CheckResult:
    """Return what one check found; whatever it raises is a finding."""
    try:
        return CheckResult(name, ok=True, finding=await look())
    except SkippedCheck:
        return CheckResult(name, ok=None, finding=translate("doctor.skipped"))
    except CheckProblem as found:
        finding, advice = str(found), translate(found.advice)
    except GieokError as error:
        finding, advice = error.message(language), translate(f"advice.{name}")
    except Exception as error:  # noqa: BLE001 - whatever is broken is a finding
        finding = f"{type(error).__name__}: {error}"
        advice = translate("advice.unknown")
    return CheckResult(name, ok=False, finding=finding, advice=advice)


@dataclass(frozen=True, slots=True)
class InstallationChecks:
    """The checks that an open installation answers for; each returns its finding."""

    gieok: Gieok
    translate: Translate

    def list_checks(self) -> dict[str, Callable[[], Awaitable[str]]]:
        """Return every check by its name, in the order in which they make sense."""
        cards = self.gieok.tutor_cards
        own = {} if cards is None else {"tutor_cards": self.check_tutor_cards}
        return {
            "keystore": self.check_keystore,
            "schema": self.check_schema,
            "embedder": self.check_embedder,
            "tokenizer": self.check_tokenizer,
            "model": self.check_model,
            **own,
            "queue": self.check_queue,
            "dead_letters": self.check_dead_letters,
            "rows": self.check_rows,
        }

    async def check_keystore(self) -> str:
        """Find out whether the keystore answers."""
        people = await self.gieok.maintenance.vault.keystore.list_people()
        return self.translate("doctor.people", count=len(people))

    async def check_schema(self) -> str:
        """Find out whether the database answers, and which version it is of."""
        async with self.gieok.maintenance.database.connection() as connection:
            found = await connection.execute("SHOW server_version")
            row = await found.fetchone()
        return self.translate("doctor.schema", version=row[0] if row else "?")

    async def check_embedder(self) -> str:
        """Have the embedder embed, and compare it with the one that vectors are of."""
        embedder = self.gieok.recall.embedder
        await EmbedderRecord(self.gieok.maintenance.database).verify(embedder)
        (vector,) = await embedder.passages([PROBE])
        if vector.shape != (embedder.dimension,) or not np.isfinite(vector).all():
            raise ConfigurationError(f"{embedder.name}: {vector.shape}")
        return f"{embedder.name} ({embedder.dimension})"

    async def check_tokenizer(self) -> str:
        """Have the tokenizer split a text."""
        tokenizer = self.gieok.recall.tokenizer
        terms = await asyncio.to_thread(tokenizer.terms, PROBE)
        if not terms:
            raise ConfigurationError(f"{PROBE!r} → {terms!r}")
        return ", ".join(terms)

    async def check_model(self) -> str:
        """Have the model read a sentence."""
        model = self.gieok.memories.model
        said = (Utterance(0, Role.USER, PROBE),)
        await model.extract(Conversation(said, (), self.gieok.clock()))
        return model.name

    async def check_tutor_cards(self) -> str:
        """Find out whether the table of the tutor's cards answers."""
        cards = self.gieok.tutor_cards
        if cards is None:
            raise SkippedCheck
        await cards.verify()
        return cards.documents.table

    async def check_queue(self) -> str:
        """Find out how much waits, and for how long."""
        backlog = await self.gieok.jobs.measure_backlog()
        lag = backlog.lag.total_seconds()
        finding = self.translate(
            "doctor.queue",
            waiting=backlog.waiting,
            ready=backlog.due,
            lag=f"{lag:.0f}",
        )
        if lag > LONGEST_LAG:
            raise CheckProblem(finding, "advice.queue")
        return finding

    async def check_dead_letters(self) -> str:
        """Find out how many jobs were given up."""
        failed = (await self.gieok.jobs.count_by_status()).get("failed", 0)
        finding = self.translate("doctor.failed", count=failed)
        if failed:
            raise CheckProblem(finding, "advice.dead_letters")
        return finding

    async def check_rows(self) -> str:
        """Try to read every sealed row of everybody."""
        found = Counter[str]()
        for user_id in await self.gieok.maintenance.vault.keystore.list_people():
            scope = Scope(user_id, Actor.ADMIN)
            found.update(await self.gieok.portability.unreadable(scope))
        if not found:
            return self.translate("doctor.rows")
        told = ", ".join(f"{table} {count}" for table, count in sorted(found.items()))
        finding = self.translate("doctor.unreadable", rows=told)
        raise CheckProblem(finding, "advice.rows")
