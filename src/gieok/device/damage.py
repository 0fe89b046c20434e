"""Takes what does not open out of the way, so that it holds up nothing else.

A body that was changed on the disk, moved, or sealed with another key does not open.
What the cloud has comes down again; what it has not is put aside as it is.
"""

from dataclasses import replace

from gieok.device.applying import forget_copy
from gieok.device.model import DeviceCursor, PairState
from gieok.device.store import DeviceRows
from gieok.kernel.errors import KeyFileError

DAMAGED = "damaged"


def quarantine_damage(
    rows: DeviceRows, cursor: DeviceCursor, now_ms: int
) -> DeviceCursor:
    """Put aside what does not open and was not sent, erase the rest of it.

    Raises:
        KeyFileError: nothing opens, so it is the key that is another one.
    """
    damage = rows.find_damage()
    found = (*damage.pairs, *damage.items, *damage.workflows)
    if len(found) > 1 and not damage.opened:
        raise KeyFileError("The key opens nothing of what is in the device's file.")
    sent = [seq for seq in damage.pairs if seq <= cursor.last_pair_seq]
    for seq in damage.pairs:
        if seq not in sent:
            rows.put_sealed_aside(seq, DAMAGED, now_ms)
        rows.clear_pair(seq, PairState.ERASED if seq in sent else PairState.REJECTED)
    for entity, item_id in damage.items:
        rows.delete_item(entity, item_id)
    for session_id in damage.workflows:
        rows.save_workflow(session_id, None)
    if len(sent) < len(damage.pairs):
        newest = rows.renumber_pairs(cursor.up)
        cursor = replace(cursor, newest_seq=newest.seq, newest_chain=newest.chain)
    return forget_copy(cursor) if sent or damage.items else cursor
