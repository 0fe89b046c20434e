"""How the judges' opinions are weighed, and what a confidence follows from."""

from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.intent import INTENTS
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.message_context import select_messages
from gieok.models.rules.weights import load_judge_weights
from gieok.models.rules.worth import ClauseOpinions, build_worth_features
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 20, 0, tzinfo=timezone(timedelta(hours=9)))
SAID = ("저는 춘천에 살아요. 고양이를 두 마리 키워요", "it rains again, ha")
ODDS = st.floats(-8, 8)


def talk(*said: str) -> Conversation:
    messages = (Utterance(number, Role.USER, text) for number, text in enumerate(said))
    return Conversation(tuple(messages), (), AT)


def compute_worth(odds: float, session: float) -> np.ndarray:
    """Return what clauses are worth of which every judge says the same."""
    found = collect_candidates(select_messages(talk(*SAID)), get_shared_morphology())
    nothing = np.zeros((len(found), 384), np.float32)
    alike = np.full((len(found), len(INTENTS)), odds)
    one = alike[:, 0]
    judged = ClauseOpinions(alike, one, one, alike, one, session)
    rows = build_worth_features(ClauseEvidence(found, nothing, nothing), judged, 0)
    return load_judge_weights().worth.compute_logits(rows)[:, 0]


@settings(deadline=None)  # the first example loads the morphology
@given(ODDS, st.floats(0.5, 4), st.floats(-4, 4))
def test_the_surer_the_judges_the_more_a_clause_is_worth(
    odds: float, more: float, session: float
) -> None:
    assert (compute_worth(odds + more, session) > compute_worth(odds, session)).all()


def test_where_a_session_looks_idle_a_clause_has_to_be_surer() -> None:
    assert (compute_worth(0.5, -4.0) < compute_worth(0.5, 1.0)).all()


def test_what_stands_at_the_bar_can_be_in_use_and_fades_within_a_season() -> None:
    bar = float(compute_probability(np.array(load_judge_weights().thresholds["add"])))
    told = 0.45 + 0.5 * bar
    assert told > MIN_STATED_CONFIDENCE
    assert told * 0.95 ** (7 / 30) > MIN_STATED_CONFIDENCE, "not within a week"
    assert told * 0.95**6 < MIN_STATED_CONFIDENCE, "within half a year"


@pytest.mark.parametrize(
    "said",
    [
        "이건 꼭 기억해 줘, 금요일 회의는 서관에서 해",
        "please remember this: the spare key hangs behind the boiler",
    ],
)
async def test_what_was_to_be_remembered_is_told(said: str) -> None:
    model = RulesModel(E5Embedder(), get_shared_morphology())
    assert await model.extract(talk(said))
