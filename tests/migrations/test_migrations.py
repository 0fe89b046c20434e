"""Migrations from nothing to this version, on a real server."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from gieok import Config, Parts, open_memory
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import (
    as_app_role,
    build_database_url,
    create_database,
    migrate,
    parse_database_name,
)
from gieok.kernel.errors import DatabaseUnavailableError, SchemaError
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer


@pytest.fixture(scope="session")
async def server(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[str]:
    async with run_embedded_postgres(
        tmp_path_factory.mktemp("migrations") / "pg"
    ) as url:
        yield url


@pytest.fixture
def fresh(server: str) -> Iterator[str]:
    """An empty database of its own."""
    name = f"fresh_{uuid4().hex[:8]}"
    create_database(server, name)
    yield build_database_url(server, name)
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as owner:
        rows = owner.execute(
            "SELECT table_name FROM information_schema.tables "
            "WHERE table_schema = 'gieok' AND table_type = 'BASE TABLE'"
        )
        return {row[0] for row in rows.fetchall()}


def test_migrating_twice_changes_nothing(fresh: str) -> None:
    migrate(fresh)
    first = tables(fresh)
    assert {"users", "sessions", "user_memories", "procrastinate_jobs"} <= first
    migrate(fresh)
    assert tables(fresh) == first


async def test_many_processes_may_migrate_at_once(fresh: str) -> None:
    await asyncio.gather(*(asyncio.to_thread(migrate, fresh) for _ in range(4)))
    with psycopg.connect(as_app_role(fresh)) as app:
        row = app.execute("SELECT current_user, count(*) FROM users").fetchone()
    assert row == ("gieok_app", 0)


async def test_a_database_of_ones_own_works_like_the_embedded_one(
    fresh: str, tmp_path: Path
) -> None:
    config = Config(data=tmp_path, database_url=fresh)
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False) as memory:
        me = memory.person("me")
        await memory.settings.update(me, {"allowed_categories": ["context"]})
        kept = await memory.memories.remember(me, "사용자는 강남구에 거주")
    async with open_memory(config, parts=parts, worker=False) as memory:
        found = await memory.memories.get(memory.person("me"), kept.memory_id)
    assert found.content == "사용자는 강남구에 거주"
    with psycopg.connect(
        build_database_url(fresh, f"{parse_database_name(fresh)}_keys")
    ) as keys:
        row = keys.execute("SELECT count(*) FROM user_keys").fetchone()
    assert row == (1,)


def test_a_user_who_may_not_create_databases_is_told_what_to_do(fresh: str) -> None:
    with psycopg.connect(fresh, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS powerless")
        owner.execute("CREATE ROLE powerless LOGIN")
    poor = make_conninfo(fresh, user="powerless")
    with pytest.raises(SchemaError, match="GIEOK_KEYSTORE_URL"):
        create_database(poor, "keys_of_the_powerless")


def test_no_server_is_said_clearly() -> None:
    with pytest.raises(DatabaseUnavailableError, match="does not answer"):
        migrate("postgresql://nobody@127.0.0.1:1/none")
