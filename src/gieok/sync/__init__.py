"""The cloud half of device sync: what devices send up, and what comes down to them."""

from gieok.kernel.chain import Position, advance_chain, hash_words, start_chain
from gieok.sync.devices import (
    DeviceConflict,
    ErasureOnDevice,
    HeardErasure,
    SyncedDevice,
)
from gieok.sync.model import (
    MAX_CHANGES,
    MAX_PAIRS,
    PROTOCOL,
    ConflictKind,
    DeviceResolution,
    Greeting,
    Installation,
    Item,
    ItemChange,
    Page,
    Pushed,
    PushedPair,
    Rejection,
    RejectionCode,
    SessionState,
    Snapshot,
    SyncCursor,
    SyncStatus,
)
from gieok.sync.overview import SyncOverview
from gieok.sync.service import Sync
from gieok.sync.waiting import MAX_WAIT_S

__all__ = [
    "MAX_CHANGES",
    "MAX_PAIRS",
    "MAX_WAIT_S",
    "PROTOCOL",
    "ConflictKind",
    "DeviceConflict",
    "DeviceResolution",
    "ErasureOnDevice",
    "Greeting",
    "HeardErasure",
    "Installation",
    "Item",
    "ItemChange",
    "Page",
    "Position",
    "Pushed",
    "PushedPair",
    "Rejection",
    "RejectionCode",
    "SessionState",
    "Snapshot",
    "Sync",
    "SyncCursor",
    "SyncOverview",
    "SyncStatus",
    "SyncedDevice",
    "advance_chain",
    "hash_words",
    "start_chain",
]
