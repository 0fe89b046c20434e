"""Which devices the exchange still answers (A15)."""

from collections.abc import Iterable

from gieok.kernel.errors import DeviceGoneError
from gieok.sync import ConflictKind, SyncCursor
from gieok.sync.cursors import DEVICE_ERASED, DEVICE_REVOKED


def require_alive(cursors: Iterable[SyncCursor]) -> None:
    """Fail if a device, by the cursors of its installations, has to empty itself.

    One that was erased is heard again once it has joined anew.

    Raises:
        DeviceGoneError: it was shut out, or erased.
    """
    found = {each.conflict for each in cursors}
    if ConflictKind.REVOKED in found:
        raise DeviceGoneError(DEVICE_REVOKED)
    if found == {ConflictKind.ERASED}:
        raise DeviceGoneError(DEVICE_ERASED)
