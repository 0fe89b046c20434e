"""Quotes what a user said in English where it cannot be told, with what it answers."""

from typing import Final

from gieok.text.patterns import compile_lazily

MIN_QUOTED: Final = 4
"""Words of an answer that is quoted without its question."""
LONGEST_ASKED: Final = 80
"""Characters of a question that is quoted with its answer."""
_QUOTES: Final = compile_lazily(r"[“”‘]")
_ANSWER: Final = compile_lazily(
    r"^Asked ‘(?:(?!\s[A-Z])[^‘“])+’, the user (?=said: “\S+(?:\s\S+){3})"
)
"""What stands before an answer that says something without its question, in which
nobody is named."""


def quote_english(words: str, question: str, *, opens: bool) -> tuple[str, ...]:
    """Return what was said as a quotation, and with the question that it answers.

    `opens` if the words open their message: what comes later answers nothing.
    """
    if not words:
        return ()
    is_bare = bool(question) and len(words.split()) < MIN_QUOTED
    told = () if is_bare else (f"The user said: “{words}”",)
    answer = quote_english_answer(words, question) if opens else None
    return told if answer is None else (*told, answer)


def quote_english_answer(words: str, question: str) -> str | None:
    """Return an answer with its question, unless that is long or quotes something.

    Only what the user said stands in double quotation marks.
    """
    if not 0 < len(question) <= LONGEST_ASKED or _QUOTES.search(question + words):
        return None
    return f"Asked ‘{question}’, the user said: “{words}”"


def remove_question(content: str) -> str:
    """Return a memory that quotes an answer without its question, if that will do."""
    return _ANSWER.sub("The user ", content)
