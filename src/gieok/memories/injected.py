"""Memory put into a prompt is never taken for something said (design rule 7)."""

import re

from gieok.kernel.language import Role, Utterance

OPENING = re.compile(
    r"<memory-[0-9a-f]{8,32}>.*?(?:</memory-[0-9a-f]{8,32}>|\Z)", re.DOTALL
)
"""A context block of ours, closed or cut off."""
HEADINGS = (
    "## 사용자 정보 (이전 대화에서 기억)",
    "## About the user (remembered from earlier conversations)",
    "[User Memory - Things you know about this user]",
    "[과거 대화 기록]",
)
"""Headings under which a client may have pasted memory without the fence."""


def without_injected(utterance: Utterance) -> Utterance:
    """Return the message without the spans that came from memory."""
    text = OPENING.sub("", utterance.content)
    for heading in HEADINGS:
        if heading in text:
            text = _without_section(text, heading)
    if text == utterance.content:
        return utterance
    return Utterance(utterance.index, Role(utterance.role), text.strip())


def _without_section(text: str, heading: str) -> str:
    """Drop a heading and the list below it, up to the next blank line."""
    before, _, after = text.partition(heading)
    _, _, rest = after.partition("\n\n")
    return before + rest
