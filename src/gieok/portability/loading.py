"""Takes in an export of gieok's: all of it in one transaction, or nothing."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

import psycopg

from gieok.accounts import Accounts
from gieok.accounts import store as account_store
from gieok.database import (
    Audit,
    ConsentWithdrawn,
    ItemsExpired,
    NoRowError,
    PeriodEnded,
    RetentionEnded,
    SessionsRested,
    SummariesExpired,
    Transaction,
    VectorMissing,
    expect,
)
from gieok.kernel.errors import ConflictError
from gieok.portability import checking, store
from gieok.portability.checking import MOST_LINE_BYTES, refuse
from gieok.portability.model import Imported
from gieok.portability.parts import FORMAT, PARTS, VERSION, Part
from gieok.portability.reading import BATCH
from gieok.portability.writing import Row, Writer
from gieok.privacy import PersonKey

BATCH_BYTES = 4 * 2**20


async def load(writer: Writer, file: BinaryIO) -> Imported:
    """Take in an export, in the writer's transaction.

    Raises:
        InvalidInputError: what is wrong with the file.
        ConflictError: something is kept of the person already.
    """
    tx = writer.tx
    if not await store.is_empty(tx):
        raise ConflictError("something is kept of this person already")
    writer.takes_consents = not await store.has_consents(tx)
    for part, rows in _batches(Lines(file)):
        await writer.put(part, rows)
    if await store.miscounted(tx):
        refuse("its rows do not fit together")
    if writer.takes_consents:
        await store.apply_consents(tx)
    await followed(tx, writer)
    return Imported(writer.counts)


async def begun(tx: Transaction, key: PersonKey, accounts: Accounts) -> Writer:
    """Hold the person, made if need be, and return what writes their rows."""
    await account_store.insert(tx)
    head = await store.lock_head(tx)
    return Writer(tx, key, accounts, head=head)


async def followed(tx: Transaction, writer: Writer) -> None:
    """Let everything that follows from what came in be done."""
    person = tx.scope.user_id
    tx.audit(Audit("create", "users", person, "import", dict(writer.counts)))
    tx.announce(VectorMissing(person, person), ConsentWithdrawn(person, person))
    for due in (
        SessionsRested,
        PeriodEnded,
        SummariesExpired,
        ItemsExpired,
        RetentionEnded,
    ):
        await expect(tx, due, tx.now)


@contextmanager
def sound() -> Generator[None]:
    """Name what the database refuses as what it is: a fault of the file.

    Raises:
        InvalidInputError: a row holds what its table does not take.
    """
    try:
        yield
    except (psycopg.DataError, psycopg.IntegrityError, NoRowError):
        refuse("a row holds what cannot be")
    except ConflictError as error:
        if isinstance(error.__cause__, psycopg.IntegrityError):
            refuse("a row holds what cannot be")
        raise


@dataclass(slots=True)
class Lines:
    """Reads the lines of an export and checks them against the manifest."""

    file: BinaryIO
    _digests: dict[str, Any] = field(default_factory=dict[str, Any])
    _counts: dict[str, int] = field(default_factory=dict[str, int])

    def __iter__(self) -> Iterator[tuple[Part, Row, int]]:
        """Yield each row, with its part and how many bytes it took.

        Raises:
            InvalidInputError: what is wrong with the file; the manifest is read last.
        """
        checking.check_header(checking.parsed(self._next()))
        reached = 0
        while True:
            spelled = self._next()
            entry = checking.parsed(spelled)
            if "manifest" in entry:
                self._check(entry["manifest"])
                return
            part = checking.part_of(entry)
            if PARTS.index(part) < reached:
                refuse("its parts are out of order")
            reached = PARTS.index(part)
            digest = self._digests.setdefault(part.name, hashlib.sha256())
            digest.update(spelled)
            self._counts[part.name] = self._counts.get(part.name, 0) + 1
            yield part, checking.row_of(part, entry), len(spelled)

    def _next(self) -> bytes:
        spelled = self.file.readline(MOST_LINE_BYTES + 1)
        if not spelled.endswith(b"\n"):
            refuse("a line is too long" if spelled else "it was cut off")
        return spelled

    def _check(self, manifest: Any) -> None:
        told = cast("dict[str, Any]", manifest) if isinstance(manifest, dict) else {}
        # An older export names none of the parts that came later.
        named = {*self._counts, *cast("dict[str, Any]", told.get("parts") or {})}
        counted = {
            part.name: {
                "count": self._counts.get(part.name, 0),
                "sha256": self._digests.get(part.name, hashlib.sha256()).hexdigest(),
            }
            for part in PARTS
            if part.name in named
        }
        if told.get("parts") != counted:
            refuse("its rows are not those its manifest names")
        if (told.get("format"), told.get("version")) != (FORMAT, VERSION):
            refuse("its version is not one that can be read")
        if self.file.readline(1):
            refuse("something follows its manifest")


def _batches(lines: Lines) -> Iterator[tuple[Part, list[Row]]]:
    """Yield rows of one part together, as many as fit in a statement."""
    rows: list[Row] = []
    last, size = PARTS[0], 0
    for part, row, length in lines:
        if rows and (part is not last or len(rows) >= BATCH or size > BATCH_BYTES):
            yield last, rows
            rows, size = [], 0
        rows.append(row)
        last, size = part, size + length
    if rows:
        yield last, rows
