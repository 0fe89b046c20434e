"""Reads and changes the profile card of a person."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from gieok.accounts import Accounts
from gieok.accounts import store as account_store
from gieok.database import Audit, Database, Transaction
from gieok.kernel.errors import ConflictError, NotFoundError, TamperedError
from gieok.kernel.language import Basis, CardField, Tokenizer
from gieok.kernel.scope import Scope
from gieok.memories import (
    Fact,
    Memories,
    Memory,
    MemoryEdit,
    Trust,
    profile_documents,
)
from gieok.memories import store as memory_store
from gieok.memories.list_store import read_version_and_uses
from gieok.memories.permission import ignore_default_categories, is_text_allowed
from gieok.privacy import PersonKey, Vault
from gieok.profile.build import (
    PlaceTest,
    build_card,
    build_key_of_place,
    resolve_place,
    resolve_replaced_places,
)
from gieok.profile.card_cache import CardCache, OpenedCard
from gieok.profile.merge import KeyOfPlace, merge_documents, select_values
from gieok.profile.model import EMPTY_CARD, Card, CardDocument, CardValue
from gieok.profile.parsing import parse_document, require_room
from gieok.profile.quotable import select_quotable
from gieok.profile.statements import format_statement, get_category

TABLE: Final = "profile_documents"
BUILD: Final = "1"
"""Changes whenever the same memories give another card."""
_CARD: Final = TypeAdapter(Card)


class _State(NamedTuple):
    """What the database knows: a card that is current, or what one is made of."""

    version: str | None
    card: Card | None = None
    facts: Sequence[Fact] = ()
    replaced: Sequence[Memory] = ()


def place_by_category(_: Fact) -> CardField | None:
    """Leave it to the category of a memory where it stands on the card."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The profile cards of everyone: views of their memories, one truth with them."""

    database: Database
    vault: Vault
    accounts: Accounts
    memories: Memories
    tokenizer: Tokenizer
    judge: PlaceTest = field(default=place_by_category, repr=False)
    """Tells in which place of the card an extracted memory stands."""
    _cards: CardCache = field(default_factory=CardCache, repr=False)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self._cards.remove_card(scope.user_id)

    async def get(self, scope: Scope) -> Card:
        """Return what is known of the person, each value with what it rests on."""
        return await self._load(scope, reason="get")

    async def quote(self, scope: Scope) -> CardDocument:
        """Return what of the card a prompt may be told (D04, D06); maybe nothing.

        Nothing while memory is off, and of the rest what a block of memory could show
        as well; plans and ages are as of now.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            await account_store.insert_person(tx)
            tx.record_audit(Audit("access", TABLE, scope.user_id, "quote"))
            settings = await self.memories.settings.read_settings(tx)
            facts = await self.memories.facts(tx, key)
        defaults, guard = self.memories.settings.defaults, self.memories.guard

        def build() -> Card:
            told = select_quotable(facts, settings, defaults, guard, tx.now)
            placed = [resolve_place(fact, self.judge) for fact in told]
            return build_card(placed, key_of=self._key_of)

        return (await asyncio.to_thread(build)).to_document()

    async def select_allowed(
        self, scope: Scope, document: Mapping[str, Any]
    ) -> CardDocument:
        """Return what of a card the person's settings do not refuse to keep.

        Where nothing may be kept at all, `merge` says so.

        Raises:
            InvalidInputError: as `merge`.
        """
        wanted = parse_document(document)
        language = (await self.accounts.get(scope)).language
        settings = await self.memories.settings.get(scope)
        own = ignore_default_categories(settings, self.memories.settings.defaults)

        def is_allowed(place: CardField, text: str) -> bool:
            said = format_statement(place, text, language)
            return is_text_allowed(own, get_category(place), said)

        return select_values(wanted, is_allowed)

    async def merge(
        self,
        scope: Scope,
        document: Mapping[str, Any],
        *,
        basis: Basis = Basis.REQUESTED,
    ) -> Card:
        """Add to the card what somebody with the right to says of the person (C02).

        Lists are added to, single values replaced, empty values ignored; what is
        replaced stays in the history. Every new value becomes a memory. What was only
        found in what the person said (`basis` STATED) may wait for their review
        instead, and stays away where they rejected it.

        Raises:
            InvalidInputError: a place that no card has, or a value it cannot take;
                nothing is changed then.
            NotPermittedError: as `Memories.remember`; nothing is changed then.
        """
        card = await self._load(scope, reason="merge")
        wanted = parse_document(document, card)
        require_room(wanted, card.to_document())
        merged = merge_documents(card.to_document(), wanted, self._key_of)
        return await self._write(scope, card, merged, basis=basis)

    async def replace(self, scope: Scope, document: Mapping[str, Any]) -> Card:
        """Make the card what is given: other values are erased, new ones remembered.

        A name or an occupation that is not given goes with what it was before.

        Raises:
            InvalidInputError, NotPermittedError: as `merge`.
        """
        card = await self._load(scope, reason="replace")
        wanted = parse_document(document, card)
        require_room(wanted, card.to_document())
        left: dict[CardField, tuple[CardValue, ...]] = {}
        unwanted: list[CardValue] = []
        for place in CardField:
            texts, key = _list_texts(wanted, place), self._key_of(place)
            kept = {key(text) for text in texts}
            gone = [
                known
                for known in card.get_values(place)
                if (place.is_list or not texts) and key(known.value) not in kept
            ]
            unwanted += gone
            if not texts:
                unwanted += card.get_replaced_values(place)
            left[place] = tuple(v for v in card.get_values(place) if v not in gone)
        edits = [_build_erasure(unwanted)] if unwanted else []
        return await self._write(scope, Card(left), wanted, edits)

    async def forget(self, scope: Scope, place: CardField, value: str = "") -> Card:
        """Erase a value of the card and the memories it rests on; return the card.

        Without a value, all of the place. What a name or an occupation was before goes
        with it.

        Raises:
            NotFoundError: the card has no such value there.
        """
        card, key = await self._load(scope, reason="forget"), self._key_of(place)
        found = [
            known
            for known in card.get_values(place)
            if not value or key(known.value) == key(value)
        ]
        if not found:
            thing = "value"
            raise NotFoundError(thing)
        found += card.get_replaced_values(place)
        await self.memories.apply_edits(scope, [_build_erasure(found)])
        return await self._load(scope)

    async def set_aside(self, scope: Scope, lost: Mapping[str, Iterable[str]]) -> Card:
        """Take values out of lists that are not so any more; return the card.

        What they rest on goes out of use and stays in the history. What the person
        reviewed stays, as talk alone does not end it. A value that the card does not
        have, or that somebody else takes out at the same time, is no fault.
        """
        card = await self._load(scope, reason="set_aside")
        reviewed = await self._list_reviewed(scope) if lost else set[UUID]()
        for place in CardField:
            key = self._key_of(place)
            gone = {key(value) for value in lost.get(place.value, ())}
            for known in card.get_values(place):
                if key(known.value) in gone and reviewed.isdisjoint(known.memory_ids):
                    await self._deactivate_value(scope, known)
        return await self._load(scope)

    async def _list_reviewed(self, scope: Scope) -> set[UUID]:
        """Return the memories in use that the person reviewed."""
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            facts = await self.memories.facts(tx, key)
        return {
            fact.memory.memory_id
            for fact in facts
            if fact.memory.trust is Trust.CONFIRMED
        }

    async def _deactivate_value(self, scope: Scope, value: CardValue) -> None:
        for memory_id in value.memory_ids:
            with suppress(ConflictError, NotFoundError):  # somebody else did just now
                await self.memories.deactivate(scope, memory_id)

    async def clear(self, scope: Scope) -> int:
        """Erase every memory of the person, and so the card; return how many."""
        return await self.memories.forget_all(scope)

    async def refresh(self, scope: Scope) -> None:
        """Bring the stored document up to date, where it is behind."""
        await self._load(scope)

    async def _load(self, scope: Scope, *, reason: str | None = None) -> Card:
        """Return the card, with an audit line if there is a reason for one."""
        key = await self.vault.get_reading_key(scope)
        state = await self._read_state(scope, key, reason)
        if state.card is not None:
            return state.card
        card = await asyncio.to_thread(self._build, state)
        if state.version is not None:
            await self._save(scope, key, state, card)
        return card

    async def _read_state(
        self, scope: Scope, key: PersonKey, reason: str | None
    ) -> _State:
        async with self.database.begin(scope, durable=False) as tx:
            if reason is not None:
                await account_store.insert_person(tx)
                tx.record_audit(Audit("access", TABLE, scope.user_id, reason))
            version = await _read_version(tx)
            opened = self._cards.find_card(scope.user_id)
            kept = await profile_documents.find_document(
                tx, opened and (opened.version, opened.made_at)
            )
            if kept is not None and kept.is_current(version, tx.now):
                card = self._open_card(scope, key, kept, opened)
                if card is not None:
                    return _State(version, card)
            facts = await self.memories.facts(tx, key)
            if not facts:
                return _State(version, EMPTY_CARD)
            replaced = await memory_store.list_all_superseded(tx, key)
            return _State(version, None, facts, replaced)

    def _open_card(
        self,
        scope: Scope,
        key: PersonKey,
        kept: profile_documents.StoredDocument,
        opened: OpenedCard | None,
    ) -> Card | None:
        """Return a stored card; None where it does not open, and is to be made anew."""
        if kept.sealed is None:
            return opened and opened.card
        person = scope.user_id
        try:
            text = key.open_text(profile_documents.DOCUMENT, person, kept.sealed)
            card = _CARD.validate_json(text)
        except (TamperedError, ValidationError):
            return None
        self._cards.store_card(person, OpenedCard(kept.version, kept.made_at, card))
        return card

    def _build(self, state: _State) -> Card:
        known = [resolve_place(fact, self.judge) for fact in state.facts]
        replaced = resolve_replaced_places(state.replaced, known)
        return build_card(known, replaced, self._key_of)

    async def _save(
        self, scope: Scope, key: PersonKey, state: _State, card: Card
    ) -> None:
        """Keep a card unless what it was made of changed meanwhile."""
        ends = [fact.memory.expires_at for fact in state.facts]
        until = min((end for end in ends if end is not None), default=None)
        text = await asyncio.to_thread(lambda: _CARD.dump_json(card).decode())
        async with self.database.begin(scope, durable=False) as tx:
            await tx.lock_person()
            version = await _read_version(tx)
            if version is None or version != state.version:
                return
            await profile_documents.upsert_document(tx, key, text, version, until)
        self._cards.store_card(scope.user_id, OpenedCard(version, tx.now, card))

    async def _write(
        self,
        scope: Scope,
        card: Card,
        wanted: CardDocument,
        edits: Sequence[MemoryEdit] = (),
        *,
        basis: Basis = Basis.REQUESTED,
    ) -> Card:
        """Remember what the card lacks, and correct what it says otherwise, at once."""
        language = (await self.accounts.get(scope)).language
        edits = list(edits)
        for place in CardField:
            key = self._key_of(place)
            known = {key(each.value): each for each in card.get_values(place)}
            for text in _list_texts(wanted, place):
                before = (
                    known.get(key(text))
                    if place.is_list
                    else next(iter(known.values()), None)
                )
                if before is None or before.value != text:
                    said = format_statement(place, text, language)
                    targets = before.memory_ids if before else ()
                    edits.append(MemoryEdit(said, get_category(place), targets))
        if edits:
            await self.memories.apply_edits(scope, edits, basis=basis)
        return await self._load(scope)

    @property
    def _key_of(self) -> KeyOfPlace:
        return build_key_of_place(self.tokenizer)


def _build_erasure(values: Sequence[CardValue]) -> MemoryEdit:
    """Return the edit that forgets values, with the memories they rest on."""
    return MemoryEdit(None, memory_ids=tuple(m for v in values for m in v.memory_ids))


def _list_texts(document: CardDocument, place: CardField) -> list[str]:
    value = document.get(place.value)
    return [value] if isinstance(value, str) else list(value or ())


async def _read_version(tx: Transaction) -> str | None:
    """Return for which state of the person's memories a card is true."""
    number, _ = await read_version_and_uses(tx, [])
    return number and f"{BUILD} {number}"
