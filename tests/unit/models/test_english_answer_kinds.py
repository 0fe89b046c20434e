"""An English answer is put only where its question has a place of its kind.

What says neither is quoted with its question elsewhere: nothing is better than a
sentence that nobody said.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.english.answer_reading import (
    AnswerKind,
    read_kind,
    read_polarity,
)
from gieok.models.rules.english.answers import render_english_answer

Pairs = list[tuple[str, str, str | None]]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("two cats", AnswerKind.THING),
        ("black lab", AnswerKind.THING),
        ("retired teacher", AnswerKind.THING),
        ("Agatha Christie", AnswerKind.THING),
        ("just 3", AnswerKind.COUNT),
        ("three now", AnswerKind.COUNT),
        ("twice a week", AnswerKind.TIME),
        ("since my fall", AnswerKind.TIME),
        ("until May", AnswerKind.OVER),
        ("years ago", AnswerKind.OVER),
        ("hopefully soon", AnswerKind.COMING),
        ("next year", AnswerKind.COMING),
        ("near York", AnswerKind.PHRASE),
        ("allergic to fur", AnswerKind.QUALITY),
        ("self employed", AnswerKind.QUALITY),
        ("knitting", AnswerKind.DOING),
        ("gave up", AnswerKind.DEED),
        ("our cat died in march", AnswerKind.OVER),
        ("she is lovely", AnswerKind.CLAUSE),
        ("doctor said no", AnswerKind.OTHER),
        ("hmm", AnswerKind.OTHER),
        ("too expensive", AnswerKind.OTHER),
        ("a bit", AnswerKind.OTHER),
        ("", AnswerKind.OTHER),
    ],
)
def test_words_are_of_a_kind(said: str, kind: AnswerKind) -> None:
    assert read_kind(said) is kind


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("yes", False),
        ("sure do", False),
        ("right, yes", False),
        ("of course not", True),
        ("definitely not", True),
        ("definitely not anymore", True),
        ("sure don't", True),
        ("never had one", True),
        ("none of my own", True),
        ("not yet", True),
    ],
)
def test_a_yes_or_no_is_read_with_what_stresses_it(
    said: str,
    denied: bool,  # noqa: FBT001
) -> None:
    opened = read_polarity(said)
    assert opened
    assert opened.is_sure
    assert opened.is_denied is denied
    assert not opened.rest


@pytest.mark.parametrize(
    "said", ["yes and no", "yes, wait no", "yeah no", "right, no", "yeah right"]
)
def test_who_says_both_says_neither(said: str) -> None:
    opened = read_polarity(said)
    assert opened
    assert not opened.is_sure
    assert render_english_answer("Do you have a cat?", said) is None


@pytest.mark.parametrize("said", ["right hip", "absolutely hate it", "not at night"])
def test_what_belongs_to_its_next_word_is_no_yes_or_no(said: str) -> None:
    assert read_polarity(said) is None


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Are you married?", "of course not", "I am not married"),
        ("Do you have any kids?", "sadly no", "I don't have any kids"),
        ("Do you have any kids?", "thank god no", "I don't have any kids"),
        ("Do you have a cat?", "right now no", "I don't have a cat"),
        ("Do you like school?", "um no not really", "I don't like school"),
        ("Are you left handed?", "right handed", None),
        ("Do you like cats?", "nah yeah", None),
        ("Do you smoke?", "no, never smoked", "I don't smoke"),
        ("Do you smoke?", "no, never did", "I don't smoke"),
        ("Do you smoke?", "no, sorry", "I don't smoke"),
        ("Does your wife?", "in no", None),
        ("Do you smoke?", "no, not since May", "I don't smoke, not since May"),
        ("Do you have a cat?", "yes my brother does", None),
        ("Where are your family from?", "Ghana", None),
        ("Do you cook?", "my wife does all that", None),
        ("Do you have any pets?", "no, allergic", "I don't have any pets"),
        ("Are you an only child?", "no, two boys", "I am not an only child"),
        ("Do you have a dog?", "no, a cat", "I don't have a dog but a cat"),
        ("Do you have a dog?", "no, he died", "I don't have a dog; he died"),
        (
            "Do you like school?",
            "no, but I like art",
            "I don't like school, but I like art",
        ),
    ],
)
def test_a_no_is_a_no_whatever_stands_around_it(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Do you have diabetes?", "no idea"),
        ("Do you miss your mum?", "no doubt"),
        ("Do you like school?", "no comment"),
        ("Do you smoke?", "yes, until May"),
        ("Do you smoke?", "yes, used to"),
        ("Do you have a dog?", "yes, he died last year"),
        ("Do you have a dog?", "yes, had one"),
        ("Do you work?", "yes, before the baby"),
        ("Do you live alone, or with family?", "yes and no"),
        ("Do you live alone, or is there someone with you?", "no"),
        ("Are you married and is your wife well?", "yes"),
        ("Do you not drive?", "yes"),
        ("You don't drive, do you?", "no, I drive a van"),
        ("You don't drive, do you?", "no I love driving"),
        ("Is your sister older than you?", "I am"),
        ("Does your wife like her job?", "I do"),
        ("Do you do your own shopping?", "my daughter does"),
        ("Do you take your tablets yourself?", "my wife does"),
        ("Are you older than your wife?", "my wife is"),
        ("Are you a teacher?", "my parents are"),
        ("Do you and your wife drive?", "I do"),
        ("Does your son have a girlfriend?", "a boyfriend"),
    ],
)
def test_what_nobody_said_is_not_stated(asked: str, said: str) -> None:
    assert render_english_answer(asked, said) is None


@pytest.mark.parametrize(
    "said",
    [
        *("hopefully soon", "someday", "next year", "ask my wife", "haha", "private"),
        *("depends", "sort of", "too young for that", "years ago", "as a kid"),
        *("in the past", "want one", "need one", "our last one died", "on order"),
    ],
)
@pytest.mark.parametrize("noun", ["any kids", "any pets", "a car"])
def test_only_a_thing_is_had(noun: str, said: str) -> None:
    assert render_english_answer(f"Do you have {noun}?", said) is None


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you have any kids?", "3", "I have 3 kids"),
        ("Have you got any grandchildren?", "seven", "I have seven grandchildren"),
        ("Do you have a car?", "company car", "I have a company car"),
        ("Do you have a car?", "red one", "I have a red one"),
        ("Do you have any hobbies?", "knitting", "I have hobbies: knitting"),
        ("Do you have any brothers or sisters?", "one sister", "I have one sister"),
        ("Do you have any brothers or sisters?", "neither", None),
        ("Do you have any brothers or sisters?", "only child", None),
        ("Do you have anyone to talk to?", "Jim", "I have Jim to talk to"),
        ("Are you seeing anyone?", "yes, Tom", "I am seeing Tom"),
        ("Are you allergic to anything?", "yes", "I am allergic to something"),
        ("Are you learning Spanish?", "Italian", None),
        ("Are you playing football?", "rugby", None),
        ("Are you working?", "retired", "I am retired"),
        ("Are you engaged?", "since May", "I am engaged, since May"),
        ("Are you lonely?", "maybe", None),
        ("Are you over 18?", "seventeen", None),
        ("Are you a nurse?", "midwife", "I am a midwife"),
        ("Do you eat pork?", "muslim", None),
        ("Do you eat cheese?", "yum", None),
        ("Do you sleep well?", "about four hours", None),
        ("Do you go to church?", "synagogue on Saturdays", None),
        ("Do you go to bed early?", "to read", None),
        ("Have you ever been to Spain?", "Portugal", None),
    ],
)
def test_a_few_words_stand_for_what_is_of_their_kind(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("You're not married, are you?", "no", "I'm not married"),
        ("You aren't married, are you?", "no", "I am not married"),
        ("You've never smoked, have you?", "no", "I've never smoked"),
        ("You never married, did you?", "no", "I never married"),
        ("You grew up in Leeds, right?", "no", "I didn't grow up in Leeds"),
        ("You went to Spain, didn't you?", "I did", "I went to Spain"),
        ("You used to dance, didn't you?", "yes", "I used to dance"),
        ("Do you not drive?", "no", "I don't drive"),
        ("Are you diabetic?", "my mother was", "my mother was diabetic"),
        ("Do you have any pets?", "we did", "I used to have pets"),
        ("Do you like pizza?", "my boss does", "my boss likes pizza"),
        ("Do you like pizza?", "my children do", "my children like pizza"),
        ("Do you know how to swim?", "I can't", "I can't swim"),
        ("Have you any pets?", "no", "I haven't any pets"),
    ],
)
def test_a_declared_question_and_a_short_answer_agree(
    asked: str, said: str, told: str
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("What does your dad do?", "in prison", None),
        ("What do you do?", "on benefits", None),
        ("What do you do?", "self employed", "I am self employed"),
        ("What do your parents do?", "farmers", "my parents work as farmers"),
        ("What do your parents do?", "retired", "my parents are retired"),
        ("What do your parents do?", "run a shop", "my parents run a shop"),
        ("Where do you work?", "retired", None),
        ("Where do you live?", "between York and Hull", "I live between York and Hull"),
        ("Where do you live?", "up north", "I live up north"),
        ("Where do you live?", "14 Mill Road", "I live at 14 Mill Road"),
        ("Where are your kids?", "school", None),
        ("How long have you been married?", "divorced", None),
        ("How long have you lived here?", "forever", "I have lived here forever"),
        ("What instrument do you play?", "gave up", None),
        ("What's your name?", "secret", None),
        ("What's your name?", "you know that already", None),
        ("What's your favourite colour?", "used to be pink", None),
        ("How much do you weigh?", "mind your own business", None),
        ("How do you like living there?", "lonely", None),
        ("How do you like your tea?", "strong", "I like my tea strong"),
        ("How old are you?", "12 in June", None),
        ("How old is your baby?", "6 weeks", "my baby is 6 weeks"),
        ("How many kids do you have?", "two girls", "I have two girls"),
        ("How many kids do you have?", "1", "I have 1 kid"),
        ("How many kids do you have?", "3, all grown", "I have 3 kids, all grown"),
        ("How many cups do you drink?", "4 a day", "I drink 4 cups a day"),
        ("How many pets do you have?", "lost count", None),
        ("When did you retire?", "five years ago", "I retired five years ago"),
        ("When did you retire?", "June", "I retired in June"),
        (
            "When do you take them?",
            "three times a day",
            "I take them three times a day",
        ),
        ("What are your hobbies?", "chess", "my hobbies are chess"),
        (
            "What are your dogs called?",
            "Rex and Max",
            "my dogs are called Rex and Max",
        ),
        ("What do you like about art?", "my class", "I like my class about art"),
        ("Which do you like more, cats or dogs?", "dogs", "I like dogs more"),
        ("Who do you live with?", "with my nan", "I live with my nan"),
        ("Who do you live with?", "alone", "I live alone"),
        ("How far do you live from here?", "10 miles", "I live 10 miles from here"),
        ("What do you like to do?", "go fishing", "I like to go fishing"),
    ],
)  # fmt: skip
def test_a_value_is_of_the_kind_that_was_asked_for(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


GRAMMAR = frozenset(
    {
        *(
            "i",
            "i'm",
            "i've",
            "am",
            "is",
            "are",
            "was",
        ),
        *(
            "were",
            "a",
            "an",
            "the",
            "not",
            "don't",
            "doesn't",
        ),
        *(
            "didn't",
            "can't",
            "haven't",
            "hasn't",
            "hadn't",
            "have",
            "has",
        ),
        *(
            "had",
            "do",
            "does",
            "did",
            "can",
            "never",
            "anymore",
        ),
        *(
            "any",
            "my",
            "me",
            "mine",
            "myself",
            "but",
            "used",
        ),
        *(
            "to",
            "be",
            "in",
            "on",
            "at",
            "for",
            "as",
        ),
        *(
            "work",
            "works",
            "called",
            "years",
            "old",
            "years",
            "want",
        ),
        *(
            "something",
            "someone",
            "somebody",
            "somewhere",
            "who",
            "that",
            "with",
        ),
        *(
            "alone",
            "from",
            "and",
            "could",
        ),
    }
)
QUESTIONS = (
    "Do you have {}?",
    "Are you {}?",
    "Do you like {}?",
    "Does your wife {}?",
    "What is your {}?",
    "Where do you {}?",
    "When do you {}?",
    "How many {} do you have?",
    "You {}, right?",
)
WORDS = st.sampled_from(
    [
        *(
            "yes",
            "no",
            "not",
            "never",
            "two",
            "a",
            "cat",
        ),
        *(
            "dogs",
            "work",
            "works",
            "working",
            "married",
            "Leeds",
            "in",
        ),
        *(
            "at",
            "on",
            "since",
            "May",
            "my",
            "wife",
            "does",
        ),
        *(
            "I",
            "do",
            "until",
            "ago",
            "maybe",
            "very",
            "well",
        ),
        *(
            "and",
            "or",
            "but",
            "than",
            "you",
            "old",
            "years",
        ),
        *(
            "week",
            "every",
            "retired",
            "gave",
            "up",
            "the",
            "bit",
        ),
        *(
            "of",
            "lol",
        ),
    ]
)
SAID = st.lists(WORDS, max_size=6).map(" ".join) | st.text(max_size=30)


@given(st.sampled_from(QUESTIONS), SAID, SAID)
def test_nothing_stands_in_a_statement_but_what_was_said(
    frame: str, asked: str, said: str
) -> None:
    question = frame.format(asked)
    told = render_english_answer(question, said)
    if told is None:
        return
    spoken = re.findall(r"[^\W_]+", f"{question} {said}".lower())
    stems = tuple(word[:2].removesuffix("y") or word for word in spoken)
    words = re.findall(r"[^\W_][\w']*", told.lower())
    assert [w for w in words if w not in GRAMMAR and not w.startswith(stems)] == []
