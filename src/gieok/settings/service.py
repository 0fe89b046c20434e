"""Reads and changes what a person allows."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    ForgettingRequested,
    MemoryLimitLowered,
    RetentionEnded,
    Transaction,
    schedule_event,
)
from gieok.kernel.errors import GieokError, InvalidInputError, UnavailableError
from gieok.kernel.language import Category
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import DecisionEntry, Ledger
from gieok.settings import consent_rules, consent_store, store
from gieok.settings.effects import SettingEffects
from gieok.settings.model import Consent, Policy, Purpose, Settings, Usage
from gieok.text.cleaning import clean_name

EraseWithdrawn = Callable[[Scope, datetime | None], Awaitable[object]]
"""Erases what is still kept for purposes that a person refuses.

A card outside that was changed at the time given, if any, or later stays."""
MAX_MEMORIES = 10_000
MAX_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class SettingsService:
    """The settings of everyone; what a person never chose is the app's default."""

    database: Database
    defaults: Settings
    effects: SettingEffects
    ledger: Ledger
    _erasers: list[EraseWithdrawn] = field(default_factory=list[EraseWithdrawn])

    def subscribe_regrants(self, erase: EraseWithdrawn) -> None:
        """Call a function before a person agrees to what they had refused.

        It may run twice.
        """
        self._erasers.append(erase)

    async def get(self, scope: Scope) -> Settings:
        """Return the person's settings."""
        async with self.database.begin(scope) as tx:
            return await self.read_settings(tx)

    async def read_settings(self, tx: Transaction) -> Settings:
        """Return the settings of the transaction's person, as consent leaves them."""
        for_device = tx.scope.actor is Actor.DEVICE
        return (await self._load_own(tx)).apply_consent(for_device=for_device)

    async def _load_own(self, tx: Transaction) -> Settings:
        return await store.get_settings(tx, self.defaults)

    async def update(self, scope: Scope, changes: Mapping[str, Any]) -> Settings:
        """Change the named settings and return all of them.

        Raises:
            InvalidInputError: an unknown name, or a value it cannot take; nothing
                is changed then.
        """
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            before = await self._load_own(tx)
            # Sessions before counters, as recording a turn locks them.
            if _is_switching_on(before, changes):
                await self.effects.skip_extraction(tx)
            if not before.is_enabled and changes.get("is_enabled") is True:
                await self.effects.skip_messages(tx)
                tx.publish(ForgettingRequested(scope.user_id, scope.user_id))
            tx.record_changes(Change("memory_settings", scope.user_id))
            tx.record_audit(
                Audit("update", "memory_settings", scope.user_id, "user_request")
            )
            # Locks the person's counters: two changes at once both stay.
            await tx.journal.write(tx)
            before = await self._load_own(tx)
            settings = apply_changes(before, changes)
            await store.upsert_settings(tx, settings, changes.keys())
            if settings.max_memories < before.max_memories:
                tx.publish(MemoryLimitLowered(scope.user_id, scope.user_id))
            if _is_use_changed(before, settings):
                tx.record_changes(*await self.effects.list_known_changes(tx))
            if "retention_days" in changes:
                await self._update_expiry(tx, settings.retention_days)
            if "words_days" in changes:
                await schedule_event(tx, RetentionEnded, tx.now)
        return settings.apply_consent()

    async def apply_default_retention(self, scope: Scope) -> None:
        """Let the default retention hold for what is known of the person already.

        What they chose themselves stays as it is.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            own = await self._load_own(tx)
            await self._update_expiry(tx, own.retention_days)
            if own.retention_days == self.defaults.retention_days:
                tx.record_changes(Change("memory_settings", scope.user_id))

    async def apply_default_categories(self, scope: Scope) -> None:
        """Let devices hear of everything known, as other things of it may be told."""
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            tx.record_changes(
                Change("memory_settings", scope.user_id),
                *await self.effects.list_known_changes(tx),
            )

    async def usage(self, scope: Scope) -> Usage:
        """Return what is remembered of the person, in numbers (D14)."""
        async with self.database.begin(scope) as tx:
            return await store.compute_usage(
                tx, (await self._load_own(tx)).max_memories
            )

    async def consents(self, scope: Scope) -> tuple[Consent, ...]:
        """Return the person's standing decision for every purpose."""
        async with self.database.begin(scope) as tx:
            return await consent_rules.list_decisions(tx)

    async def consent_history(self, scope: Scope) -> tuple[Consent, ...]:
        """Return every decision the person ever made, oldest first."""
        async with self.database.begin(scope) as tx:
            return tuple(await consent_store.list_history(tx))

    async def consent(
        self, scope: Scope, changes: Mapping[str, Any], *, notice: str | None = None
    ) -> tuple[Consent, ...]:
        """Note what the person agrees to (True) or no longer (False), by purpose.

        Withdrawal holds from the next call on, and what was kept for that purpose
        alone is erased: of `profile` all memories, of `storage` everything, of `words`
        what was said longer ago than others keep it. Who agrees again waits for that,
        so that nothing comes back. `notice`
        names the text the person was shown. Returns all standing decisions.

        A refusal stands in the ledger before it is noted, an agreement after it was:
        whatever is interrupted, a restore makes nobody agree.

        Raises:
            InvalidInputError: an unknown purpose, or a value that is no bool; nothing
                is changed then.
            UnavailableError: what was withdrawn before cannot be erased now, as a table
                outside does not answer; no decision is noted.
            DatabaseUnavailableError: the keystore does not answer; no refusal is noted.
        """
        decided = consent_rules.validate_decisions(changes)
        shown = None if notice is None else clean_name("notice", notice)
        erased: list[Consent] = []
        while True:
            async with self.database.begin(scope) as tx:
                await accounts.insert_person(tx)
                refusals = await consent_rules.list_reversed(tx, decided)
                if refusals == erased:
                    entries = await consent_rules.build_entries(tx, decided, shown)
                    await consent_rules.record_decisions(tx, self.effects, entries)
                    standing = await consent_rules.list_decisions(tx)
                    refused = [each for each in entries if not each.granted]
                    await self.ledger.append_decisions(refused)
                    break
            await self._erase_withdrawn(scope)
            erased = refusals
        granted = [each for each in entries if each.granted]
        await self.ledger.append_decisions(granted)
        return standing

    async def replay(self) -> int:
        """Note again what people decided since a backup was made; return how many.

        To be run after a restore, once erasures were carried out again. What is kept
        for purposes that were withdrawn is erased again, also if the person agreed to
        them later; a card outside that was changed after the decision stays. Who
        decided and is not known any more is made anew.

        Raises:
            UnavailableError: a table outside does not answer; running it again goes on.
            GieokError: what a decision asks for cannot be done; all others are noted.
        """
        done, failure = 0, None
        for entry in await self.ledger.list_decisions():
            try:
                done += await self._replay_decision(entry)
            except UnavailableError:
                raise
            except GieokError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return done

    async def _replay_decision(self, entry: DecisionEntry) -> bool:
        """Note a decision of the ledger again, unless it or a later one is known."""
        scope = Scope(entry.user_id, Actor.ADMIN)
        decided = {Purpose(entry.purpose): entry.granted}
        async with self.database.begin(scope) as tx:
            if await consent_store.is_decided_since(tx, entry.purpose, entry.at):
                return False
            await accounts.insert_person(tx, entry.number)
            refusals = await consent_rules.list_reversed(tx, decided)
        if refusals:
            await self._erase_withdrawn(scope, entry.at)
        async with self.database.begin(scope) as tx:
            await consent_rules.record_decisions(tx, self.effects, [entry])
        if not entry.granted:
            await self._erase_withdrawn(scope, entry.at)
        return True

    async def _erase_withdrawn(
        self, scope: Scope, before: datetime | None = None
    ) -> None:
        for erase in self._erasers:
            await erase(scope, before)

    async def _update_expiry(self, tx: Transaction, days: int | None) -> None:
        """Let a new span hold for what is known already."""
        moved = await self.effects.update_expiry(tx, days)
        tx.record_changes(*(Change("user_memory", each) for each in moved))
        await schedule_event(tx, RetentionEnded, tx.now)


def _is_switching_on(settings: Settings, changes: Mapping[str, Any]) -> bool:
    """Tell whether extraction was off and is to be on: what was said stays unread."""
    off = not (settings.is_enabled and settings.auto_extraction)
    asked = {"is_enabled", "auto_extraction"} & changes.keys()
    return off and any(changes[name] is True for name in asked)


def _is_use_changed(before: Settings, after: Settings) -> bool:
    """Tell whether more or less of what is known may be used than before."""
    return before.is_enabled != after.is_enabled or {*before.allowed_categories} != {
        *after.allowed_categories
    }


def apply_changes(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with checked changes.

    Raises:
        InvalidInputError: names the setting that cannot take its value.
    """
    checks = {
        "is_enabled": _parse_flag,
        "auto_extraction": _parse_flag,
        "allowed_categories": _parse_categories,
        "max_memories": _parse_limit,
        "retention_days": _parse_days,
        "promotion_policy": _parse_policy,
        "words_days": _parse_days,
    }
    for name in changes:
        if name not in checks:
            raise InvalidInputError(name, "there is no such setting")
    return replace(
        settings, **{name: checks[name](name, value) for name, value in changes.items()}
    )


def _parse_flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidInputError(name, "it must be true or false")
    return value


def _parse_categories(name: str, value: object) -> tuple[Category, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidInputError(name, "it must be a list of categories")
    listed = cast("Sequence[object]", value)
    try:
        return tuple(dict.fromkeys(Category(category) for category in listed))
    except ValueError:
        known = ", ".join(category.value for category in Category)
        raise InvalidInputError(name, f"each must be one of {known}") from None


def _parse_limit(name: str, value: object) -> int:
    return _parse_integer(name, value, MAX_MEMORIES)


def _parse_days(name: str, value: object) -> int | None:
    return None if value is None else _parse_integer(name, value, MAX_DAYS)


def _parse_integer(name: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInputError(name, f"it must be a whole number from 1 to {most}")
    return value


def _parse_policy(name: str, value: object) -> Policy:
    try:
        return Policy(value)  # pyright: ignore[reportArgumentType] - that is the check
    except ValueError:
        raise InvalidInputError(name, "it must be stated or strict") from None
