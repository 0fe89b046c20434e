"""The first words of a day that pick up an earlier conversation, without a model.

Facts are not inflected: the topic stands in quotation marks, so that no Korean particle
and no English article can be wrong.
"""

from datetime import date
from typing import Final

from gieok.kernel.language import Emotion

_HEAVY: Final = {Emotion.SADNESS, Emotion.STRESS}
_NAMED_DAYS: Final = {
    "ko": ("아까", "어제", "그저께"),
    "en": ("earlier today", "yesterday", "the day before yesterday"),
}
_WEEK: Final = 7

_ASKING: Final = {
    "ko": "{day} 이야기한 “{topic}”, 그 뒤로 어떻게 됐어요?",
    "en": "{day} we talked about “{topic}”. How did it go?",
}
_CARING: Final = {
    "ko": "{day} “{topic}” 이야기를 하면서 많이 힘들어 보였어요. 지금은 좀 어때요?",
    "en": "{day} “{topic}” seemed to weigh on you. How are you feeling now?",
}


def format_greeting(
    topic: str, emotion: Emotion, day: date, today: date, language: str
) -> str:
    """Return a greeting that takes up what a conversation of `day` was about.

    `language` is "ko" or, for anything else, English.
    """
    spoken = "ko" if language == "ko" else "en"
    forms = _CARING if emotion in _HEAVY else _ASKING
    when = format_day_distance(day, today, spoken)
    return forms[spoken].format(day=when[:1].upper() + when[1:], topic=topic)


def format_day_distance(day: date, today: date, language: str) -> str:
    """Return how a person speaks of a day that is over, in "ko" or "en"."""
    ago = max(0, (today - day).days)
    named = _NAMED_DAYS[language]
    if ago < len(named):
        return named[ago]
    if language == "ko":
        return f"{ago}일 전에" if ago < _WEEK else f"{day.month}월 {day.day}일에"
    return f"{ago} days ago" if ago < _WEEK else f"on {day.day} {day:%B}"
