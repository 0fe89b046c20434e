"""Other wordings of one fact become one memory; facts that differ stay two."""

import json
from collections import Counter
from collections.abc import Mapping

import pytest

from gieok.memories.duplicate import SAME_FACT_COSINE, is_same_fact
from gieok.memories.model import Embedding
from gieok.models.e5 import NAME, E5Embedder
from gieok.models.rules.changes.contrast import Contrast
from gieok.models.rules.weights import load_judge_weights
from gieok.text.kiwi import get_shared_morphology
from support.paths import CORPORA

PAIRS = CORPORA / "same" / "pairs.jsonl"
Group = tuple[str, bool, bool]
"""Language, whether both say the same, and whether the rule was made without them."""


@pytest.fixture(scope="module")
def contrast() -> Contrast:
    return Contrast(get_shared_morphology(), load_judge_weights().slots)


async def merged(contrast: Contrast) -> tuple[Mapping[Group, int], Mapping[Group, int]]:
    """Return how many pairs there are, and how many of them become one."""
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    embedder = E5Embedder()
    ones = await embedder.passages([row["one"] for row in rows])
    others = await embedder.passages([row["other"] for row in rows])
    pairs: Counter[Group] = Counter()
    become_one: Counter[Group] = Counter()
    for row, one, other in zip(rows, ones, others, strict=True):
        group = (row["lang"], row["same"], row["held_out"])
        pairs[group] += 1
        become_one[group] += is_same_fact(
            (row["one"], row["other"]),
            (Embedding(NAME, one), Embedding(NAME, other)),
            contrast,
        )
    return pairs, become_one


@pytest.mark.req("D06")
async def test_wordings_of_one_fact_become_one_and_other_facts_do_not(
    contrast: Contrast,
) -> None:
    pairs, become_one = await merged(contrast)
    assert sum(pairs[group] for group in pairs if not group[2]) == 120
    same = {group: 1 - become_one[group] / pairs[group] for group in pairs if group[1]}
    other = {group: become_one[group] / pairs[group] for group in pairs if not group[1]}
    assert max(same.values()) <= 0.2, "wordings that stay two"
    assert other["ko", False, False] <= 0.07
    assert other["en", False, False] <= 0.07
    assert other["ko", False, True] <= 0.14
    assert other["en", False, True] <= 0.27


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("사용자는 강남구에 산다", "사용자의 집이 강남이다", True),
        ("사용자는 강남구 산다", "사용자는 강남구에 살고 있다", True),
        ("사용자의 아들은 일곱 살이다", "사용자의 딸은 일곱 살이다", False),
        ("사용자는 월요일에 수영한다", "사용자는 화요일에 수영한다", False),
        ("사용자는 수영한다", "사용자는 화요일에 수영한다", False),
        ("사용자는 강남구에 산다", "사용자는 강남구에서 일한다", False),
        ("사용자는 빨간 차를 탄다", "사용자는 파란 차를 탄다", False),
        ("User likes black tea", "User loves black tea", True),
        ("User lives in Leeds", "User works in Leeds", False),
        ("강아지 복실이는 열 살이다", "강아지 복실이는 열한 살이다", False),
        ("The user's dog is ten", "The user's dog is eleven", False),
    ],
)
async def test_what_stands_against_what_tells_facts_apart(
    contrast: Contrast, one: str, other: str, *, same: bool
) -> None:
    vectors = await E5Embedder().passages([one, other])
    first, second = (Embedding(NAME, vector) for vector in vectors)
    assert is_same_fact((one, other), (first, second), contrast) is same
    assert is_same_fact((other, one), (second, first), contrast) is same


@pytest.mark.req("D06")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The user has had type 2 diabetes since 2011 and takes metformin",
            "The user's wife has had type 2 diabetes since 2011 and takes metformin",
        ),
        (
            "The user goes to physiotherapy at St James's every second Tuesday",
            "The user's dad goes to physiotherapy at St James's every second Tuesday",
        ),
        (
            "The user's friend Sam volunteers at the food bank on Thursday evenings",
            "The user's friend Tom volunteers at the food bank on Thursday evenings",
        ),
        ("사용자는 담배를 피운다", "사용자의 아버지는 담배를 피운다"),
    ],
)
async def test_what_is_so_of_somebody_else_is_another_fact(
    contrast: Contrast, one: str, other: str
) -> None:
    rows = await E5Embedder().passages([one, other])
    assert rows[0] @ rows[1] > SAME_FACT_COSINE
    vectors = (Embedding(NAME, rows[0]), Embedding(NAME, rows[1]))
    assert not is_same_fact((one, other), vectors, contrast)
