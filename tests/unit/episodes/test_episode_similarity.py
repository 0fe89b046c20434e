"""Which summaries are about the same matter, on the half that set no bound."""

import pytest

from gieok.episodes.similarity import compare_summaries, embed_summaries
from gieok.models.e5 import E5Embedder
from support.paths import CORPORA

CORPUS = CORPORA / "matters.txt"
SAME = {"S", "O"}
"""In the same words, and in other words; pairs of kind W share a word only, D none."""


def held_out() -> list[tuple[str, str, str]]:
    """Return the pairs that the bound was not set on."""
    rows = [line.split("|") for line in CORPUS.read_text("utf-8").splitlines()]
    return [(kind, a, b) for half, kind, a, b in rows if half == "held"]


@pytest.mark.req("E07")
async def test_what_is_called_the_same_nearly_always_is() -> None:
    pairs = held_out()
    texts = [text for _, *both in pairs for text in both]
    rows = await embed_summaries(E5Embedder(), texts)
    called = [
        kind
        for number, (kind, _, _) in enumerate(pairs)
        if compare_summaries(rows[2 * number], rows[2 * number + 1 : 2 * number + 2])[0]
    ]
    right = sum(kind in SAME for kind in called)
    assert right >= 10, "not by calling nothing the same"
    assert right >= 0.9 * len(called)


@pytest.mark.req("E07")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("사용자는 다음주에 수술을 받는다.", "사용자는 다음주에 영화 보러 간다."),
        ("The user's mum is very ill.", "The user and the user's mum plan a trip."),
    ],
)
async def test_a_word_in_common_is_no_matter_in_common(one: str, other: str) -> None:
    rows = await embed_summaries(E5Embedder(), [one, other])
    assert compare_summaries(rows[0], rows[1:]) == [False]
