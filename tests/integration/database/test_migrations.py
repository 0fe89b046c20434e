"""Migrations from nothing to this version, on a real server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from gieok import Config, Parts, Settings, open_memory
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
from support.jobs import wait_until


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


@pytest.fixture
def plain_owner(fresh: str) -> Iterator[str]:
    """The empty database as one who owns it and is no superuser."""
    with psycopg.connect(fresh, autocommit=True) as owner:
        with suppress(psycopg.errors.DuplicateObject):
            owner.execute("CREATE ROLE gieok_app NOLOGIN NOBYPASSRLS")
        owner.execute("CREATE ROLE plain LOGIN")
        owner.execute("GRANT gieok_app TO plain WITH ADMIN OPTION")
        owner.execute(
            f'ALTER DATABASE "{parse_database_name(fresh)}" OWNER TO plain'.encode()
        )
    yield make_conninfo(fresh, user="plain")
    with psycopg.connect(fresh, autocommit=True) as owner:
        owner.execute("DROP OWNED BY plain CASCADE")
        owner.execute("REASSIGN OWNED BY plain TO CURRENT_USER")
        owner.execute("DROP ROLE plain")


def test_how_far_sessions_were_read_is_carried_over(
    fresh: str, plain_owner: str
) -> None:
    """Also where the owner sees no rows of a table that forces row security."""
    migrate(plain_owner, to="0017")
    user, session = uuid4(), uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        owner.execute(
            """
            INSERT INTO sessions (
                user_id, session_id, status, language, created_at, updated_at,
                message_count, extracted_count, screened_count, searchable_count,
                summarized_count, unsummed_from, unsummed_until, searching_count
            ) VALUES (%s, %s, 'active', 'ko', now(), now(), 9, 8, 7, 6, 5, 2, 4, 3)
            """,
            [user, session],
        )
    migrate(plain_owner)
    with psycopg.connect(fresh) as owner:
        read = owner.execute("SELECT reader, position FROM gieok.session_progress")
        assert dict(read.fetchall()) == {
            "extraction": 8,
            "masking": 7,
            "search": 6,
            "summary": 5,
            "unsummarized_start": 2,
            "unsummarized_end": 4,
        }
        kept = owner.execute(
            "SELECT searching_count, relforcerowsecurity FROM gieok.sessions, pg_class"
            " WHERE oid = 'gieok.sessions'::regclass"
        )
        assert kept.fetchall() == [(3, True)]


def test_what_was_said_while_memory_was_off_is_marked(
    fresh: str, plain_owner: str
) -> None:
    """Also where the owner sees no rows of a table that forces row security."""
    migrate(plain_owner, to="0031")
    user, switched, archive = uuid4(), uuid4(), uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        for session, reason, start in ((switched, None, 1), (archive, "imported", 0)):
            owner.execute(
                "INSERT INTO sessions (user_id, session_id, status, language,"
                " created_at, updated_at, message_count, ended_reason)"
                " VALUES (%s, %s, 'active', 'ko', now(), now(), 4, %s)",
                [user, session, reason],
            )
            owner.execute(
                "INSERT INTO session_progress VALUES"
                " (%(user)s, %(session)s, 'unsummarized_start', %(start)s),"
                " (%(user)s, %(session)s, 'unsummarized_end', 3)",
                {"user": user, "session": session, "start": start},
            )
            owner.execute(
                "INSERT INTO session_messages (user_id, message_id, session_id,"
                " position, role, content, created_at)"
                " SELECT %s, gen_random_uuid(), %s, n, 'user', '', now()"
                " FROM generate_series(0, 3) AS n",
                [user, session],
            )
    migrate(plain_owner)
    with psycopg.connect(fresh) as owner:
        found = owner.execute(
            "SELECT session_id, position FROM gieok.session_messages"
            " WHERE is_withheld ORDER BY position"
        )
        assert found.fetchall() == [(switched, 1), (switched, 2)]
        forced = owner.execute(
            "SELECT DISTINCT relforcerowsecurity FROM pg_class"
            " WHERE relname IN ('sessions', 'session_messages', 'session_progress')"
            " AND relnamespace = 'gieok'::regnamespace"
        )
        assert forced.fetchall() == [(True,)]


def test_what_days_and_weeks_rest_on_is_carried_over(fresh: str) -> None:
    migrate(fresh, to="0033")
    user = uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        owner.execute(
            """
            INSERT INTO short_term_summaries (
                user_id, summary_id, date_key, summary_text, details, summarizer,
                source_session_ids, ground, created_at, updated_at, expires_at
            ) VALUES (%s, gen_random_uuid(), '2026-01-05', '', '', 'x', '{}', 'day',
                      now(), now(), now())
            """,
            [user],
        )
        owner.execute(
            """
            INSERT INTO mid_term_summaries (
                user_id, summary_id, week_key, summary_text, details, summarizer,
                source_summary_ids, ground, created_at, updated_at, expires_at
            ) VALUES (%s, gen_random_uuid(), '2026-W02', '', '', 'x', '{}', 'week',
                      now(), now(), now())
            """,
            [user],
        )
    migrate(fresh)
    with psycopg.connect(fresh) as owner:
        found = owner.execute(
            "SELECT source_digest FROM gieok.short_term_summaries UNION ALL"
            " SELECT source_digest FROM gieok.mid_term_summaries"
        )
        assert found.fetchall() == [(b"day",), (b"week",)]


def test_settings_of_before_stay_as_they_were_kept(fresh: str) -> None:
    """Nobody knows which of them the person chose: none becomes another."""
    migrate(fresh, to="0034")
    user = uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        owner.execute(
            """
            INSERT INTO memory_settings (
                user_id, is_enabled, allowed_categories, auto_extraction,
                max_memories, promotion_policy, created_at, updated_at
            ) VALUES (%s, true, '{location}', true, 50, 'stated', now(), now())
            """,
            [user],
        )
    migrate(fresh)
    with psycopg.connect(fresh) as owner:
        found = owner.execute("SELECT chosen FROM gieok.memory_settings").fetchone()
        assert found is not None
        assert {*found[0]} == {
            field.name for field in fields(Settings) if field.name != "withheld"
        }


async def test_what_was_queued_under_names_of_before_is_handled(
    fresh: str, tmp_path: Path
) -> None:
    """A job that was given up, too, once somebody tries it again."""
    await asyncio.to_thread(migrate, fresh, to="0033")
    user = uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        owner.execute(
            "INSERT INTO agenda VALUES"
            " (%(user)s, 'sessions_rested', now()), (%(user)s, 'period_ended', now())",
            {"user": user},
        )
        for task, status, due in (
            ("ground_moved", "failed", None),
            ("ground_moved", "todo", None),
            ("summary_owed", "todo", None),
            ("sessions_rested", "todo", "2026-01-05"),
            ("period_ended", "todo", "2026-01-05"),
        ):
            owner.execute(
                """
                INSERT INTO procrastinate_jobs (
                    queue_name, task_name, lock, queueing_lock, status, scheduled_at,
                    args
                ) VALUES (
                    'gieok', %(task)s, %(lock)s, %(waits)s,
                    %(status)s::procrastinate_job_status, %(due)s,
                    jsonb_build_object(
                        'user_id', %(user)s::text, 'about', %(user)s::text
                    )
                )
                """,
                {
                    "task": task,
                    "status": status,
                    "due": due,
                    "user": str(user),
                    "waits": f"{task}:{user}:{user}",
                    "lock": f"{user}:{task}" if due else str(user),
                },
            )
    await asyncio.to_thread(migrate, fresh)
    with psycopg.connect(fresh) as owner:
        found = owner.execute(
            "SELECT lock, queueing_lock FROM gieok.procrastinate_jobs ORDER BY id"
        )
        assert found.fetchall() == [
            (str(user), f"sources_changed:{user}:{user}"),
            (str(user), f"sources_changed:{user}:{user}"),
            (str(user), f"summary_pending:{user}:{user}"),
            (f"{user}:sessions_may_be_idle", f"sessions_may_be_idle:{user}:{user}"),
            (f"{user}:period_ended", f"period_ended:{user}:{user}"),
        ]
    config = Config(data=tmp_path, database_url=fresh)
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts) as memory:
        await memory.agenda.enqueue_due()

        async def list_left(status: str) -> list[int]:
            with psycopg.connect(fresh) as owner:
                found = owner.execute(
                    "SELECT id FROM gieok.procrastinate_jobs"
                    " WHERE args->>'user_id' = %s AND status::text = %s",
                    [str(user), status],
                )
                return [row[0] for row in found.fetchall()]

        async def is_done() -> bool:
            return not [*await list_left("todo"), *await list_left("doing")]

        await wait_until(is_done, seconds=30)
        (given_up,) = await list_left("failed")
        await memory.jobs.retry(given_up)
        await wait_until(is_done, seconds=30)
        assert await list_left("failed") == []


def test_receipts_that_were_owed_are_still_owed(fresh: str, plain_owner: str) -> None:
    """The audit log names one memory twice, one before the last receipt, one after."""
    migrate(plain_owner, to="0018")
    user, attested, owed = uuid4(), uuid4(), uuid4()
    with psycopg.connect(fresh) as owner:
        owner.execute("SET search_path = gieok")
        owner.execute(
            "INSERT INTO users (user_id, language, time_zone, created_at, updated_at)"
            " VALUES (%s, 'ko', 'Asia/Seoul', now(), now())",
            [user],
        )
        for seq, gone, reason in (
            (1, attested, "user_request"),
            (2, owed, "user_request"),
            (3, owed, "user_request"),
            (4, uuid4(), "retention"),
        ):
            owner.execute(
                """
                INSERT INTO memory_audit_log (
                    user_id, seq, audit_id, event_type, target_table, target_id, actor,
                    reason, details, created_at, hash
                ) VALUES (%s, %s, gen_random_uuid(), 'delete', 'user_memories', %s,
                          'user', %s, '{}', now(), '')
                """,
                [user, seq, gone, reason],
            )
        owner.execute(
            """
            INSERT INTO erasure_receipts (
                user_id, receipt_id, kind, about, number, requested_at, finished_at,
                backups_until, parts, counts, signature, head_seq, audit_seq, audit_hash
            ) VALUES (%s, gen_random_uuid(), 'memory', %s, 0, now(), now(), now(),
                      '{}', '{}', '', 1, 1, '')
            """,
            [user, attested],
        )
    migrate(plain_owner)
    with psycopg.connect(fresh) as owner:
        found = owner.execute("SELECT user_id, memory_id FROM gieok.pending_receipts")
        assert found.fetchall() == [(user, owed)]


def test_a_user_who_may_not_create_databases_is_told_what_to_do(fresh: str) -> None:
    with psycopg.connect(fresh, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS powerless")
        owner.execute("CREATE ROLE powerless LOGIN")
    poor = make_conninfo(fresh, user="powerless")
    with pytest.raises(SchemaError, match="GIEOK_KEYSTORE_URL"):
        create_database(poor, "keys_of_the_powerless")


@pytest.mark.parametrize(
    "prepare", [lambda url: create_database(url, "never"), migrate]
)
def test_a_server_that_goes_away_meanwhile_is_said_clearly(
    fresh: str, prepare: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = psycopg.connect

    def connect_and_lose(url: str) -> psycopg.Connection:
        lost = connect(url)
        with connect(fresh, autocommit=True) as owner:
            query = "SELECT pg_terminate_backend(%s, 5000)"
            owner.execute(query, [lost.info.backend_pid])
        return lost

    monkeypatch.setattr(psycopg, "connect", connect_and_lose)
    with pytest.raises(DatabaseUnavailableError):
        prepare(fresh)


def test_a_statement_that_the_server_refuses_is_said_clearly(fresh: str) -> None:
    with psycopg.connect(fresh, autocommit=True) as owner:
        owner.execute("CREATE SCHEMA gieok")
        owner.execute("CREATE TABLE gieok.installation (somebody_elses int)")
    with pytest.raises(SchemaError, match="could not be brought up to date"):
        migrate(fresh)


def test_no_server_is_said_clearly() -> None:
    with pytest.raises(DatabaseUnavailableError, match="does not answer"):
        migrate("postgresql://nobody@127.0.0.1:1/none")


def test_a_schema_of_a_newer_version_is_said_clearly(fresh: str) -> None:
    migrate(fresh)
    with psycopg.connect(fresh, autocommit=True) as owner:
        owner.execute("UPDATE gieok.alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaError, match=r"of a newer gieok .*9999"):
        migrate(fresh)
