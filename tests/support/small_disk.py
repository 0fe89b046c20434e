"""A disk of a few megabytes that a test fills up, and has grow."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from psycopg import AsyncConnection


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A disk of a few megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    done = _mount(disk, "size=24m")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=False)  # noqa: S603, S607


def remount(disk: Path, option: str) -> None:
    """Give a small disk another size, or have it read only."""
    done = _mount(disk, f"remount,{option}")
    assert not done.returncode, done.stderr


async def move_database(server: str, disk: Path) -> None:
    """Have the rows of a database on a small disk; its log has room elsewhere."""
    shutil.chown(disk, pwd.getpwnam("pgserver").pw_uid)
    async with await AsyncConnection.connect(server, autocommit=True) as owner:
        await owner.execute(f"CREATE TABLESPACE small LOCATION '{disk}'".encode())
        await owner.execute("ALTER DATABASE gieok SET TABLESPACE small")


def _mount(disk: Path, options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - root's own mount
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
