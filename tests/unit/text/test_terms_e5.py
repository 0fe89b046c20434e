"""The bundled embedder keeps the port's promises for any text."""

import numpy as np
import pytest

from gieok.kernel.language import Vectors
from gieok.models.e5 import DIMENSION, E5Embedder

EMBEDDER = E5Embedder()


@pytest.mark.req("D13")
@pytest.mark.parametrize(
    ("passages", "question"),
    [
        (["우리 집 고양이 이름은 두부야", "비가 많이 온다"], "What is my cat called?"),
        (
            ["My cat is called Dubu", "I bought a sailing boat"],
            "내 고양이 이름이 뭐지?",
        ),
        (["혈압약은 저녁에 먹어", "노래 교실은 월요일"], "약 먹는 시간이 언제였지?"),
    ],
)
async def test_a_question_is_nearest_to_its_answer_in_either_language(
    passages: list[str], question: str
) -> None:
    rows = await EMBEDDER.passages(passages)
    asked = await EMBEDDER.queries([question])
    assert (rows @ asked[0]).argmax() == 0


async def test_rows_are_unit_vectors_also_of_odd_texts() -> None:
    odd = ["", " ", "\x00", "a\x00b", "\ud800", "boat " * 20_000, "👍" * 10]
    rows = await EMBEDDER.passages(odd)
    assert rows.shape == (len(odd), EMBEDDER.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-4)


async def test_what_follows_a_nul_is_read_too() -> None:
    rows = await EMBEDDER.passages(["cat\x00boat", "cat boat", "cat"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


async def test_no_texts_give_no_rows() -> None:
    assert (await EMBEDDER.passages([])).shape == (0, DIMENSION)
    assert (await EMBEDDER.queries([])).shape == (0, DIMENSION)


async def test_asking_again_gives_the_same_vector() -> None:
    first, again = await EMBEDDER.queries(["배 이름?", "배 이름?"])
    np.testing.assert_array_equal(first, again)
    assert EMBEDDER.name == "multilingual-e5-small/q4"


async def test_only_the_latest_questions_are_remembered() -> None:
    calls: list[str] = []

    class Engine:
        def query(self, texts: list[str]) -> Vectors:
            calls.extend(texts)
            return np.ones((len(texts), DIMENSION), np.float32)

        passage = query

    embedder = E5Embedder(Engine)
    await embedder.queries([f"q{number}" for number in range(257)])
    await embedder.queries(["q256", "q1"])
    assert len(calls) == 257
    await embedder.queries(["q0"])
    assert calls[-1] == "q0"
