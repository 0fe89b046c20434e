"""What the encoder reads of a known memory and of what was said since."""

from gieok.models.rules.memory_pairs import (
    LONGEST_ASKED,
    LONGEST_MESSAGE,
    render_pair,
    render_wish_pair,
)


def test_a_new_memory_is_read_with_what_it_came_of() -> None:
    text = render_pair(
        "The user lives in Leeds",
        "The user has a flat by the Minster",
        "Bye Leeds,\n I have the keys",
        "Are you still there?",
    )
    assert text == (
        "lives in Leeds | has a flat by the Minster | < Bye Leeds, I have the keys"
        " | ? Are you still there?"
    )


def test_a_new_memory_alone_is_read_alone() -> None:
    assert render_pair("The user lives in Leeds", "The user lives in York") == (
        "lives in Leeds | lives in York"
    )


def test_a_wish_is_read_with_what_was_said_before_it() -> None:
    text = render_wish_pair(
        "사용자는 차를 탄다", "그건 잊어 줘", "차를 팔았어", "왜요?"
    )
    assert text.endswith(" | 그건 잊어 줘 | < 차를 팔았어 | ? 왜요?")


def test_long_talk_is_cut() -> None:
    text = render_pair("a", "b", "m" * 9_999, "q" * 9_999)
    assert text.count("m") == LONGEST_MESSAGE
    assert text.count("q") == LONGEST_ASKED
