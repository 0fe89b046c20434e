"""What extraction reads of a conversation: normalised, and no more than it can use."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.text.cleaning import normalize_unicode

MAX_MESSAGES = 40
LONGEST_MESSAGE = 3_000  # characters; what people say themselves is far shorter


class MessageContext(NamedTuple):
    """A message of the user's, and what was said before it."""

    message: Utterance
    previous_reply: str
    """What the assistant said just before, if it was its turn."""
    earlier_messages: tuple[str, ...]
    """What the user said before."""

    @property
    def previous_message(self) -> str:
        """The last of that, or nothing."""
        return self.earlier_messages[-1] if self.earlier_messages else ""


def clip_text(text: str, most: int) -> str:
    """Return the beginning of a text in one line."""
    return " ".join(text[:most].split())


def normalize_text(text: str) -> str:
    """Return composed text (NFC) without lone surrogates and control characters."""
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    composed = normalize_unicode(encodable)
    return "".join(c if c == "\n" or c.isprintable() else " " for c in composed)


def _normalize_message(message: Utterance) -> Utterance:
    """Normalise one message, cut to what is read."""
    return replace(message, content=normalize_text(message.content[:LONGEST_MESSAGE]))


def select_messages(
    conversation: Conversation, most: int = MAX_MESSAGES
) -> tuple[Utterance, ...]:
    """Return the last messages, normalised; what the system said is left out."""
    last = conversation.messages[-most:]
    return tuple(
        _normalize_message(message) for message in last if message.role != Role.SYSTEM
    )


def find_message_context(messages: Sequence[Utterance], index: int) -> MessageContext:
    """Return the message with an index, which is one of them, and what led to it."""
    place = next(n for n, message in enumerate(messages) if message.index == index)
    last = messages[place - 1] if place else None
    asked = last.content if last is not None and last.role == Role.ASSISTANT else ""
    said = tuple(m.content for m in messages[:place] if m.role == Role.USER)
    return MessageContext(messages[place], asked, said)
