"""Takes in an export of gieok's: all of it in one transaction, or nothing."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, Final

import psycopg

from gieok.accounts import Accounts
from gieok.accounts import store as account_store
from gieok.database import (
    Audit,
    ConsentWithdrawn,
    ForgettingRequested,
    ItemsExpired,
    NoRowError,
    PeriodEnded,
    RetentionEnded,
    SessionClosed,
    SessionsMayBeIdle,
    SummariesExpired,
    Transaction,
    VectorMissing,
    schedule_event,
)
from gieok.kernel.errors import ConflictError, InvalidInputError
from gieok.kernel.offload import run_in_thread
from gieok.portability import store
from gieok.portability.checking import locate_errors, reject_file
from gieok.portability.export_reader import (
    MAX_AT_ONCE,
    ExportLine,
    ExportReader,
    group_batches,
)
from gieok.portability.import_rows import RowWriter
from gieok.portability.model import Imported, RowProgress, ignore_progress
from gieok.portability.parts import MESSAGES, PAIRS, SESSIONS, ExportPart
from gieok.privacy import PersonKey
from gieok.sessions import reader_store
from gieok.settings import consent_rules

REFUSED: Final = (psycopg.DataError, psycopg.IntegrityError)
"""What the database raises for a row that its table does not take."""


COUNTED: Final = (SESSIONS, MESSAGES, PAIRS)
"""Parts whose rows have to fit one another."""


class UntracedError(Exception):
    """A row among several cannot be written; taken one by one, it names its line."""


async def import_file(
    writer: RowWriter, file: BinaryIO, *, at_once: int = MAX_AT_ONCE
) -> Imported:
    """Take in an export, in the writer's transaction, some rows at once.

    Raises:
        UntracedError: it has to be taken row by row to say what is wrong with it.
        InvalidInputError: what is wrong with the file.
        ConflictError: something is kept of the person already.
        NotPermittedError: the person does not agree to storage, here or in the file.
    """
    tx = writer.tx
    if not await store.is_empty(tx):
        raise ConflictError("something is kept of this person already")
    writer.imports_consents = not await store.has_consents(tx)
    numbers: dict[tuple[str, str], int] = {}
    batches = group_batches(ExportReader(file), at_once)
    while batch := await run_in_thread(lambda: next(batches, None)):
        part, lines = batch
        await _write_lines(writer, part, lines)
        if part in COUNTED:
            numbers |= {(part.table, line.row[part.row]): line.number for line in lines}
    if odd := await store.find_inconsistent_row(tx):
        table, row = odd
        member = next(part.name for part in COUNTED if part.table == table)
        with locate_errors(member=member, line=numbers.get((table, str(row)))):
            reject_file("its rows do not fit together")
    if writer.imports_consents:
        await consent_rules.apply_newest(tx)
    await consent_rules.require_storage_consent(tx)
    unfinished = await reader_store.list_unfinished_sessions(tx)
    tx.publish(*(SessionClosed(tx.scope.user_id, each) for each in unfinished))
    await schedule_follow_up(tx, writer)
    return Imported(writer.counts)


async def _write_lines(
    writer: RowWriter, part: ExportPart, lines: Sequence[ExportLine]
) -> None:
    """Write rows.

    Raises:
        InvalidFileError: the only one cannot be written; it names its line.
        UntracedError: one of several cannot be written.
    """
    rows = [line.row for line in lines]
    if len(lines) == 1:
        with locate_errors(member=part.name, line=lines[0].number), translate_errors():
            await writer.write_rows(part, rows)
        return
    try:
        await writer.write_rows(part, rows)
    except (*REFUSED, InvalidInputError) as error:
        raise UntracedError from error


async def begin_import(
    tx: Transaction,
    key: PersonKey,
    accounts: Accounts,
    progress: RowProgress = ignore_progress,
) -> RowWriter:
    """Hold the person, made if need be, and return what writes their rows."""
    await account_store.insert_person(tx)
    await reader_store.lock_all_sessions(tx)  # before counters, as recording does
    head = await store.lock_head(tx)
    return RowWriter(tx, key, accounts, progress, base_change_number=head)


async def schedule_follow_up(tx: Transaction, writer: RowWriter) -> None:
    """Let everything that follows from what came in be done."""
    person = tx.scope.user_id
    tx.record_audit(Audit("create", "users", person, "import", dict(writer.counts)))
    tx.publish(
        VectorMissing(person, person),
        ConsentWithdrawn(person, person),
        ForgettingRequested(person, person),
    )
    for due in (
        SessionsMayBeIdle,
        PeriodEnded,
        SummariesExpired,
        ItemsExpired,
        RetentionEnded,
    ):
        await schedule_event(tx, due, tx.now)


@contextmanager
def translate_errors() -> Generator[None]:
    """Name what the database refuses as what it is: a fault of the file.

    Raises:
        InvalidFileError: a row holds what its table does not take.
    """
    try:
        yield
    except (*REFUSED, NoRowError):
        reject_file("a row holds what cannot be")
    except ConflictError as error:
        if isinstance(error.__cause__, psycopg.IntegrityError):
            reject_file("a row holds what cannot be")
        raise
