"""What extraction reads of a conversation: normalised, and no more than it can use."""

from dataclasses import replace

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.text.cleaning import normalize_unicode

MOST_MESSAGES = 40
LONGEST_MESSAGE = 3_000  # characters; what people say themselves is far shorter


def normalize_text(text: str) -> str:
    """Return composed text (NFC) without lone surrogates and control characters."""
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    composed = normalize_unicode(encodable)
    return "".join(c if c == "\n" or c.isprintable() else " " for c in composed)


def _normalize_message(message: Utterance) -> Utterance:
    """Normalise one message, cut to what is read."""
    return replace(message, content=normalize_text(message.content[:LONGEST_MESSAGE]))


def select_messages(
    conversation: Conversation, most: int = MOST_MESSAGES
) -> tuple[Utterance, ...]:
    """Return the last messages, normalised; what the system said is left out."""
    last = conversation.messages[-most:]
    return tuple(
        _normalize_message(message) for message in last if message.role != Role.SYSTEM
    )
