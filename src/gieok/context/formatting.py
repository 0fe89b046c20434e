"""The forms in which the documents want memory written (D08, E09, C05)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from gieok.guard.block_headings import (
    CARD_CLOSING,
    CARD_HEADING,
    EPISODES,
    EXCERPTS_HEADING,
    FACTS_HEADING,
    QUESTIONS_HEADING,
    SUMMARIES_HEADING,
)
from gieok.guard.fence import escape_line
from gieok.text.korean import has_hangul
from gieok.text.patterns import compile_lazily

MAX_SHOWN: Final = 50
"""Values of one place of a card that a prompt gets: it does with every turn."""
_LATIN: Final = compile_lazily("[A-Za-z]")
_CARD_LINES = (
    ("name", "Name"),
    ("occupation", "Occupation"),
    ("interests", "Interests"),
    ("learning_goals", "Learning goals"),
    ("mentioned_facts", "Other facts"),
)


def select_language(spoken: str, question: str, shown: Sequence[str]) -> str:
    """Return the language of a block's headings, for a person of this language.

    Korean is what people begin with where nobody says otherwise, so it may be nobody's
    choice: with a question in Latin letters and no Korean in what is shown, English is.
    """
    if spoken != "ko" or not _LATIN.search(question):
        return spoken
    return spoken if any(map(has_hangul, (question, *shown))) else "en"


def format_fact_line(content: str, said: date, mark: str) -> str:
    """Return D08's line, dated, with the mark by which its memory is found."""
    return f"- {escape_line(content)} [{said.isoformat()} · {mark}]"


def format_facts(lines: Sequence[str], language: str) -> str:
    """Return D08's block, or its English twin; nothing for no lines."""
    if not lines:
        return ""
    heading = FACTS_HEADING["ko" if language == "ko" else "en"]
    return "\n".join([heading, *lines])


def format_excerpt_line(words: str, said: date) -> str:
    """Return a line of the person's own words, dated."""
    return f"- “{escape_line(words)}” [{said.isoformat()}]"


def format_excerpts(lines: Sequence[str], language: str) -> str:
    """Return the part of a block that quotes; nothing for no lines."""
    if not lines:
        return ""
    return "\n".join([EXCERPTS_HEADING["ko" if language == "ko" else "en"], *lines])


def format_questions(contents: Sequence[str], language: str) -> str:
    """Return the part of a block that says what to ask about; nothing for none."""
    if not contents:
        return ""
    heading = QUESTIONS_HEADING["ko" if language == "ko" else "en"]
    return "\n".join([heading, *(f"- {escape_line(each)}" for each in contents)])


def format_summaries(lines: Sequence[str], language: str) -> str:
    """Return the part of a block that sums up; nothing for no lines."""
    if not lines:
        return ""
    return "\n".join([SUMMARIES_HEADING["ko" if language == "ko" else "en"], *lines])


def format_summary_line(words: str, day: date) -> str:
    """Return a line of what a conversation was about, dated."""
    return f"- {escape_line(words)} [{day.isoformat()}]"


def format_episode_line(summary: str, day: date) -> str:
    """Return E09's line of one conversation."""
    return f"- {escape_line(summary)} ({day.isoformat()})"


def format_episodes(entries: Sequence[tuple[str, date]], language: str) -> str:
    """Return E09's dated block of (summary, day), or its English twin."""
    if not entries:
        return ""
    opening, closing = EPISODES["ko" if language == "ko" else "en"]
    lines = [format_episode_line(summary, day) for summary, day in entries]
    return "\n".join([opening, *lines, "", closing])


def format_card(profile: Mapping[str, str | Sequence[str]]) -> str:
    """Return C05's block of a profile card; nothing for an empty card.

    Of a long list it shows the values that came last.
    """
    lines = [
        f"- {label}: {_join_values(profile[name])}"
        for name, label in _CARD_LINES
        if profile.get(name)
    ]
    return "\n".join([CARD_HEADING, *lines, "", CARD_CLOSING]) if lines else ""


def _join_values(value: str | Sequence[str]) -> str:
    values = [value] if isinstance(value, str) else value[-MAX_SHOWN:]
    return ", ".join(escape_line(item) for item in values)
