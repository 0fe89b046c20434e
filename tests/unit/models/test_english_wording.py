"""English talk told of the user: one sentence in the third person that stands alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.english.spelling import normalize_spelling
from gieok.models.rules.english.wording import render_english


def _tell(
    *said: str, beside: tuple[str, ...] = (), before: tuple[str, ...] = ()
) -> str:
    return render_english(said, beside, before).text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("im gonna rent a kiln", "I'm going to rent a kiln"),
        ("u dont say", "you don't say"),
        ("u coach u11s", "you coach u11s"),
        ("mail jo@berlin.de", "mail jo@berlin.de"),
        ("its a teapot", "it's a teapot"),
        ("its lid cracked", "its lid cracked"),
        ("glazin pots n plates", "glazing pots and plates"),
        ("the cabin burnt", "the cabin burnt"),
        ("me uncle sails", "my uncle sails"),
        ("he gave me sails", "he gave me sails"),
        ("my cousin wim paints", "my cousin Wim paints"),
        ("off on fridays till may", "off on Fridays till may"),
    ],
)
def test_informal_writing_is_spelt_as_with_care(said: str, told: str) -> None:
    assert normalize_spelling(said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("nae wi my faither", "no with my father"),
        ("i dinna ken him", "I don't know him"),
        ("i bide in Oslo wi my mither", "I live in Oslo with my mother"),
        ("left cos I was ill", "left because I was ill"),
        ("left cos of the rain", "left because of the rain"),
        ("im busy rn", "I'm busy right now"),
        ("my gf is ill", "my girlfriend is ill"),
        ("a lil tired", "a little tired"),
        ("I saw em", "I saw them"),
    ],
)
def test_dialect_and_short_forms_are_written_out(said: str, told: str) -> None:
    assert normalize_spelling(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "My husband Ken died",
        "my husband ken died",
        "Ken Lang is here",
        "I'm going to AA",
        "I see Dr Hale",
        "I saw Mrs Lang",
        "I love Foo Fighters",
        "we sing auld lang syne",
        "an rn at the hospital",
        "I eat cos lettuce",
        "my sister em came",
        "gf bread",
    ],
)
def test_what_may_be_a_name_or_another_word_stays(said: str) -> None:
    assert normalize_spelling(said) == said


def test_what_goes_on_after_somebody_else_is_theirs() -> None:
    before = ("my brother Dan called",)
    told = _tell("sold the barge", beside=("he's in Cork",), before=before)
    assert told == "The user's brother Dan sold the barge"
    assert _tell("sold the barge", beside=("it's raining",)).startswith("The user")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I've two kilns and I ain't selling", "has two kilns and is not selling"),
        ("I don't eat squid or like tofu", "does not eat squid or like tofu"),
        ("I want to sell up and move inland", "wants to sell up and move inland"),
        ("sold the barge in March", "sold the barge in March"),
        ("been on nights two winters", "has been on nights two winters"),
        ("coeliac since college", "has been coeliac since college"),
        ("back to Thursday rowing", "is back to Thursday rowing"),
        ("allergic to latex", "is allergic to latex"),
        ("learning the oboe", "is learning the oboe"),
        ("never been to Oslo", "has never been to Oslo"),
        ("love my loom", "loves their loom"),
        ("swim every morning", "swims every morning"),
        ("manage a pub", "manages a pub"),
        ("rent a flat in Hull", "rents a flat in Hull"),
        ("bet the horses on saturdays", "bets the horses on Saturdays"),
        ("respond badly to latex", "responds badly to latex"),
        ("design websites for a living", "designs websites for a living"),
        ("test me on verbs", "wants the assistant to test them on verbs"),
        ("schedule a call with Tom", "wants the assistant to schedule a call with Tom"),
        ("don't do spoilers", "wants the assistant not to do spoilers"),
        ("I have ms and asthma", "has ms and asthma"),
        ("start on Monday", "starts on Monday"),
        ("carry antihistamines", "carries antihistamines"),
        ("look after my gran", "looks after their gran"),
        ("quit the boxing", "quit the boxing"),
        ("volunteer at the zoo", "volunteers at the zoo"),
        ("don't do prawns", "does not do prawns"),
        ("spell it out", "wants the assistant to spell it out"),
        ("start calling me Max", "wants the assistant to start calling them Max"),
        ("we keep two ferrets", "keeps two ferrets"),
        ("we are five in the house", "says they are five in the house"),
        ("call me Max", "wants to be called Max"),
        ("don't ever call me before ten", "does not want to be called before ten"),
        ("please don't mention my ex", "wants the assistant not to mention their ex"),
        ("I don't mind, you know", "does not mind"),
        ("I'm not ok", "is not ok"),
        ("I lost hearing on the right", "lost hearing on the right"),
        ("can you speak slower?", "wants the assistant to speak slower"),
        ("I'd been there before", "had been there before"),
        ("I'd rather walk", "would rather walk"),
        ("i see dr lee in lisbon", "sees Dr Lee in Lisbon"),
        ("i eat everything mate", "eats everything"),
        ("i speak portuguese", "speaks Portuguese"),
        ("i live with my uni mate", "lives with their university mate"),
        ("ill never have another dog", "will never have another dog"),
    ],
)  # fmt: skip
def test_what_the_user_says_of_themselves_is_told_of_the_user(
    said: str, told: str
) -> None:
    assert _tell(said) == f"The user {told}"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my brother Wim he sails", "The user's brother Wim sails"),
        ("exam is on June 3", "The user's exam is on June 3"),
        ("the lift is broken again", "The lift is broken again"),
        ("me and Wim share a boat", "The user and Wim share a boat"),
        ("my wife and I row", "The user and their wife row"),
        ("since January I row", "Since January the user rows"),
        (
            "If I were rich, I would sail",
            "If the user were rich, the user would sail",
        ),
        ("no alarms on any day", "The user wants no alarms on any day"),
        ("two ferrets", "The user mentioned two ferrets"),
        ("my landlord is mr patel", "The user's landlord is Mr Patel"),
        ("she eats it but I don't", "The user says she eats it, but the user does not"),
        ("carry on", "The user mentioned carry on"),
        ("do I like tea?", 'The user asked: "do I like tea?"'),
    ],
)
def test_another_subject_is_named(said: str, told: str) -> None:
    assert _tell(said) == told


@pytest.mark.parametrize(
    ("said", "before", "told"),
    [
        ("she teaches Latin", ("my aunt is down",), "The user's aunt teaches Latin"),
        ("he's retired", ("I met my uncle Wim",), "The user's uncle Wim is retired"),
        ("he's old", ("my aunt's dog came",), "The user's aunt's dog is old"),
        ("his boat sank", ("How's your uncle?",), "The user's uncle's boat sank"),
        ("she teaches Latin", ("I met my uncle",), "The user says she teaches Latin"),
    ],
)  # fmt: skip
def test_a_pronoun_is_who_was_mentioned_before(
    said: str, before: tuple[str, ...], told: str
) -> None:
    assert _tell(said, before=before) == told


def test_it_goes_with_the_sentence_that_says_what_it_is() -> None:
    told = _tell("it's twenty feet long", beside=("I'm building a sloop",))
    assert told == "The user is building a sloop. It's twenty feet long"


def test_talk_without_signs_is_split_where_a_clause_ends() -> None:
    told = _tell("I got choir I sing bass up at the chapel")
    assert told == "The user got choir. The user sings bass up at the chapel"
    assert _tell("the barge I bought leaks") == "The barge the user bought leaks"
    assert _tell("I said I was ill") == "The user said the user was ill"


_VOCABULARY = (
    "i im we my me you she the a not never don't can't eat sold like barge Wim Oslo "
    "7 1999 and but because on to , . ? been is was our allergic working every"
)
_WORDS = st.sampled_from(_VOCABULARY.split())


_CLAUSES = st.builds(
    "{} {} {}".format,
    st.sampled_from(("I", "we", "she", "my aunt Wim", "the barge")),
    st.sampled_from(
        (
            "never sold",
            "didn't find",
            "can't carry",
            "could not lift",
            "found",
            "won't eat",
        )
    ),
    st.sampled_from(
        ("barge 7", "any eggs", "the lock in Oslo", "it in 1999", "12.5 eggs")
    ),
)
_TALK = st.tuples(
    _CLAUSES, st.sampled_from((" and ", ", ", ". ", " because ", " ")), _CLAUSES
).map("".join)


@given(_TALK)
def test_negations_numbers_and_names_stay(said: str) -> None:
    told = _tell(said)
    assert re.findall(r"[\d.]*\d", told) == re.findall(r"[\d.]*\d", said)
    for name in ("Wim", "Oslo"):
        assert told.count(name) >= said.count(name)
    denials = r"\b(?:not|never|cannot)\b|n't\b"
    assert len(re.findall(denials, told)) == len(re.findall(denials, said))


@given(_TALK)
def test_what_is_told_already_stays_as_it_is(said: str) -> None:
    told = _tell(said)
    assert _tell(told) == told


@given(st.lists(_WORDS, min_size=1, max_size=14).map(" ".join))
def test_what_is_told_has_a_capital_and_no_first_person(said: str) -> None:
    told = _tell(said)
    assert not told[:1].islower()
    outside = re.sub(r'"[^"]*"', "", told)
    assert not re.search(r"\b(?:I|I'm|my|we)\b", outside)


@given(st.text(max_size=200))
def test_any_text_is_told(said: str) -> None:
    assert _tell(said)


@pytest.mark.parametrize(
    "said",
    [
        "can my dog eat grapes",
        "did my mum ring",
        "did the parcel arrive",
        "will my hip be better by Friday",
        "is the chemist open",
        "was my mum right",
    ],
)
def test_a_question_needs_no_sign(said: str) -> None:
    assert _tell(said) == f'The user asked: "{said}"'


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("has the flu", False),
        ("has my nose", False),
        ("is the head of a school", False),
        ("did the school run", False),
        ("has the flu?", True),
        ("has the post come", True),
        ("has my order arrived", True),
        ("is the head of the school ill", True),
        ("did the dog eat", True),
        ("did my mum run", True),
    ],
)
def test_what_leaves_out_who_has_or_is_something_asks_nothing(
    said: str, *, asks: bool
) -> None:
    assert _tell(said).startswith("The user asked") is asks


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("did my nails on Sunday", "did their nails on Sunday"),
        ("did a degree in maths", "did a degree in maths"),
        ("had the flu in May", "had the flu in May"),
        ("was the manager at Tesco", "was the manager at Tesco"),
        ("have my own flat", "has their own flat"),
    ],
)
def test_a_statement_without_its_subject_is_no_question(said: str, told: str) -> None:
    assert _tell(said) == f"The user {told}"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm 80 am I too old to drive", "The user is 80"),
        ("I take statins can I drink wine", "The user takes statins"),
        ("I smoke is it bad for my heart", "The user smokes"),
        ("I'm 80 how do I renew my licence", "The user is 80"),
        ("my dad is ill what can I do", "The user's dad is ill"),
        (
            "my name is bob set a timer",
            "The user's name is Bob. The user wants the assistant to set a timer",
        ),
        ("my wife smokes and so do I", "The user's wife smokes"),
        ("I help mum give the kids tea", "The user helps their mum give the kids tea"),
        ("I know what I am", "The user knows what the user is"),
        ("what do you call a fish", 'The user asked: "what do you call a fish"'),
        (
            "I work nights and lights give me a headache",
            "The user works nights and lights give them a headache",
        ),
        (
            "I'm Samantha but people call me Sam",
            "The user is Samantha but people call them Sam",
        ),
        (
            "I hate it when people tell me the ending",
            "The user hates it when people tell them the ending",
        ),
    ],
)  # fmt: skip
def test_a_question_or_an_order_ends_the_clause_before_it(said: str, told: str) -> None:
    assert _tell(said) == told
