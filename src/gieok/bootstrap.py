"""The only composition root: a configuration becomes a running `Gieok`."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
)
from datetime import timedelta
from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from gieok import adapters
from gieok.access import Access, OperatorSignIns, SignIns
from gieok.accounts import Accounts
from gieok.audit import AuditLog
from gieok.cache import Cache, open_cache
from gieok.chat import Chat
from gieok.config import Config
from gieok.context import Context
from gieok.database import Agenda, Database, Jobs
from gieok.database.embedded import LOOK_SECONDS, run_embedded_postgres
from gieok.database.migrate import (
    as_app_role,
    build_database_url,
    create_database,
    migrate,
    parse_database_name,
)
from gieok.episodes import Episodes
from gieok.erasure import Erasure, Retention
from gieok.exchange import Exchange
from gieok.facade import Gieok
from gieok.items import Items
from gieok.kernel.errors import ConfigurationError, DatabaseUnavailableError
from gieok.kernel.language import Embedder, Model, Tokenizer
from gieok.maintenance import Maintenance
from gieok.memories import Memories
from gieok.memories.consolidator import Consolidator
from gieok.memories.store import update_expiry
from gieok.parts import Parts
from gieok.pii import use_policy
from gieok.portability import Portability
from gieok.portability import store as export_store
from gieok.privacy import Keyring, Keystore, Vault
from gieok.privacy.audit_seals import USE, AuditSeals
from gieok.privacy.receipt_issuer import ReceiptIssuer
from gieok.privacy.receipts import ReceiptSigner
from gieok.privacy.rotation import KeyRotation
from gieok.privacy.signing import InstallationSigner
from gieok.profile import Profile
from gieok.profile.tutor_cards import TutorCards
from gieok.recall import EmbedderRecord, Recall
from gieok.sessions import Sessions
from gieok.sessions.lifecycle import SessionLimits
from gieok.sessions.reader_store import skip_extraction
from gieok.sessions.removal import skip_messages
from gieok.sessions.writer import SessionWriter
from gieok.settings import SettingsService
from gieok.settings.consent_rules import store_default_consent
from gieok.settings.effects import SettingEffects
from gieok.settings.installation_defaults import describe_defaults, store_defaults
from gieok.summaries import Summaries
from gieok.sync import Sync
from gieok.sync.downloads import list_known_changes
from gieok.sync.waiting import ChangeWaiter
from gieok.worker import run_worker, stop_worker

DATABASE = "gieok"
KEYSTORE = "gieok_keys"
RESTART_SECONDS = 30.0
"""How long a start waits for an embedded server that died meanwhile."""


class DatabaseAddresses(NamedTuple):
    """Where the two databases are, as owner and as app."""

    database: str
    keystore: str

    @property
    def app(self) -> str:
        """Return the address under which everything but migration runs."""
        return as_app_role(self.database)


class StartedGieok(NamedTuple):
    """A `Gieok` that is open, and where its databases are."""

    gieok: Gieok
    addresses: DatabaseAddresses


@asynccontextmanager
async def run_gieok(
    config: Config,
    parts: Parts,
    *,
    worker: bool,
    any_embedder: bool = False,
    leaving_kms: bool = False,
    sets_defaults: bool = True,
) -> AsyncGenerator[Gieok]:
    """Run gieok, and a worker if asked to; the rest is as in `opening`."""
    async with AsyncExitStack() as stack:
        gieok, addresses = await start_gieok(
            config,
            parts,
            stack,
            any_embedder=any_embedder,
            leaving_kms=leaving_kms,
            sets_defaults=sets_defaults,
        )
        if worker:
            running = asyncio.create_task(
                run_worker(gieok, addresses.app, pace=parts.pace)
            )
            stack.push_async_callback(stop_worker, running)
        yield gieok


async def start_gieok(
    config: Config,
    parts: Parts,
    stack: AsyncExitStack,
    *,
    any_embedder: bool = False,
    leaving_kms: bool = False,
    sets_defaults: bool = True,
) -> StartedGieok:
    """Start or find the databases and open gieok on them, until the stack ends.

    An embedded server that dies meanwhile is started again, so it is waited for.
    """
    stack.enter_context(use_policy(config.pii))
    is_embedded = config.database_url is None
    if is_embedded:  # for as long as the stack lasts, however often it is tried
        await stack.enter_async_context(run_embedded_postgres(config.data / "pg"))
    gives_up_at = time.monotonic() + (RESTART_SECONDS if is_embedded else 0)
    while True:
        try:
            async with AsyncExitStack() as attempt:
                addresses = await start_databases(config, attempt)
                gieok = await build_gieok(
                    config,
                    addresses,
                    parts,
                    attempt,
                    leaving_kms=leaving_kms,
                    sets_defaults=sets_defaults,
                )
                if not any_embedder:
                    await EmbedderRecord(gieok.maintenance.database).verify(
                        gieok.recall.embedder
                    )
                stack.push_async_exit(attempt.pop_all())
                return StartedGieok(gieok, addresses)
        except DatabaseUnavailableError:
            if time.monotonic() >= gives_up_at:
                raise
            await asyncio.sleep(LOOK_SECONDS)


async def start_databases(config: Config, stack: AsyncExitStack) -> DatabaseAddresses:
    """Start or find the server, and bring both databases up to date."""
    if config.database_url is None:
        server = await stack.enter_async_context(
            run_embedded_postgres(config.data / "pg")
        )
        await asyncio.to_thread(create_database, server, DATABASE)
        database = build_database_url(server, DATABASE)
    else:
        database = _check_address("GIEOK_DATABASE_URL", config.database_url)
    keystore = config.keystore_url
    if keystore is None:
        name = f"{parse_database_name(database)}_keys"
        await asyncio.to_thread(create_database, database, name)
        keystore = build_database_url(database, name)
    _check_address("GIEOK_KEYSTORE_URL", keystore)
    await asyncio.to_thread(migrate, database)
    return DatabaseAddresses(database, keystore)


def _check_address(name: str, address: str) -> str:
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        problem = f"{name} must be an address like postgresql://user@host/database."
        raise ConfigurationError(problem) from None
    return address


class Foundation(NamedTuple):
    """What every room stands on."""

    config: Config
    parts: Parts
    database: Database
    vault: Vault
    provider: Keyring
    cache: Cache

    @property
    def stores(self) -> dict[str, Any]:
        """Return where rooms keep what is theirs, and the keys to it."""
        return {"database": self.database, "vault": self.vault}


class ModelParts(NamedTuple):
    """What reads texts."""

    tokenizer: Tokenizer
    embedder: Embedder
    bundled: Embedder | None
    """The bundled embedder, from whose vectors the judges learned."""
    model: Model


class ConversationRooms(NamedTuple):
    """Who talks, what was said, and what that was about."""

    accounts: Accounts
    settings: SettingsService
    sessions: Sessions
    summaries: Summaries
    episodes: Episodes


class MemoryRooms(NamedTuple):
    """What is known, and how it is found."""

    memories: Memories
    profile: Profile
    tutor_cards: TutorCards | None
    recall: Recall
    items: Items
    context: Context


class UpkeepRooms(NamedTuple):
    """What erases, expires, carries away and catches up."""

    erasure: Erasure
    retention: Retention
    portability: Portability
    maintenance: Maintenance


async def build_gieok(
    config: Config,
    addresses: DatabaseAddresses,
    parts: Parts,
    stack: AsyncExitStack,
    *,
    leaving_kms: bool = False,
    sets_defaults: bool = True,
) -> Gieok:
    """Put the parts together, storey by storey.

    People met from now on are as the configuration says, unless another process has
    said it and this one does not set it.
    """
    base = await _connect_foundation(
        config, addresses, parts, stack, leaving_kms=leaving_kms
    )
    models = await _open_models(base, stack)
    talk = _build_conversations(base, models)
    await store_default_consent(
        base.database, explicit=config.consent == "explicit", replaces=sets_defaults
    )
    await talk.accounts.set_defaults(
        language=config.language, time_zone=config.time_zone, replaces=sets_defaults
    )
    await store_defaults(
        base.database,
        base.vault.keystore,
        _describe_defaults(config),
        replaces=sets_defaults,
    )
    known = _build_memories(base, models, talk)
    access = Access(base.database, base.vault.keystore.ledger, parts.new_id)
    upkeep = _build_upkeep(base, talk, known, access)
    talk.settings.subscribe_regrants(upkeep.maintenance.erase_withdrawn)
    people: dict[str, Any] = {"accounts": talk.accounts, "settings": talk.settings}
    return Gieok(
        **talk._asdict(),
        **known._asdict(),
        **upkeep._asdict(),
        chat=Chat(
            accounts=talk.accounts,
            sessions=talk.sessions,
            episodes=talk.episodes,
            context=known.context,
            model=models.model,
            reply_patience=config.reply_patience,
            save_requests=None
            if parts.embedder
            else adapters.create_save_detector(models.bundled),
        ),
        sync=Sync(
            **base.stores,
            **people,
            sessions=talk.sessions,
            waiter=ChangeWaiter(base.database, base.cache),
        ),
        exchange=Exchange(
            **base.stores,
            **people,
            sessions=talk.sessions,
            context=known.context,
            planner=parts.planner or adapters.create_planner(config, models.model),
        ),
        keys=KeyRotation(
            base.database,
            base.vault,
            (known.tutor_cards,) if known.tutor_cards else (),
        ),
        audit=_build_audit(base),
        access=access,
        sign_ins=SignIns(base.database),
        operator_sign_ins=OperatorSignIns(base.database, access),
        jobs=Jobs(base.database),
        agenda=Agenda(base.database),
        clock=parts.clock,
        new_id=parts.new_id,
    )


async def _connect_foundation(
    config: Config,
    addresses: DatabaseAddresses,
    parts: Parts,
    stack: AsyncExitStack,
    *,
    leaving_kms: bool,
) -> Foundation:
    """Return the database, the keys and the cache, each open and checked."""
    database = await stack.enter_async_context(
        Database.connect(
            addresses.app, parts.clock, parts.new_id, size=config.connections
        )
    )
    keystore = await stack.enter_async_context(Keystore.connect(addresses.keystore))
    provider = await Keyring.open(
        config.key_path,
        probe=await keystore.get_probe(),
        kms_key=config.kms_key,
        leaving_kms=leaving_kms,
    )
    vault = Vault(keystore, provider, OrderedDict())
    await vault.verify()
    cache = await stack.enter_async_context(open_cache(config.redis_url, parts.clock))
    database.subscribe_changes(lambda person: cache.hint(person, person))
    database.subscribe_erasures(export_store.delete_exports)
    return Foundation(config, parts, database, vault, provider, cache)


def _build_conversations(base: Foundation, models: ModelParts) -> ConversationRooms:
    config, database = base.config, base.database
    settings = SettingsService(
        database,
        config.defaults,
        SettingEffects(
            skip_extraction, skip_messages, update_expiry, list_known_changes
        ),
        base.vault.keystore.ledger,
    )
    summaries = Summaries(
        **base.stores,
        model=models.model,
        settings=settings,
        keep_days=timedelta(days=config.keep.days),
        keep_weeks=timedelta(days=config.keep.weeks),
        patience=adapters.get_patience(config, base.parts),
    )
    return ConversationRooms(
        accounts=Accounts(database, base.vault, base.provider.naming_secret),
        settings=settings,
        sessions=Sessions(
            vault=base.vault,
            writer=SessionWriter(
                database=database,
                limits=SessionLimits(
                    pair_retention=config.pair_retention,
                    extraction_pause=config.pause,
                    idle=config.idle,
                ),
                cache=base.cache,
            ),
        ),
        summaries=summaries,
        episodes=Episodes(
            **base.stores,
            settings=settings,
            summaries=summaries,
            tokenizer=models.tokenizer,
            embedder=base.parts.embedder or models.bundled,
            upgrade_line=config.upgrade_line,
        ),
    )


def _build_memories(
    base: Foundation, models: ModelParts, talk: ConversationRooms
) -> MemoryRooms:
    config, embedder, tokenizer = base.config, models.embedder, models.tokenizer
    ledger = base.vault.keystore.ledger
    guard = base.parts.guard or adapters.create_guard(models.bundled)
    memories = Memories(
        **base.stores,
        settings=talk.settings,
        receipts=ReceiptIssuer(ledger, ReceiptSigner(base.provider.naming_secret)),
        model=models.model,
        consolidator=Consolidator(
            embedder=embedder,
            split=tokenizer.terms,
            **adapters.create_judges(embedder),
        ),
        tokenizer=tokenizer,
        guard=guard,
        cache=base.cache,
    )
    recall = Recall(
        **base.stores,
        memories=memories,
        embedder=embedder,
        tokenizer=tokenizer,
        adapt_query=adapters.create_query_adapter(embedder),
        max_bytes=config.recall_bytes,
    )
    return MemoryRooms(
        memories=memories,
        profile=Profile(
            **base.stores,
            accounts=talk.accounts,
            memories=memories,
            tokenizer=tokenizer,
            judge=adapters.create_card_judge(embedder),
        ),
        tutor_cards=_create_tutor_cards(base, talk),
        recall=recall,
        items=Items.create(
            base.database,
            base.vault,
            talk.settings,
            embedder,
            tokenizer,
            config.recall_bytes,
        ),
        context=Context(
            database=base.database,
            accounts=talk.accounts,
            memories=memories,
            recall=recall,
            past=talk.episodes,
            excerpts=config.excerpts,
            guard=guard,
        ),
    )


def _build_upkeep(
    base: Foundation, talk: ConversationRooms, known: MemoryRooms, access: Access
) -> UpkeepRooms:
    config = base.config
    kept: dict[str, Any] = {
        "sessions": talk.sessions,
        "summaries": talk.summaries,
        "episodes": talk.episodes,
        "memories": known.memories,
        "recall": known.recall,
        "items": known.items,
    }
    erasure = Erasure(
        **base.stores,
        **kept,
        cards=known.profile,
        tutor_cards=known.tutor_cards,
        issuer=known.memories.receipts,
    )
    retention = Retention(
        **base.stores,
        memories=known.memories,
        settings=talk.settings,
        messages=config.pair_retention,
        keep=config.keep,
    )
    portability = Portability(
        **base.stores,
        accounts=talk.accounts,
        settings=talk.settings,
        recall=known.recall,
        profile=known.profile,
        tutor_cards=known.tutor_cards,
        cache=base.cache,
        pair_retention=config.pair_retention,
    )
    return UpkeepRooms(
        erasure=erasure,
        retention=retention,
        portability=portability,
        maintenance=Maintenance(
            **base.stores,
            **kept,
            settings=talk.settings,
            access=access,
            erasure=erasure,
            retention=retention,
            portability=portability,
            own_defaults=_describe_defaults(config),
        ),
    )


def _describe_defaults(config: Config) -> str:
    return describe_defaults(config.defaults, config.keep, config.pair_retention)


def _build_audit(base: Foundation) -> AuditLog:
    signer = InstallationSigner(base.provider.naming_secret, USE)
    seals = AuditSeals(base.vault.keystore.pool, signer)
    return AuditLog(base.database, seals, base.vault)


async def _open_models(base: Foundation, stack: AsyncExitStack) -> ModelParts:
    """Return what reads texts, open for as long as the stack is."""
    tokenizer, embedder, bundled = adapters.create_embedders(base.config, base.parts)
    model = base.parts.model or adapters.create_model(base.config, bundled)
    for part in (embedder, model):
        if isinstance(part, AbstractAsyncContextManager):
            await stack.enter_async_context(part)
    return ModelParts(tokenizer, embedder, bundled, model)


def _create_tutor_cards(base: Foundation, talk: ConversationRooms) -> TutorCards | None:
    """Return the cards in a table of DynamoDB; None where none is configured."""
    config = base.config
    if config.tutor_table is None:
        return None
    return TutorCards(
        database=base.database,
        accounts=talk.accounts,
        settings=talk.settings,
        vault=base.vault,
        is_sealed=config.seals_tutor_cards,
        documents=adapters.open_card_table(config, base.database.clock),
    )
