"""English talk of which only what a stranger understands is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.models.rules.english.answers import render_english_answer
from gieok.models.rules.english.elided import restore_subject
from gieok.models.rules.english.people import claim_kin
from gieok.models.rules.english.soundness import select_statements
from gieok.models.rules.english.wording import render_english


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
    ("said", "told"),
    [
        (
            "I'm 30, live in Birmingham and work in a call center",
            (
                "The user is 30",
                "The user lives in Birmingham",
                "The user works in a call center",
            ),
        ),
        (
            "I live in Maple Grove and work as a nurse",
            ("The user lives in Maple Grove", "The user works as a nurse"),
        ),
        (
            "my son Ethan is 8 and loves dinosaurs",
            ("The user's son Ethan is 8", "The user's son Ethan loves dinosaurs"),
        ),
        (
            "I have three grown kids and five grandchildren",
            (
                "The user has three grown kids",
                "The user has five grandchildren",
            ),
        ),
        (
            "I'm Wei, a software engineer at Google in Mountain View",
            (
                "The user is Wei",
                "The user is a software engineer at Google in Mountain View",
            ),
        ),
    ],
)
def test_several_facts_of_a_clause_are_several_memories(
    said: str, told: tuple[str, ...]
) -> None:
    assert _tell(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "I live and work in Leeds",
        "I get up at six and go for a run",
        "I'm a teacher and have been for ten years",
        "I live in Leeds and work there",
        "I have a son who is 8 and loves trains",
        "I want a job that pays and has benefits",
        "I like hiking and swimming",
        "I have two cats and a dog",
        "I'm diabetic and hypertensive",
    ],
)
def test_what_leans_on_the_rest_of_its_clause_stays_with_it(said: str) -> None:
    assert len(_tell(said)) == 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "My husband Peter and I are having our son Andrew over",
            "The user and their husband Peter are having the user's son Andrew over",
        ),
        ("Liam's just booked Tenerife", "Liam has just booked Tenerife"),
        ("my brother's just tired", "The user's brother is just tired"),
    ],
)
def test_names_and_what_has_just_happened_are_told(said: str, told: str) -> None:
    assert _tell(said) == (told,)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Cormac's seven now would you believe", "Cormac is seven now"),
        ("my nan drives, would you believe it!", "The user's nan drives"),
        ("I'm allergic to bees, as you know", "The user is allergic to bees"),
        ("I play chess, as it happens.", "The user plays chess"),
        ("my son got in, can you believe it", "The user's son got in"),
    ],
)
def test_what_talk_closes_with_is_left_out(said: str, told: str) -> None:
    assert _tell(said) == (told,)


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
        ("name's Biscuit", ("we got a puppy!",), "The puppy's name is Biscuit"),
        ("name is Iris", ("hi there", "how are you"), "The user's name is Iris"),
        ("name's Dave", ("I'm a nurse",), "The user's name is Dave"),
        ("name's Dave", ("I got a new phone",), "The user's name is Dave"),
        ("name's Dave", ("my dog is ill",), "The user's name is Dave"),
        ("name's Dave", ("What's your name?",), "The user's name is Dave"),
        ("rent's covered until June", (), "The user's rent is covered until June"),
        (
            "I go there in May",
            ("It's at the mill",),
            "The user goes to the mill in May",
        ),
        (
            "I go every Monday",
            ("just to the lunch club",),
            "The user goes to the lunch club every Monday",
        ),
        ("my wife isn't", ("I'm vegan",), "The user's wife is not vegan"),
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
        "my budgie is called",
        "it's Fridays",
    ],
)
def test_what_leans_on_the_talk_is_not_told(said: str) -> None:
    assert _tell(said) == ()


def test_what_somebody_else_did_is_not_told_of_the_user() -> None:
    assert _tell("came out in '58", asked="Was she Welsh?") == ()
    assert _tell("went to my niece's on Monday", beside=("The cat.",)) == ()
    assert _tell("she's on five a week", asked="Did the teacher agree?") == ()


@pytest.mark.parametrize(
    "said",
    [
        "he's back in Glasgow, got engaged to a lassie called Shona",
        "he's grand, just bought a house in Cork",
        "they moved away, sold the farm",
    ],
)
def test_what_goes_on_about_somebody_else_is_not_told_of_the_user(said: str) -> None:
    assert not [told for told in _tell(said) if told.startswith("The user")]
    assert _tell("just bought a house in Cork")


_MUM = "The user's mum "


@pytest.mark.parametrize(
    ("said", "beside"),
    [
        ("had a stroke on Sunday", "my mum is in hospital"),
        ("allergic to nuts too", "My daughter is vegan"),
        ("can't swim", "my son is 5"),
        ("died of lung cancer in 1990", "dad was a miner"),
        ("broke her hip in May", "Priya's in hospital"),
        ("have a dog", "my parents live in Leeds"),
        ("vegan since October", "my wife cooks"),
        ("cat person", "my sister lives in Cork"),
    ],
)
def test_what_goes_on_about_a_relative_is_not_told_of_the_user(
    said: str, beside: str
) -> None:
    assert not [told for told in _tell(said, beside=(beside,)) if "The user " in told]


@pytest.mark.parametrize(
    ("said", "beside"),
    [
        ("love him to bits", "my son is 5"),
        ("had a new hip in May", "my knee is bad"),
        ("sold the barge", "my wife and I are broke"),
        ("sold the barge", "it's raining"),
    ],
)
def test_what_only_the_user_can_mean_is_theirs(said: str, beside: str) -> None:
    assert _tell(said, beside=(beside,))[0].startswith("The user ")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("No, I do", "Does your husband cook?"),
        ("No, I am", "Is your husband vegan too?"),
        ("No, I have", "Has your wife got a car?"),
    ],
)
def test_a_bare_auxiliary_takes_no_noun_of_the_question(said: str, asked: str) -> None:
    assert not [one for one in _tell(said, asked=asked) if "their " in one]


def test_a_noun_with_only_is_no_deed() -> None:
    assert "The user fishes only" not in _tell("Fish only", asked="Do you eat meat?")


def _word(said: str, beside: str = "", asked: str = "") -> str:
    heard = (asked,) if asked else ()
    return render_english((said,), (beside,) if beside else (), heard, asked).text


@pytest.mark.parametrize(
    ("said", "beside", "told"),
    [
        ("Living with my brother now", "My wife left me.", "is living with their"),
        ("Handed in my notice", "My boss shouted at me.", "handed in their notice"),
        ("Taking her to Bath", "My sister's visiting.", "is taking her to Bath"),
        ("Had an accident", "Went to Spain with my mum.", "had an accident"),
        ("Trying to eat less meat", "My girlfriend is vegan.", 'said: "Trying to'),
        ("Feel lonely", "My kids left home.", 'said: "Feel lonely"'),
        ("Had a stroke in May", "My mum is in hospital.", 'said: "Had a stroke'),
        ("broke her hip in May", "Priya's in hospital.", 'said: "broke her hip'),
    ],
)
def test_what_is_left_open_beside_somebody_else_is_quoted(
    said: str, beside: str, told: str
) -> None:
    assert _word(said, beside).startswith(f"The user {told}")


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        ("Taking time off work", "Sorry to hear about your dad.", "mentioned taking"),
        (
            "Getting a puppy in May",
            "Sorry to hear about your dog.",
            "mentioned getting",
        ),
        ("Going to see her in May", "Your sister sounds lovely!", "is going to see"),
        ("Got her flowers as well", "Did your mum like it?", "has got her flowers"),
        ("Had a stroke in May", "And your mum?", "'s mum had a stroke in May"),
    ],
)
def test_only_a_question_passes_on_whom_it_is_about(
    said: str, asked: str, told: str
) -> None:
    assert _word(said, asked=asked).startswith(
        f"The user{told}" if told[0] == "'" else f"The user {told}"
    )


@pytest.mark.parametrize(
    ("said", "asked", "before", "told"),
    [
        ("died in 2010", "And your husband?", "", ("The user's husband died in 2010",)),
        ("had a stroke", "How's your mum?", "", (f"{_MUM}had a stroke",)),
        ("born in Cork", "Tell me about your mum.", "", (f"{_MUM}was born in Cork",)),
        (
            "fell down the stairs and broke her hip",
            "Oh no, what happened?",
            "my mum's in hospital",
            (f"{_MUM}fell down the stairs and broke her hip",),
        ),
        ("fell in May", "I'm sorry!", "my mum's ill", ()),
        ("had a fall in May", "Any news?", "book a table for my mum", ()),
        ("lost my job in May", "How's your mum?", "", ()),
        ("fell in May", "How is Priya?", "", ()),
        ("fell in May", "Oh?", "I hurt my knee", ("The user fell in May",)),
        ("died in 2010", "Do you see your mum?", "", ()),
        ("going part-time", "How did the talk with your boss go?", "", ()),
        ("moved in May", "Lovely, Priya!", "", ("The user moved in May",)),
        ("moved in May", "Do you see your mum?", "", ("The user moved in May",)),
    ],
)  # fmt: skip
def test_an_answer_without_a_subject_is_of_whom_it_was_asked(
    said: str, asked: str, before: str, told: tuple[str, ...]
) -> None:
    earlier = (before,) if before else ()
    assert _tell(said, asked=asked, before=earlier) == told
    if not told:
        heard = (asked, *earlier)
        assert not render_english((said,), (), heard, asked).text.startswith(
            ("The user lost", "The user fell", "The user died")
        )


def test_a_band_that_broke_up_leaves_its_user_nobody() -> None:
    told = select_statements("we broke up", (), (), "How's the band?", strict=False)
    assert told in {(), ("The user says they broke up",)}


def test_a_pronoun_that_may_mean_two_is_left_open() -> None:
    said = ("my sister Ann met my aunt Bea",)
    assert _tell("she teaches Latin", before=said) == ()
    assert _tell("she teaches Latin", before=said[:0]) == ()


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("she is 5", "My sister and her daughter live with me"),
        ("he is ill", "My brother has moved in with his dad"),
        ("she is 90", "My mum lives with her sister"),
    ],
)
def test_a_pronoun_that_may_mean_a_relatives_relative_is_left_open(
    said: str, before: str
) -> None:
    assert _tell(said, before=(before,)) == ()
    assert render_english((said,), (), (before,)).text.startswith("The user says")


def test_what_a_relative_has_leaves_a_pronoun_clear() -> None:
    told = _tell("she is 90", before=("My mum likes her garden",))
    assert told == ("The user's mum is 90",)


def test_a_name_that_may_be_of_two_is_nobodys() -> None:
    assert _tell("name is Pepper", beside=("we have a cat and a dog",)) == ()
    assert _tell("we got a robot vacuum, name's Dusty") == (
        "The user got a robot vacuum",
    )


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


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Mum rang dad about May", "The user's mum rang the user's dad about May"),
        ("We're getting married in Oslo", "The user is getting married in Oslo"),
        ("they put me on tablets in May", "The user was put on tablets in May"),
        ("she's a potter, my aunt", "The user's aunt is a potter"),
        ("that's why I sold the barge", "The user sold the barge"),
        ("I keep ducks, six of them", "The user keeps ducks, six of them"),
        ("I mend clocks in the shed", "The user mends clocks in the shed"),
        (
            "When I nap, dim the lamps",
            "The user wants the assistant to dim the lamps when the user naps",
        ),
        ("Short tales please", "The user wants short tales"),
        ("My roommate Wim snores", "The user's roommate Wim snores"),
        ("My crew's remote", "The user's crew is remote"),
        ("we're all potters", "The user is a potter"),
        ("I bought a kiln and keep it", "The user bought a kiln and keeps it"),
        (
            "don't embroider the facts for me",
            "The user wants the assistant not to embroider the facts for them",
        ),
        ("Wednesday is my day off", "Wednesday is the user's day off"),
        (
            "No tunes when I'm asleep",
            "The user wants no tunes when the user is asleep",
        ),
        (
            "City shut the lock so Fridays we're at the mill",
            "Fridays the user is at the mill",
        ),
        ("so no tunes at noon please", "The user wants no tunes at noon"),
    ],
)  # fmt: skip
def test_the_parts_of_a_clause_are_told_where_they_belong(said: str, told: str) -> None:
    assert _tell(said) == (told,)


@pytest.mark.parametrize(
    "said", ["Thanks mum", "Mum, call Wim", "a mum from Oslo rang", "I'm mum to two"]
)
def test_who_is_spoken_to_or_spoken_of_is_not_claimed_as_kin(said: str) -> None:
    assert claim_kin(said) == said


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Where did you grow up?", "Oslo, by the lock", "grew up in Oslo, by the lock"),
        ("Do you play any games?", "Chess on Mondays", "plays chess on Mondays"),
        ("Anything you don't eat?", "Squid and eels", "does not eat squid and eels"),
        ("Do you smoke, Mr. Wim?", "I used to.", "used to smoke"),
        ("Do you row?", "Not since the fall", "does not row, not since the fall"),
        ("What do you have for lunch?", "Plain rice", "has plain rice for lunch"),
        ("Who do you report to?", "Wim Bakker, he's in Oslo", "reports to Wim Bakker"),
        ("What do you fear?", "Falling on ice", "fears falling on ice"),
        ("Any allergies I should know of?", "Latex", "has allergies: latex"),
        ("When did you move?", "2016, by train", "moved in 2016, by train"),
    ],
)  # fmt: skip
def test_an_answer_is_told_in_the_place_of_its_question(
    asked: str, said: str, told: str
) -> None:
    assert _tell(said, asked=asked)[0] == f"The user {told}"


@pytest.mark.parametrize(
    ("asked", "said", "meant"),
    [
        ("Do you smoke?", "quit in january", "I quit in January"),
        ("Where do you keep it?", "don't trust banks", "I don't trust banks"),
        ("What do you do at noon?", "walk to the lock", "I walk to the lock"),
        ("Do you smoke?", "don't ask me that", "don't ask me that"),
        ("Have you eaten?", "set a timer for ten", "set a timer for ten"),
        ("How would you like answers?", "trim them a bit", "trim them a bit"),
        ("Shall I order? Do you eat fish?", "grill two of them please", ""),
        ("How long should I wait?", "quit in january", "quit in january"),
        ("The lamp is on.", "walk to the lock", "walk to the lock"),
        ("Do you row?", "Not since the fall", "Not since the fall"),
        ("Do you row?", "", ""),
    ],
)
def test_an_answer_about_the_user_is_no_order(
    asked: str, said: str, meant: str
) -> None:
    assert restore_subject(said, asked) == (meant or said)


def test_what_is_not_strict_still_names_what_is_meant() -> None:
    said = ("I met my aunt Bea",)
    order = "remind her at noon"
    assert _tell(order, before=said) == ()
    assert select_statements(order, [], said, strict=False) == (
        "The user wants the assistant to remind their aunt Bea at noon",
    )


@given(st.text(max_size=120))
def test_kin_is_claimed_once(said: str) -> None:
    assert claim_kin(claim_kin(said)) == claim_kin(said)


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Does your dad smoke?", "used to", "my dad used to smoke"),
        ("Is your dad diabetic?", "used to", "my dad used to be diabetic"),
        ("Does your dad smoke?", "I used to", "I used to smoke"),
        ("Does your wife drive?", "I do", "I drive"),
        ("Is your husband diabetic?", "I am", "I am diabetic"),
        ("Do you drive?", "I do", "I drive"),
        ("Does your wife drive?", "yes", "my wife drives"),
        ("Does your wife drive?", "No, I don't", None),
        ("Does your husband cook?", "No, I do", "my husband doesn't cook"),
        ("Has your wife got a car?", "No, I have", "my wife has not got a car"),
        ("Does your husband cook?", "Yes, but I don't.", "my husband cooks"),
        ("Does your husband cook?", "Yes, I do", None),
    ],
)
def test_a_short_answer_is_of_whom_it_says(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you smoke?", "gave up last year", None),
        ("Do you smoke?", "in 2010", None),
        ("Do you smoke?", "until last year", None),
        ("Do you live with your family?", "Just me", None),
        ("Do you still work?", "retired", None),
        ("Do you play an instrument?", "Piano", "I play piano"),
        ("Do you drink alcohol?", "Wine", "I drink wine"),
        ("Do you eat meat?", "Only chicken", "I eat only chicken"),
        ("Do you eat meat?", "Fish only", "I eat fish only"),
        ("Do you eat meat?", "Vegetarian", None),
        ("Do you eat meat?", "Vegan", None),
        ("Do you eat pork?", "Muslim", None),
        ("Do you eat meat?", "Yesterday", None),
        ("Do you smoke?", "In the past", None),
        ("Does your son live alone?", "Just me", None),
        ("Do you wear glasses?", "For reading", "I wear glasses for reading"),
        ("Does your wife work?", "At Tesco", "my wife works at Tesco"),
        ("Does your wife work?", "Part time", "my wife works part time"),
        ("Does your mum live nearby?", "In Leeds", "my mum lives in Leeds"),
        ("Are you pregnant?", "12 weeks", "I am pregnant, 12 weeks"),
        ("Do you live alone?", "Just me", "I live alone"),
        ("Do you work in an office?", "From home", "I work from home"),
        ("Do you smoke?", "at times", "I smoke, at times"),
        ("Do you live in Cork?", "Oslo", None),
        ("Do you live in Cork?", "near it", None),
        ("Do you like dogs?", "cats", None),
        ("Do you have a dog?", "cat", None),
        ("Do you go on Mondays?", "Tuesdays", None),
        ("Do you live alone?", "with my wife", "I live with my wife"),
        ("Do you live with your family?", "with my wife", "I live with my wife"),
        ("Do you work in Cork?", "in Oslo", "I work in Oslo"),
        ("Are you from Cork?", "Oslo", "I am from Oslo"),
        ("Are you married?", "widowed", "I am widowed"),
        ("Do you work from home?", "Tuesdays", "I work from home, Tuesdays"),
        ("Do you climb?", "twice a week", "I climb, twice a week"),
        ("Do you smoke?", "10 a day", "I smoke, 10 a day"),
        ("Do you live in Cork?", "since 2010", "I live in Cork, since 2010"),
        ("Do you have a dog?", "Rex", "I have a dog: Rex"),
        ("Do you row on Mondays?", "every week", "I row on Mondays, every week"),
        ("Do you know what is next?", "pills, twice a day", None),
        (
            "Does your aunt live with you?",
            "Since her stroke, yes",
            "my aunt lives with me, since her stroke",
        ),
        ("Anything you'd rather I didn't say?", "cats", None),
    ],
)
def test_a_few_words_affirm_only_what_they_go_with(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Does your best friend ski?", "no", "my best friend doesn't ski"),
        ("Is your new flat warm?", "yes", "my new flat is warm"),
        ("Is your flat warm?", "yes", "my flat is warm"),
        ("Is your left knee sore?", "no", "my left knee is not sore"),
        ("Does your older sister ski?", "yes", "my older sister skis"),
        ("Is your mother tired?", "yes", "my mother is tired"),
    ],
)
def test_a_subject_goes_up_to_its_noun(asked: str, said: str, told: str) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("What do you do for work?", "retired", "I am retired"),
        ("What do you do for work?", "nothing", None),
        ("What do you do for work?", "gave up in May", None),
        ("What do you do for work?", "work in a shop", "I work in a shop"),
        ("What do you do for work?", "in a shop", "I work in a shop"),
        ("What do you do for work?", "nurse", "I work as a nurse"),
        ("What do you do for work?", "sales", "I work in sales"),
        ("What do you do for work?", "teaching", "I work in teaching"),
        ("What does your son do?", "works in a shop", "my son works in a shop"),
        ("What does your son do?", "engineer", "my son works as an engineer"),
        ("How old is your son?", "8 on Friday", "my son is 8 years old on Friday"),
        ("How old is your son?", "nearly nine", "my son is nearly nine years old"),
        ("How old is your son?", "6 months", "my son is 6 months"),
        ("How's your mum?", "died last year", None),
        ("How's your mum?", "tired", "my mum is tired"),
    ],
)  # fmt: skip
def test_a_value_is_told_in_words_that_fit_it(
    asked: str, said: str, told: str | None
) -> None:
    assert render_english_answer(asked, said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We are having twins", "The user is having twins"),
        ("we're getting chickens", "The user is getting chickens"),
        ("we are vegetarians", "The user is a vegetarian"),
        ("My mum and dad are divorced", "The user's mum and dad are divorced"),
        (
            "My son and his wife have a baby",
            "The user's son and his wife have a baby",
        ),
        ("my wife's lost weight", "The user's wife has lost weight"),
        ("my son's hurt his knee", "The user's son has hurt his knee"),
        ("my son's married", "The user's son is married"),
        ("my son's called Wim", "The user's son is called Wim"),
        ("the shop's closed Mondays", "The shop is closed Mondays"),
    ],
)
def test_a_verb_fits_how_many_there_are_and_what_is_behind_it(
    said: str, told: str
) -> None:
    assert _tell(said) == (told,)


@pytest.mark.parametrize(
    ("said", "before", "told"),
    [
        ("we don't speak", "I have a brother", "and their brother don't speak"),
        (
            "we don't get on",
            "My husband Wim is back",
            "and their husband Wim don't get on",
        ),
        ("we live together", "How is your mum?", "and their mum live together"),
        ("we keep ducks", "I have a brother", "keeps ducks"),
        ("we speak Polish", "I have a brother", "speaks Polish"),
        ("we talk to the nurse", "I have a brother", "talks to the nurse"),
    ],
)
def test_what_two_do_is_told_of_both(said: str, before: str, told: str) -> None:
    assert _tell(said, before=(before,)) == (f"The user {told}",)


@pytest.mark.parametrize(
    ("said", "before", "told"),
    [
        ("We split up when he was two", "I have a son", ""),
        ("we broke up", "My girlfriend's mum is ill", ""),
        ("We met in 2010", "My brother introduced us", ""),
        ("we broke up in May", "I have a girlfriend", "and their girlfriend broke up"),
        ("We met in 2010", "I have a friend", "and their friend met in 2010"),
    ],
)
def test_only_partners_part(said: str, before: str, told: str) -> None:
    found = _tell(said, before=(before,))
    expected = f"The user {told}" if told else "The user says they "
    assert all(one.startswith(expected) for one in found)
    assert found or not told


@pytest.mark.parametrize(
    "said", ["we don't speak", "we don't live together", "we met in 1990", "we argue"]
)
def test_what_two_do_is_not_told_of_the_user_alone(said: str) -> None:
    assert _tell(said) == ()
    assert _tell(said, before=("my mum met my dad",)) == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "I live in a village where you can't get a bus",
            "The user lives in a village where you cannot get a bus",
        ),
        ("my wife says you are rude", "The user's wife says the assistant is rude"),
        ("I know you can't hear", "The user knows the assistant cannot hear"),
        ("I cut my own hair", "The user cuts their own hair"),
        ("I put the bins out on Mondays", "The user puts the bins out on Mondays"),
        ("I cut my hair yesterday", "The user cut their hair yesterday"),
        ("I cut my finger", "The user cut their finger"),
        ("I quit smoking", "The user quit smoking"),
        ("I feed the birds every day", "The user feeds the birds every day"),
        ("I fit kitchens for a living", "The user fits kitchens for a living"),
        ("I read a book last week", "The user read a book last week"),
        ("I read a lot", "The user reads a lot"),
    ],
)
def test_a_verb_agrees_with_whom_it_is_told_of(said: str, told: str) -> None:
    assert _tell(said) == (told,)
