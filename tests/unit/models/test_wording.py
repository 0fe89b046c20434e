"""How much of a conversation a model is shown."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Conversation, Role, SummaryNote, Utterance
from gieok.models.prompt_trimming import (
    LONGEST_MESSAGE,
    MOST_TEXT,
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
    assert sum(len(message.content) for message in shown) <= MOST_TEXT
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
