"""Ordinary things that people say are told, and what only looks like them is not."""

import json
import os
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from gieok.kernel.language import Conversation, Role, Utterance
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.models.rules.korean.soundness import find_fault
from gieok.text.kiwi import get_shared_morphology

STATEMENTS = Path(__file__).parents[3] / "training/statements"
AT = datetime(2026, 4, 7, 20, 0, tzinfo=timezone(timedelta(hours=9)))
CORPUS = Path(__file__).parents[2] / "corpora/plain"
STEP = 4
CORPUS_STEP = int(os.environ.get("GIEOK_PLAIN_STEP", "3"))
"""Every how many-th ordinary talk is read; 1 for the figure in README."""
MIN_KEPT = 0.8
"""Of facts in ordinary talk, written by people who knew no rule."""
MAX_REFUSED = 0.12
"""Of sentences that people wrote as memories, how many the check of wording refuses."""


@pytest.fixture(scope="module")
def model() -> RulesModel:
    return RulesModel(E5Embedder(), get_shared_morphology())


async def find_contents(model: RulesModel, *said: str) -> list[str]:
    """Return what is told of a talk that the user ends."""
    roles = (Role.ASSISTANT, Role.USER)[-len(said) :]
    messages = tuple(
        Utterance(place, role, text)
        for place, (role, text) in enumerate(zip(roles, said, strict=True))
    )
    found = await model.extract(Conversation(messages, (), AT))
    return [each.content for each in found]


@pytest.mark.req("D01")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("저 이번에 과장으로 승진했어요", "사용자는 이번에 과장으로 승진했다"),
        ("저 땅콩 알레르기 있어요", "사용자는 땅콩 알레르기가 있다"),
        ("제 생일은 5월 12일이에요", "사용자의 생일은 5월 12일이다"),
        ("저는 초등학교 선생님이에요", "사용자는 초등학교 선생님이다"),
        ("혈압약을 매일 아침 먹고 있어요", "사용자는 혈압약을 매일 아침 먹고 있다"),
    ],
)
async def test_ordinary_korean_is_told_whatever_help_was_offered(
    model: RulesModel, said: str, told: str
) -> None:
    assert await find_contents(model, said) == [told]
    offer = "안녕하세요! 무엇을 도와드릴까요?"
    assert await find_contents(model, offer, said) == [told]


@pytest.mark.req("D01")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I quit smoking three years ago", "The user quit smoking three years ago"),
        ("I just got promoted to team lead", "The user just got promoted to team lead"),
        (
            "My husband just got transferred to Bristol",
            "The user's husband just got transferred to Bristol",
        ),
    ],
)
async def test_ordinary_english_is_told(
    model: RulesModel, said: str, told: str
) -> None:
    assert await find_contents(model, said) == [told]


@pytest.mark.parametrize(
    "said",
    [
        "방금 전화 끊었어요",
        "음악 소리가 작아서 못 들었어요",
        "I just got to the second level",
    ],
)
async def test_what_only_looks_like_it_is_not(model: RulesModel, said: str) -> None:
    assert await find_contents(model, said) == []


def test_what_people_would_remember_in_korean_passes_the_check_of_wording() -> None:
    """A slice of the sentences with which the statements were labelled."""
    written = [
        fact["say"].rstrip(".")
        for path in sorted(STATEMENTS.glob("ko_*.jsonl"))
        for line in path.read_text("utf-8").splitlines()[::STEP]
        for fact in json.loads(line)["facts"]
    ]
    refused = [s for s in written if find_fault(s, get_shared_morphology())]
    assert len(refused) <= MAX_REFUSED * len(written), refused


@pytest.mark.req("D01")
@pytest.mark.parametrize("language", ["en", "ko"])
async def test_ordinary_talk_of_unseen_writers_is_kept_and_small_talk_is_not(
    model: RulesModel, language: str
) -> None:
    rows = (CORPUS / f"{language}.jsonl").read_text().splitlines()[::CORPUS_STEP]
    kept, facts, idle, spoiled = 0, 0, 0, 0
    for row in map(json.loads, rows):
        roles = {"u": Role.USER, "a": Role.ASSISTANT}
        messages = (
            Utterance(place, roles[who], text)
            for place, (who, text) in enumerate(row["messages"])
        )
        told = await model.extract(Conversation(tuple(messages), (), AT))
        by_message = Counter(fact["message"] for fact in row["facts"])
        for message, count in by_message.items():
            kept += min(count, sum(message in each.evidence for each in told))
        facts += len(row["facts"])
        idle += not row["facts"]
        spoiled += bool(told) and not row["facts"]
    print(f"{language}: {kept} of {facts}, {spoiled} of {idle} empty")  # noqa: T201
    assert kept >= MIN_KEPT * facts
    assert spoiled <= 2
