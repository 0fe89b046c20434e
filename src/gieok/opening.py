"""Opens gieok; what it is made of is imported then, and not before."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from gieok.config import Config
from gieok.parts import Parts

if TYPE_CHECKING:
    from gieok.facade import Gieok


@asynccontextmanager
async def open_memory(
    config: Config | None = None, *, parts: Parts | None = None, worker: bool = True
) -> AsyncGenerator["Gieok"]:
    """Open gieok for as long as the block runs.

    Without a configuration, GIEOK_* variables are read; without those, an embedded
    PostgreSQL in the user's data directory, the bundled models and no API key are used.
    With `worker=False` nothing runs in the background: another process has to.

    Raises:
        ConfigurationError: what is set up wrongly, and what to change.
        DatabaseUnavailableError: the configured server does not answer.
    """
    run_gieok = await asyncio.to_thread(_import_run_gieok)
    async with run_gieok(
        config or Config.from_environment(), parts or Parts(), worker=worker
    ) as gieok:
        yield gieok


@asynccontextmanager
async def open_for_maintenance(
    config: Config,
    *,
    parts: Parts | None = None,
    any_embedder: bool = False,
    leaving_kms: bool = False,
) -> AsyncGenerator["Gieok"]:
    """Open gieok without a worker, also where `open_memory` would refuse to.

    What the configuration says of people who are not known yet (consent, language, time
    zone) counts only if no process has said it: to look must change nothing.

    `any_embedder=True` opens it although the vectors come from another embedder, so
    that `maintenance.reembed` can make them anew (`gieok reembed`). `leaving_kms=True`
    opens it without the key of AWS KMS in the configuration, so that `keys` can move to
    the key file (`gieok keys`).

    Raises:
        ConfigurationError: what is set up wrongly, and what to change.
        DatabaseUnavailableError: the configured server does not answer.
    """
    run_gieok = await asyncio.to_thread(_import_run_gieok)
    async with run_gieok(
        config,
        parts or Parts(),
        worker=False,
        any_embedder=any_embedder,
        leaving_kms=leaving_kms,
        sets_defaults=False,
    ) as gieok:
        yield gieok


def _import_run_gieok() -> Callable[..., "AbstractAsyncContextManager[Gieok]"]:
    """Import every capability: a second's work, so not on an app's event loop."""
    from gieok.bootstrap import run_gieok  # noqa: PLC0415 - when gieok is opened

    return run_gieok
