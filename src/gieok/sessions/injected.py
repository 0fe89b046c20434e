"""Memory put into a prompt is never taken for something said (design rule 7)."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from gieok.kernel.language import Role, Utterance
from gieok.sessions.model import Message
from gieok.text.patterns import compile_lazily

OPENING = compile_lazily(
    r"<memory-[0-9a-f]{8,32}>.*?(?:</memory-[0-9a-f]{8,32}>|\Z)", re.DOTALL
)
"""A context block of ours, closed or cut off."""
_LINES = r"[^\n]*(?:\n[^\n]+)*"
"""The rest of a line, and what follows up to the next blank one."""
_SECTION = compile_lazily(
    r"(?:## 사용자 정보 \(이전 대화에서 기억\)"
    r"|## About the user \(remembered from earlier conversations\)"
    rf"|\[User Memory - Things you know about this user\]){_LINES}"
    r"(?:\n+Use this information naturally in conversation when relevant\.)?"
    rf"|\[(?:과거 대화 기록|Past conversations)\]{_LINES}"
    r"(?:\n\n(?:- [^\n]*\n?)+)?"
    r"(?:\n+(?:이 정보를 바탕으로 자연스럽게 대화를 이어가세요"
    r"|Carry on naturally from here)\."
    r"(?:\n(?:예: \"|For example, show interest: \")[^\n]*)?)?"
)
"""A block that a client pasted without the fence, in any of the documents' forms."""
_MARKS: Final = ("<memory-", "## ", "[User Memory ", "[과거 ", "[Past ")
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
