"""Which messages go on about somebody whom a wish to forget means.

"Theo is my flatmate" is followed by "he works nights at FedEx": who asks to forget what
they said about Theo means that as well, though neither search nor model finds it there.
"""

from collections.abc import Collection, Iterable
from typing import Final
from uuid import UUID

from gieok.sessions import Message
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.erasure", "continuations.toml")
_PRONOUN: Final = _LISTS.compile_list("pronoun")
_TOPIC: Final = _LISTS.compile_list("topic")


def is_about_topic(wish: str) -> bool:
    """Tell whether a wish means all that was said of somebody, and not one thing."""
    return _TOPIC.search(wish) is not None


def select_continuations(
    messages: Iterable[Message], meant: Collection[UUID]
) -> list[UUID]:
    """Return what opens with "he", "her" or "걔" directly after something meant.

    `messages` are a person's own, those of a session in order. What somebody else said,
    or what speaks of something new, ends it.
    """
    found: list[UUID] = []
    session_id, goes_on = None, False
    for message in messages:
        goes_on = goes_on and message.session_id == session_id
        session_id = message.session_id
        if message.message_id in meant:
            goes_on = True
        elif goes_on and not message.other_speaker and _PRONOUN.match(message.content):
            found.append(message.message_id)
        else:
            goes_on = False
    return found
