"""A device of a person: their memory without any network, in step with the cloud.

device = open_device(Path("kitchen.db"), "kitchen", PassphraseKeys(Path("key"), "…"))
device.record(SpokenTurn("불 켜줘", "켰어요"))

Needs httpx, apsw and cryptography alone (`pip install "gieok[device]"`).
"""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily

if TYPE_CHECKING:
    from gieok.device.device import Device, DeviceReport, SpokenTurn
    from gieok.device.keys import DeviceKeyProvider, PassphraseKeys
    from gieok.device.model import DeviceCursor, DeviceFault, DeviceStatus
    from gieok.device.opening import open_device
    from gieok.device.syncing import SyncLoop
    from gieok.device.transport import HttpTransport, SyncTransport
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "Device": "gieok.device.device",
            "DeviceCursor": "gieok.device.model",
            "DeviceFault": "gieok.device.model",
            "DeviceReport": "gieok.device.device",
            "DeviceStatus": "gieok.device.model",
            "HttpTransport": "gieok.device.transport",
            "DeviceKeyProvider": "gieok.device.keys",
            "PassphraseKeys": "gieok.device.keys",
            "SpokenTurn": "gieok.device.device",
            "SyncLoop": "gieok.device.syncing",
            "SyncTransport": "gieok.device.transport",
            "open_device": "gieok.device.opening",
        },
    )

__all__ = [
    "Device",
    "DeviceCursor",
    "DeviceFault",
    "DeviceKeyProvider",
    "DeviceReport",
    "DeviceStatus",
    "HttpTransport",
    "PassphraseKeys",
    "SpokenTurn",
    "SyncLoop",
    "SyncTransport",
    "open_device",
]
