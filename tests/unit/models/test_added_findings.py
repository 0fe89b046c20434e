"""Each thing said is as sure as the clause that says it."""

from datetime import date

import numpy as np
import pytest

from gieok.kernel.language import Category, Finding, Role, Utterance
from gieok.models.rules.added_findings import build_added_findings
from gieok.models.rules.assessment import ClauseAssessment, MeasuredConversation
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.intent import INTENTS
from gieok.models.rules.reference import create_empty_references
from gieok.text.kiwi import get_shared_morphology

LEAST, IDLE = -2.0, -9.0
PADDING = [
    Utterance(-number, Role.USER, f"What is the capital of country number {number}?")
    for number in range(4, 0, -1)
]
"""So much is asked before that the talk is not terse."""


def find(said: str, *worth: float, asked: str = "") -> list[Finding]:
    """Return what is new in a message whose clauses belong together."""
    before = [Utterance(0, Role.ASSISTANT, asked)] if asked else []
    talk = [*PADDING, *before, Utterance(9, Role.USER, said)]
    candidates = collect_candidates(talk, get_shared_morphology())
    own = [n for n, each in enumerate(candidates) if each.turn.text == said]
    assert len(own) == len(worth)
    count = len(candidates)
    empty = np.zeros((count, 1), np.float32)
    material = MeasuredConversation(
        ClauseEvidence(candidates, empty, empty), (), None, date(2026, 11, 27)
    )
    assessed = ClauseAssessment(
        worth=np.array([IDLE] * (count - len(own)) + [*worth]),
        intents=np.zeros((count, len(INTENTS))),
        references=create_empty_references(count),
        same={},
        kinds=(Category.CONTEXT,) * count,
    )
    return [
        each.finding for each in build_added_findings(material, assessed, [own], LEAST)
    ]


def test_chatter_beside_a_fact_is_as_unsure_as_it_is_by_itself() -> None:
    fact, chatter = find("I keep two goats. I watched the rain.", 2.5, -1.5)
    assert fact.content == "The user keeps two goats"
    assert fact.confidence > 0.9
    assert chatter.confidence < fact.confidence
    [alone] = find("I keep two goats.", 2.5)
    assert alone.confidence == fact.confidence


def test_what_is_told_instead_of_the_surest_clause_is_as_sure_as_their_group() -> None:
    """Where it tells nothing by itself, what stands beside it is told for both."""
    [told] = find("That is why. I keep two goats.", 2.5, LEAST - 0.5)
    [alone] = find("I keep two goats.", 2.5)
    assert told.content == "The user keeps two goats"
    assert told.confidence == alone.confidence


@pytest.mark.req("D05")
def test_a_fragment_is_quoted_with_what_it_answers() -> None:
    asked = "What's it called?"
    [told] = find("gordon", -0.5, asked=asked)
    assert told.content == "Asked ‘What's it called?’, the user said: “gordon”"
    assert not find("gordon", -1.5, asked=asked)
    [told] = find("my sister, forty, two kids", -0.5)
    assert told.content == "The user said: “my sister, forty, two kids”"


def test_nothing_private_and_no_wish_to_forget_is_quoted() -> None:
    assert not find("the pin, four nine two one", -0.5)
    assert not find("forget the dog, the old one", -0.5, -0.5)
