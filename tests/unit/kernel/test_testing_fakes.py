"""The shipped fakes keep the contracts of the ports they stand for."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from gieok.kernel.clock import Clock
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.ids import NewId
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Embedder,
    Finding,
    FindingOperation,
    Model,
    Role,
    Tokenizer,
    Utterance,
)
from gieok.models.evidence import filter_findings
from gieok.testing import (
    CountingIds,
    FixedClock,
    HashEmbedder,
    ScriptedModel,
    WordTokenizer,
    babble,
)

TALK = Conversation(
    messages=(Utterance(0, Role.USER, "저는 부산에 살아요"),),
    known=(),
    at=datetime(2026, 1, 5, tzinfo=UTC),
)
FACT = Finding(
    operation=FindingOperation.ADD,
    content="사용자는 부산에 거주",
    category=Category.LOCATION,
    confidence=0.9,
    basis=Basis.STATED,
    evidence=(0,),
)

CLOCK: Clock = FixedClock()
NEW_ID: NewId = CountingIds()
MODEL: Model = ScriptedModel()
EMBEDDER: Embedder = HashEmbedder()
TOKENIZER: Tokenizer = WordTokenizer()


class OpenTransactionError(Exception):
    """A stand-in for what a guard raises while a transaction is open."""


def forbid() -> None:
    raise OpenTransactionError


async def test_scripted_answers_come_in_turn_and_then_nothing() -> None:
    model = ScriptedModel([[FACT], []])
    assert await model.extract(TALK) == (FACT,)
    assert await model.extract(TALK) == ()
    assert await model.extract(TALK) == ()


async def test_a_script_may_be_a_function_of_the_conversation() -> None:
    model = ScriptedModel(lambda talk: [FACT] * len(talk.messages), name="mine/2")
    assert await model.extract(TALK) == (FACT,)
    assert model.calls == [TALK]
    assert model.name == "mine/2"


async def test_a_scripted_model_fails_as_often_as_it_is_told() -> None:
    model = ScriptedModel([[FACT]], failures=2)
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            _ = await model.extract(TALK)
    assert await model.extract(TALK) == (FACT,)


async def test_an_exception_in_the_script_is_raised() -> None:
    model = ScriptedModel([ModelUnavailableError("m", "down"), [FACT]])
    with pytest.raises(ModelUnavailableError, match="down"):
        _ = await model.extract(TALK)
    assert await model.extract(TALK) == (FACT,)


async def test_what_a_model_babbles_is_not_admissible() -> None:
    findings = await ScriptedModel(babble).extract(TALK)
    assert len(findings) == 2
    assert filter_findings(findings, TALK) == ()


async def test_the_guard_stops_every_model_call() -> None:
    model, embedder = ScriptedModel(guard=forbid), HashEmbedder(guard=forbid)
    with pytest.raises(OpenTransactionError):
        _ = await model.extract(TALK)
    with pytest.raises(OpenTransactionError):
        _ = await embedder.queries(["a"])
    with pytest.raises(OpenTransactionError):
        _ = await embedder.passages(["a"])
    assert (model.calls, embedder.calls) == ([], 0)


async def test_hash_vectors_are_unit_rows_and_the_same_every_time() -> None:
    embedder = HashEmbedder(64)
    texts = ["부산에 살아요", "I live in Busan", "", "!!!", "\ud800 broken"]
    rows = await embedder.passages(texts)
    assert rows.shape == (5, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)
    assert np.array_equal(rows, await HashEmbedder(64).queries(texts))
    assert (await embedder.queries([])).shape == (0, 64)
    assert embedder.name == "hash/64"


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("사용자는 강아지를 키워요", "우리 강아지 이름은 초코", "주말마다 등산을 간다"),
        ("User bakes bread on Sunday", "the bread I bake", "a flight to Lisbon"),
    ],
)
async def test_texts_that_share_words_have_near_vectors(
    text: str, near: str, far: str
) -> None:
    rows = await HashEmbedder().passages([text, near, far])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


async def test_terms_that_cancel_out_still_give_a_unit_vector() -> None:
    rows = await HashEmbedder(1).passages([f"word{n} word{n + 1}" for n in range(20)])
    assert np.allclose(np.abs(rows), 1.0)


async def test_the_embedder_keeps_what_it_saw() -> None:
    embedder = HashEmbedder()
    _ = await embedder.passages(["a", "b"])
    _ = await embedder.queries(["c"])
    assert (embedder.calls, embedder.seen) == (2, ["a", "b", "c"])


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Hello, hello World", ("hello", "hello", "world")),
        ("강아지가 좋아", ("강아", "아지", "지가", "좋아")),
        ("눈 TV 3대", ("눈", "tv", "3", "대")),
        ("\u1100\u1161\u11bc아지", ("강아", "아지")),
        (" ?! ", ()),
    ],
)
def test_word_terms(text: str, terms: tuple[str, ...]) -> None:
    tokenizer = WordTokenizer()
    assert tokenizer.terms(text) == terms


def test_the_clock_stands_still_until_it_is_moved() -> None:
    clock = FixedClock()
    start = clock()
    assert clock() == start
    assert clock.advance(timedelta(days=3)) == start + timedelta(days=3)
    clock.set(datetime(2027, 1, 1, tzinfo=UTC))
    assert clock() == datetime(2027, 1, 1, tzinfo=UTC)


def test_the_clock_refuses_a_time_without_a_zone() -> None:
    naive = datetime(2027, 1, 1)  # noqa: DTZ001 - what is refused
    with pytest.raises(ValueError, match="zone"):
        _ = FixedClock(naive)
    with pytest.raises(ValueError, match="zone"):
        FixedClock().set(naive)


def test_ids_count_sort_and_do_not_meet() -> None:
    new_id = CountingIds()
    ids = [new_id() for _ in range(300)]
    assert ids == sorted(set(ids))
    assert ids[0] == CountingIds()()
    assert {made.version for made in ids} == {7}
    assert all(made == UUID(str(made)) for made in ids)
    assert CountingIds(space=1)() not in ids
