"""Erasure proven on raw files, and on real backups that were taken before it."""

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Settings,
    open_memory,
)
from gieok.bootstrap import DATABASE, KEYSTORE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url, create_database
from gieok.erasure import Receipt
from gieok.erasure.person_store import RETAINED_TABLES
from gieok.kernel.errors import NotFoundError
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.backups import back_up, rows_of, sealed_values, secrets_in
from support.erasure_canaries import CONTROL, USER, live, needles, readable, said
from support.paths import PROGRAMS
from support.redis_server import PROGRAM, RedisServer, redis_server
from support.scripted_model import Script

pytestmark = pytest.mark.acceptance
PROGRAM_OF_OURS = PROGRAMS / "command.py"
NOW = timedelta()


@dataclass(frozen=True, slots=True)
class Site:
    """An installation as it should be: data, keystore and key file apart."""

    root: Path
    parts: Parts
    redis: str | None

    @property
    def config(self) -> Config:
        return Config(
            data=self.root / "data",
            key_file=self.root / "gieok.key",
            redis_url=self.redis,
            defaults=Settings(allowed_categories=ALL_CATEGORIES),
        )

    @asynccontextmanager
    async def keystore(self, directory: str) -> AsyncGenerator[str]:
        """Run the server of the keystore on a directory."""
        async with run_embedded_postgres(self.root / directory) as server:
            await asyncio.to_thread(create_database, server, KEYSTORE)
            yield build_database_url(server, KEYSTORE)

    @asynccontextmanager
    async def opened(self, config: Config) -> AsyncGenerator[Gieok]:
        async with open_memory(config, parts=self.parts, worker=False) as memory:
            yield memory


@dataclass(frozen=True, slots=True)
class Gone:
    """What was erased after the backup."""

    person: UUID
    receipt: Receipt
    forgetter: UUID
    memory_id: UUID


async def erased(memory: Gieok, forgotten: UUID) -> Gone:
    """Erase a person, and one memory of another's; then change all keys."""
    me, forgetter = memory.person(USER), memory.person("forgetter")
    receipt = await memory.erasure.person(me)
    assert memory.erasure.verify(receipt)
    partial = await memory.memories.forget(forgetter, forgotten)
    assert memory.erasure.verify(partial)
    # What the worker does within 24 hours.
    await memory.keys.renew([forgetter.user_id], settles_in=NOW, destroyed_after=NOW)
    await memory.keys.rotate_wrapping()
    await memory.keys.retire()
    return Gone(me.user_id, receipt, forgetter.user_id, forgotten)


def dumped(redis: RedisServer) -> None:
    """Let a Redis write what it holds to its directory."""
    with socket.create_connection(("127.0.0.1", redis.port)) as connection:
        connection.sendall(b"SAVE\r\n")
        assert connection.recv(64) == b"+OK\r\n"


def controlled(address: str, *places: Path) -> None:
    """Scan before and after a checkpoint, with one word that is readable."""
    with psycopg.connect(address, autocommit=True) as owner:
        assert readable(*places) == set(), "at once"
        owner.execute("CREATE TABLE control (word text)")
        owner.execute(b"INSERT INTO control VALUES ('" + CONTROL + b"')")
        owner.execute("CHECKPOINT")


async def lived_and_erased(
    site: Site, script: Script, clock: FixedClock, keystore: str
) -> Gone:
    """Let three people live, take backups, then erase; scan what is left."""
    root, config = site.root, replace(site.config, keystore_url=keystore)
    async with (
        site.opened(config) as memory,
        run_embedded_postgres(config.data / "pg") as server,
    ):
        await live(memory, script, clock)
        for name in ("survivor", "forgetter"):
            await memory.memories.remember(memory.person(name), f"{name} stays")
        forgetter = memory.person("forgetter")
        gone = await memory.memories.remember(forgetter, said("forgotten"))
        for source, backup in (("data/pg", "backup/pg"), ("keys", "backup/keys")):
            back_up(root / source, root / backup)
        taken = await erased(memory, gone.memory_id)
        controlled(build_database_url(server, DATABASE), root / "data", root / "keys")
    return taken


async def nothing_opens(site: Site, gone: Gone, keystore: str) -> None:
    """Try every key there is on every sealed value in the backup of the data."""
    key_file = site.config.key_file
    assert key_file is not None
    secrets = await secrets_in(keystore, key_file)
    assert len(secrets) >= 2, "the survivor's and the forgetter's new one"
    async with site.keystore("backup/keys") as old:
        assert await secrets_in(old, key_file) == [], "nor with the old keystore"
    async with run_embedded_postgres(site.root / "backup" / "pg") as server:
        values = sealed_values(build_database_url(server, DATABASE))
    tried: dict[UUID, list[bool]] = {}
    for each in values:
        opens = any(each.opens(secret) for secret in secrets)
        tried.setdefault(each.user_id, []).append(opens)
    columns = {each.column for each in values if each.user_id == gone.person}
    assert len(columns) >= 24, "the backup holds every kind of content"
    assert not any(tried.pop(gone.person)), "of the person who was erased"
    assert not any(tried.pop(gone.forgetter)), "of the key that was renewed"
    (survivor,) = tried.values()
    assert all(survivor), "and the attempt does open what it may"


def restore_checked(config: Config) -> Any:
    """Run the command that is to be run after a restore."""
    environment = {
        "GIEOK_DATA": str(config.data),
        "GIEOK_KEYSTORE_URL": str(config.keystore_url),
        "GIEOK_KEY_FILE": str(config.key_file),
    }
    done = subprocess.run(  # noqa: S603 - a program of ours
        [sys.executable, str(PROGRAM_OF_OURS), "restore-check", "--json"],
        env=os.environ | environment,
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


async def nobody_answers(site: Site, gone: Gone, keystore: str) -> None:
    """Let `restore-check` erase again what the backup brought back; then ask."""
    config = replace(site.config, data=site.root / "backup", keystore_url=keystore)
    async with run_embedded_postgres(config.data / "pg") as server:
        address = build_database_url(server, DATABASE)
        assert len(rows_of(address, gone.person)) > 20
        done = await asyncio.to_thread(restore_checked, config)
        assert done == {"erased_again": 2, "decided_again": 0, "revoked_again": 0}
        assert set(rows_of(address, gone.person)) == set(RETAINED_TABLES)
    async with site.opened(config) as memory:
        me, forgetter = memory.person(USER), memory.person("forgetter")
        (receipt,) = await memory.erasure.receipts(me)
        assert (receipt.number, receipt.about) == (1, gone.person)
        assert await memory.memories.page(me, include_inactive=True) == ((), 0)
        assert await memory.recall.search(me, said("user text")) == ()
        assert (await memory.sessions.page(me))[0] == ()
        assert await memory.accounts.persona_names(me) == {}
        with pytest.raises(NotFoundError):
            await memory.memories.get(forgetter, gone.memory_id)
        assert (await memory.memories.page(forgetter))[0] == ()
        (kept,), _ = await memory.memories.page(memory.person("survivor"))
        assert kept.content == "survivor stays"


@pytest.mark.req("A15", "E19")
async def test_what_was_erased_is_readable_nowhere_and_no_backup_opens(
    tmp_path: Path,
    script: Script,
    clock: FixedClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    script.answers.clear()
    caplog.set_level(logging.DEBUG)
    dump = tmp_path / "redis"
    dump.mkdir()
    parts = Parts(
        clock=clock,
        model=ScriptedModel(script),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )
    with redis_server(dump) if PROGRAM else nullcontext() as redis:
        site = Site(tmp_path, parts, redis and redis.url)
        async with site.keystore("keys") as keystore:
            gone = await lived_and_erased(site, script, clock, keystore)
            if redis is not None:
                dumped(redis)
            await nothing_opens(site, gone, keystore)
            await nobody_answers(site, gone, keystore)
    everything = readable(tmp_path / "data", tmp_path / "keys", tmp_path / "backup")
    assert everything == {CONTROL}, "the scan does find what is readable"
    assert (dump / "dump.rdb").exists() or PROGRAM is None
    assert readable(dump) == set()
    assert not [each for each in needles() if each.decode("latin-1") in caplog.text]
