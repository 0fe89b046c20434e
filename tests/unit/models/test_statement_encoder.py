"""A clause is read amid its conversation, and what comes after it counts."""

from datetime import UTC, datetime

import numpy as np
import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.statement_encoder import render_clauses, split_odds
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 20, 0, tzinfo=UTC)


def talk(*said: str) -> tuple[Utterance, ...]:
    """Return messages of the user and the assistant in turn."""
    roles = (Role.USER, Role.ASSISTANT)
    return tuple(Utterance(n, roles[n % 2], text) for n, text in enumerate(said))


def render(*said: str) -> list[str]:
    messages = talk(*said)
    return render_clauses(
        collect_candidates(messages, get_shared_morphology()), messages
    )


@pytest.mark.req("D01")
def test_a_clause_is_read_with_what_was_said_before_and_after() -> None:
    read = render(
        "Let's play twenty questions.",
        "Great!",
        "You start.",
        "Who are you?",
        "I'm a retired pilot.",
        "Hm, let me guess.",
        "Take your time.",
    )
    place = next(n for n, text in enumerate(read) if text.startswith("I'm a"))
    assert read[place].split(" | ") == [
        "I'm a retired pilot.",
        "Who are you?",
        "< You start.",
        "<< Let's play twenty questions.",
        "> Hm, let me guess.",
        ">> Take your time.",
    ]


@pytest.mark.req("D01")
def test_a_message_alone_is_read_alone() -> None:
    assert render("I hate olives.") == ["I hate olives."]


@pytest.mark.req("D01")
def test_what_is_read_has_no_line_breaks_and_an_end() -> None:
    read = render("a\nb " * 500, "\n" * 9 + "y" * 9_000, "I hate\nolives.")
    assert all("\n" not in text for text in read)
    assert max(map(len, read)) < 1_000


@pytest.mark.req("D01")
def test_categories_are_probabilities_whatever_the_odds() -> None:
    odds = split_odds(np.array([[0.5, 800.0, -800.0, 0.0], [-2.0, 1.0, 1.0, 1.0]]))
    assert odds.lasting.tolist() == [0.5, -2.0]
    assert np.exp(odds.categories).sum(axis=1) == pytest.approx([1.0, 1.0])


@pytest.mark.req("D01")
@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("저 이번에 대기업 과장으로 이직했어요", "농담이에요 ㅋㅋ 방금 건 다 뻥이에요"),
        ("My daughter just started at Oxford.", "Just kidding, I made that up."),
    ],
)
async def test_what_is_taken_back_in_the_next_message_is_doubted(
    said: str, later: str
) -> None:
    model = RulesModel(E5Embedder(), get_shared_morphology())
    alone = await model.extract(Conversation(talk(said), (), AT))
    meant = await model.extract(
        Conversation(talk(said, "Oh, congratulations!", later), (), AT)
    )
    assert alone
    assert max((f.confidence for f in meant), default=0) < alone[0].confidence
