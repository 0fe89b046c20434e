"""One turn with a chat model that remembers."""

from gieok.chat.model import Answer, ClientMessage
from gieok.chat.service import Chat

__all__ = ["Answer", "Chat", "ClientMessage"]
