"""A data folder as after a first start, to begin from where that is not the subject.

A first start makes a database and brings it up to date: seconds, most of them spent
waiting for the disk. The folder holds the databases alone: keys are made when needed.
"""

import asyncio
import subprocess
from pathlib import Path

from gieok.bootstrap import DATABASE, KEYSTORE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url, create_database, migrate
from support.database import spare_disk


async def build_template(folder: Path) -> None:
    """Make the databases in a folder, and stop their server."""
    async with run_embedded_postgres(folder / "pg") as server:
        await spare_disk(folder / "pg")
        for name in (DATABASE, KEYSTORE):
            await asyncio.to_thread(create_database, server, name)
        await asyncio.to_thread(migrate, build_database_url(server, DATABASE))


def copy_template(template: Path, data: Path) -> Path:
    """Put the databases of a template into a data folder without any; return it."""
    data.mkdir(parents=True, exist_ok=True)
    assert not (data / "pg").exists()
    subprocess.run(  # noqa: S603 - as root it keeps the owner, another user
        ["cp", "-a", str(template / "pg"), str(data / "pg")],  # noqa: S607
        check=True,
    )
    return data
