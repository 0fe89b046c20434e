"""Erasure proven on the raw files: nothing readable, and nothing that opens again."""

import logging
import socket
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from conftest import Script, fact
from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Role,
    Settings,
    Turn,
    open_memory,
)
from gieok.bootstrap import DATABASE, KEYSTORE
from gieok.database.embedded import embedded_postgres
from gieok.database.migrate import other_database
from gieok.items import Put
from gieok.kernel.errors import TamperedError
from gieok.kernel.language import Basis, Emotion, Gist
from gieok.memories.store import CONTENT
from gieok.privacy import PersonKey
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from redis_server import PROGRAM, RedisServer, redis_server

USER = "canary.kim@example.co.kr"
KINDS = (
    "user text",
    "assistant text",
    "message",
    "metadata",
    "planner",
    "config",
    "memory",
    "candidate",
    "remembered",
    "episode",
    "topic",
    "persona",
    "device",
    "item",
    "question",
)
CANARIES = {
    kind: (f"ErasedZw{number:02d}", f"지움뷁쒧{number:02d}")
    for number, kind in enumerate(KINDS)
}
CONTROL = b"ControlWordZw"


def said(kind: str) -> str:
    return " ".join(CANARIES[kind])


def needles() -> Iterator[bytes]:
    """Yield every spelling in which a canary could lie on the disk.

    All canaries begin alike, so that few needles find any of them.
    """
    for word in ("ErasedZw", "지움뷁쒧", USER, USER.partition("@")[0]):
        yield word.encode()
        yield word.lower().encode()
        yield word.encode("utf-16-le")
        yield word.encode("unicode_escape")
        yield word.encode().hex().encode()


def readable(*places: Path) -> set[bytes]:
    """Return the canaries, and the control, that any file under these places holds."""
    found: set[bytes] = set()
    for path in (file for place in places for file in place.rglob("*")):
        # A server that is stopping takes some of its files away.
        with suppress(FileNotFoundError):
            if path.is_file():
                content = path.read_bytes()
                found |= {each for each in (CONTROL, *needles()) if each in content}
    return found


async def live(memory: Gieok, script: Script) -> None:
    """Put a canary into every kind of content, and into the caches."""
    me = memory.person(USER)
    persona = await memory.accounts.persona(me, said("persona"))
    device = await memory.accounts.device(me, said("device"))
    session = await memory.sessions.start(
        me, persona_id=persona, device_id=device, config={"x": said("config")}
    )
    at = session.session_id
    turn = Turn(
        said("user text"), said("assistant text"), "DEF", {"x": said("planner")}
    )
    await memory.sessions.record(me, at, turn)
    notes = {"note": said("metadata")}
    await memory.sessions.append(
        me, at, role=Role.USER, content=said("message"), metadata=notes
    )
    script.says(fact(said("memory")), fact(said("candidate"), basis=Basis.OBSERVED))
    await memory.settled(me)
    await memory.memories.remember(me, said("remembered"))
    await memory.episodes.create(
        me,
        persona_id=persona,
        session_id=at,
        gist=Gist(
            said("episode"), topics=(said("topic"),), emotion=Emotion.CALM, importance=5
        ),
        is_fallback=False,
        is_manual=False,
        summarizer="x",
    )
    item = Put((said("item"),), said("item"), {"x": said("item")})
    await memory.items.batch(me, [item])
    await memory.recall.search(me, said("question"))
    await memory.context.build(me, said("question"))
    assert (await memory.memories.page(me))[1] == 2


async def sealed_memories(address: str) -> list[tuple[UUID, int, bytes]]:
    """Return what a backup of the data would hold of all memories."""
    async with await psycopg.AsyncConnection.connect(address) as owner:
        found = await owner.execute(
            "SELECT memory_id, revision, content FROM gieok.user_memories"
        )
        return [(row[0], row[1], bytes(row[2])) for row in await found.fetchall()]


def opened(key: PersonKey, row: tuple[UUID, int, bytes]) -> str:
    return key.open_text(CONTENT, row[0], row[2], revision=row[1])


async def erased(memory: Gieok, server: str) -> None:
    """Erase the person; what a backup held opens with no key there is."""
    address, me = other_database(server, DATABASE), memory.person(USER)
    kept = await sealed_memories(address)
    key = await memory.vault.key(me)
    assert {opened(key, row) for row in kept} == {said("memory"), said("remembered")}
    receipt = await memory.erasure.person(me)
    assert memory.erasure.verify(receipt)
    assert await sealed_memories(address) == []
    keystore = other_database(server, KEYSTORE)
    async with await psycopg.AsyncConnection.connect(keystore) as keys:
        left = await keys.execute(
            "SELECT FROM user_keys WHERE user_id = %s", [me.user_id]
        )
        assert await left.fetchall() == [], "nobody has the key any more"
    fresh = await memory.vault.key(me)
    for row in kept:
        with pytest.raises(TamperedError):
            opened(fresh, row)


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


@pytest.mark.req("A15", "E19")
async def test_what_was_erased_is_readable_nowhere_and_no_backup_opens(
    tmp_path: Path, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    script.answers.clear()
    caplog.set_level(logging.DEBUG)
    data, dump = tmp_path / "gieok", tmp_path / "redis"
    dump.mkdir()
    parts = Parts(
        model=ScriptedModel(script), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    with redis_server(dump) if PROGRAM else nullcontext() as redis:
        config = Config(
            data=data,
            defaults=Settings(allowed_categories=ALL_CATEGORIES),
            redis_url=redis and redis.url,
        )
        async with (
            open_memory(config, parts=parts, worker=False) as memory,
            embedded_postgres(data / "pg") as server,
        ):
            await live(memory, script)
            await erased(memory, server)
            if redis is not None:
                dumped(redis)
            controlled(other_database(server, DATABASE), data, dump)
    assert readable(data) == {CONTROL}, "the scan does find what is readable"
    assert (dump / "dump.rdb").exists() or PROGRAM is None
    assert readable(dump) == set()
    assert not [each for each in needles() if each.decode("latin-1") in caplog.text]
