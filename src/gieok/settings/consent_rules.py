"""What a person agrees to, and what that forbids (D14)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    ConsentWithdrawn,
    Database,
    ForgettingRequested,
    Transaction,
)
from gieok.database.installation import store_values
from gieok.kernel.errors import InvalidInputError, NotPermittedError
from gieok.pii import is_special
from gieok.privacy import DecisionEntry
from gieok.settings import consent_store
from gieok.settings.effects import SettingEffects
from gieok.settings.model import OPT_IN, Consent, Purpose, Settings

USED_TO_LEARN: Final = frozenset({Purpose.STORAGE, Purpose.PROFILE})
"""Purposes without which nothing is learned from what a person says."""


def require_consent(settings: Settings, *purposes: Purpose) -> None:
    """Fail unless the person agrees to all of these purposes.

    Raises:
        NotPermittedError: names the first to which they do not.
    """
    for purpose in purposes:
        if purpose in settings.withheld:
            raise _create_refusal(purpose)


def can_store_texts(settings: Settings, *texts: str) -> bool:
    """Tell whether memory may hold these texts, and a prompt may (A14, A19).

    Special categories such as health or belief need consent of their own.
    """
    return Purpose.SENSITIVE not in settings.withheld or not is_special(*texts)


def require_storable(settings: Settings, *texts: str) -> None:
    """Fail unless memory may hold these texts, see `can_store_texts`.

    Raises:
        NotPermittedError: they touch a special category without consent to that.
    """
    if not can_store_texts(settings, *texts):
        raise _create_refusal(Purpose.SENSITIVE)


async def require_storage_consent(tx: Transaction) -> None:
    """Fail unless the person agrees that what they say is kept.

    Raises:
        NotPermittedError: they do not.
    """
    if not await has_storage_consent(tx):
        raise _create_refusal(Purpose.STORAGE)


async def has_storage_consent(tx: Transaction) -> bool:
    """Tell whether the person agrees that what they say is kept."""
    return Purpose.STORAGE not in await consent_store.list_withheld(tx)


def validate_decisions(changes: Mapping[str, Any]) -> dict[Purpose, bool]:
    """Return decisions by purpose.

    Raises:
        InvalidInputError: an unknown purpose, or a value that is no bool.
    """
    decided: dict[Purpose, bool] = {}
    for name, granted in changes.items():
        if name not in set(Purpose):
            raise InvalidInputError(name, "there is no such purpose")
        if not isinstance(granted, bool):
            raise InvalidInputError(name, "it must be true or false")
        decided[Purpose(name)] = granted
    return decided


async def list_reversed(
    tx: Transaction, decided: Mapping[Purpose, bool]
) -> list[Consent]:
    """Return the standing refusals of purposes that are agreed to now."""
    return [
        each
        for each in await consent_store.list_newest(tx)
        if not each.granted and decided.get(each.purpose)
    ]


async def build_entries(
    tx: Transaction, decided: Mapping[Purpose, bool], notice: str | None
) -> list[DecisionEntry]:
    """Return decisions that the transaction's person makes now."""
    number = await accounts.get_incarnation(tx)
    return [
        DecisionEntry(
            tx.scope.user_id,
            number or 0,
            purpose.value,
            agreed,
            notice,
            tx.scope.actor.value,
            tx.now,
        )
        for purpose, agreed in decided.items()
    ]


async def record_decisions(
    tx: Transaction, effects: SettingEffects, entries: Sequence[DecisionEntry]
) -> None:
    """Append decisions; what was kept for a withdrawn purpose goes by a job.

    What was said while a purpose was withheld is never used for it later.
    """
    decided = {Purpose(each.purpose): each.granted for each in entries}
    granted = {purpose for purpose, agreed in decided.items() if agreed}
    if granted & USED_TO_LEARN & await consent_store.list_withheld(tx):
        # Sessions before counters, as recording a turn locks them.
        await effects.skip_extraction(tx)
        await effects.skip_messages(tx)
        tx.publish(ForgettingRequested(tx.scope.user_id, tx.scope.user_id))
    while not await tx.lock_person():
        await accounts.insert_person(tx)  # was erased since this began, and comes back
    await consent_store.append_versions(tx, entries)
    await _apply_decisions(tx, decided)
    person = tx.scope.user_id
    tx.record_changes(Change("consent", person), Change("memory_settings", person))
    tx.record_audit(
        *(
            Audit(
                "update",
                "consents",
                tx.scope.user_id,
                f"{purpose}_{'granted' if agreed else 'withdrawn'}",
            )
            for purpose, agreed in decided.items()
        )
    )
    if decided.keys() - granted:
        tx.publish(ConsentWithdrawn(tx.scope.user_id, tx.scope.user_id))


async def apply_newest(tx: Transaction) -> None:
    """Let the newest decisions count, whoever wrote them."""
    newest = await consent_store.list_newest(tx)
    await _apply_decisions(tx, {each.purpose: each.granted for each in newest})


async def _apply_decisions(tx: Transaction, decided: Mapping[Purpose, bool]) -> None:
    """Withhold what is refused, and what was withheld and is not decided on."""
    before = await consent_store.list_withheld(tx)
    refused = {purpose for purpose, agreed in decided.items() if not agreed}
    withheld = (before - decided.keys()) | refused
    await accounts.set_withheld(tx, sorted(withheld - OPT_IN))


async def list_decisions(tx: Transaction) -> tuple[Consent, ...]:
    """Return the newest decision for every purpose, or the installation's."""
    newest = {each.purpose: each for each in await consent_store.list_newest(tx)}
    refused = await consent_store.list_withheld(tx)
    return tuple(
        newest.get(purpose)
        or Consent(purpose, 0, purpose not in refused, notice=None, at=None)
        for purpose in Purpose
    )


async def store_default_consent(
    database: Database, *, explicit: bool, replaces: bool = True
) -> None:
    """Say for all processes whether people met from now on agree before they do so.

    What was said before stands unless this replaces it.
    """
    withheld = [each for each in Purpose if explicit and each not in OPT_IN]
    values = {"withheld": ",".join(withheld)}
    await store_values(database, values, replaces=replaces)


def _create_refusal(purpose: Purpose) -> NotPermittedError:
    return NotPermittedError(
        f"the person has not agreed to the purpose {purpose.value}"
    )
