"""A turn that is sent again, as its answer was lost: it is kept once, under its id."""

from dataclasses import replace
from typing import Final
from uuid import UUID

from gieok.database import Transaction
from gieok.kernel.errors import ConflictError
from gieok.pii import MASKED
from gieok.privacy import PersonKey
from gieok.sessions import message_store
from gieok.sessions.model import Pair, RecordedPair

_ERASED: Final = "the turn of this id was erased"
_ANOTHER: Final = "the id is another turn's"


class UsedTurnIdError(ConflictError):
    """The id of a turn was used before: that turn was erased, or is another one."""


async def find_earlier_pair(
    tx: Transaction, key: PersonKey, pair_id: UUID, said: str
) -> Pair | None:
    """Return the pair that what was said is kept as; None if it was never sent.

    Raises:
        UsedTurnIdError: it was erased since, or the id is another turn's.
    """
    there, gone = await message_store.find_pairs(tx, {pair_id})
    if gone:
        raise UsedTurnIdError(_ERASED)
    if not there:
        return None
    for pair in await message_store.list_pairs(tx, key, [pair_id]):
        require_same_words(pair, said)
    return replace(await message_store.get_pair(tx, pair_id), is_repeated=True)


async def find_readable_pair(
    tx: Transaction, key: PersonKey, pair_id: UUID
) -> tuple[Pair, RecordedPair] | None:
    """Return a pair by its id, and its words; None if there are none to be read.

    It was never sent, is of a special category that the person refused, or is no
    longer kept.

    Raises:
        UsedTurnIdError: it was erased since.
    """
    _, gone = await message_store.find_pairs(tx, {pair_id})
    if gone:
        raise UsedTurnIdError(_ERASED)
    for words in await message_store.list_pairs(tx, key, [pair_id]):
        return await message_store.get_pair(tx, pair_id), words
    return None


def require_same_words(pair: RecordedPair, said: str) -> None:
    """Fail unless a pair that is kept under an id is of what was said, masked.

    What was masked of a pair depends on what was said before it: that is not compared.

    Raises:
        UsedTurnIdError: the id is another turn's.
    """
    masked = bool(pair.sensitive_flags) or MASKED.search(pair.user_text) is not None
    if not masked and pair.user_text != said:
        raise UsedTurnIdError(_ANOTHER)
