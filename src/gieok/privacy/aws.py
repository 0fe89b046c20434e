"""A wrapping key that never leaves AWS KMS."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Self, cast

import boto3  # pyright: ignore[reportMissingTypeStubs] - it has none
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs] - as above
    BotoCoreError,
    ClientError,
)

from gieok.kernel.errors import KeyFileError, UnavailableError

CONTEXT: Final = {"application": "gieok", "purpose": "person-key"}
"""What KMS binds a wrapped key to, and writes into its own log."""
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
    """Wraps with a symmetric key of AWS KMS, named by id, ARN or alias.

    Another name than before wraps what is new; `Rotation.rewrap` moves the rest.
    """

    key_id: str
    client: Any = field(repr=False)

    @classmethod
    def connect(cls, key_id: str, *, endpoint: str | None = None) -> Self:
        """Return a provider; region and credentials come as boto3 finds them."""
        service = cast("Any", boto3)
        return cls(key_id, service.client("kms", endpoint_url=endpoint))

    async def wrap(self, key: bytes) -> bytes:
        """Return the key, sealed by KMS.

        Raises:
            KeyFileError: KMS has no such key, or does not let this process use it.
            UnavailableError: KMS does not answer.
        """
        answer = await self._asked(
            self.client.encrypt,
            KeyId=self.key_id,
            Plaintext=key,
            EncryptionContext=CONTEXT,
        )
        return bytes(answer["CiphertextBlob"])

    async def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key again; the sealed form names the key of KMS it needs.

        Raises:
            KeyFileError: it was changed, or its key is gone or not for this process.
            UnavailableError: KMS does not answer.
        """
        answer = await self._asked(
            self.client.decrypt, CiphertextBlob=wrapped, EncryptionContext=CONTEXT
        )
        return bytes(answer["Plaintext"])

    async def _asked(self, call: Callable[..., Any], **fields: object) -> Any:
        try:
            return await asyncio.to_thread(call, **fields)
        except ClientError as error:
            code = str(cast("Any", error).response.get("Error", {}).get("Code", ""))
            if code in REFUSED:
                problem = (
                    f"AWS KMS refuses the key {self.key_id} ({code}): it is another "
                    "installation's, or this process may not use it."
                )
                raise KeyFileError(problem) from None
            raise UnavailableError("AWS KMS", code) from None
        except BotoCoreError as error:
            raise UnavailableError("AWS KMS", type(error).__name__) from None
