"""How much of a conversation a model is shown."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from gieok.kernel.language import (
    Category,
    Conversation,
    KnownMemory,
    Role,
    SummaryNote,
    Utterance,
)
from gieok.models.prompt_trimming import (
    LONGEST_MESSAGE,
    MAX_KNOWN,
    MAX_KNOWN_TEXT,
    MAX_TEXT,
    trim_for_extraction,
    trim_for_summary,
    trim_notes,
    truncate_middle,
)

AT = datetime(2026, 2, 12, tzinfo=UTC)
LENGTHS = st.lists(st.integers(0, 3 * LONGEST_MESSAGE), max_size=60)


@given(LENGTHS, st.sampled_from([Role.USER, Role.ASSISTANT]))
def test_the_last_messages_that_fit_are_shown(lengths: list[int], role: Role) -> None:
    messages = tuple(Utterance(n, role, "말" * size) for n, size in enumerate(lengths))
    shown = trim_for_summary(Conversation(messages, (), AT)).messages
    spoken = [message.index for message in messages if message.content]
    assert sum(len(message.content) for message in shown) <= MAX_TEXT
    assert [message.index for message in shown] == spoken[len(spoken) - len(shown) :]
    assert bool(shown) == bool(spoken)
    notes = trim_notes([SummaryNote(AT, message.content) for message in messages])
    assert [note.text for note in notes] == [message.content for message in shown]


def test_hundreds_of_ordinary_messages_are_shown_whole() -> None:
    messages = tuple(
        Utterance(n, Role.USER, "오늘은 비가 왔어" * 5) for n in range(300)
    )
    conversation = Conversation(messages, (), AT)
    assert trim_for_summary(conversation) == conversation


@given(st.text(max_size=50), st.integers(1, 2 * LONGEST_MESSAGE))
def test_a_text_is_shortened_once(text: str, times: int) -> None:
    short = truncate_middle(text * times)
    assert len(short) < LONGEST_MESSAGE + 10
    assert truncate_middle(short) == short


@pytest.mark.parametrize(("count", "size"), [(1_000, 20), (60, 2_000)])
def test_of_what_is_known_the_newest_is_shown_and_the_rest_counted(
    count: int, size: int
) -> None:
    said = (Utterance(0, Role.USER, "저는 부산에 살아요"),)
    known = tuple(
        KnownMemory(str(n), "고양" * (size // 2), Category.CONTEXT)
        for n in range(count)
    )
    with capture_logs() as lines:
        shown = trim_for_extraction(Conversation(said, known, AT))
    assert shown.known == known[count - len(shown.known) :]
    assert 0 < len(shown.known) <= MAX_KNOWN
    assert sum(len(each.content) for each in shown.known) <= MAX_KNOWN_TEXT
    (line,) = lines
    assert line["known_left_out"] == count - len(shown.known)
    assert line["messages_left_out"] == 0
    assert "고양" not in str(line)


def test_of_long_messages_the_last_that_fit_are_read() -> None:
    messages = tuple(Utterance(n, Role.USER, "말" * 10_000) for n in range(40))
    with capture_logs() as lines:
        shown = trim_for_extraction(Conversation(messages, (), AT)).messages
    assert shown == messages[-len(shown) :]
    assert len(shown) == MAX_TEXT // (LONGEST_MESSAGE + 55)
    assert [line["messages_left_out"] for line in lines] == [40 - len(shown)]
