"""English talk of which only what a stranger understands is told."""

import pytest

from gieok.models.rules.english_sound import select_statements


def _tell(
    said: str,
    *,
    beside: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    asked: str = "",
) -> tuple[str, ...]:
    heard = (asked, *before) if asked else before
    return select_statements(said, beside, heard, asked)


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        ("I booked it on May 5", "When is your exam?", "booked their exam on May 5"),
        ("We never skip", "How is your swim?", "never skips their swim"),
        (
            "quilted bibs, for the ward in Cork",
            "What are you sewing?",
            "is sewing quilted bibs, for the ward in Cork",
        ),
        ("vet on the 18th", "What comes next?", "has a vet on the 18th"),
        ("they said Orla is ill", "Oh no?", "was told that Orla is ill"),
        ("before that I was a potter", "Oh?", "was a potter"),
        ("I hate eels so its cheap", "Soup?", "hates eels"),
        ("I'm pharmacist", "And you?", "is a pharmacist"),
    ],
)  # fmt: skip
def test_what_the_question_was_about_is_named(said: str, asked: str, told: str) -> None:
    assert _tell(said, asked=asked) == (f"The user {told}",)


@pytest.mark.parametrize(
    ("said", "before", "told"),
    [
        (
            "There's an inhaler in his red bag",
            ("my son Ravi is asthmatic",),
            "There is an inhaler in the user's son Ravi's red bag",
        ),
        (
            "They're both coeliac",
            ("my in-laws come in May",),
            "The user's in-laws are both coeliac",
        ),
        (
            "Turtle's name is Admiral",
            ("She drew our turtle",),
            "The user's turtle's name is Admiral",
        ),
        ("rent's covered until June", (), "The user's rent is covered until June"),
    ],
)
def test_whom_and_what_a_word_means_is_named(
    said: str, before: tuple[str, ...], told: str
) -> None:
    assert _tell(said, before=before) == (told,)


@pytest.mark.parametrize(
    "said",
    [
        "I put it on the shelf",
        "she went in October",
        "Aarav's gran lives there",
        "I brought the clementines",
        "I took the blue one",
        "That's where the leak came from",
        "it's a woman in the shop",
        "the week after the final",
        "I do about three a week",
        "student sailed away",
        "put the fan to 22",
        "two ferrets and a stoat",
        "better than Biscuit honestly",
        "you can't lift a grown man",
        "I know",
        "do I like tea?",
        "my lad plays them well",
        "says he is busy",
        "she'll say I'm late so I can't judge",
        "the lad is very nice",
        "we're called my wife's crew",
        "it's Fridays",
    ],
)
def test_what_leans_on_the_talk_is_not_told(said: str) -> None:
    assert _tell(said) == ()


def test_what_somebody_else_did_is_not_told_of_the_user() -> None:
    assert _tell("came out in '58", asked="Was she Welsh?") == ()
    assert _tell("went to my niece's on Monday", beside=("The cat.",)) == ()
    assert _tell("she's on five a week", asked="Did the teacher agree?") == ()


def test_a_pronoun_that_may_mean_two_is_left_open() -> None:
    said = ("my sister Ann met my aunt Bea",)
    assert _tell("she teaches Latin", before=said) == ()
    assert _tell("she teaches Latin", before=said[:0]) == ()


def test_every_fact_of_a_run_is_told_by_itself() -> None:
    assert _tell("I keep two goats, my wife sells the milk at the fair") == (
        "The user keeps two goats",
        "The user's wife sells the milk at the fair",
    )
    assert _tell("I sell kiln parts, and at dinner") == ("The user sells kiln parts",)


def test_a_reason_stays_with_what_it_explains() -> None:
    told = _tell("I walk at dawn because my dog hates heat")
    assert told == ("The user walks at dawn because the user's dog hates heat",)


def test_when_and_where_go_with_the_sentence_before() -> None:
    told = _tell("Six thirty, by the lock", beside=("I row before work",))
    assert told == ("The user rows before work, six thirty, by the lock",)


def test_what_is_wanted_for_good_is_told_and_what_is_of_the_moment_is_not() -> None:
    assert _tell("always whisper after nine") == (
        "The user wants the assistant to always whisper after nine",
    )
    assert _tell("add oats to the list") == ()
