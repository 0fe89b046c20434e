"""Conversations as they happened."""

from gieok.sessions.model import Layer, Message, Pair, Session, Status, Transcript, Turn
from gieok.sessions.service import Sessions

__all__ = [
    "Layer",
    "Message",
    "Pair",
    "Session",
    "Sessions",
    "Status",
    "Transcript",
    "Turn",
]
