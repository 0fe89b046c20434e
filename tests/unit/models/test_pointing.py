"""Some wishes to forget name nothing; the same words may name what they mean."""

import numpy as np
import pytest

from gieok.kernel.language import Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules.candidates import collect_candidates
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.weights import load_pointing_model
from gieok.models.rules.wishes.pointing import SURELY_POINTS
from gieok.text.kiwi import get_shared_morphology


async def compute_chance(message: str) -> float:
    """Return how likely a message points, by its likeliest clause."""
    said = [Utterance(0, Role.USER, message)]
    candidates = collect_candidates(said, get_shared_morphology())
    contexts = [candidate.context for candidate in candidates]
    vectors = np.asarray(await E5Embedder().passages(contexts))
    evidence = ClauseEvidence(candidates, vectors, vectors)
    return float(load_pointing_model().compute_chances(evidence).max())


@pytest.mark.parametrize(
    "wish",
    [
        "that one's strictly off the record",
        "uh, act like you didn't read my last text",
        "Please don't put that down anywhere.",
        "방금 그건 어디에도 적어 두지 마세요",
        "에이 그 말은 못 들은 걸로 쳐",
        "아까 건 그냥 흘려 주라",
    ],
)
async def test_a_wish_that_names_nothing_points(wish: str) -> None:
    assert await compute_chance(wish) >= SURELY_POINTS


@pytest.mark.parametrize(
    "wish",
    [
        "my overdraft is strictly off the record",
        "act like I never brought up Gareth's surgery",
        "Please don't put down where my kids go to school.",
        "제가 이혼한 건 어디에도 적어 두지 마세요",
        "빚 얘기는 못 들은 걸로 쳐",
        "I owe my sister two grand. Off the record, that.",
        "알람 지워 줘",
    ],
)
async def test_a_wish_that_names_what_it_means_does_not(wish: str) -> None:
    assert await compute_chance(wish) < SURELY_POINTS
