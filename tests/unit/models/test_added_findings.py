"""Each thing said is as sure as the clause that says it."""

from datetime import date

import numpy as np

from gieok.kernel.language import Category, Finding, Role, Utterance
from gieok.models.rules.added_findings import build_added_findings
from gieok.models.rules.assessment import ClauseAssessment, MeasuredConversation
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.intent import INTENTS
from gieok.models.rules.reference import create_empty_references
from gieok.text.kiwi import get_shared_morphology

LEAST = -2.0


def find(said: str, *worth: float) -> list[Finding]:
    """Return what is new in a message whose clauses belong together."""
    candidates = collect_candidates(
        [Utterance(0, Role.USER, said)], get_shared_morphology()
    )
    assert len(candidates) == len(worth)
    count = len(worth)
    empty = np.zeros((count, 1), np.float32)
    material = MeasuredConversation(
        ClauseEvidence(candidates, empty, empty), (), None, date(2026, 11, 27)
    )
    assessed = ClauseAssessment(
        worth=np.array(worth),
        intents=np.zeros((count, len(INTENTS))),
        references=create_empty_references(count),
        same={},
        kinds=(Category.CONTEXT,) * count,
    )
    group = [tuple(range(count))]
    return [
        each.finding for each in build_added_findings(material, assessed, group, LEAST)
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
