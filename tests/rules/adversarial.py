"""Texts that make a careless expression or normaliser slow, and what reads them."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time
from uuid import UUID

from gieok.context.lint import find_foreign_addresses
from gieok.context.model import Block, Line
from gieok.guard.fence import escape_line
from gieok.guard.instructions import is_instruction_capable
from gieok.guard.suspicion import is_suspicious
from gieok.kernel.language import Conversation, Role, Utterance
from gieok.memories import quarantine
from gieok.memories.duplicate import normalize_content
from gieok.models.evidence import detect_spoken_languages
from gieok.models.faults import has_secret
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.reading import select_messages
from gieok.pii import TextMasker, find, find_all
from gieok.search.question import select_speaker
from gieok.surfaces.rest.errors import select_language as accepted
from gieok.surfaces.rest.rights import find_needed_rights
from gieok.text.cleaning import clean_text
from gieok.text.kiwi import get_shared_morphology
from gieok.text.time_expressions import extract_time_span

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
    *("![", "4111 1111 1111 1111 ", "123e4567-e89b-12d3-a456-426614174000 "),
    *("비밀번호 ", "password: ", "계좌 ", "잊어 ", "forget ", "내일 ", "3월 ", "2026-"),
]
UNITS = [*LETTERS, *MARKS, *PIECES]
"""Each is repeated to a text of any length."""


def _said(text: str) -> object:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return collect_candidates(
        select_messages(Conversation((Utterance(0, Role.USER, text),), (), at)),
        get_shared_morphology(),
    )


def _languages(text: str) -> object:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return detect_spoken_languages(
        Conversation((Utterance(0, Role.USER, text),), (), at)
    )


def _addresses(text: str) -> object:
    line = Line(text, UUID(int=0), datetime(2026, 3, 2, tzinfo=UTC))
    return find_foreign_addresses(text, Block(text, (line,), 1), text)


def _named(text: str) -> object:
    """Look at an object of which the text is the names, cut into pieces."""
    pieces = [text[at : at + 20] for at in range(0, len(text), 20)]
    return TextMasker().mask_value(
        {f"{at % 9} {piece}": piece for at, piece in enumerate(pieces)}
    )


def _followed(text: str) -> object:
    """Look at a text that is cut into messages."""
    return find_all([text[at : at + 41] for at in range(0, len(text), 41)])


READERS: dict[str, Callable[[str], object]] = {
    "clean_text": lambda text: clean_text("text", text),
    "find": find,
    "is_suspicious": is_suspicious,
    "candidates": _said,
    "find_all": _followed,
    "screen_value": _named,
    "foreign_addresses": _addresses,
    "escaped": escape_line,
    "is_capable": is_instruction_capable,
    "is_weighty": quarantine._WEIGHTY.search,  # noqa: SLF001 - what remember reaches
    "normal_form": normalize_content,
    "holds_secret": has_secret,
    "when": lambda text: extract_time_span(text, datetime(2026, 3, 2, tzinfo=UTC)),
    "favoured": select_speaker,
    "languages_of": _languages,
    "accept_language": accepted,
    "rights": lambda text: find_needed_rights("GET", f"/{text}"),
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
