"""Brings a database to this version's schema and prepares the app role."""

from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import cast

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import create_engine, exc, pool

from gieok.database.row_security import APP_ROLE, SCHEMA
from gieok.database.transaction import Database, map_errors
from gieok.kernel.errors import DatabaseUnavailableError, SchemaError

OLDEST_SERVER = 150000
"""PostgreSQL 15, as `server_version_num` writes it."""
MIGRATION_LOCK = 0x6769656F6B
"""Advisory lock that lets one process migrate at a time ("gieok" in ASCII)."""


def as_app_role(url: str) -> str:
    """Return the address under which every connection acts as the app role."""
    return make_conninfo(url, options=f"-c role={APP_ROLE} -c search_path={SCHEMA}")


def build_database_url(url: str, name: str) -> str:
    """Return the address of another database on the same server."""
    return make_conninfo(url, dbname=name)


def parse_database_name(url: str) -> str:
    """Return the name of the database that an address leads to."""
    return str(conninfo_to_dict(url).get("dbname") or "postgres")


def create_database(url: str, name: str) -> None:
    """Create a database beside the one at `url` unless it is there already.

    Raises:
        SchemaError: it is not there and may not be created.
        DatabaseUnavailableError: the server does not answer.
    """
    with map_errors(), _connect_owner(url) as owner:
        owner.autocommit = True
        there = owner.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        if there.fetchone() is not None:
            return
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        try:
            owner.execute(statement)
        except (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
            return  # another process was faster
        except psycopg.errors.InsufficientPrivilege as error:
            problem = (
                f"The database {name!r} is missing and may not be created. Create it, "
                "or set GIEOK_KEYSTORE_URL to one that exists."
            )
            raise SchemaError(problem) from error


def migrate(url: str, *, to: str = "head") -> None:
    """Bring the database to this version's schema; safe to call from many processes.

    `to` is an older revision, for tests.

    Raises:
        SchemaError: the server is too old or refuses a statement, or the schema is of a
            newer version.
        DatabaseUnavailableError: the server does not answer, or went away.
        StorageFullError: it has no disk left; nothing was changed.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: _connect_owner(url),
        poolclass=pool.NullPool,
    )
    package = files("gieok.database") / "migrations"
    with (
        map_errors(),
        _unwrap_errors(),
        engine.connect() as connection,
        as_file(package) as scripts,
    ):
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)  # noqa: S101 - narrows a type
        driver = cast("psycopg.Connection", driver)
        _require_version(driver)
        # All in one transaction, so that a pooler between may keep to transactions.
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        connection.exec_driver_sql("SET LOCAL ROLE NONE")
        _ensure_role(driver)
        config = Config()
        config.set_main_option("script_location", str(scripts))
        config.attributes["connection"] = connection
        with _name_refusals():
            command.upgrade(config, to)
        connection.commit()


@contextmanager
def _name_refusals() -> Generator[None]:
    """Raise SchemaError for what the server refuses, or a schema that is newer."""
    try:
        with _unwrap_errors():
            yield
    except CommandError as error:
        problem = (
            f"The database is of a newer gieok ({error}): update this one, and run no "
            "older ones beside it."
        )
        raise SchemaError(problem) from error
    except (psycopg.OperationalError, psycopg.InterfaceError):
        raise  # the server went away, or its disk is full: it refuses nothing
    except psycopg.Error as error:
        problem = f"The schema could not be brought up to date: {error}"
        raise SchemaError(problem) from error


def list_revisions() -> list[tuple[str, str]]:
    """Return number and purpose of every migration of this version, newest first."""
    package = files("gieok.database") / "migrations"
    with as_file(package) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts))
        walked = ScriptDirectory.from_config(config).walk_revisions()
        return [(each.revision, each.doc) for each in walked]


async def read_revision(database: Database) -> str | None:
    """Return the number of the newest migration that the database has."""
    async with database.connection() as connection:
        found = await connection.execute("SELECT version_num FROM alembic_version")
        row = await found.fetchone()
    return row[0] if row else None


def _connect_owner(url: str) -> psycopg.Connection:
    try:
        return psycopg.connect(make_conninfo(url, connect_timeout=10))
    except psycopg.OperationalError as error:
        reason = "the server does not answer; check that it runs and its address"
        raise DatabaseUnavailableError(reason) from error


@contextmanager
def _unwrap_errors() -> Generator[None]:
    """Raise what the driver raised, not what SQLAlchemy made of it."""
    try:
        yield
    except exc.DBAPIError as error:
        raise error.orig or error from error


def _require_version(driver: psycopg.Connection) -> None:
    if driver.info.server_version < OLDEST_SERVER:
        problem = "gieok needs PostgreSQL 15 or newer."
        raise SchemaError(problem)


def _ensure_role(driver: psycopg.Connection) -> None:
    """Make the schema and the role that owns nothing, and let the owner act as it."""
    role = sql.Identifier(APP_ROLE)
    schema = sql.Identifier(SCHEMA)
    with driver.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [APP_ROLE])
        if cursor.fetchone() is None:
            cursor.execute(
                sql.SQL(
                    "CREATE ROLE {} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB"
                ).format(role)
            )
        cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(role))
        cursor.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
        cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, role))
        cursor.execute(sql.SQL("SET LOCAL search_path = {}").format(schema))
