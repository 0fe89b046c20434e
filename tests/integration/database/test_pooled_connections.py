"""A proxy between gieok and PostgreSQL: refused at once, or nothing of a session."""

import asyncio
import os
import re
import socket
import stat
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from gieok import Config, Gieok, Parts, Turn, open_memory
from gieok.database import Database
from gieok.database.migrate import as_app_role, build_database_url
from gieok.database.pool import limit_silence
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.ids import generate_id
from gieok.surfaces.langgraph import GieokSaver, GieokStore
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.database import Owner
from support.database_proxy import proxied

OF_A_SESSION = re.compile(
    r"^\s*(SET\s+(?!LOCAL\b|TRANSACTION\b)|RESET|LISTEN|DISCARD|PREPARE|LOAD)"
    r"|\b(TEMP|TEMPORARY)\s+TABLE|WITH\s+HOLD|pg_(try_)?advisory_lock|set_config",
    re.IGNORECASE,
)
"""What a server keeps when a pooler lends it to somebody else."""


@pytest.mark.parametrize(
    ("statement", "lasts"),
    [
        ("SET app.user_id = 'x'", True),
        ("SET SESSION app.user_id = 'x'", True),
        ("SELECT pg_advisory_lock(1)", True),
        ("SET LOCAL app.user_id = 'x'", False),
        ("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", False),
        ("SELECT pg_advisory_xact_lock(1)", False),
        ("UPDATE users SET name = 'x'", False),
    ],
)
def test_what_outlasts_a_transaction(statement: str, *, lasts: bool) -> None:
    assert bool(OF_A_SESSION.search(statement)) is lasts


async def test_a_proxy_that_drops_the_role_is_refused_at_once(
    address: str, memory: Gieok
) -> None:
    """Else the pool would try it again, for ten seconds."""
    async with proxied(address, drops_options=True) as (behind, _):
        with pytest.raises(ConfigurationError, match="PgBouncer"):
            async with (
                asyncio.timeout(8),
                Database.connect(as_app_role(behind), memory.clock, generate_id),
            ):
                pytest.fail("it was let in")


def list_silence_limits(port: int) -> list[tuple[int, int]]:
    """Return what this process's connections to a port go by when nothing comes."""
    found: list[tuple[int, int]] = []
    for name in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if not stat.S_ISSOCK(os.fstat(int(name.name)).st_mode):
                continue
            with socket.socket(fileno=os.dup(int(name.name))) as line:
                if line.family == socket.AF_INET and line.getpeername()[1] == port:
                    found.append(
                        (
                            line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
                            line.getsockopt(
                                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT
                            ),
                        )
                    )
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
async def test_no_connection_waits_for_a_machine_that_is_gone(
    address: str, owner: Owner, config: Config
) -> None:
    """After a failover the name leads to another machine, and the first is silent."""
    await owner.execute("CREATE DATABASE behind_a_failover")
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    there = make_conninfo(build_database_url(address, "behind_a_failover"))
    async with proxied(there) as (behind, _):
        away = Config(data=config.data, database_url=behind)
        async with open_memory(away, parts=parts, worker=True) as memory:
            await memory.accounts.ensure(memory.person("minji"))
            await asyncio.sleep(1)  # the worker connects
            port = int(conninfo_to_dict(behind)["port"] or 0)
            limits = list_silence_limits(port)
    assert len(limits) >= 3, "two pools and the worker"
    assert set(limits) == {(5, 15_000)}


def test_an_address_keeps_what_it_says_of_silence() -> None:
    own = "host=db keepalives_idle=60 tcp_user_timeout=0"
    found = conninfo_to_dict(limit_silence(own))
    assert (found["keepalives_idle"], found["tcp_user_timeout"]) == ("60", "0")
    assert found["keepalives_count"] == "3"


async def test_nothing_outlasts_a_transaction(
    address: str, owner: Owner, config: Config
) -> None:
    """So that a pooler may give each transaction another server connection."""
    await owner.execute("CREATE DATABASE behind_a_pooler")
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    there = make_conninfo(build_database_url(address, "behind_a_pooler"))
    async with proxied(there) as (behind, proxy):
        pooled = Config(data=config.data, database_url=behind)
        async with open_memory(pooled, parts=parts, worker=False) as memory:
            me = memory.person("minji")
            day = await memory.sessions.start(me)
            await memory.sessions.record(me, day.session_id, Turn("a cat", "nice"))
            await memory.sessions.close(me, day.session_id)
            await memory.settled(me)
            await memory.context.build(me, "a cat?")
            store = GieokStore(memory, me)
            await store.aput(("notes",), "k", {"text": "a cat"})
            await store.asearch(("notes",), query="cat")
            saver = GieokSaver(memory, me)
            await saver.aprune(["a thread"])
            await saver.aprune(["a thread"], strategy="delete")
            await memory.keys.finish()
            await memory.audit.seal()
            await memory.erasure.person(me)
        assert len(proxy.statements) > 100
        assert any("TRANSACTION ISOLATION" in each for each in proxy.statements)
        assert [each for each in proxy.statements if OF_A_SESSION.search(each)] == []
