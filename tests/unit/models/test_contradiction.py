"""A new memory says otherwise than the one of its subject and slot, and no other."""

import numpy as np
import pytest

from gieok.kernel.language import SourcedMemory
from gieok.models.e5 import E5Embedder
from gieok.models.rules.contradiction import ContradictionModel
from gieok.models.rules.memory_pairs import read_memory_pairs, read_message_pairs
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


async def contradicted(text: str, known: list[str], message: str = "") -> list[str]:
    rows = await E5Embedder().passages([text, *known])
    model = load_model()
    return [
        known[place]
        for place in model(SourcedMemory(text, rows[0], message), known, rows[1:])
    ]


def load_model() -> ContradictionModel:
    return ContradictionModel(
        get_shared_morphology(),
        load_judge_weights().slots,
        load_contradiction_weights(),
        read_memory_pairs,
        read_message_pairs,
    )


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


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("사용자의 형은 담배를 피운다", "사용자는 담배를 끊었다"),
        ("The user's roommate is vegan", "The user is not vegan anymore"),
    ],
)
async def test_what_is_new_of_the_user_contradicts_nothing_of_others(
    known: str, text: str
) -> None:
    assert await contradicted(text, [known]) == []
    own = known.replace("사용자의 형은", "사용자는").replace("'s roommate", "")
    assert await contradicted(text, [own]) == [own]


async def test_where_nothing_is_known_nothing_is_contradicted() -> None:
    (row,) = await E5Embedder().passages([EN[0]])
    model = load_model()
    assert (
        model(SourcedMemory(EN[0], row), [], np.zeros((0, len(row)), np.float32)) == []
    )


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("The user plays tennis on Mondays", "The user plays golf on Mondays"),
        ("The user takes ramipril 2.5 mg", "The user takes atorvastatin 20 mg"),
        (
            "User's team leader is called Joost",
            "User's team leader Joost collects stamps",
        ),
        ("사용자는 혈압약을 먹는다", "사용자는 당뇨약을 먹는다"),
        ("사용자는 땅콩 알레르기가 있다", "사용자는 벌 알레르기가 있다"),
    ],
)
async def test_what_only_looks_alike_stands_beside_it(known: str, text: str) -> None:
    assert await contradicted(text, [known]) == []


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("The user plays tennis on Mondays", "Tennis is on Wednesdays now"),
        ("The user takes ramipril 2.5 mg", "The user takes ramipril 5 mg"),
        ("The user drives a VW Golf", "The Golf is gone, sold to a lad in Knowle"),
        ("사용자는 홍차를 좋아한다", "사용자는 이제 홍차를 안 마신다"),
        ("사용자는 은행에서 일한다", "사용자는 은행을 그만뒀다"),
        ("새벽 네 시 반 알람", "알람은 이제 여섯 시로 바뀌었다"),
    ],
)
async def test_what_says_otherwise_in_other_words_contradicts(
    known: str, text: str
) -> None:
    assert await contradicted(text, [known, "User has a sister", EN[2], KO[2]]) == [
        known
    ]


@pytest.mark.parametrize(
    ("known", "text", "over", "stays"),
    [
        (
            "The user does Pilates on Wednesdays",
            "The user goes to prenatal yoga on Saturdays",
            "I've stopped going to Pilates. It's prenatal yoga on Saturdays now",
            "I go to prenatal yoga on Saturdays, and Pilates as ever",
        ),
        (
            "The user drives a VW Golf",
            "The user cycles to work",
            "sold the Golf, I cycle to work now, no car any more",
            "I cycle to work on Mondays, the Golf stays in the garage then",
        ),
        (
            "사용자는 회사까지 지하철을 탄다",
            "사용자는 차로 출근한다",
            "이제 지하철 안 타요. 차 사서 차로 출근해요",
            "비 오는 날만 차로 출근하고 보통은 지하철 타요",
        ),
    ],
)
async def test_what_a_message_says_beside_the_new_memory_is_read(
    known: str, text: str, over: str, stays: str
) -> None:
    others = ["User has a sister", EN[2], KO[2]]
    assert await contradicted(text, [known, *others], over) == [known]
    assert await contradicted(text, [known, *others], stays) == []
    assert await contradicted(text, [known, *others]) == []
