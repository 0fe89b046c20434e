"""What a client hands to a chat, made clean or refused by name."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from gieok.chat.model import ClientMessage
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Role
from gieok.pii import S3_ONLY, TextMasker, mask_text
from gieok.text.cleaning import clean_name, clean_text

EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
CLOCKS_DIFFER: Final = timedelta(minutes=5)
LONGEST_INSTRUCTIONS_BYTES: Final = 32_000
BASE: Final = {
    "ko": "당신은 사용자의 이야기를 잘 들어 주는 대화 상대입니다. 사용자가 쓰는 말로 "
    "자연스럽고 짧게 답하세요.",
    "en": "You are a companion who listens well. Answer naturally and briefly, in the "
    "language the user writes in.",
}
"""Who a persona is that nobody described."""


def clean_base(instructions: str | None, language: str) -> str:
    """Return the base of the system prompt, ours where the app has none.

    Raises:
        InvalidInputError: it is empty, too long or not text.
    """
    if instructions is None:
        return BASE["ko" if language == "ko" else "en"]
    most = LONGEST_INSTRUCTIONS_BYTES
    clean = clean_text("instructions", instructions, max_bytes=most).strip()
    return mask_text(clean, S3_ONLY)


def clean_client_messages(
    field: str,
    told: Sequence[ClientMessage],
    most: int,
    screen: TextMasker,
    now: datetime,
) -> list[ClientMessage]:
    """Return a client's messages as they may be kept; empty ones are left out.

    Clocks of clients may be `CLOCKS_DIFFER` ahead.

    Raises:
        InvalidInputError: it names the field, or the message by its place in the list.
    """
    if len(told) > most:
        raise InvalidInputError(field, f"it has more than {most} entries")
    clean = [
        _clean_message(f"{field}.{at}", said, now)
        for at, said in enumerate(told)
        if said.content.strip()
    ]
    kept = screen.mask_texts([said.content for said in clean])
    return [replace(said, content=text) for said, text in zip(clean, kept, strict=True)]


def require_dialogue_roles(field: str, told: Sequence[ClientMessage]) -> None:
    """Refuse messages that neither the user nor the assistant said.

    Raises:
        InvalidInputError: it names the first such message.
    """
    for at, said in enumerate(told):
        if said.role is Role.SYSTEM:
            problem = "it must be one of user, assistant"
            raise InvalidInputError(f"{field}.{at}.role", problem)


def _clean_message(field: str, said: ClientMessage, now: datetime) -> ClientMessage:
    if said.at is not None:
        _check_time(f"{field}.timestamp", said.at, now)
    content = clean_text(f"{field}.content", said.content)
    name = said.id
    if name is not None:
        name = mask_text(clean_name(f"{field}.id", name), S3_ONLY)
    return ClientMessage(said.role, content, name, said.at, field)


def _check_time(field: str, at: datetime, now: datetime) -> None:
    if at.tzinfo is None:
        raise InvalidInputError(field, "it must be a time with a zone")
    if at > now + CLOCKS_DIFFER:
        raise InvalidInputError(field, "it lies in the future")
    if at < EARLIEST:
        raise InvalidInputError(field, "it must be 1970 or later")
