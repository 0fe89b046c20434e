"""What turns a question to the memories that a good answer needs."""

import numpy as np
import pytest

from gieok.kernel.language import Vectors
from gieok.models.e5 import DIMENSION, E5Embedder
from gieok.models.query_adapter import QueryAdapter, load_query_adapter

KNOWN = {
    "en": (
        "The user does not drink alcohol",
        "The user said: “I've a fitting at 4 at the tailor, and the car is at Bo's”",
        "The user's sister Imke is a beekeeper in Leer",
        "The user gets seasick on anything smaller than a ferry",
        "The user has to be tighter. The new roof ate everything",
        "The user plays the cornet in the works band on Thursdays",
        "The user wants to be called Mats",
        "Nothing with walnuts obviously",
        "The user rents two rooms above a bakery and cannot have pets there",
    ),
    "ko": (
        "사용자는 술을 한 모금도 못 마신다",
        "사용자는 “네 시에 양복점에 들렀다가 차는 보람네에 두고 왔어요”라고 말했다",
        "사용자의 누나 은채는 곡성에서 벌을 친다",
        "사용자는 작은 배를 타면 멀미를 심하게 한다",
        "사용자는 지붕을 새로 얹느라 돈을 다 써서 아껴야 한다",
        "사용자는 목요일마다 회사 밴드에서 코넷을 분다",
        "사용자는 마츠라고 불리기를 바란다",
        "사용자는 호두가 든 건 절대 안 먹는다",
        "사용자는 빵집 위층에 세 들어 사는데 거기서는 동물을 못 기른다",
    ),
}
QUESTIONS = (
    ("en", "everyone's off to a cocktail thing saturday, what do i order", 0),
    ("en", "work trip to the vineyard, anything i should tell them first?", 0),
    ("en", "They booked a whale-watching tour for all of us. Should I go along?", 3),
    ("en", "somebody gave away kittens at the market, do i take one", 8),
    ("en", "brownies at the office again, safe for me?", 7),
    ("en", "what do I bring a person who keeps insects for her birthday", 2),
    ("ko", "회식 2차로 와인바 간다는데 나는 뭐 시키지", 0),
    ("ko", "낚시하러 바다로 나가자는데 따라가도 될까", 3),
    ("ko", "새끼 강아지를 준다는데 데려올까요", 8),
    ("ko", "사무실에 브라우니가 있는데 나 먹어도 되는 거야?", 7),
    ("ko", "Friends want to meet up on a weekday evening, which one is out?", 5),
    ("ko", "악기점에서 세일하는데 내가 살 만한 게 있을까", 5),
)


async def rank(vector: Vectors, language: str, needed: int) -> int:
    """Return how many memories come before the one that is needed."""
    scores = vector @ (await E5Embedder().passages(KNOWN[language])).T
    return int((scores > scores[needed]).sum())


@pytest.mark.req("D13")
async def test_a_situation_finds_the_memory_that_it_does_not_name() -> None:
    adapter = load_query_adapter()
    before: list[int] = []
    after: list[int] = []
    for language, question, needed in QUESTIONS:
        [vector] = await E5Embedder().queries([question])
        turned = adapter.compute_memory_vector(vector)
        before.append(await rank(vector, language, needed))
        after.append(await rank(turned, language, needed))
    assert 2 * sum(after) < sum(before)
    assert all(place <= plain for place, plain in zip(after, before, strict=True))


def test_what_is_shipped_fits_the_bundled_embedder() -> None:
    adapter = load_query_adapter()
    assert adapter.mean.shape == (DIMENSION,)
    assert adapter.weights.shape == (DIMENSION, DIMENSION)
    assert np.isfinite(adapter.weights).all()
    assert 0 < float(np.linalg.norm(adapter.mean)) < 1


def test_the_mean_is_taken_and_the_map_of_the_rest_is_added() -> None:
    adapter = QueryAdapter(
        np.array([1, 0], np.float32), np.array([[0, 2], [0, 0]], np.float32)
    )
    adapted = adapter.compute_memory_vector(np.array([3, 5], np.float32))
    assert adapted.tolist() == [2, 9]
