"""Memory put into a prompt is never taken for something said (design rule 7)."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from gieok.guard.block_headings import CARD_CLOSING, EPISODES, LIST_HEADINGS
from gieok.kernel.language import Role, Utterance
from gieok.sessions.model import Message
from gieok.text.patterns import compile_lazily

OPENING = compile_lazily(
    r"<memory-[0-9a-f]{8,32}>.*?(?:</memory-[0-9a-f]{8,32}>|\Z)", re.DOTALL
)
"""A context block of ours, closed or cut off."""
_LINES = r"[^\n]*(?:\n[^\n]+)*"
"""The rest of a line, and what follows up to the next blank one."""
_EPISODES_OPENINGS: Final = [
    opening.partition("\n")[0] for opening, _ in EPISODES.values()
]


def _build_section() -> str:
    headings = "|".join(map(re.escape, LIST_HEADINGS))
    openings = "|".join(map(re.escape, _EPISODES_OPENINGS))
    closings: list[str] = []
    for _, closing in EPISODES.values():
        first, second = map(re.escape, closing.split("\n"))
        closings.append(rf"{first}(?:\n{second})?")
    return (
        rf"(?:{headings}){_LINES}(?:\n+{re.escape(CARD_CLOSING)})?"
        rf"|(?:{openings}){_LINES}"
        r"(?:\n\n(?:- [^\n]*\n?)+)?"
        rf"(?:\n+(?:{'|'.join(closings)}))?"
    )


_SECTION = compile_lazily(_build_section)
"""A block that a client pasted without the fence, in any of the documents' forms."""
_MARKS: Final = ("<memory-", *LIST_HEADINGS, *_EPISODES_OPENINGS)
"""One of these stands in each: without any, nothing is looked for."""


def remove_injected(utterance: Utterance) -> Utterance:
    """Return the message without the spans that came from memory."""
    text = utterance.content
    if any(mark in text for mark in _MARKS):
        text = _SECTION.sub("", OPENING.sub("", text))
    if text == utterance.content:
        return utterance
    return replace(utterance, role=Role(utterance.role), content=text.strip())


def to_utterance(index: int, message: Message, now: datetime) -> Utterance:
    """Return a message as a model reads it, without spans that came from memory.

    `now` is the conversation's time, in the person's UTC offset: a message of another
    day has its own, and one whose time was told with it. What somebody else said begins
    with their name.
    """
    told = message.spoken_at.astimezone(now.tzinfo)
    is_own = message.client_time is not None or told.date() != now.date()
    at = told if is_own else None
    said = remove_injected(Utterance(index, message.role, message.content, at))
    is_named = message.other_speaker and said.content and message.role is Role.USER
    if not is_named:
        return said
    return replace(said, content=f"{message.other_speaker}: {said.content}")
