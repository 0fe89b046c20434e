"""How a value of the card is said as a memory, and read from one.

What somebody writes into the card becomes a memory that names the place: "사용자의
직업: 기획자". What was extracted is a sentence about the user; of it the card shows
what is said, without the user and the verb that only links the two.
"""

import re
from typing import Final

from gieok.kernel.language import CardField, Category
from gieok.text.pattern_file import PatternFile
from gieok.text.patterns import compile_lazily

_LISTS: Final = PatternFile("gieok.profile", "patterns.toml")

_LABELS: Final = {
    "ko": {
        CardField.NAME: "사용자의 이름",
        CardField.OCCUPATION: "사용자의 직업",
        CardField.INTERESTS: "사용자의 관심사",
        CardField.LEARNING_GOALS: "사용자의 학습 목표",
        CardField.PREFERENCES: "사용자의 선호",
        CardField.MENTIONED_FACTS: "사용자에 대한 사실",
    },
    "en": {
        CardField.NAME: "User's name",
        CardField.OCCUPATION: "User's occupation",
        CardField.INTERESTS: "User's interest",
        CardField.LEARNING_GOALS: "User's learning goal",
        CardField.PREFERENCES: "User's preference",
        CardField.MENTIONED_FACTS: "Fact about the user",
    },
}
_PLACES: Final = {
    label: place for labels in _LABELS.values() for place, label in labels.items()
}
_CATEGORIES: Final = {
    CardField.INTERESTS: Category.PREFERENCE,
    CardField.PREFERENCES: Category.PREFERENCE,
}

_SUBJECT: Final = _LISTS.compile_list("statements.subject")
_BY_NOW: Final = _LISTS.compile_list("statements.by_now")
"""What says of a name or an occupation that it is a new one, and is no part of it."""
_OWN_NAME: Final = _LISTS.compile_list("statements.own_name")
_NAMING_WORD: Final = _LISTS.compile_list("statements.naming_word")
_END: Final = r"[\s.!~…]*$"
_NAME_END: Final = (
    r"(?:,|(?<!\b\w)(?<!\b[DMS][rst])(?<!\bMrs)[.!?]\s|\s+(?:and|but)\s|”|$)"
)
"""Where a name ends that is quoted; not behind "Dr." or an initial."""
_COPULA_KO: Final = r"(?:이다|입니다|이에요|예요|이야|다|야)"
_FRAMES: Final[dict[CardField, tuple[re.Pattern[str], ...]]] = {
    CardField.NAME: (
        compile_lazily(r"^이름(?:은|이)\s*(\S+?)(?:이고|이며)[\s,]"),
        compile_lazily(r"^name\s+is\s+(.+?)(?:,|\s+(?:and|but)\s)", re.IGNORECASE),
        compile_lazily(rf"\bmy\s+name\s+is\s+(.+?){_NAME_END}", re.IGNORECASE),
        compile_lazily(rf"^이름(?:은|이)\s*(.+?){_COPULA_KO}?{_END}"),
        compile_lazily(
            rf"(?:name\s+is|is\s+called|called)\s+(.+?){_END}", re.IGNORECASE
        ),
        compile_lazily(rf"^(.+?)(?:이다|입니다){_END}"),
        compile_lazily(rf"^is\s+(.+?){_END}", re.IGNORECASE),
    ),
    CardField.OCCUPATION: (
        compile_lazily(rf"^직업(?:은|이)\s*(.+?){_COPULA_KO}?{_END}"),
        compile_lazily(rf"^(.+?)(?:으로|로)\s*(?:일한다|근무한다){_END}"),
        compile_lazily(rf"^(.+?)(?:이다|입니다){_END}"),
        compile_lazily(
            r"^(?:(?:job|occupation)\s+is|is|works\s+as)\s+(?:an?\s+|the\s+)?(.+?)"
            + _END,
            re.IGNORECASE,
        ),
    ),
    CardField.INTERESTS: (
        compile_lazily(rf"^(?:취미|관심사)(?:는|가)\s*(.+?){_COPULA_KO}?{_END}"),
        compile_lazily(rf"^(.+?)에\s*관심이\s*\S+{_END}"),
        compile_lazily(rf"^(.+?)(?:을|를)\s*(?:좋아한다|즐긴다){_END}"),
        compile_lazily(
            r"^(?:is\s+(?:\w+\s+)?interested\s+in|(?:really\s+)?(?:likes|loves|enjoys)"
            rf"|(?:hobby|hobbies|interest)\s+(?:is|are))\s+(.+?){_END}",
            re.IGNORECASE,
        ),
    ),
    CardField.LEARNING_GOALS: (
        compile_lazily(rf"^(?:학습\s*)?목표는\s*(.+?){_COPULA_KO}?{_END}"),
        compile_lazily(rf"^(.+?)(?:이|가)\s*(?:학습\s*)?목표(?:이)?다{_END}"),
        compile_lazily(
            r"^(?:wants\s+to\s+(?:learn|improve)|is\s+(?:learning|studying)"
            rf"|(?:learning\s+)?goal\s+is)\s+(?:to\s+)?(.+?){_END}",
            re.IGNORECASE,
        ),
        compile_lazily(
            rf"^(.+?)(?:을|를)\s*(?:배우고|공부하고)\s*(?:있다|싶다|싶어\s*한다){_END}"
        ),
    ),
}
"""The verbs of a sentence that only say in which place of the card its rest stands."""


def format_statement(place: CardField, value: str, language: str) -> str:
    """Return the memory that says a value; `language` is "ko" or "en"."""
    return f"{_LABELS['ko' if language == 'ko' else 'en'][place]}: {value}"


def parse_statement(content: str) -> tuple[CardField, str] | None:
    """Return the place and value of what `format_statement` wrote; None for others."""
    label, colon, value = content.partition(": ")
    place = _PLACES.get(label)
    return (place, value) if colon and place and value.strip() else None


def read_value(place: CardField, content: str) -> str:
    """Return what a memory says of a place of the card."""
    named = find_named_value(place, content)
    return named or _SUBJECT.sub("", content.strip()) or content


def find_named_value(place: CardField, content: str) -> str | None:
    """Return the value that a memory names; None where it only describes it.

    "User is a developer" names an occupation, "User works on backend systems" describes
    one.
    """
    if written := parse_statement(content):
        return written[1]
    said = _SUBJECT.sub("", content.strip())
    if not place.is_list:
        said = _BY_NOW.sub("", said)
    for frame in _FRAMES.get(place, ()):
        if found := frame.search(said):
            return found[1].strip(" '\"‘’“”") or None
    return None


def is_about_own_name(content: str) -> bool:
    """Tell whether a memory says in so many words what the user is called."""
    return _OWN_NAME.match(_SUBJECT.sub("", content.strip())) is not None


def has_naming_word(content: str) -> bool:
    """Tell whether a memory can be read as saying what somebody is called."""
    return _NAMING_WORD.search(content) is not None


def get_category(place: CardField) -> Category:
    """Return the category in which a value of a place is remembered."""
    return _CATEGORIES.get(place, Category.CONTEXT)
