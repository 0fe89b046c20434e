"""A wrapping key that never leaves AWS KMS."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, Self, cast

import boto3  # pyright: ignore[reportMissingTypeStubs] - it has none
from botocore.config import (  # pyright: ignore[reportMissingTypeStubs] - as above
    Config,
)
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs] - as above
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
)

from gieok.kernel.errors import ConfigurationError, KeyFileError, UnavailableError
from gieok.privacy.keys import KMS_MARK

WrapPurpose = Literal["person-key", "key-file"]

CONTEXT: Final = {"application": "gieok"}
"""With the purpose, what KMS binds a wrapped key to and writes into its own log."""
PATIENCE: Final = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 4},
)
"""Throttled and failed calls are tried again, with growing pauses."""
CALLS_AT_ONCE: Final = 8
REFUSED: Final = frozenset(
    {
        "AccessDeniedException",
        "DisabledException",
        "IncorrectKeyException",
        "InvalidCiphertextException",
        "KMSInvalidStateException",
        "NotFoundException",
    }
)
"""Answers that trying again does not change."""


@dataclass(frozen=True, slots=True)
class AwsKeyProvider:
    """Wraps with a symmetric key of AWS KMS, and opens what any key of KMS wrapped.

    KMS is asked when a process meets a person for the first time, not per request: the
    vault keeps the key. Calls have threads of their own, so that a KMS that hangs
    holds up nothing else.
    """

    key_id: str
    """The key's ARN: an alias that moves to another key counts as another key."""
    client: Any = field(repr=False)
    calls: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(CALLS_AT_ONCE, "kms"), repr=False
    )

    @classmethod
    async def connect(cls, key_id: str, *, endpoint: str | None = None) -> Self:
        """Return a provider for a key named by id, ARN or alias.

        Region, credentials and endpoint come as boto3 finds them.

        Raises:
            ConfigurationError: boto3 finds no region or credentials.
            KeyFileError: KMS has no such key, or does not let this process use it.
            UnavailableError: KMS does not answer.
        """
        named = await cls.connect_reader(key_id, endpoint=endpoint)
        tried = await named._send_request(  # noqa: SLF001 - its own class's
            named.client.encrypt, KeyId=key_id, Plaintext=b"gieok"
        )
        return cls(str(tried["KeyId"]), named.client, named.calls)

    @classmethod
    async def connect_reader(
        cls, key_id: str = "", *, endpoint: str | None = None
    ) -> Self:
        """Return a provider that only opens; raises ConfigurationError as `connect`."""
        service, arn = cast("Any", boto3), key_id.split(":")
        region = arn[3] if arn[0] == "arn" and len(arn) > 3 else None  # noqa: PLR2004
        try:
            client = await asyncio.to_thread(
                service.client,
                "kms",
                endpoint_url=endpoint,
                region_name=region,
                config=PATIENCE,
            )
        except BotoCoreError as error:
            raise _to_configuration_error(error) from None
        return cls(key_id, client)

    async def wrap(self, key: bytes, purpose: WrapPurpose = "person-key") -> bytes:
        """Return the key, sealed by KMS.

        Raises:
            KeyFileError: KMS has no such key, or does not let this process use it.
            UnavailableError: KMS does not answer.
        """
        answer = await self._send_request(
            self.client.encrypt,
            KeyId=self.key_id,
            Plaintext=key,
            EncryptionContext={**CONTEXT, "purpose": purpose},
        )
        return KMS_MARK + bytes(answer["CiphertextBlob"])

    async def unwrap(
        self, wrapped: bytes, purpose: WrapPurpose = "person-key"
    ) -> bytes:
        """Return the key again; the sealed form names the key of KMS it needs.

        Raises:
            KeyFileError: it was changed, or its key is gone or not for this process.
            UnavailableError: KMS does not answer.
        """
        answer = await self._send_request(
            self.client.decrypt,
            CiphertextBlob=wrapped.removeprefix(KMS_MARK),
            EncryptionContext={**CONTEXT, "purpose": purpose},
        )
        return bytes(answer["Plaintext"])

    async def _send_request(self, call: Callable[..., Any], **fields: object) -> Any:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.calls, partial(call, **fields))
        except ClientError as error:
            code = str(cast("Any", error).response.get("Error", {}).get("Code", ""))
            if code in REFUSED:
                problem = (
                    f"AWS KMS refuses the key {self.key_id} ({code}): it is another "
                    "installation's, or this process may not use it."
                )
                raise KeyFileError(problem) from None
            raise UnavailableError("AWS KMS", code) from None
        except (NoRegionError, NoCredentialsError, PartialCredentialsError) as error:
            raise _to_configuration_error(error) from None
        except BotoCoreError as error:
            raise UnavailableError("AWS KMS", type(error).__name__) from None


def _to_configuration_error(error: Exception) -> ConfigurationError:
    name = type(error).__name__
    return ConfigurationError(
        f"AWS KMS cannot be called ({name}): set AWS_REGION and give credentials as "
        "boto3 finds them."
    )
