"""Apostrophes that people leave out: put back where the next words decide."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.rules.english.apostrophes import (
    collect_names,
    restore_apostrophes,
)
from gieok.models.rules.measuring import restore_spelling
from gieok.models.rules.message_context import LONGEST_MESSAGE

AT = datetime(2026, 4, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("im wim, ive a barge", "I'm wim, I've a barge"),
        ("she doesnt eat squid", "she doesn't eat squid"),
        ("grans in a hospice", "gran's in a hospice"),
        ("my nephews a glazier", "my nephew's a glazier"),
        ("my aunts kiln broke", "my aunt's kiln broke"),
        ("staying at my uncles house", "staying at my uncle's house"),
        ("his sons 14", "his son's 14"),
        ("hiya, my names orla", "hiya, my name's Orla"),
        ("my weddings in June", "my wedding's in June"),
        ("elowens 6 on Friday", "Elowen's 6 on Friday"),
        ("its elowens birthday", "it's Elowen's birthday"),
        ("mum thinks elowens allergic to bees", "mum thinks Elowen's allergic to bees"),
        ("were in! what a move", "we're in! what a move"),
        ("were vegan", "we're vegan"),
        ("its a 2014 one", "it's a 2014 one"),
        ("its 20 minutes off", "it's 20 minutes off"),
        ("its purple", "it's purple"),
        ("id love a loom", "I'd love a loom"),
        ("ill start on Monday", "I'll start on Monday"),
        ("well be six by May", "we'll be six by May"),
        ("my name is carol evans", "my name is Carol evans"),
        ("my sister emmas coming", "my sister Emma's coming"),
        ("i love emmas dog", "i love Emma's dog"),
        ("back at emmas", "back at Emma's"),
    ],
)
def test_what_the_next_words_decide_is_restored(said: str, written: str) -> None:
    assert restore_apostrophes(said) == written


@pytest.mark.parametrize(
    "said",
    [
        "its colour faded",
        "its purple lid cracked",
        "my names are on the list",
        "the kids dads met",
        "my nephews are glaziers",
        "my nephews keep bees",
        "my sons 9 and 12",
        "my sisters in Cork are twins",
        "my friends from uni",
        "two grans in a hospice",
        "James in year 4",
        "Texas off the list",
        "arthritis in both knees",
        "tickets for two",
        "kids were asleep",
        "were you there?",
        "were in Rome last year",
        "well known around here",
        "ill health",
        "my id card",
        "he ate like hell",
        "write to im@were.in",
        "the file mams.in/dont.txt",
        "my husband carries on without me",
        "my surname is evans",
        "my maiden name was edwards",
        "i sing carols every christmas",
        "i sing carols in church",
        "우리 엄마 ids",
    ],
)
def test_what_is_a_word_by_itself_stays(said: str) -> None:
    assert restore_apostrophes(said) == said


def test_who_is_known_by_name_is_heard_of_in_any_place() -> None:
    names = collect_names(["The user's brother is Col", "my cousin bryn rows"])
    assert {"col", "bryn"} <= names
    assert restore_apostrophes("cols over there", names) == "Col's over there"
    assert restore_apostrophes("cols over there") == "cols over there"


def test_only_what_the_user_said_is_spelt_out() -> None:
    spoken = (Utterance(0, Role.USER, "dont"), Utterance(1, Role.ASSISTANT, "dont"))
    told = restore_spelling(
        Conversation(spoken, (), datetime(2026, 5, 1, tzinfo=UTC))
    ).messages
    assert [each.content for each in told] == ["don't", "dont"]


@given(st.text(max_size=60))
def test_nothing_but_apostrophes_and_capitals_is_added(said: str) -> None:
    written = restore_apostrophes(said)
    assert written.replace("'", "").lower() == said.replace("'", "").lower()
    assert restore_apostrophes(written) == written


def test_only_near_words_decide() -> None:
    """A message without any sign would else be read once for each of its words."""
    rest = " ".join(["word"] * 60)
    assert restore_apostrophes(f"mams in a home {rest} are").startswith("mam's in")


def test_no_more_of_a_message_is_restored_than_is_read() -> None:
    said = Utterance(0, Role.USER, "dont " * LONGEST_MESSAGE)
    restored = restore_spelling(Conversation((said,), (), AT)).messages[0].content
    assert restored.count("don't") == LONGEST_MESSAGE // len("dont ")
