"""Words chosen clauses of a labelled session, whatever the judges would say of them."""

import hashlib
from collections.abc import Sequence

import numpy as np
from corpus import Dialogue

from gieok.kernel.language import Category
from gieok.models.rules.added_findings import build_added_findings
from gieok.models.rules.assessment import ClauseAssessment, MeasuredConversation
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.intent import INTENTS
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import create_empty_references

BAR = -0.9  # log-odds from which a clause is told, as shipped
PARTS = 3


def word_clauses(
    dialogue: Dialogue, groups: Sequence[Sequence[int]], worth: Numbers
) -> tuple[str, ...]:
    """Return the memories made of groups of clauses; `worth` is of every clause."""
    count = len(dialogue.candidates)
    empty = np.zeros((count, 1), dtype=np.float32)
    material = MeasuredConversation(
        ClauseEvidence(dialogue.candidates, empty, empty),
        (),
        None,
        dialogue.conversation.at.date(),
    )
    assessed = ClauseAssessment(
        worth=worth,
        intents=np.zeros((count, len(INTENTS))),
        references=create_empty_references(count),
        same={},
        kinds=(Category.CONTEXT,) * count,
    )
    found = build_added_findings(material, assessed, groups, BAR)
    return tuple(each.finding.content for each in found)


def is_held_out(text: str) -> bool:
    """Tell whether a text is of the third that nobody who writes rules looks at."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % PARTS == 0
