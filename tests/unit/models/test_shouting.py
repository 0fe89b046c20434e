"""What is written in capitals is read as if it were not, abbreviations stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.english.shouting import restore_small_letters


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("PASSED MY DRIVING TEST!!!! 4th try", "passed my driving test!!!! 4th try"),
        ("GOT A CAR. red fiesta", "got a car. red fiesta"),
        ("I GOT THE JOB AT TESCO", "I got the job at tesco"),
        ("MY DOG IS CALLED REX", "my dog is called rex"),
        ("GOT IT. head chef", "got it. head chef"),
        ("MADE IT TO GRADE 8", "made it to grade 8"),
        ("i am ALLERGIC to nuts", "i am allergic to nuts"),
        ("I do NOT eat pork", "I do not eat pork"),
        ("WE'RE MOVING TO LEEDS IN MAY", "we're moving to leeds in may"),
    ],
)
def test_what_is_shouted_is_read_in_small_letters(said: str, read: str) -> None:
    assert restore_small_letters(said) == read


@pytest.mark.parametrize(
    "said",
    [
        "I work for the NHS in the UK",
        "My BMW failed its MOT",
        "She does IT at the BBC",
        "MY IT job",
        "I'm having an MRI on Friday",
        "I live in Brooklyn NY USA",
        "A PhD at MIT",
        "HIV negative",
        "나 MBTI는 INFP야",
    ],
)
def test_abbreviations_stay(said: str) -> None:
    assert restore_small_letters(said) == said


@given(st.text(alphabet="ABCIO abcio'’,.!?1가", max_size=60))
def test_nothing_but_the_case_changes(said: str) -> None:
    assert restore_small_letters(said).lower() == said.lower()
