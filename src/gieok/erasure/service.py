"""Erases people, and within a person what somebody asks to have erased."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.accounts import naming
from gieok.accounts import store as accounts
from gieok.accounts.naming import DEVICE
from gieok.database import (
    AnonymousEnded,
    Audit,
    Change,
    ConsentWithdrawn,
    ConversationPaused,
    Database,
    KeyOutdated,
    SessionClosed,
    Transaction,
    TurnsRecorded,
    schedule_event,
)
from gieok.database.jobs import delete_waiting_jobs
from gieok.episodes import Episodes
from gieok.episodes import store as episode_store
from gieok.episodes.writer import erase_episodes
from gieok.erasure import person_store, store
from gieok.erasure.mention_search import MentionSearch, merge_wishes
from gieok.erasure.model import Forgotten
from gieok.erasure.person import ErasureProgress, PersonEraser
from gieok.erasure.receipt_links import create_link, parse_link
from gieok.erasure.special import SpecialCategories
from gieok.items import Items
from gieok.kernel.errors import ConflictError, NotFoundError, UnavailableError
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Actor, Scope
from gieok.memories import Memories, Outcome, list_cache
from gieok.memories.claims import ForgetWish
from gieok.memories.pending_receipts import attest_pending
from gieok.memories.withdrawal import withdraw_sources
from gieok.privacy import ErasureKind, LedgerEntry, PersonKey, Vault, receipt_store
from gieok.privacy.ledger import ALONE
from gieok.privacy.receipt_issuer import ReceiptIssuer
from gieok.privacy.receipts import Receipt
from gieok.privacy.rotation import KeyRotation
from gieok.profile import Profile
from gieok.profile.tutor_cards import TutorCards
from gieok.recall import Recall
from gieok.sessions import Sessions, removal_store
from gieok.sessions.removal import erase_sessions, list_recorded
from gieok.summaries import (
    Summaries,
    withdraw_sessions,
    withdraw_summaries,
    withdraw_wordless,
)
from gieok.sync.cursors import close_device
from gieok.sync.feed_store import begin_timeline
from gieok.sync.store import lock_device

log = get_logger("gieok.erasure")

ABOUT_SESSIONS: Final = (
    TurnsRecorded.name,
    ConversationPaused.name,
    SessionClosed.name,
)
"""Jobs that only make sense while their session is there."""
SESSION_DELETED: Final = "session_deleted"
PERSONA_DELETED: Final = "persona_deleted"
CONSENT_WITHDRAWN: Final = "consent_withdrawn"
DEVICE_DELETED: Final = "device_deleted"
RETRY_KEY_AFTER: Final = timedelta(hours=1)
"""When a key is tried again that is being renewed already."""


def _ignore_progress(_table: str, _rows: int) -> None:
    """Hear of progress that nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """Erasure for everyone."""

    database: Database
    vault: Vault
    sessions: Sessions
    summaries: Summaries
    episodes: Episodes
    memories: Memories
    recall: Recall
    items: Items
    cards: Profile
    tutor_cards: TutorCards | None
    issuer: ReceiptIssuer

    async def person(
        self, scope: Scope, progress: ErasureProgress = _ignore_progress
    ) -> Receipt:
        """Erase everything about a person and destroy their keys (A15, E19).

        The audit log stays, without content and under the pseudonym. When this was
        interrupted, calling it again finishes it. Who comes back afterwards is a new
        person. What is written while this runs is erased as well. `progress` is told a
        table and how many rows of it are gone.

        Raises:
            NotFoundError: there is no such person, and never was.
            UnavailableError: the table of the tutor's cards does not answer; the rest
                is erased, and a worker goes on until that is as well. There is no
                receipt before.
        """
        return await self._erase_person(scope, progress)

    async def _erase_person(
        self,
        scope: Scope,
        progress: ErasureProgress = _ignore_progress,
        returned_after: datetime | None = None,
    ) -> Receipt:
        """Erase a person as `person`, or of one who has come back only what was."""
        sessions = await self._list_sessions(scope)
        await self._drop_caches(scope, sessions)
        receipt = await self._removal.erase_person(scope, progress, returned_after)
        await self._drop_caches(scope, sessions)
        return receipt

    async def expect_anonymous(self, scope: Scope, until: datetime) -> None:
        """Have whoever talks in an anonymous session erased at a time, by a job."""
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await schedule_event(tx, AnonymousEnded, until)

    async def device(self, scope: Scope, device_id: UUID) -> Receipt:
        """Erase what was said on a device, as `session` does, and the device (A15).

        Raises:
            NotFoundError: the person has no such device, and nothing from it.
        """
        return await self._erase_device(
            scope, await self._record_entry(scope, ErasureKind.DEVICE, device_id)
        )

    async def about(self, scope: Scope, wish: str) -> Forgotten:
        """Erase what a wish to forget names, and everything that was said of it.

        `wish` is what a person would say ("제 직업은 잊어 주세요", "forget my job"), or
        only the thing ("my job"). What may be meant but need not be is not erased: it
        waits as a candidate that the person confirms or rejects. While memory is off,
        what was said of it waits as well, and goes once memory is on again.

        Raises:
            InvalidInputError: an empty or overlong text.
            ModelUnavailableError: the model or embedder does not answer; what was
                erased stays erased, the rest follows.
        """
        outcomes = await self.memories.forget_about(scope, wish)
        messages, settled = await self._apply_wishes(scope)
        await self.attest(scope)
        named = [*(o for o in outcomes if o.target_id is not None), *settled]
        return Forgotten(
            memories=tuple(o.content for o in named if o.confirmed),
            unsure=tuple(o for o in named if not o.confirmed),
            messages=messages,
        )

    async def erase_forgotten(self, scope: Scope) -> int:
        """Erase what was said of what the person asked to forget, in any session.

        Returns how many messages that were. What rests on them follows, and where the
        words are gone, what was summed up of them goes. What may be meant but need not
        be stays until the person was asked (`Memories.questions`). Running it twice
        changes nothing.

        Raises:
            ModelUnavailableError: the model or embedder does not answer; the wish
                stays, and the job tries again.
        """
        messages, _ = await self._apply_wishes(scope)
        return messages

    async def _apply_wishes(self, scope: Scope) -> tuple[int, list[Outcome]]:
        """Return how many messages went, and what became of what else wishes mean.

        Of that the person is to be asked about what is not confirmed.
        """
        waiting = await self.memories.open_wishes(scope)
        if not waiting or not (await self.memories.settings.get(scope)).is_enabled:
            return 0, []  # nothing is found while memory is off; the wish waits
        await self.recall.index(scope)
        search = MentionSearch(self.recall, self.memories.model)
        gone: set[UUID] = set()
        settled: list[Outcome] = []
        merged = merge_wishes([ForgetWish.from_claim(wish.claim) for wish in waiting])
        for wish, words in zip(waiting, merged, strict=True):
            at = wish.wished_at or wish.created_at
            said = await search.find_messages(
                scope, words, at, wish.session_ids, wish.wish_id
            )
            inactive = await search.find_inactive(scope, words, at)
            summarized = await search.find_sessions(scope, words, at)
            async with self.database.begin(scope) as tx:
                await removal_store.lock_sessions(tx, summarized)
                await tx.lock_person()
                await withdraw_wordless(tx, summarized)
            settled += await self.memories.fulfil_wish(
                scope,
                wish.candidate_id,
                said.meant,
                said.possible,
                inactive=inactive,
            )
            gone.update(said.meant)
        return len(gone), settled

    async def attest(self, scope: Scope) -> int:
        """Enter forgotten memories in the ledger and sign receipts for them.

        However they were forgotten: one by one, all at once, or by a word in a
        conversation. Returns how many. Running it twice changes nothing.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            return len(await attest_pending(tx, self.issuer))

    async def renew_key(self, scope: Scope) -> bool:
        """Begin to give the person a new key, so that backups open with none.

        `Rotation.finish` seals everything anew and destroys the old key. When it is
        being renewed already, an hour later it is tried again, and False returned.
        """
        begun = await KeyRotation(self.database, self.vault).begin([scope.user_id])
        if not begun:
            async with self.database.begin(scope) as tx:
                if await accounts.get_incarnation(tx) is not None:
                    await schedule_event(tx, KeyOutdated, tx.now + RETRY_KEY_AFTER)
        return begun > 0

    async def receipts(self, scope: Scope) -> tuple[Receipt, ...]:
        """Return the receipts of a person, newest first; they outlive the person."""
        async with self.database.begin(scope) as tx:
            return tuple(await receipt_store.list_receipts(tx))

    async def receipt(self, scope: Scope, receipt_id: UUID) -> Receipt:
        """Return one receipt.

        Raises:
            NotFoundError: the person has no such receipt.
        """
        for each in await self.receipts(scope):
            if each.receipt_id == receipt_id:
                return each
        thing = "receipt"
        raise NotFoundError(thing)

    def create_receipt_link(self, scope: Scope) -> str:
        """Return what shows the receipt of an erasure of the person that begins now."""
        return create_link(self.issuer.signer, scope.user_id, self.database.clock())

    async def find_receipt(self, link: str) -> Receipt | None:
        """Return the receipt that a link shows; None while the erasure goes on.

        Who comes back and is erased again has another link for it.

        Raises:
            AuthenticationError: nobody was given this link.
        """
        user_id, since = parse_link(self.issuer.signer, link)
        async with self.database.begin(Scope(user_id, Actor.ADMIN)) as tx:
            return await receipt_store.find_person_receipt_since(tx, since)

    def verify(self, receipt: Receipt) -> bool:
        """Tell whether this installation signed the receipt as it is."""
        return self.issuer.signer.verify(receipt)

    async def content(self, scope: Scope, before: datetime | None = None) -> int:
        """Erase all that a person said and all that became of it; return how many rows.

        The person stays, with settings and consents. The tutor's card goes if it was
        last changed `before` a time, if one is given.
        """
        sessions = await self._list_sessions(scope)
        rows = await self._removal.erase_content(scope)
        await self._drop_caches(scope, sessions)
        cards = await self._removal.erase_card_or_retry(scope, ConsentWithdrawn, before)
        return rows + sum(cards.values())

    async def profile(self, scope: Scope, before: datetime | None = None) -> int:
        """Erase all that was learned of a person; return how many things.

        What was said stays, but that from which memories came is never read again.
        `before` is as in `content`.
        """
        sessions = await self._list_sessions(scope)
        async with self.database.begin(scope) as tx:
            await removal_store.lock_sessions(tx, sessions)
            await tx.lock_person()
            tx.record_erasure()
            episodes = await store.list_all_episodes(tx)
            await erase_episodes(tx, episodes, CONSENT_WITHDRAWN)
            summaries = await withdraw_summaries(tx, sessions)
        memories = await self.memories.forget_all(scope)
        self.recall.drop(scope)
        self.cards.drop(scope)
        cards = await self._removal.erase_card_or_retry(scope, ConsentWithdrawn, before)
        return len(episodes) + summaries + memories + sum(cards.values())

    async def special(self, scope: Scope, before: datetime | None = None) -> int:
        """Erase what was learned of special categories; return how many things.

        What was said stays where it was said, out of reach. Running it twice changes
        nothing. `before` is as in `content`.
        """
        gone = await SpecialCategories(self.database, self.vault).erase(scope)
        self.recall.drop(scope)
        self.items.drop(scope)
        return gone + await self._removal.erase_special_or_retry(
            scope, ConsentWithdrawn, before
        )

    async def replay(self) -> int:
        """Erase again what a backup brought back or a crash left; return how many.

        To be run after a restore, before anybody is let in: the ledger knows what was
        erased since the backup was made.

        Raises:
            UnavailableError: the table of the tutor's cards does not answer; running it
                again goes on.
            ConflictError: some of it failed, of whom the log says; all else is done.
        """
        done, failed = 0, 0
        entries = await self.vault.keystore.ledger.list_entries()
        # Whole people first: erasing less of them would make a key of theirs anew.
        for entry in sorted(entries, key=lambda e: e.kind is not ErasureKind.PERSON):
            scope = Scope(entry.user_id, Actor.ADMIN)
            try:
                done += await self._replay_entry(scope, entry)
            except UnavailableError:
                raise
            except Exception as error:  # noqa: BLE001 - others are erased nevertheless
                failed += 1
                person, reason = str(scope.user_id), type(error).__name__
                log.warning("erasure_failed", user_id=person, reason=reason)
        for user_id in await self.vault.keystore.list_people():
            done += await self._destroy_leftover_key(Scope(user_id, Actor.ADMIN))
        await begin_timeline(self.database)
        if failed:
            reason = f"{failed} erasures failed, see erasure_failed in the log"
            raise ConflictError(reason)
        return done

    @property
    def _removal(self) -> PersonEraser:
        return PersonEraser(self.database, self.vault, self.issuer, self.tutor_cards)

    async def _list_sessions(self, scope: Scope) -> list[UUID]:
        async with self.database.begin(scope) as tx:
            return await person_store.list_session_ids(tx)

    async def _record_entry(
        self, scope: Scope, kind: ErasureKind, about: UUID
    ) -> LedgerEntry:
        """Enter what is about to be erased in the ledger, if it is there at all.

        So are the names of its sessions: a client that knows these tells nothing again.
        """
        entry = LedgerEntry(scope.user_id, kind, about, 0, self.database.clock())
        async with self.database.begin(scope) as tx:
            there = await person_store.is_there(tx, kind, about)
            names = await person_store.list_session_names(tx, kind, about)
        if there:
            session = ErasureKind.SESSION
            named = (replace(entry, kind=session, about=name) for name in names)
            await self.vault.keystore.ledger.append_many([entry, *named])
        return entry

    async def _replay_entry(self, scope: Scope, entry: LedgerEntry) -> bool:
        """Carry out an entry of the ledger if what it is about is there again."""
        if entry.kind is ErasureKind.PERSON:
            return await self._replay_person(scope, entry)
        async with self.database.begin(scope) as tx:
            is_older = await person_store.is_there(
                tx, entry.kind, entry.about, before=entry.at
            )
        if is_older:
            await self._apply_entry(scope, entry)
        return is_older

    async def _replay_person(self, scope: Scope, entry: LedgerEntry) -> bool:
        """Erase a person again whom a backup brought back, or what the table has.

        Of who has come back since, as the data or the key says, the key and a card that
        was changed since stay.
        """
        held = await self.vault.keystore.list_keys(scope.user_id)
        async with self.database.begin(scope) as tx:
            there = await accounts.get_incarnation(tx)
            is_begun = await person_store.is_begun_anew(tx, has_key=bool(held))
        if is_begun:
            await self._erase_person(scope)
            return True
        lives = [] if there is None else [there]
        lives += [each.incarnation for each in held]
        before = entry.at if max(lives, default=0) >= entry.number else None
        if there is not None and there < entry.number:
            await self._erase_person(scope, returned_after=before)
            return True
        return bool(await self._removal.erase_card(scope, before))

    async def _apply_entry(self, scope: Scope, entry: LedgerEntry) -> object:
        ways: dict[ErasureKind, Callable[[], Awaitable[object]]] = {
            ErasureKind.PERSONA: lambda: self._erase_persona(scope, entry),
            ErasureKind.DEVICE: lambda: self._erase_device(scope, entry),
            ErasureKind.SESSION: lambda: self._erase_session(scope, entry),
            ErasureKind.MEMORY: lambda: self.memories.forget(scope, entry.about),
            ErasureKind.MESSAGE: lambda: self.memories.forget_messages(
                scope, [entry.about], alone=entry.number == ALONE
            ),
        }
        return await ways[entry.kind]()

    async def _destroy_leftover_key(self, scope: Scope) -> bool:
        """Destroy the key of an erased person that an old keystore brought back.

        Such a keystore may not know of the erasure: it is told, for keys to come.
        """
        async with self.database.begin(scope) as tx:
            erased = await receipt_store.find_person_receipt(tx)
        held = await self.vault.keystore.list_keys(scope.user_id)
        if erased is None or not held or held[-1].incarnation >= erased.number:
            return False
        await self.vault.keystore.ledger.append(
            LedgerEntry(
                scope.user_id,
                ErasureKind.PERSON,
                scope.user_id,
                erased.number,
                erased.requested_at,
            )
        )
        return await self.vault.destroy(scope) > 0

    async def _erase_device(self, scope: Scope, entry: LedgerEntry) -> Receipt:
        key = await self._find_key(scope)
        async with self.database.begin(scope) as tx:
            await lock_device(tx, entry.about)
            theirs = await removal_store.list_device_sessions(tx, entry.about)
            there = await removal_store.lock_sessions(tx, theirs)
            session_ids = [each for each in theirs if each in there]
            await tx.lock_person()
            erased = await self._erase_sessions(tx, key, session_ids, DEVICE_DELETED)
            named = await naming.delete_name(tx, DEVICE, entry.about)
            if not (named or session_ids):
                thing = "device"
                raise NotFoundError(thing)
            await close_device(tx, entry.about)
            tx.record_changes(Change("device", entry.about, "delete"))
            tx.record_audit(Audit("delete", "devices", entry.about, DEVICE_DELETED))
            receipt = await self.issuer.issue(tx, entry, erased)
        await self._drop_caches(scope, session_ids)
        return receipt

    async def session(self, scope: Scope, session_id: UUID) -> Receipt:
        """Erase a session with everything that was learned from it alone (B11).

        That includes LangGraph's states of its thread and what caches hold of it.
        What was learned from other sessions as well, or asked for outside of any, stays
        and no longer names this one; whether words are still kept changes nothing.
        Summaries of days and weeks that told of it are made anew from the rest.

        Raises:
            NotFoundError: the person has no such session.
        """
        return await self._erase_session(
            scope, await self._record_entry(scope, ErasureKind.SESSION, session_id)
        )

    async def _erase_session(self, scope: Scope, entry: LedgerEntry) -> Receipt:
        session_id = entry.about
        key = await self._find_key(scope)
        async with self.database.begin(scope) as tx:
            if session_id not in await removal_store.lock_sessions(tx, [session_id]):
                thing = "session"
                raise NotFoundError(thing)
            await tx.lock_person()
            erased = await self._erase_sessions(tx, key, [session_id], SESSION_DELETED)
            receipt = await self.issuer.issue(tx, entry, erased)
        await self._drop_caches(scope, [session_id])
        return receipt

    async def persona(self, scope: Scope, persona_id: UUID) -> Receipt:
        """Erase all sessions with a persona as `session` does, and all its episodes.

        Raises:
            NotFoundError: the person has nothing with such a persona.
        """
        return await self._erase_persona(
            scope, await self._record_entry(scope, ErasureKind.PERSONA, persona_id)
        )

    async def _erase_persona(self, scope: Scope, entry: LedgerEntry) -> Receipt:
        persona_id = entry.about
        key = await self._find_key(scope)
        async with self.database.begin(scope) as tx:
            theirs = await removal_store.list_persona_sessions(tx, persona_id)
            there = await removal_store.lock_sessions(tx, theirs)
            session_ids = [each for each in theirs if each in there]
            await tx.lock_person()
            erased = await self._erase_sessions(tx, key, session_ids, PERSONA_DELETED)
            others = await episode_store.list_ids_by_persona(tx, persona_id)
            await erase_episodes(tx, others, PERSONA_DELETED)
            named = await naming.delete_name(tx, naming.PERSONA, persona_id)
            if not (named or session_ids or others):
                thing = "persona"
                raise NotFoundError(thing)
            tx.record_changes(Change("persona", persona_id, "delete"))
            tx.record_audit(Audit("delete", "personas", persona_id, PERSONA_DELETED))
            erased["episodes"] += len(others)
            receipt = await self.issuer.issue(tx, entry, erased)
        await self._drop_caches(scope, session_ids)
        return receipt

    async def _find_key(self, scope: Scope) -> PersonKey | None:
        """Return the person's key; none is made for somebody who has none."""
        held = await self.vault.keystore.list_keys(scope.user_id)
        return await self.vault.get_key(scope) if held else None

    async def _erase_sessions(
        self,
        tx: Transaction,
        key: PersonKey | None,
        session_ids: Sequence[UUID],
        reason: str,
    ) -> dict[str, int]:
        """Erase sessions and count what went; the caller holds them and the person."""
        recorded = await list_recorded(tx, session_ids)
        messages = recorded.messages
        memories, candidates = await withdraw_sources(tx, key, session_ids, messages)
        about = await self.episodes.erase_sessions(tx, session_ids)
        resting = await store.list_episodes(tx, messages)
        await erase_episodes(tx, resting, reason)
        summaries = await withdraw_sessions(tx, session_ids)
        await erase_sessions(tx, session_ids, recorded, reason)
        await delete_waiting_jobs(tx, ABOUT_SESSIONS, session_ids)
        return {
            "sessions": len(session_ids),
            "messages": len(messages),
            "memories": len(memories),
            "candidates": len(candidates),
            "episodes": about + len(resting),
            "summaries": summaries,
        }

    async def _drop_caches(self, scope: Scope, session_ids: Collection[UUID]) -> None:
        """Let go of what is held outside the database, once that is committed."""
        self.recall.drop(scope)
        self.items.drop(scope)
        self.cards.drop(scope)
        self.sessions.writer.recent.drop_person(scope)
        await list_cache.drop_lists(self.memories.cache, scope.user_id)
        for session_id in session_ids:
            await self.sessions.writer.cache.drop_session(scope.user_id, session_id)
