"""How much of a conversation, or of its notes, a model is shown."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gieok.kernel.language import Conversation, Role, SummaryNote
from gieok.kernel.logs import get_logger

log = get_logger("gieok.models")

LAST_MESSAGES = 50
"""Messages read for findings: D05's ten for context, and forty nobody has read yet."""
LONGEST_MESSAGE = 4_000
"""Characters of one message that are shown; of a longer one, its start and its end."""
MAX_TEXT = 50_000
"""Characters read at once: about 400 messages, or twelve of the longest. Some 30,000
tokens of Korean, which leave room for what is known in the windows of common models."""
MAX_KNOWN = 200
"""Memories shown beside a conversation, the newest: as many as the rules compare."""
MAX_KNOWN_TEXT = 50_000
"""Characters of them: the forty messages a wish to forget is weighed against fit."""
_WRAPPING = 50
"""Characters that carry each text of the above."""


def trim_for_extraction(conversation: Conversation) -> Conversation:
    """Return the last messages, and the newest of what is known.

    `known` is in the order in which it became known. How much of either is left out
    stands in the log.
    """
    recent = conversation.messages[-LAST_MESSAGES:]
    first = _find_first_fitting([truncate_middle(m.content) for m in recent], MAX_TEXT)
    newest = conversation.known[-MAX_KNOWN:]
    known_from = _find_first_fitting([one.content for one in newest], MAX_KNOWN_TEXT)
    trimmed = replace(conversation, messages=recent[first:], known=newest[known_from:])
    messages_left_out = len(conversation.messages) - len(trimmed.messages)
    known_left_out = len(conversation.known) - len(trimmed.known)
    if messages_left_out or known_left_out:
        log.info(
            "prompt_shortened",
            messages_left_out=messages_left_out,
            known_left_out=known_left_out,
        )
    return trimmed


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
    first = _find_first_fitting([message.content for message in spoken], MAX_TEXT)
    return replace(conversation, messages=tuple(spoken[first:]), known=())


def trim_notes(notes: Sequence[SummaryNote]) -> tuple[SummaryNote, ...]:
    """Return the last notes that say something, long ones shortened."""
    telling = [
        replace(note, text=truncate_middle(note.text))
        for note in notes
        if note.text.strip()
    ]
    first = _find_first_fitting([note.text for note in telling], MAX_TEXT)
    return tuple(telling[first:])


def truncate_middle(text: str) -> str:
    """Return a text, or of one too long its start and its end."""
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]} […] {text[-half:]}"


def _find_first_fitting(texts: Sequence[str], most: int) -> int:
    """Return where the last texts begin that together are no longer than `most`."""
    sizes = accumulate(len(text) + _WRAPPING for text in reversed(texts))
    return len(texts) - sum(size <= most for size in sizes)
