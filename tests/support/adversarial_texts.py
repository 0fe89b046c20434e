"""Texts that make a careless expression or normaliser slow, and what reads them."""

import gc
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from time import process_time
from typing import Any
from uuid import UUID

from gieok.chat.inputs import clean_base, clean_client_messages
from gieok.chat.model import ClientMessage
from gieok.chat.reactions import find_unseen
from gieok.chat.recent_messages import merge_recent_messages
from gieok.context.lint import find_foreign_addresses
from gieok.context.model import Block, Line
from gieok.episodes.checks import clean_labels, clean_summary
from gieok.guard.fence import escape_line
from gieok.guard.judge import TrainedGuard
from gieok.items.filters import is_match
from gieok.items.masking import _mask_put
from gieok.items.model import Put
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Conversation, Role, Utterance
from gieok.memories import quarantine
from gieok.models.e5 import _normalize_text
from gieok.models.evidence import detect_spoken_languages
from gieok.models.faults import has_secret
from gieok.models.grounding import GroundingSources, is_grounded
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.secrets import find_secrets
from gieok.models.rules.summaries.forgetting import find_forgotten
from gieok.pii import TextMasker, find, find_all, is_special, mask_text
from gieok.portability import archives, checking
from gieok.search.question import select_speaker
from gieok.sessions.injected import remove_injected
from gieok.summaries.aggregation import detect_language, is_done
from gieok.surfaces.rest.errors import select_language as accepted
from gieok.surfaces.rest.rights import find_needed_rights
from gieok.text.cleaning import clean_json, clean_name, clean_text
from gieok.text.kiwi import get_shared_morphology
from gieok.text.same_wording import normalize_content
from gieok.text.terms import MixedTokenizer
from gieok.text.time_expressions import extract_time_span

GUARD = TrainedGuard()

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
    *("-----BEGIN PRIVATE KEY-----", "4111-1111-1111-1111,", "1아니 ", "1 no "),
    *(
        "hundred ",
        "one hundred ",
        "이백이",
        "1,111",
        "## ",
        "- a\n",
        "\n\n- ",
        "[과거 ",
    ),
    *("pin 1 ", "암 ", "eyJ", "a.b.", '{"a":', "첫 1 끝 1 ", "1 dot ", "서울 강남구 "),
    *("on friday ", "3일 전에 ", "내일이나"),
]
UNITS = [*LETTERS, *MARKS, *PIECES]
"""Each is repeated to a text of any length."""


def _said(text: str) -> tuple[ClauseCandidate, ...]:
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
    return find_all(_pieces(text))


def _forgotten(text: str) -> object:
    return find_forgotten(_said(text), (), get_shared_morphology())


def _grounded(text: str) -> object:
    return is_grounded(text, GroundingSources((text,), (text,)), 2026)


def _pieces(text: str) -> list[str]:
    return [text[at : at + 41] for at in range(0, len(text), 41)]


def _archive(text: str) -> object:
    """Take in an archive of mem0's of which the text is one memory and many."""
    texts = enumerate((text, *_pieces(text)))
    entries = [{"id": str(at), "memory": one} for at, one in texts]
    return list(archives.read_mem0(entries, datetime(2026, 3, 2, tzinfo=UTC)))


def _exported(text: str) -> object:
    """Read a line of an export that the text is, and one in which it stands."""
    with suppress(InvalidInputError):
        checking.parse_line(text.encode("utf-8", "replace"))
    checking.check_json(checking.parse_line(json.dumps({"a": _pieces(text)}).encode()))


def _chatted(text: str) -> object:
    """Take what a client says was said: the text whole, and cut into messages."""
    told = [ClientMessage(Role.USER, piece) for piece in (text, *_pieces(text))]
    at = datetime(2026, 3, 2, tzinfo=UTC)
    clean = clean_client_messages("messages", told, len(told), TextMasker(), at)
    return find_unseen(clean[::2], clean), merge_recent_messages([], clean, text)


def _stored(text: str) -> object:
    """Take an item of which the text is a part, and parts of it many."""
    value = {"text": text, "parts": _pieces(text)}
    put = Put(("place",), "name", value, [text, *_pieces(text)])
    return is_match(_mask_put(put, TextMasker()).put.value or {}, value)


READERS: dict[str, Callable[[str], object]] = {
    "clean_text": lambda text: clean_text("text", text),
    "find": find,
    "is_suspicious": GUARD.is_suspicious,
    "candidates": _said,
    "find_all": _followed,
    "screen_value": _named,
    "foreign_addresses": _addresses,
    "escaped": escape_line,
    "is_capable": GUARD.is_instruction_capable,
    "is_weighty": quarantine._WEIGHTY.search,  # noqa: SLF001 - what remember reaches
    "normal_form": normalize_content,
    "holds_secret": has_secret,
    "when": lambda text: extract_time_span(text, datetime(2026, 3, 2, tzinfo=UTC)),
    "favoured": select_speaker,
    "languages_of": _languages,
    "accept_language": accepted,
    "rights": lambda text: find_needed_rights("GET", f"/{text}"),
    "clean_json": lambda text: _refused(clean_json, {text[:20]: text}),
    "clean_name": lambda text: _refused(clean_name, text),
    "clean_labels": lambda text: _refused(clean_labels, _pieces(text)),
    "masked": mask_text,
    "is_special": is_special,
    "find_secrets": find_secrets,
    "is_grounded": _grounded,
    "find_forgotten": _forgotten,
    "without_injected": lambda text: remove_injected(Utterance(0, Role.USER, text)),
    "terms": lambda text: MixedTokenizer().terms(text[: len(text) // 4]),
    "e5": _normalize_text,
    "is_done": lambda text: is_done("call the bank", text),
    "language_of": lambda text: detect_language([text], "ko"),
    "chat": _chatted,
    "instructions": lambda text: _refused(_clean_base, text),
    "episode": lambda text: _refused(_clean_summary, text),
    "item": _stored,
    "archive": _archive,
    "export": _exported,
    "dates": lambda text: resolve_dates(text, date(2026, 3, 2)),
}
"""What reads a text from outside, without a model."""
MIN_SECONDS = 0.005
"""What takes less at either size is not compared: the clock says too little."""


def _clean_base(_: str, text: str) -> str:
    return clean_base(text, "en")


def _clean_summary(_: str, text: str) -> str:
    return clean_summary(text, TextMasker())


def _refused(clean: Callable[[str, Any], object], value: object) -> object:
    """Clean what may be refused: that takes its time too."""
    with suppress(InvalidInputError):
        return clean("name", value)


def repeated(unit: str, length: int) -> str:
    """Return a text of a length that is nothing but the unit."""
    return "x" + (unit * length)[: length - 1]


def growth(
    reader: str, unit: str, length: int, times: int = 2, tries: int = 3
) -> tuple[float, float]:
    """Return by what the time grows when a text is so many times as long.

    And the longer time, in seconds of the processor, the best of some tries. Both are
    measured in turn, so that a machine that is slow for a while is so for both.
    """
    read_ = READERS[reader]
    long = _seconds(read_, repeated(unit, times * length))
    if long < MIN_SECONDS:
        return 1.0, long
    texts = repeated(unit, length), repeated(unit, times * length)
    measured = [[_seconds(read_, text) for text in texts] for _ in range(tries)]
    short, long = map(min, zip(*measured, strict=True))
    return long / max(short, MIN_SECONDS / 4), long


def _seconds(read_: Callable[[str], object], text: str) -> float:
    """Return the processor time, without what collecting others' garbage takes."""
    gc.disable()
    try:
        start = process_time()
        read_(text)
        return process_time() - start
    finally:
        gc.enable()
