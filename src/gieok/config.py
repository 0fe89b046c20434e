"""Process configuration: GIEOK_* variables, read once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from platformdirs import user_data_path

from gieok.kernel.clock import is_time_zone
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.language import Category
from gieok.kernel.whole_numbers import parse_whole_number
from gieok.pii import PersonalMasking
from gieok.settings import DEFAULT_KEEP, DEFAULT_SETTINGS, Keep, Settings

ALL_CATEGORIES = tuple(Category)


@dataclass(frozen=True, slots=True, repr=False)
class Config:
    """How one process runs. The class has no repr: some fields are secrets."""

    data: Path
    """Where the embedded database and the key file live (GIEOK_DATA)."""
    database_url: str | None = None
    """A PostgreSQL of yours; None starts the embedded one (GIEOK_DATABASE_URL)."""
    keystore_url: str | None = None
    """Database for wrapped keys; by default beside the other (GIEOK_KEYSTORE_URL)."""
    key_file: Path | None = None
    """The wrapping key; by default in `data` (GIEOK_KEY_FILE)."""
    kms_key: str | None = None
    """A key of AWS KMS, by alias or ARN, that wraps instead (GIEOK_KMS_KEY)."""
    model: str = "rules"
    """"rules", or a pydantic-ai model such as "openai:gpt-5-mini" (GIEOK_MODEL)."""
    model_base_url: str | None = None
    """An OpenAI-compatible endpoint for the model (GIEOK_MODEL_BASE_URL)."""
    model_api_key: str | None = None
    """Its key; vendors' own variables work too (GIEOK_MODEL_API_KEY)."""
    summary_patience: int = 4
    """Seconds a model has to sum up while somebody waits, all its tries together; then
    a part of the conversation stands in, until a model sums it up later
    (GIEOK_SUMMARY_SECONDS)."""
    reply_patience: int = 30
    """Seconds a model has for a reply, all its tries together (GIEOK_REPLY_SECONDS)."""
    embedder: str = "e5"
    """"e5", or "openai:MODEL:DIMENSION" (GIEOK_EMBEDDER)."""
    embedder_base_url: str = "https://api.openai.com/v1"
    """An OpenAI-compatible endpoint for vectors (GIEOK_EMBEDDER_BASE_URL)."""
    embedder_api_key: str | None = None
    """Its key (GIEOK_EMBEDDER_API_KEY)."""
    language: str = "ko"
    """Language of people who have not set theirs, and of messages in the terminal: "ko"
    or "en" (GIEOK_LANGUAGE)."""
    time_zone: str = "Asia/Seoul"
    """IANA time zone of people who have not set theirs (GIEOK_TIME_ZONE)."""
    pair_retention: timedelta = timedelta(days=30)
    """How long raw pairs are kept, 7 to 30 days (GIEOK_PAIR_RETENTION_DAYS)."""
    keep: Keep = DEFAULT_KEEP
    """How long what was learned is kept (GIEOK_DAY_RETENTION_DAYS, and likewise WEEK,
    EPISODE and CANDIDATE)."""
    consent: str = "implied"
    """"implied", or "explicit": people met from then on are asked before anything of
    theirs is kept (GIEOK_CONSENT)."""
    upgrade_line: str | None = None
    """What people read, besides that memory is full, of the paid plan; by default the
    persona document's sentence about Knock Plus (GIEOK_UPGRADE_LINE)."""
    pii: PersonalMasking = PersonalMasking.MASK
    """What becomes of phone numbers and addresses that people say: "mask", "hide" or
    "keep" (GIEOK_PII). Card numbers, passwords and their like are never kept."""
    pause: timedelta = timedelta(seconds=30)
    """Rest after which a conversation is extracted (GIEOK_PAUSE_SECONDS)."""
    idle: timedelta = timedelta(minutes=30)
    """Rest after which a session is over (GIEOK_IDLE_SECONDS)."""
    connections: int = 10
    """Most connections of the pool that serves requests (GIEOK_CONNECTIONS)."""
    redis_url: str | None = None
    """A Redis of yours that processes share; without one, each keeps what it needs
    (GIEOK_REDIS_URL)."""
    recall_bytes: int = 256 * 2**20
    """Most bytes of vectors held in memory (GIEOK_RECALL_MEGABYTES)."""
    excerpts: int = 3
    """Most of a person's own words that a context block quotes beside what is known; 0
    is the documents' plain form (GIEOK_EXCERPTS)."""
    planner_url: str | None = None
    """Where the planner of the exchange with devices answers: an address, or "model"
    for the configured model; None leaves planning to the caller
    (GIEOK_PLANNER_URL)."""
    planner_patience: int = 5
    """Seconds a planner has for a decision (GIEOK_PLANNER_SECONDS)."""
    tutor_table: str | None = None
    """A table of DynamoDB in which the tutor's endpoint keeps cards, instead of making
    them of memories (GIEOK_TUTOR_TABLE)."""
    seals_tutor_cards: bool = False
    """Whether cards there are sealed with the person's key, which the tutor's document
    does not have (GIEOK_TUTOR_SEAL=yes)."""
    dynamodb_endpoint: str | None = None
    """Another DynamoDB than AWS's (GIEOK_DYNAMODB_ENDPOINT)."""
    dynamodb_region: str | None = None
    """The table's region; by default as boto3 finds it (GIEOK_DYNAMODB_REGION)."""
    card_retention: timedelta | None = None
    """How long such a card stays after its last change; None keeps it
    (GIEOK_CARD_RETENTION_DAYS)."""
    jwks_url: str | None = None
    """Keys of an identity service whose tokens are taken too: an https address, or the
    path of a file (GIEOK_JWKS_URL)."""
    jwt_issuer: str | None = None
    """Its name, `iss` in its tokens (GIEOK_JWT_ISSUER)."""
    jwt_audience: str | None = None
    """What its tokens call gieok, `aud` in them; "gieok" by default
    (GIEOK_JWT_AUDIENCE)."""
    person_rate: int = 600
    """Most requests a minute of one person; 0 is no limit (GIEOK_PERSON_RATE)."""
    key_rate: int = 6_000
    """Most requests a minute with one key; 0 is no limit (GIEOK_KEY_RATE)."""
    address_rate: int = 60
    """Most requests a minute of one address without valid credentials; 0 is no limit
    (GIEOK_ADDRESS_RATE)."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies that may say in X-Forwarded-For for whom they
    call (GIEOK_TRUSTED_PROXIES)."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call from browsers (GIEOK_CORS_ORIGINS)."""
    defaults: Settings = DEFAULT_SETTINGS
    """Settings of a person who never changed them (GIEOK_CATEGORIES,
    GIEOK_MEMORY_RETENTION_DAYS)."""

    @property
    def key_path(self) -> Path:
        """Return where the key file is."""
        return self.key_file or self.data / "gieok.key"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Return the configuration that GIEOK_* variables describe.

        Raises:
            ConfigurationError: a variable holds something unusable; it is named.
        """
        read = _EnvironmentReader(
            os.environ if environment is None else environment  # noqa: TID251 - here only
        )
        if read.get_text("JWKS_URL") and not read.get_text("JWT_ISSUER"):
            raise ConfigurationError(
                "GIEOK_JWKS_URL needs GIEOK_JWT_ISSUER: whose tokens its keys sign."
            )
        return cls(
            data=Path(
                read.get_text("DATA") or user_data_path("gieok", appauthor=False)
            ),
            database_url=read.get_text("DATABASE_URL"),
            keystore_url=read.get_text("KEYSTORE_URL"),
            key_file=_to_path(read.get_text("KEY_FILE")),
            kms_key=read.get_text("KMS_KEY"),
            model=read.get_text("MODEL") or "rules",
            model_base_url=read.get_text("MODEL_BASE_URL"),
            model_api_key=read.get_text("MODEL_API_KEY"),
            summary_patience=read.get_number("SUMMARY_SECONDS", 4, 1, 600),
            reply_patience=read.get_number("REPLY_SECONDS", 30, 1, 600),
            embedder=read.get_text("EMBEDDER") or "e5",
            embedder_base_url=read.get_text("EMBEDDER_BASE_URL")
            or "https://api.openai.com/v1",
            embedder_api_key=read.get_text("EMBEDDER_API_KEY"),
            language=read.get_choice("LANGUAGE", ("ko", "en")),
            time_zone=read.get_time_zone(),
            pair_retention=timedelta(
                days=read.get_number("PAIR_RETENTION_DAYS", 30, 7, 30)
            ),
            keep=Keep(
                days=read.get_number("DAY_RETENTION_DAYS", 30, 1, 3_650),
                weeks=read.get_number("WEEK_RETENTION_DAYS", 180, 7, 3_650),
                episodes=read.get_number("EPISODE_RETENTION_DAYS", 730, 1, 36_500),
                candidates=read.get_number("CANDIDATE_RETENTION_DAYS", 90, 1, 3_650),
            ),
            consent=read.get_choice("CONSENT", ("implied", "explicit")),
            upgrade_line=read.get_text("UPGRADE_LINE"),
            pii=PersonalMasking(read.get_choice("PII", tuple(PersonalMasking))),
            pause=timedelta(seconds=read.get_number("PAUSE_SECONDS", 30, 0, 86_400)),
            idle=timedelta(seconds=read.get_number("IDLE_SECONDS", 1_800, 1, 86_400)),
            connections=read.get_number("CONNECTIONS", 10, 2, 1_000),
            redis_url=read.get_text("REDIS_URL"),
            recall_bytes=read.get_number("RECALL_MEGABYTES", 256, 16, 65_536) * 2**20,
            excerpts=read.get_number("EXCERPTS", 3, 0, 20),
            planner_url=read.get_planner(),
            planner_patience=read.get_number("PLANNER_SECONDS", 5, 1, 600),
            tutor_table=read.get_text("TUTOR_TABLE"),
            seals_tutor_cards=read.get_choice("TUTOR_SEAL", ("no", "yes")) == "yes",
            dynamodb_endpoint=read.get_text("DYNAMODB_ENDPOINT"),
            dynamodb_region=read.get_text("DYNAMODB_REGION"),
            card_retention=timedelta(
                days=read.get_number("CARD_RETENTION_DAYS", 0, 0, 36_500)
            )
            or None,
            jwks_url=read.get_text("JWKS_URL"),
            jwt_issuer=read.get_text("JWT_ISSUER"),
            jwt_audience=read.get_text("JWT_AUDIENCE"),
            person_rate=read.get_number("PERSON_RATE", 600, 0, 1_000_000),
            key_rate=read.get_number("KEY_RATE", 6_000, 0, 1_000_000),
            address_rate=read.get_number("ADDRESS_RATE", 60, 0, 1_000_000),
            trusted_proxies=read.get_networks(),
            cors_origins=read.get_origins(),
            defaults=Settings(
                allowed_categories=read.get_categories(),
                retention_days=read.get_number("MEMORY_RETENTION_DAYS", 0, 0, 36_500)
                or None,
            ),
        )


@dataclass(frozen=True, slots=True)
class _EnvironmentReader:
    environment: Mapping[str, str]

    def get_text(self, name: str) -> str | None:
        return self.environment.get(f"GIEOK_{name}", "").strip() or None

    def get_choice(self, name: str, allowed: tuple[str, ...]) -> str:
        value = self.get_text(name) or allowed[0]
        if value not in allowed:
            raise ConfigurationError(
                f"GIEOK_{name} must be one of {', '.join(allowed)}."
            )
        return value

    def get_time_zone(self) -> str:
        name = self.get_text("TIME_ZONE") or "Asia/Seoul"
        if not is_time_zone(name):
            raise ConfigurationError(
                "GIEOK_TIME_ZONE must be an IANA time zone like Europe/London."
            )
        return name

    def get_number(self, name: str, default: int, least: int, most: int) -> int:
        value = self.get_text(name)
        if value is None:
            return default
        number = parse_whole_number(value)
        if number is None or not least <= number <= most:
            raise ConfigurationError(
                f"GIEOK_{name} must be a whole number from {least} to {most}."
            )
        return number

    def get_list(self, name: str) -> tuple[str, ...]:
        named = (each.strip() for each in (self.get_text(name) or "").split(","))
        return tuple(each for each in named if each)

    def get_networks(self) -> tuple[str, ...]:
        networks = self.get_list("TRUSTED_PROXIES")
        try:
            return tuple(str(ip_network(each)) for each in networks)
        except ValueError:
            raise ConfigurationError(
                "GIEOK_TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8, "
                "with commas between them."
            ) from None

    def get_origins(self) -> tuple[str, ...]:
        origins = self.get_list("CORS_ORIGINS")
        for origin in origins:
            parts = urlsplit(origin)
            if f"{parts.scheme}://{parts.netloc}" != origin or not parts.hostname:
                raise ConfigurationError(
                    "GIEOK_CORS_ORIGINS must be origins like https://app.example.com, "
                    "with commas between them."
                )
        return origins

    def get_planner(self) -> str | None:
        value = self.get_text("PLANNER_URL")
        if value is None or value == "model":
            return value
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigurationError(
                "GIEOK_PLANNER_URL must be an address like "
                "https://planner.example.com/plan, or model."
            )
        return value

    def get_categories(self) -> tuple[Category, ...]:
        value = self.get_text("CATEGORIES")
        if value is None:
            return DEFAULT_SETTINGS.allowed_categories
        if value == "all":
            return ALL_CATEGORIES
        try:
            return tuple(Category(name.strip()) for name in value.split(","))
        except ValueError as error:
            known = ", ".join(ALL_CATEGORIES)
            raise ConfigurationError(
                f"GIEOK_CATEGORIES must be all, or some of {known}."
            ) from error


def _to_path(value: str | None) -> Path | None:
    return Path(value) if value else None
