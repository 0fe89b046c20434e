"""The variables that a Lambda reads: `gieok.config` would bring the whole house."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Self

from gieok.kernel.errors import ConfigurationError
from gieok.kernel.whole_numbers import parse_whole_number

MAX_DAYS: Final = 36_500
OPENAI: Final = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class TutorConfig:
    """How one Lambda runs."""

    table: str
    """The DynamoDB table (GIEOK_TUTOR_TABLE)."""
    model: str = "none"
    """"none", "rules", "openai:MODEL" or "bedrock:MODEL" (GIEOK_MODEL)."""
    model_base_url: str = OPENAI
    """An OpenAI-compatible endpoint (GIEOK_MODEL_BASE_URL)."""
    model_api_key: str | None = field(default=None, repr=False)
    """Its key (GIEOK_MODEL_API_KEY)."""
    seconds: int = 25
    """How long a model has to answer (GIEOK_REPLY_SECONDS)."""
    endpoint: str | None = None
    """Another DynamoDB, such as moto's (GIEOK_DYNAMODB_ENDPOINT)."""
    region: str | None = None
    """The table's region, where it is not the Lambda's (GIEOK_DYNAMODB_REGION)."""
    secret: bytes | None = field(default=None, repr=False)
    """What signs tokens, 32 bytes or more (GIEOK_TUTOR_SECRET)."""
    trusts_body: bool = False
    """For development only: `user_id` is believed (GIEOK_TUTOR_TRUST_BODY=yes)."""
    origins: tuple[str, ...] = ()
    """Origins whose pages browsers let call (GIEOK_CORS_ORIGINS)."""
    time_zone: str = "Asia/Seoul"
    """IANA time zone of "today" and "tomorrow" for rules (GIEOK_TIME_ZONE)."""
    keeps: timedelta | None = None
    """How long a card stays after its last change (GIEOK_CARD_RETENTION_DAYS)."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Return the configuration that GIEOK_* variables describe.

        Raises:
            ConfigurationError: a variable is missing or holds something unusable.
        """
        given = os.environ if environment is None else environment  # noqa: TID251 - here only

        def read(name: str) -> str | None:
            return given.get(f"GIEOK_{name}", "").strip() or None

        table, secret = read("TUTOR_TABLE"), read("TUTOR_SECRET")
        if table is None:
            raise ConfigurationError("GIEOK_TUTOR_TABLE must name a DynamoDB table.")
        trust = read("TUTOR_TRUST_BODY") or "no"
        if trust not in ("yes", "no"):
            raise ConfigurationError("GIEOK_TUTOR_TRUST_BODY must be yes or no.")
        if (read("TUTOR_SEAL") or "no") != "no":
            raise ConfigurationError(
                "GIEOK_TUTOR_SEAL needs the keys of people, which `gieok serve` has "
                "and a Lambda has not: encrypt the table with a KMS key of yours."
            )
        days = _parse_number("CARD_RETENTION_DAYS", read("CARD_RETENTION_DAYS"))
        return cls(
            table=table,
            model=read("MODEL") or "none",
            model_base_url=read("MODEL_BASE_URL") or OPENAI,
            model_api_key=read("MODEL_API_KEY"),
            seconds=_parse_number("REPLY_SECONDS", read("REPLY_SECONDS")) or 25,
            endpoint=read("DYNAMODB_ENDPOINT"),
            region=read("DYNAMODB_REGION"),
            secret=secret.encode() if secret else None,
            trusts_body=trust == "yes",
            origins=tuple(
                each.strip() for each in (read("CORS_ORIGINS") or "").split(",") if each
            ),
            time_zone=read("TIME_ZONE") or "Asia/Seoul",
            keeps=timedelta(days=days) if days else None,
        )


def _parse_number(name: str, value: str | None) -> int:
    if value is None:
        return 0
    number = parse_whole_number(value)
    if number is None or number > MAX_DAYS:
        problem = f"GIEOK_{name} must be a number from 0 to {MAX_DAYS:,}."
        raise ConfigurationError(problem)
    return number
