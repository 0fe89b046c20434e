"""What stands in the address of a receipt: nobody can guess it, and nothing keeps it.

Nobody can sign in as somebody who was erased. So whoever begins an erasure is given the
person's pseudonym and the time, signed by the installation: every process can look for
the receipt, and so can one that was started since.
"""

import base64
import binascii
import struct
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.kernel.errors import AuthenticationError
from gieok.privacy.receipts import ReceiptSigner

_FIELDS: Final = struct.Struct(">16sQ")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def create_link(signer: ReceiptSigner, user_id: UUID, since: datetime) -> str:
    """Return what shows the receipt of an erasure that is finished since a time."""
    told = _FIELDS.pack(user_id.bytes, (since - _EPOCH) // _MICROSECOND)
    return base64.urlsafe_b64encode(told + signer.sign_link(told)).decode()


def parse_link(signer: ReceiptSigner, link: str) -> tuple[UUID, datetime]:
    """Return whose receipt a link shows, and since when.

    Raises:
        AuthenticationError: this installation did not make it.
    """
    try:
        decoded = base64.b64decode(link.encode(), b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        decoded = b""
    told, signature = decoded[: _FIELDS.size], decoded[_FIELDS.size :]
    if not signer.verify_link(told, signature):
        raise AuthenticationError("there is no sign-in")
    user_id, since = _FIELDS.unpack(told)
    return UUID(bytes=user_id), _EPOCH + since * _MICROSECOND
