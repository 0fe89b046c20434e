"""Given names get the capital and the apostrophe that were left out."""

from datetime import UTC, datetime

import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.rules.english.names import restore_capitals
from gieok.models.rules.measuring import restore_spelling

AT = datetime(2026, 4, 7, tzinfo=UTC)


def _restore(text: str) -> str:
    talk = Conversation((Utterance(0, Role.USER, text),), (), AT)
    return restore_spelling(talk).messages[0].content


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("bobbys in goal saturdays", "Bobby's in goal saturdays"),
        ("ava maes allergic to egg", "Ava Mae's allergic to egg"),
        ("sharons got me on colours", "Sharon's got me on colours"),
        ("my mate natalie reckons so", "my mate Natalie reckons so"),
        ("auntie carols house", "auntie Carol's house"),
    ],
)
def test_names_are_written_as_names(said: str, written: str) -> None:
    assert _restore(said) == written


@pytest.mark.parametrize(
    "text",
    [
        "the boiler packed in again",
        "two sarahs in my class",
        "mrs edwards rang",
        "emmas are everywhere",
        "mail bobby@example.com about #katie",
        "will mark the rose",
        "the cat must not nick it",
        "my husband carries on",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert _restore(text) == text


def test_a_surname_behind_a_name_stays() -> None:
    assert _restore("emma roberts") == "Emma roberts"


def test_a_capital_changes_no_other_letter() -> None:
    said = "katie, 3 of them: tom's"
    assert restore_capitals(said).lower() == said
