"""The forms in which the documents want memory written (D08, E09, C05)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from gieok.guard.fence import escape_line

FACTS_HEADING = {
    "ko": "## 사용자 정보 (이전 대화에서 기억)",
    "en": "## About the user (remembered from earlier conversations)",
}
_EXCERPTS_HEADING = {
    "ko": "## 이전 대화에서 사용자가 한 말 (그때는 그랬음)",
    "en": "## What the user said in earlier conversations (true at that time)",
}
_QUESTIONS_HEADING = {
    "ko": "## 사용자에게 확인할 것 (잊어 달라는 것이 이것인지 한 번만 물어볼 것)",
    "en": "## To ask the user, once (whether this is what they want forgotten)",
}
_SUMMARIES_HEADING = {
    "ko": "## 이전 대화의 요약 (그때는 그랬음)",
    "en": "## What earlier conversations were about (true at that time)",
}
_EPISODES = {
    "ko": (
        "[과거 대화 기록]\n당신은 사용자와 다음과 같은 대화를 나눴습니다:\n",
        """이 정보를 바탕으로 자연스럽게 대화를 이어가세요.
예: "어제 본 영화 어땠어?" 같은 질문으로 관심 표현""",
    ),
    "en": (
        "[Past conversations]\nYou had these conversations with the user:\n",
        """Carry on naturally from here.
For example, show interest: "How was the film yesterday?\"""",
    ),
}
_CARD_HEADING = "[User Memory - Things you know about this user]"
MOST_SHOWN: Final = 50
"""Values of one place of a card that a prompt gets: it does with every turn."""
_CARD_CLOSING = "Use this information naturally in conversation when relevant."
_CARD_LINES = (
    ("name", "Name"),
    ("occupation", "Occupation"),
    ("interests", "Interests"),
    ("learning_goals", "Learning goals"),
    ("mentioned_facts", "Other facts"),
)


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
    return "\n".join([_EXCERPTS_HEADING["ko" if language == "ko" else "en"], *lines])


def format_questions(contents: Sequence[str], language: str) -> str:
    """Return the part of a block that says what to ask about; nothing for none."""
    if not contents:
        return ""
    heading = _QUESTIONS_HEADING["ko" if language == "ko" else "en"]
    return "\n".join([heading, *(f"- {escape_line(each)}" for each in contents)])


def format_summaries(lines: Sequence[str], language: str) -> str:
    """Return the part of a block that sums up; nothing for no lines."""
    if not lines:
        return ""
    return "\n".join([_SUMMARIES_HEADING["ko" if language == "ko" else "en"], *lines])


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
    opening, closing = _EPISODES["ko" if language == "ko" else "en"]
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
    return "\n".join([_CARD_HEADING, *lines, "", _CARD_CLOSING]) if lines else ""


def _join_values(value: str | Sequence[str]) -> str:
    values = [value] if isinstance(value, str) else value[-MOST_SHOWN:]
    return ", ".join(escape_line(item) for item in values)
