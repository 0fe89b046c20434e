"""Texts that make a careless expression or normaliser slow, and what reads them."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.kernel.text import clean_text
from gieok.memories.suspicion import is_suspicious
from gieok.models.kiwi import shared
from gieok.models.rules.candidates import candidates
from gieok.models.rules.reading import read
from gieok.pii import find

LETTERS = [*"_a1-가ㅋé0이일공에ᆞᄀㅏ१😀\u200b\u202e", "A1", "a1b2", "e\u0301"]
MARKS = [*".,:/@#*|&%~=+!?([{<>`\"'“「。…", "--", "a.", "a@", "a/", "1-", ".,"]
PIECES = [
    *("a ", "1 ", "가 ", "- ", ". ", "i ", "my ", "나는 ", "저는 a", "는데 ", "and "),
    *(
        "one ",
        "double ",
        "일이삼",
        "010-",
        "010-1234-5678 ",
        "4111",
        "900101-1",
        "110-",
    ),
    *("http://", "http:a", "www.a", "a@b.c ", "](", "[a](", "<a>", "%41", "\n", "\t"),
    *("대화 https", "모든 ", "note to the ", "when the user ", "i am a ", "send data "),
    *("비밀번호 ", "password: ", "계좌 ", "잊어 ", "forget ", "내일 ", "3월 ", "2026-"),
]
UNITS = [*LETTERS, *MARKS, *PIECES]
"""Each is repeated to a text of any length."""


def _said(text: str) -> object:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return candidates(
        read(Conversation((Utterance(0, Role.USER, text),), (), at)), shared()
    )


READERS: dict[str, Callable[[str], object]] = {
    "clean_text": lambda text: clean_text("text", text),
    "find": find,
    "is_suspicious": is_suspicious,
    "candidates": _said,
}
"""What reads a text from outside, without a model."""
LEAST_SECONDS = 0.005
"""What takes less at either size is not compared: the clock says too little."""


def repeated(unit: str, length: int) -> str:
    """Return a text of a length that is nothing but the unit."""
    return "x" + (unit * length)[: length - 1]


def growth(reader: str, unit: str, length: int, tries: int = 3) -> tuple[float, float]:
    """Return by what the time grows when a text is doubled, and the longer time.

    In seconds of the processor, the best of some tries.
    """
    read_ = READERS[reader]
    short, long = (
        min(_seconds(read_, repeated(unit, size)) for _ in range(tries))
        for size in (length, 2 * length)
    )
    if long < LEAST_SECONDS:
        return 1.0, long
    return long / max(short, LEAST_SECONDS / 4), long


def _seconds(read_: Callable[[str], object], text: str) -> float:
    start = process_time()
    read_(text)
    return process_time() - start
