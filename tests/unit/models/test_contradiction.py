"""A new memory says otherwise than the one of its subject and slot, and no other."""

import numpy as np
import pytest

from gieok.models.e5 import E5Embedder
from gieok.models.rules.contradiction import ContradictionModel
from gieok.models.rules.weights import (
    load_contradiction_weights,
    load_judge_weights,
)
from gieok.text.kiwi import get_shared_morphology

KO = [
    "사용자는 강남구에 산다",
    "사용자는 은행에서 일한다",
    "사용자는 땅콩 알레르기가 있다",
    "사용자의 딸 서아는 다섯 살이다",
    "사용자는 홍차를 좋아한다",
]
EN = [
    "User lives in Leeds",
    "User works as a nurse",
    "User is allergic to peanuts",
    "User's daughter Freya is five",
    "User likes black tea",
]


async def contradicted(text: str, known: list[str]) -> list[str]:
    rows = await E5Embedder().passages([text, *known])
    model = ContradictionModel(
        get_shared_morphology(),
        load_judge_weights().slots,
        load_contradiction_weights(),
    )
    return [known[place] for place in model((text, rows[0]), known, rows[1:])]


@pytest.mark.parametrize(
    ("text", "known", "other"),
    [
        ("사용자는 부산 해운대구에 산다", KO, KO[0]),
        ("User lives in York", EN, EN[0]),
    ],
)
async def test_another_home_contradicts_the_one_that_is_known(
    text: str, known: list[str], other: str
) -> None:
    assert await contradicted(text, known) == [other]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("사용자는 첼로를 배운다", KO),
        ("사용자의 아들 도윤은 일곱 살이다", KO),
        ("사용자는 복숭아 알레르기가 있다", KO),
        ("User plays the cello", EN),
        ("User's son Tom is seven", EN),
        ("User is allergic to bees", EN),
        ("User likes black coffee", EN),
    ],
)
async def test_what_stands_beside_contradicts_nothing(
    text: str, known: list[str]
) -> None:
    assert await contradicted(text, known) == []


async def test_where_nothing_is_known_nothing_is_contradicted() -> None:
    (row,) = await E5Embedder().passages([EN[0]])
    model = ContradictionModel(
        get_shared_morphology(),
        load_judge_weights().slots,
        load_contradiction_weights(),
    )
    assert model((EN[0], row), [], np.zeros((0, len(row)), np.float32)) == []
