"""Erases a whole person: ledger, rows in batches, keys, and last the person itself.

The ledger comes first: from then on the erasure can be killed anywhere and is finished
by whoever comes next, the same call or `Erasure.replay`. The last transaction holds the
person's row while the keys are destroyed, so nobody who comes back meanwhile loses
theirs, and takes whatever was written in between.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, LiteralString, TypeVar

from gieok.accounts import store as accounts
from gieok.database import (
    AgendaEvent,
    Audit,
    Change,
    ContentionError,
    Database,
    ErasurePending,
    KeyOutdated,
    schedule_event,
)
from gieok.database.jobs import delete_person_jobs
from gieok.erasure import person_store as store
from gieok.kernel.errors import GieokError, NotFoundError
from gieok.kernel.scope import Scope
from gieok.privacy import ErasureKind, LedgerEntry, Vault, receipt_store
from gieok.privacy.receipt_issuer import RENEWED_AFTER, ReceiptIssuer
from gieok.privacy.receipts import Receipt
from gieok.profile.tutor_cards import TABLE as TUTOR_CARDS
from gieok.profile.tutor_cards import TutorCards

BATCH: Final = 5_000
"""Rows that one transaction removes."""
REASON: Final = "person_deleted"
TRIES: Final = 30
"""How often a transaction of an erasure is begun that PostgreSQL breaks off."""
RETRY_CARD_AFTER: Final = timedelta(minutes=5)
"""When a table that did not answer is asked again."""
AUDITED_TABLES: Final = ("session_messages", "user_memories")
"""Tables whose rows the audit log names."""
T = TypeVar("T")
ErasureProgress = Callable[[str, int], object]
"""Told a table and how many of its rows are gone by now."""


@dataclass(frozen=True, slots=True)
class PersonEraser:
    """Removes people and what they said, and signs for it."""

    database: Database
    vault: Vault
    issuer: ReceiptIssuer
    tutor_cards: TutorCards | None = None

    async def erase_person(
        self,
        scope: Scope,
        progress: ErasureProgress,
        returned_after: datetime | None = None,
    ) -> Receipt:
        """Erase the person; whoever was erased before gets that receipt again.

        `returned_after` is when who has come back since was erased: only rows of before
        are there, the key is the new person's and stays, and so does a card that was
        changed since.

        Raises:
            NotFoundError: there is no such person, and never was.
            UnavailableError: the table of the tutor's cards does not answer.
        """
        number = await _retry_contended(partial(self._get_next_number, scope))
        if number is None:
            receipt = await self._get_last_receipt(scope)
            await self.erase_card(scope, returned_after)
            return receipt
        entry = LedgerEntry(
            scope.user_id,
            ErasureKind.PERSON,
            scope.user_id,
            number,
            self.database.clock(),
        )
        at = await self.vault.keystore.ledger.append(entry)
        counts = await self.delete_rows(
            scope, (*store.CONTENT_TABLES, *store.PERSON_TABLES), progress
        )
        if returned_after is None:
            counts |= await self.erase_card_or_retry(scope, ErasurePending)
        else:  # what would come later erases all of them
            counts |= await self.erase_card(scope, returned_after)
        keeps_key = returned_after is not None
        entry = replace(entry, at=at)
        finish = partial(self._finish, scope, entry, counts, keeps_key=keeps_key)
        await _retry_contended(finish)
        # What was written of them in between.
        await self.erase_card(scope, returned_after)
        return await self._get_last_receipt(scope)

    async def erase_card(
        self, scope: Scope, before: datetime | None = None
    ) -> dict[str, int]:
        """Erase the person's card in the tutor's table; return how many that were.

        `before` erases only one that was last changed before that time.
        """
        cards = self.tutor_cards
        if cards is None:
            return {}
        gone = await (
            cards.erase(scope) if before is None else cards.erase_older(scope, before)
        )
        return {TUTOR_CARDS: 1} if gone else {}

    async def erase_card_or_retry(
        self, scope: Scope, event: type[AgendaEvent], before: datetime | None = None
    ) -> dict[str, int]:
        """Erase the card as `erase_card`; if that fails, `event` comes soon, again."""
        async with self._retry_later(scope, event):
            return await self.erase_card(scope, before)

    async def erase_special_or_retry(
        self, scope: Scope, event: type[AgendaEvent], before: datetime | None = None
    ) -> int:
        """Take special categories out of the card; return how many cards had any.

        `before` is as in `erase_card`. If that fails, `event` comes soon, again.
        """
        if self.tutor_cards is None:
            return 0
        async with self._retry_later(scope, event):
            return int(await self.tutor_cards.erase_special(scope, before))

    @asynccontextmanager
    async def _retry_later(
        self, scope: Scope, event: type[AgendaEvent]
    ) -> AsyncGenerator[None]:
        """Let an event come soon, again, if what is done within fails."""
        try:
            yield
        except GieokError:
            async with self.database.begin(scope) as tx:
                await schedule_event(tx, event, tx.now + RETRY_CARD_AFTER)
            raise

    async def erase_content(self, scope: Scope) -> int:
        """Erase all a person said and all that became of it; the person stays.

        Returns how many rows that were. Devices empty themselves only where something
        went that they may hold: what they heard since the last time stays.
        """
        emptied = Change("person", scope.user_id, "delete")
        counts = await self.delete_rows(
            scope, store.CONTENT_TABLES, lambda _, __: None, emptied
        )
        async with self.database.begin(scope) as tx:
            await store.lock_person(tx)
            for table in store.CONTENT_TABLES:
                gone = await store.delete_batch(tx, table, 2**31 - 1)
                if gone and table in store.HELD_TABLES:
                    tx.record_changes(emptied)
            tx.record_erasure()
            tx.record_audit(
                Audit("delete", "users", scope.user_id, "consent_withdrawn")
            )
            await schedule_event(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return sum(counts.values())

    async def delete_rows(
        self,
        scope: Scope,
        tables: Sequence[LiteralString],
        progress: ErasureProgress,
        emptied: Change | None = None,
    ) -> dict[str, int]:
        """Remove the person's rows from tables, a batch a transaction.

        `emptied` is recorded with each batch of what a device may hold, so that it is
        told however this ends.
        """
        counts: dict[str, int] = {}
        for table in tables:
            gone = BATCH
            while gone == BATCH:
                told = emptied if table in store.HELD_TABLES else None
                batch = partial(self._delete_batch, scope, table, told)
                gone = await _retry_contended(batch)
                counts[table] = counts.get(table, 0) + gone
                progress(table, counts[table])
        return {table: count for table, count in counts.items() if count}

    async def _delete_batch(
        self, scope: Scope, table: LiteralString, emptied: Change | None
    ) -> int:
        async with self.database.begin(scope) as tx:
            await store.lock_writers(tx)
            gone = await store.delete_batch(tx, table, BATCH)
            if gone and emptied is not None:
                tx.record_changes(emptied)
            if gone and table in AUDITED_TABLES:
                begun = store.ERASURE_BEGUN
                tx.record_audit(Audit("delete", "users", scope.user_id, begun))
        return gone

    async def _finish(
        self,
        scope: Scope,
        entry: LedgerEntry,
        counts: dict[str, int],
        *,
        keeps_key: bool,
    ) -> None:
        """Destroy the keys, sign the receipt and remove the person, all at once."""
        async with self.database.begin(scope) as tx:
            there = await store.lock_person(tx)
            if there is None or there >= entry.number:
                return
            await delete_person_jobs(tx)
            keys = 0 if keeps_key else await self.vault.destroy(scope)
            tx.record_audit(Audit("delete", "users", scope.user_id, REASON))
            counts = {**counts, "user_keys": keys}
            erased = {} if self.tutor_cards is None else {TUTOR_CARDS: "erased"}
            await self.issuer.sign(tx, entry, counts, erased)
            await accounts.delete_person(tx)

    async def _get_next_number(self, scope: Scope) -> int | None:
        """Return which erasure of the person this is; None if nothing is there."""
        held = await self.vault.keystore.list_keys(scope.user_id)
        async with self.database.begin(scope) as tx:
            if held:
                await accounts.insert_person(tx)
            there = await accounts.get_incarnation(tx)
        return None if there is None else there + 1

    async def _get_last_receipt(self, scope: Scope) -> Receipt:
        async with self.database.begin(scope) as tx:
            receipt = await receipt_store.find_person_receipt(tx)
        if receipt is None:
            thing = "person"
            raise NotFoundError(thing)
        return receipt


async def _retry_contended(work: Callable[[], Awaitable[T]]) -> T:
    """Do a transaction's work; whoever writes at once is broken off sooner or later."""
    for _ in range(TRIES - 1):
        with suppress(ContentionError):
            return await work()
    return await work()
