"""How much of a conversation, or of its notes, a model is shown."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gieok.kernel.language import Conversation, Role, SummaryNote

LAST_MESSAGES = 50
"""Messages read for findings: D05's ten for context, and forty nobody has read yet."""
LONGEST_MESSAGE = 4_000
"""Characters of one message that are shown; of a longer one, its start and its end."""
MOST_TEXT = 50_000
"""Characters read to sum up: about 400 messages, or twelve of the longest."""
_WRAPPING = 50
"""Characters that carry each text of the above."""


def trim_for_extraction(conversation: Conversation) -> Conversation:
    """Return the last messages, and everything that is known."""
    return replace(conversation, messages=conversation.messages[-LAST_MESSAGES:])


def trim_for_summary(conversation: Conversation) -> Conversation:
    """Return what the user and the assistant said last, long messages shortened.

    What the system says is left out, for recalled memories stand in it (design rule
    7); so is what is known.
    """
    spoken = [
        replace(message, content=truncate_middle(message.content))
        for message in conversation.messages
        if message.role is not Role.SYSTEM and message.content.strip()
    ]
    first = _find_first_fitting([message.content for message in spoken])
    return replace(conversation, messages=tuple(spoken[first:]), known=())


def trim_notes(notes: Sequence[SummaryNote]) -> tuple[SummaryNote, ...]:
    """Return the last notes that say something, long ones shortened."""
    telling = [
        replace(note, text=truncate_middle(note.text))
        for note in notes
        if note.text.strip()
    ]
    return tuple(telling[_find_first_fitting([note.text for note in telling]) :])


def truncate_middle(text: str) -> str:
    """Return a text, or of one too long its start and its end."""
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]} […] {text[-half:]}"


def _find_first_fitting(texts: Sequence[str]) -> int:
    """Return where the last texts begin that together are not too long."""
    sizes = accumulate(len(text) + _WRAPPING for text in reversed(texts))
    return len(texts) - sum(size <= MOST_TEXT for size in sizes)
