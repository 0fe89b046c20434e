"""Which messages a model is shown: the session's last ones, mended by the client's.

A client may have seen what the server has not, such as a greeting it made up itself.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from gieok.chat.model import ClientMessage

WORKING_MEMORY = 10
"""Messages of the session that go to the model (E01)."""


def merge_recent_messages(
    held: Sequence[ClientMessage], told: Sequence[ClientMessage], message: str
) -> list[ClientMessage]:
    """Return the last messages before `message`, at most ten.

    A session that holds ten needs no help. Otherwise what only the client has is put
    where the client has it; `message` itself, if it is the client's last, is left out.
    """
    if len(held) >= WORKING_MEMORY:
        return list(held[-WORKING_MEMORY:])
    if told and told[-1].content == message:
        told = told[:-1]
    return _merge_messages(held, told[-WORKING_MEMORY:])[-WORKING_MEMORY:]


def _merge_messages(
    held: Sequence[ClientMessage], told: Sequence[ClientMessage]
) -> list[ClientMessage]:
    kept, brought = _build_lines(held), _build_lines(told)
    woven: list[ClientMessage] = []
    same = SequenceMatcher(None, brought, kept, autojunk=False)
    for what, start, stop, kept_start, kept_stop in same.get_opcodes():
        if what != "equal":
            woven += told[start:stop]
        woven += held[kept_start:kept_stop]
    return woven


def _build_lines(messages: Sequence[ClientMessage]) -> list[tuple[str, str]]:
    return [(said.role.value, said.content) for said in messages]
