"""What a model is given to sum up, and what is kept of its answer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Final

from gieok.kernel.language import Conversation, Emotion, Gist
from gieok.pii import mask_text
from gieok.sessions.injected import to_utterance
from gieok.sessions.model import Message

LONGEST_ORIGINAL: Final = 500
"""Most characters of the original that stand in for its summary (E15)."""
LONGEST_SUMMARY: Final = 1_000
LONGEST_LISTED: Final = 200
MAX_LISTED: Final = 10


def build_conversation(messages: Sequence[Message], at: datetime) -> Conversation:
    """Return what a model reads, without memory that was put into prompts."""
    utterances = (
        to_utterance(index, message, at) for index, message in enumerate(messages)
    )
    return Conversation(tuple(u for u in utterances if u.content.strip()), (), at)


def build_fallback(told: Conversation) -> Gist:
    """Return the beginning of a conversation in place of its summary (E15)."""
    lines = (f"{said.role.value}: {said.content}" for said in told.messages)
    return Gist(
        "\n".join(lines)[:LONGEST_ORIGINAL].strip(),
        importance=5,
        emotion=Emotion.CALM,
        evidence=tuple(said.index for said in told.messages),
    )


def clean_draft(gist: Gist, told: Conversation) -> Gist:
    """Return a gist within its bounds: a model is never trusted (design rule 11)."""
    summary = clean_summary_text(gist.summary, LONGEST_SUMMARY)
    if not summary:
        return Gist("")
    known = {said.index for said in told.messages}
    return replace(
        gist,
        summary=summary,
        topics=_clean_texts(gist.topics),
        importance=min(10, max(1, gist.importance)),
        open_tasks=_clean_texts(gist.open_tasks),
        preferences=_clean_texts(gist.preferences),
        evidence=tuple(sorted(known.intersection(gist.evidence))),
    )


def _clean_texts(texts: Iterable[str]) -> tuple[str, ...]:
    tidy = dict.fromkeys(clean_summary_text(text, LONGEST_LISTED) for text in texts)
    return tuple(islice((text for text in tidy if text), MAX_LISTED))


def clean_summary_text(text: str, most: int) -> str:
    """Return a text that can be kept: nothing sensitive, no NUL, no half of a pair."""
    kept = text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    return mask_text(kept.strip())[:most].strip()
