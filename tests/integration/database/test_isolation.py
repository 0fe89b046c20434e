"""Nobody sees anybody else: row security, checked in the catalogue and under load."""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from gieok import Config, Gieok, Parts, Scope, Turn, open_memory
from gieok.database import Database
from gieok.database.migrate import as_app_role
from gieok.database.row_security import APP_ROLE
from gieok.items import Put
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.ids import generate_id
from gieok.sync import Installation, start_chain
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.database import Owner

PERSONAL = """
    SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
           array(
               SELECT pg_get_expr(p.polqual, c.oid) || ' / '
                   || pg_get_expr(p.polwithcheck, c.oid)
               FROM pg_policy p
               WHERE p.polrelid = c.oid AND p.polname <> 'sealing'
           )
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
    WHERE c.relnamespace = 'gieok'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname <> 'agenda' -- ids and times only; the sweep looks across people
    ORDER BY 1
"""
UNRELATED = {
    "agenda",
    "alembic_version",
    "api_keys",
    "checkpoint_migrations",
    "installation",
    "job_failures",
    "operator_sign_ins",
    "procrastinate_events",
    "procrastinate_jobs",
    "procrastinate_periodic_defers",
    "procrastinate_workers",
}


LOOKS: tuple[LiteralString, ...] = (
    "SELECT user_id FROM users",
    "SELECT user_id FROM sessions",
    "SELECT user_id FROM session_messages",
    "SELECT user_id FROM memory_audit_log",
)

STATES: tuple[LiteralString, ...] = (
    """
    INSERT INTO checkpoints (thread_id, checkpoint_id, checkpoint)
    VALUES ('thread', '1', '{}')
    """,
    """
    INSERT INTO checkpoint_blobs (thread_id, channel, version, type)
    VALUES ('thread', 'said', '1', 'empty')
    """,
    """
    INSERT INTO checkpoint_writes (
        thread_id, checkpoint_id, task_id, idx, channel, blob
    ) VALUES ('thread', '1', 'task', 0, 'said', '')
    """,
    """
    INSERT INTO pending_receipts (user_id, memory_id, erased_at)
    SELECT user_id, user_id, created_at FROM users
    """,
)
"""Rows without a use case here: LangGraph's (the database says whose they are), and
one that the next step takes away."""


class Stumbled(Exception):  # noqa: N818 - nothing of gieok's
    """Something went wrong in the middle of a transaction."""


async def names(owner: Owner, statement: str) -> set[str]:
    found = await owner.execute(statement.encode())
    return {row[0] for row in await found.fetchall()}


async def personal_tables(owner: Owner) -> list[str]:
    found = await owner.execute(PERSONAL)
    return [row[0] for row in await found.fetchall()]


async def test_every_personal_table_is_closed_by_one_policy(owner: Owner) -> None:
    found = await (await owner.execute(PERSONAL)).fetchall()
    assert len(found) >= 12
    for table, enabled, forced, policies in found:
        assert (enabled, forced) == (True, True), table
        (policy,) = policies
        used, checked = policy.split(" / ")
        assert used == checked
        assert "current_setting('app.user_id'" in used
    every = await names(
        owner,
        "SELECT relname FROM pg_class WHERE relnamespace = 'gieok'::regnamespace"
        " AND relkind IN ('r', 'p')",
    )
    assert every == {row[0] for row in found} | UNRELATED


async def test_personal_rows_are_kept_by_person_first(owner: Owner) -> None:
    first = await owner.execute(
        """
        SELECT c.relname, a.attname FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE i.indisprimary AND c.relnamespace = 'gieok'::regnamespace
        """
    )
    columns = dict(await first.fetchall())
    tables = await personal_tables(owner)
    # The keys of LangGraph's tables are the library's: its statements name them.
    ours = [table for table in tables if not table.startswith("checkpoint")]
    assert {columns[table] for table in ours} == {"user_id"}


async def test_there_are_no_views_to_look_around_a_policy(owner: Owner) -> None:
    views = await names(
        owner,
        "SELECT relname FROM pg_class WHERE relnamespace = 'gieok'::regnamespace"
        " AND relkind IN ('v', 'm')",
    )
    assert views == set()


async def test_the_app_role_owns_nothing_and_cannot_bypass_anything(
    owner: Owner,
) -> None:
    found = await owner.execute(
        """
        SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication,
               rolcanlogin
        FROM pg_roles WHERE rolname = %s
        """,
        [APP_ROLE],
    )
    assert await found.fetchone() == (False,) * 6
    owned = await owner.execute(
        """
        SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = %(role)s
        UNION ALL
        SELECT proname FROM pg_proc WHERE pg_get_userbyid(proowner) = %(role)s
        UNION ALL
        SELECT nspname FROM pg_namespace WHERE pg_get_userbyid(nspowner) = %(role)s
        """,
        {"role": APP_ROLE},
    )
    assert await owned.fetchall() == []
    granted = await owner.execute(
        "SELECT has_schema_privilege(%s, 'gieok', 'CREATE')", [APP_ROLE]
    )
    assert await granted.fetchone() == (False,)


async def test_everything_runs_as_the_app_role(memory: Gieok) -> None:
    async with memory.maintenance.database.connection() as connection:
        found = await connection.execute("SELECT current_user::text")
        assert await found.fetchone() == (APP_ROLE,)


async def greet(memory: Gieok, me: Scope) -> None:
    """Have a speaker say hello, and nothing more go to it; make a browser's link."""
    await memory.sign_ins.create_link(me)
    speaker = Installation("speaker", uuid4())
    await memory.sync.hello(me, speaker, start_chain(speaker.incarnation), 0)
    await memory.settings.consent(me, {"sync": False})


async def test_a_connection_without_a_person_sees_and_writes_nothing(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    persona = await memory.accounts.persona(me, "luna")
    device = await memory.accounts.device(me, "speaker")
    session = await memory.sessions.start(me, persona_id=persona, device_id=device)
    await memory.sessions.record(me, session.session_id, Turn("나 강남구 살아", "네"))
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.settings.update(me, {"max_memories": 9})
    await greet(memory, me)
    await memory.items.batch(me, [Put(("notes",), "k", {"n": 1})])
    await memory.settled(me)
    gone = await memory.memories.remember(me, "사용자는 벌을 키움")
    await memory.memories.forget(me, gone.memory_id)
    await memory.portability.prepare(me)
    assert await memory.profile.get(me)
    async with memory.maintenance.database.begin(me) as tx:
        for statement in STATES:
            await tx.execute(statement)
    for table in await personal_tables(owner):
        held = await owner.execute(f"SELECT count(*) FROM {table}".encode())
        assert await held.fetchone() != (0,), (
            f"{table} is empty: the test shows nothing"
        )
        async with memory.maintenance.database.connection() as connection:
            seen = await connection.execute(f"SELECT count(*) FROM {table}".encode())
            assert await seen.fetchone() == (0,), table
    async with memory.maintenance.database.connection() as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute(
                "INSERT INTO user_counters (user_id) VALUES (%s)", [me.user_id]
            )


async def test_nobody_can_write_rows_of_somebody_else(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.accounts.ensure(other)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with memory.maintenance.database.begin(me) as tx:
            await tx.execute(
                """
                INSERT INTO memory_updates
                    (user_id, seq, entity, entity_id, operation, created_at)
                VALUES (%s, 1, 'x', %s, 'put', now())
                """,
                [other.user_id, other.user_id],
            )
    async with memory.maintenance.database.begin(me) as tx:
        changed = await tx.fetch_all(
            "UPDATE users SET language = 'en' WHERE user_id = %s RETURNING user_id",
            [other.user_id],
        )
    assert changed == []
    assert (await memory.accounts.get(other)).language == "ko"


async def test_the_person_is_forgotten_when_a_transaction_ends(
    memory: Gieok, me: Scope
) -> None:
    async def left_behind() -> list[str | None]:
        settings: list[str | None] = []
        for _ in range(12):
            async with memory.maintenance.database.connection() as connection:
                found = await connection.execute(
                    "SELECT current_setting('app.user_id', true)"
                )
                row = await found.fetchone()
                settings.append(row[0] if row else None)
        return settings

    async with memory.maintenance.database.begin(me) as tx:
        await tx.execute("SELECT 1")
    assert not any(await left_behind())
    with suppress(Stumbled):
        async with memory.maintenance.database.begin(me) as tx:
            await tx.execute("SELECT 1")
            raise Stumbled
    assert not any(await left_behind())
    with pytest.raises(psycopg.errors.DivisionByZero):
        async with memory.maintenance.database.begin(me) as tx:
            await tx.execute("SELECT 1 / 0")
    assert not any(await left_behind())


@dataclass(slots=True)
class Crowd:
    """Many people who look at every table again and again, some breaking off."""

    memory: Gieok
    dice: random.Random
    foreign: list[UUID] = field(default_factory=list[UUID])

    async def live(self, name: str) -> None:
        """Record, look around, be interrupted, and find one's own things only."""
        scope = self.memory.person(name)
        session = await self.memory.sessions.start(scope)
        for _ in range(3):
            await self._interrupted(scope)
            turn = Turn(f"{name}의 비밀", "네")
            await self.memory.sessions.record(scope, session.session_id, turn)
            with suppress(Stumbled):
                await self._look(scope)
        read = await self.memory.sessions.read(scope, session.session_id)
        assert {m.content for m in read.messages} == {f"{name}의 비밀", "네"}
        hits = await self.memory.recall.search(scope, "비밀")
        assert {hit.content for hit in hits} <= {f"{name}의 비밀", "네"}

    async def _interrupted(self, scope: Scope) -> None:
        if self.dice.random() < 0.2:
            task = asyncio.create_task(self._look(scope))
            await asyncio.sleep(self.dice.random() / 50)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _look(self, scope: Scope) -> None:
        async with self.memory.maintenance.database.begin(scope) as tx:
            for statement in LOOKS:
                rows = await tx.fetch_all(statement)
                self.foreign.extend(r[0] for r in rows if r[0] != scope.user_id)
            if self.dice.random() < 0.3:
                raise Stumbled


async def test_a_hundred_people_at_once_on_three_connections_never_meet(
    config: Config, address: str, tmp_path: Path
) -> None:
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    small = replace(
        config,
        data=tmp_path,
        database_url=address,
        key_file=config.data / "gieok.key",
        connections=3,
    )
    async with open_memory(small, parts=parts, worker=False) as memory:
        crowd = Crowd(memory, random.Random(7))  # noqa: S311 - no secret
        await asyncio.gather(*(crowd.live(f"crowd-{n}") for n in range(100)))
        async with memory.maintenance.database.connection() as connection:
            found = await connection.execute("SELECT count(*) FROM session_messages")
            assert await found.fetchone() == (0,)
    assert crowd.foreign == []


async def test_the_app_address_cannot_escape_its_role(address: str) -> None:
    connection = await psycopg.AsyncConnection.connect(as_app_role(address))
    async with connection:
        for table in ("user_memories", "memory_audit_log"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await connection.execute(
                    f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY".encode()
                )
            await connection.rollback()


@pytest.mark.parametrize("options", ["", "-c role=gieok_app -c row_security=off"])
async def test_a_connection_that_row_security_does_not_hold_is_refused(
    address: str, options: str, memory: Gieok
) -> None:
    """What a proxy leaves that drops start-up options."""
    other = make_conninfo(address, options=options)
    with pytest.raises(ConfigurationError, match="PgBouncer"):
        async with Database.connect(other, memory.clock, generate_id):
            pytest.fail("it was let in")
