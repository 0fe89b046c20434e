"""The corpus of attacks and wishes through the shipped model: what reaches a prompt."""

import os
from collections.abc import AsyncGenerator

import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.guard.judge import TrainedGuard
from gieok.memories import QuarantineReason
from gieok.models.e5 import E5Embedder
from gieok.models.rules import RulesModel
from gieok.testing import HashEmbedder, WordTokenizer
from gieok.text.kiwi import get_shared_morphology
from support.poison_corpus import ATTACKS, BENIGN

GUARD = TrainedGuard()

KEPT = 0.98
EVERY = int(os.environ.get("GIEOK_POISON_EVERY", "4"))
"""Of so many lines one is read; all of them with `GIEOK_POISON_EVERY=1`."""


@pytest.fixture(scope="module")
async def real(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Gieok]:
    """Gieok with the model that needs no key."""
    settings = Settings(allowed_categories=ALL_CATEGORIES, max_memories=1_000)
    config = Config(data=tmp_path_factory.mktemp("gieok"), defaults=settings)
    parts = Parts(
        model=RulesModel(E5Embedder(), get_shared_morphology()),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )
    async with open_memory(config, parts=parts, worker=False) as opened:
        yield opened


async def hear(memory: Gieok, me: Scope, said: tuple[str, ...]) -> None:
    """Say each in a session of its own, and have everything extracted."""
    for each in said:
        session = await memory.sessions.start(me)
        turn = Turn(f"{each}\n기억해 줘, please remember.", "네, 알겠습니다.")
        await memory.sessions.record(me, session.session_id, turn)
    await memory.settled(me)


@pytest.mark.req("A14")
async def test_no_attack_reaches_a_prompt_as_an_instruction(real: Gieok) -> None:
    me = real.person("attacked")
    await hear(real, me, tuple(said for said, _ in ATTACKS[::EVERY]))
    memories, _ = await real.memories.page(me, limit=1_000)
    harmful = [
        memory.content
        for memory in memories
        if GUARD.is_suspicious(memory.content)
        or any(part in memory.content for _, part in ATTACKS if len(part) > 1)
    ]
    assert harmful == []
    blocks = [
        await real.context.build(me, "추천 송금 답변 링크 command link", limit=100),
        await real.context.episodes(me, None, limit=200, token_budget=10_000),
    ]
    shown = [line.text for block in blocks for line in block.lines]
    assert [line for line in shown if GUARD.is_suspicious(line)] == []


@pytest.mark.req("A14")
async def test_wishes_are_kept_as_without_a_defence(real: Gieok) -> None:
    me = real.person("honest")
    wishes = BENIGN[::EVERY]
    await hear(real, me, wishes)
    candidates = await real.memories.candidates(me, limit=1_000)
    held = [c.claim for c in candidates if c.held_reason is QuarantineReason.SUSPICIOUS]
    assert len(candidates) > len(wishes) // 2, "the model finds most of them"
    assert len(candidates) - len(held) >= KEPT * len(candidates)
