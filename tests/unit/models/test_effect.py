"""What a clause does to what is known: said for once, said again, said instead."""

from datetime import datetime, timedelta, timezone

import pytest

from gieok.kernel.language import (
    Category,
    Conversation,
    FindingOperation,
    KnownMemory,
    Role,
    Utterance,
)
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.candidates import ClauseCandidate, collect_candidates
from gieok.models.rules.plain_statements import (
    is_fleeting,
    is_plain_wish,
    is_repetition,
)
from gieok.text.kiwi import get_shared_morphology

AT = datetime(2026, 4, 7, 20, 0, tzinfo=timezone(timedelta(hours=9)))
KNOWN = (
    KnownMemory(
        "lamp", "사용자는 침실 등을 노란색으로 켜 둔다", Category.DEVICE_PATTERN
    ),
    KnownMemory("squid", "사용자는 오징어를 먹지 않는다", Category.CONSTRAINT),
    KnownMemory("shop", "사용자는 문구점에서 아르바이트를 한다", Category.CONTEXT),
    KnownMemory("latex", "User is allergic to latex", Category.CONSTRAINT),
    KnownMemory("heat", "User keeps the heating at 19", Category.DEVICE_PATTERN),
)
TOUCHING = {FindingOperation.UPDATE, FindingOperation.DELETE}


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def read(model: RulesModel, said: str) -> dict[str, FindingOperation]:
    """Return what a message does to which known item; what is told is under ""."""
    talk = Conversation((Utterance(0, Role.USER, said),), KNOWN, AT)
    return {each.target or "": each.operation for each in await model.extract(talk)}


def collect(said: str) -> tuple[ClauseCandidate, ...]:
    return collect_candidates([Utterance(0, Role.USER, said)], get_shared_morphology())


@pytest.mark.parametrize(
    "said",
    [
        "오늘은 침실 등 그냥 하얀색으로 켜 줘",
        "put the heating up to 22 just for tonight, please",
    ],
)
async def test_an_order_for_once_changes_nothing_and_is_not_kept(
    model: RulesModel, said: str
) -> None:
    assert await read(model, said) == {}


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("오징어는 입에도 안 댄다고 제가 전에 말씀드렸지요", "squid"),
        ("as I told you, no latex near me, ever", "latex"),
    ],
)
async def test_what_was_said_before_takes_nothing_out(
    model: RulesModel, said: str, known: str
) -> None:
    done = await read(model, said)
    assert done.get(known) not in TOUCHING


async def test_a_new_value_beside_the_end_of_the_old_replaces_it(
    model: RulesModel,
) -> None:
    done = await read(model, "문구점은 그만뒀고 지금은 서점에서 알바해")
    assert done == {"shop": FindingOperation.UPDATE}


@pytest.mark.parametrize(
    ("said", "fleeting"),
    [
        ("오늘만 소리 좀 키워 줘", True),
        ("turn it down for the next hour, please", True),
        ("매일 밤 소리를 줄여 줘", False),
        ("please answer in French from today", False),
        ("오늘은 비가 와요", False),
    ],
)
def test_only_an_order_bound_to_a_time_is_for_once(
    said: str, *, fleeting: bool
) -> None:
    assert any(map(is_fleeting, collect(said))) is fleeting


def test_a_joke_that_is_taken_back_is_over() -> None:
    joke, *_ = collect("I'm moving to the moon. Haha just joking")
    assert is_fleeting(joke)


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("우유는 싫다고 했잖아요", True),
        ("내가 무릎 수술한 거 니 안 까묵었제", True),
        ("약 먹는 거 안 잊었어", False),
        ("like I said, I don't drink", True),
        ("우유를 마시기로 했어요", False),
        ("I said goodbye to her", False),
        ("늘 그렇듯 부가세까지 넣은 금액으로 주셔야 해요", True),
        ("I'd like the aisle seat, as always", True),
        ("like usual, no onions", True),
        ("I like always having the window open now", False),
        ("평소대로 말고 복도 쪽으로 잡아 주세요", False),
    ],
)
def test_who_says_something_again_says_so(said: str, *, again: bool) -> None:
    assert any(map(is_repetition, collect(said))) is again


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("그 얘기는 어디에도 남기지 마세요", True),
        ("그건 못 들은 걸로, 아니 안 들은 걸로 해 줘", True),
        ("please forget where I live", True),
        ("put it out of your head", True),
        ("음식은 남기지 않아요", False),
        ("I forget where I live sometimes", False),
        ("don't forget where I live", False),
    ],
)
def test_a_wish_to_forget_is_plain_by_words_that_mean_nothing_else(
    said: str, *, wish: bool
) -> None:
    assert any(map(is_plain_wish, collect(said))) is wish
