"""Which messages a model is shown: the session's last ones, mended by the client's.

A client may have seen what the server has not, such as a greeting it made up itself.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from gieok.chat.model import Said

WORKING_MEMORY = 10
"""Messages of the session that go to the model (E01)."""


def recent_messages(
    held: Sequence[Said], told: Sequence[Said], message: str
) -> list[Said]:
    """Return the last messages before `message`, at most ten.

    A session that holds ten needs no help. Otherwise what only the client has is put
    where the client has it; `message` itself, if it is the client's last, is left out.
    """
    if len(held) >= WORKING_MEMORY:
        return list(held[-WORKING_MEMORY:])
    if told and told[-1].content == message:
        told = told[:-1]
    return _woven(held, told[-WORKING_MEMORY:])[-WORKING_MEMORY:]


def _woven(held: Sequence[Said], told: Sequence[Said]) -> list[Said]:
    kept, brought = _lines(held), _lines(told)
    woven: list[Said] = []
    same = SequenceMatcher(None, brought, kept, autojunk=False)
    for what, start, stop, kept_start, kept_stop in same.get_opcodes():
        if what != "equal":
            woven += told[start:stop]
        woven += held[kept_start:kept_stop]
    return woven


def _lines(messages: Sequence[Said]) -> list[tuple[str, str]]:
    return [(said.role.value, said.content) for said in messages]
