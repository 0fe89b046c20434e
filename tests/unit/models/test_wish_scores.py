"""What is read of a wish to forget, and how it is weighed."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from gieok.kernel.language import (
    Category,
    Conversation,
    Finding,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.reference import ItemReferences, create_empty_references
from gieok.models.rules.wishes.certainty import LIKELY_WISH, UNSHARED, WORTH_ASKING
from gieok.models.rules.wishes.scores import (
    MAX_NAMED,
    MAX_SAID,
    MAX_WISHES,
    WishReading,
    apply_targets,
    build_wish_features,
    render_wishes,
    weigh_wish,
)
from gieok.models.rules.wishes.targets import WishTargets
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 11, 27, tzinfo=UTC)
KNOWN = ("The user works at a bakery", "The user has a dog")


def read(
    *said: str,
    forget: float = 0.9,
    known: tuple[str, ...] = KNOWN,
    named: int | None = None,
) -> list[WishReading]:
    """Return what is read of the user's last message, of which each clause may be one.

    The later an item is known, the nearer it is to every clause.
    """
    messages = [
        Utterance(n, Role.ASSISTANT if text[:3] == "a: " else Role.USER, text)
        for n, text in enumerate(said)
    ]
    found = collect_candidates(messages, get_shared_morphology())
    last = [c.clause.message == len(said) - 1 for c in found]
    intents = np.zeros((len(found), len(INTENTS)))
    intents[last, INTENTS.index(Intent.FORGET)] = forget
    blank = create_empty_references(len(found))
    scores = np.tile(np.linspace(0.2, 0.8, len(known)), (len(found), 1))
    references = ItemReferences((1,) * len(found), scores, blank.about, blank.figures)
    wishes = {} if named is None else dict.fromkeys(range(len(found)), named)
    return render_wishes(
        found,
        [KnownMemory(text, text, Category.CONTEXT) for text in known],
        messages,
        intents,
        references,
        WishTargets(named=wishes),
    )


async def extract_turns(
    said: Sequence[str], known: Sequence[str]
) -> tuple[Finding, ...]:
    """Return what is found of messages in turn, with the shipped weights."""
    roles = (Role.USER, Role.ASSISTANT)
    talk = Conversation(
        tuple(Utterance(n, roles[n % 2], text) for n, text in enumerate(said)),
        tuple(KnownMemory(text, text, Category.CONTEXT) for text in known),
        AT,
    )
    return await RulesModel(E5Embedder(), get_shared_morphology()).extract(talk)


def test_of_a_long_reply_its_question_is_read() -> None:
    asked = f"a: {'Bread is lovely. ' * 20}What should I forget?"
    (one,) = read("I baked bread", asked, "please forget that I said that")
    assert all(text.endswith("What should I forget?") for text in one.texts)


def test_items_are_read_and_what_was_said_before_in_the_talk() -> None:
    (one,) = read("I baked bread", "a: Nice!", "please forget that I said that")
    assert one.items == (0, 1)
    assert [text.partition(" | ")[0] for text in one.texts] == [
        "works at a bakery",
        "has a dog",
        "I baked bread",
    ]
    wish = "please forget that I said that | < I baked bread | ? a: Nice!"
    assert all(text.endswith(wish) for text in one.texts)


def test_what_is_no_wish_is_not_read() -> None:
    assert read("please forget my dog", forget=LIKELY_WISH - 0.01) == []
    assert read("please forget my dog", known=()) == []


def test_of_very_much_the_nearest_and_what_is_named_are_read() -> None:
    known = tuple(f"The user likes colour {n}" for n in range(MAX_NAMED + 5))
    said = [f"It rained on day {n}" for n in range(MAX_SAID + 2)]
    (one,) = read(*said, "forget colour 2", known=known, named=2)
    assert one.items == (2, *range(5, MAX_NAMED + 5))
    assert [text.partition(" | ")[0] for text in one.texts] == [
        *(f"likes colour {n}" for n in one.items),
        *said[-MAX_SAID:],
    ]


def test_only_so_many_wishes_of_a_talk_are_read() -> None:
    wishes = " ".join(f"Forget colour {n}." for n in range(MAX_WISHES + 4))
    found = read(wishes)
    assert len(found) == MAX_WISHES
    assert [one.clause for one in found] == sorted(one.clause for one in found)


def test_a_wish_at_the_end_of_a_long_message_is_read() -> None:
    found = read("It rained on the way home. " * 12 + "Forget my dog.")
    assert "Forget my dog" in found[-1].texts[0]
    assert "Forget my dog" not in found[0].texts[0]


def test_the_words_of_a_wish_are_weighed_beside_what_is_read() -> None:
    reading = WishReading(4, (0, 1), ("", "", "said"))
    targets = WishTargets(
        named={4: 1}, unnamed={4: frozenset({0})}, others={4: frozenset({0})}
    )
    rows = build_wish_features(
        reading, np.array([-2.0, 3.0, 1.0]), np.array([0.2, 0.8]), 0.9, targets
    )
    assert rows[:, 0].tolist() == [-2.0, 3.0]
    assert rows[:, 2].tolist() == [-5.0, 5.0]  # ahead of the other
    assert rows[:, 4].tolist() == [-3.0, 2.0]  # ahead of what was just said
    assert rows[:, 5:8].tolist() == [[0, 1, 1], [1, 0, 0]]


def test_each_item_is_judged_by_itself_and_one_not_read_is_not_meant() -> None:
    reading = WishReading(0, (0, 2), ("", ""))
    width = build_wish_features(
        reading, np.zeros(2), np.zeros(3), 0.9, WishTargets()
    ).shape[1]
    weights = np.zeros((width, 1))
    weights[0] = 1.0
    model = LinearModel(np.zeros(width), np.ones(width), weights, np.zeros(1))
    meant = weigh_wish(
        reading, np.array([9.0, 8.0]), np.zeros(3), 0.9, WishTargets(), model
    )
    assert meant[0] > 0.99
    assert meant[1] == 0.0
    assert meant[2] > 0.99


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            (
                "I had a fight with my brother today",
                "I'm sorry to hear that.",
                "please forget that I said that",
            ),
            None,
        ),
        (
            ("오늘 동생이랑 심하게 싸웠어", "속상하셨겠어요.", "방금 한 말은 잊어 줘"),
            None,
        ),
        (("forget what I said about the wedding",), None),
        (("please forget that I have a dog",), "The user has a dog called Biscuit"),
        (("남편 직업 얘기는 지워 줘",), "사용자의 남편은 배관공이다"),
    ],
)
async def test_only_what_is_meant_is_erased_or_asked_about(
    said: tuple[str, ...], meant: str | None
) -> None:
    """With the shipped weights: the nearest memory is not meant for being nearest."""
    known = (
        "The user works at a bakery",
        "The user has a dog called Biscuit",
        "The user is allergic to shellfish",
        "사용자는 고등학교 교사이다",
        "사용자의 남편은 배관공이다",
        "사용자는 콩팥이 좋지 않다",
    )
    found = await extract_turns(said, known)
    ended = {one.target for one in found if one.operation is FindingOperation.DELETE}
    assert ended - {None} == ({meant} if meant else set())


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("내 몸무게 지워", "사용자는 관절염이 있다"),
        ("and forget that nonsense about my sister", "Ann moved her sister in"),
        ("forget that rubbish about my brother", "Marks brother is a pilot"),
        ("옆집 개 얘기는 기억하지 마", "사용자의 개 이름은 보리이다"),
        ("후배 동생 얘기는 없던 걸로 해줘", "사용자의 동생은 경찰이다"),
    ],
)
async def test_what_shares_nothing_with_a_wish_is_not_erased_at_once(
    said: str, known: str
) -> None:
    items = tuple(
        KnownMemory(text, text, Category.CONTEXT)
        for text in (known, "The user has a dog called Biscuit")
    )
    talk = Conversation((Utterance(0, Role.USER, said),), items, AT)
    found = await RulesModel(E5Embedder(), get_shared_morphology()).extract(talk)
    assert all(one.confidence < MIN_STATED_CONFIDENCE for one in found if one.target)


async def test_a_wish_about_what_was_just_said_asks_about_nothing_else() -> None:
    """Two memories without a word of it were asked about for weeks."""
    known = (
        "The user said: “negatives. always the negatives”",
        "The user said: “maya got 95, happy for her but ugh”",
    )
    said = (
        "she told everyone i like jordan. which i dont. well. i did",
        "That hurts.",
        "forget i said that",
    )
    found = await extract_turns(said, known)
    assert [one for one in found if one.operation is FindingOperation.DELETE]
    assert not [one.target for one in found if one.target]


async def test_a_wish_that_only_points_means_a_message_as_it_was_typed() -> None:
    """Read with its capitals and apostrophes it was not known again."""
    typed = "no. she told everyone i like jordan. which i dont. well. i did"
    said = (typed, "That hurts.", "forget i said that")
    found = await extract_turns(said, said[:2])
    sure = [one.target for one in found if one.confidence >= MIN_STATED_CONFIDENCE]
    assert [each for each in sure if each] == [typed]


def test_the_words_of_a_wish_settle_what_is_meant() -> None:
    meant = np.array([0.9, 0.5, 0.3])
    sure = WishTargets(
        shared={0: frozenset({1})},
        unnamed={0: frozenset({1})},
        sure={0: frozenset({2})},
    )
    assert apply_targets(meant, 0, sure).tolist() == [UNSHARED, 0.0, 1.0]
    assert apply_targets(meant, 1, sure).tolist() == meant.tolist()
    doubted = WishTargets(sure={0: frozenset({2})}, doubted={0: frozenset({0, 2})})
    assert apply_targets(meant, 0, doubted).tolist() == [UNSHARED, 0.5, UNSHARED]
    pointed = WishTargets(pointed={0: 1}, sure={0: frozenset({2})})
    assert apply_targets(meant, 0, pointed).tolist() == [0.0, 1.0, 0.0]
    everything = WishTargets(everything=frozenset({0}))
    assert apply_targets(meant, 0, everything).tolist() == [WORTH_ASKING] * 3
