"""What a person allows."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gieok import (
    ALL_CATEGORIES,
    Category,
    Config,
    Gieok,
    Parts,
    Policy,
    Scope,
    Settings,
    open_memory,
)
from gieok.kernel.errors import InvalidInputError
from gieok.settings import DEFAULT_SETTINGS, CategoryUsage, Usage
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

PARTS = Parts(model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer())


@pytest.mark.req("D04")
async def test_a_new_person_has_exactly_the_documents_defaults(
    config: Config, address: str, tmp_path: Path
) -> None:
    plain = Config(
        data=tmp_path, database_url=address, key_file=config.data / "gieok.key"
    )
    async with open_memory(plain, parts=PARTS, worker=False) as memory:
        found = await memory.settings.get(memory.person("nobody has met"))
    assert found == DEFAULT_SETTINGS
    assert found.is_enabled is True
    assert found.allowed_categories == (Category.LOCATION, Category.PREFERENCE)
    assert found.auto_extraction is True
    assert found.max_memories == 50
    assert found.retention_days is None


async def test_an_app_sets_the_defaults_of_those_who_never_chose(
    config: Config, address: str, tmp_path: Path, memory: Gieok, me: Scope
) -> None:
    mine = Settings(max_memories=7, promotion_policy=Policy.STRICT, retention_days=365)
    assert (await memory.settings.get(me)).allowed_categories == ALL_CATEGORIES
    await memory.settings.update(me, {"max_memories": 9})
    await memory.settings.update(me, {"auto_extraction": False})
    apart = replace(config, data=tmp_path, database_url=address, defaults=mine)
    apart = replace(apart, key_file=config.data / "gieok.key")
    async with open_memory(apart, parts=PARTS, worker=False) as opened:
        assert await opened.settings.get(opened.person("somebody new")) == mine
        chosen = await opened.settings.get(me)
        assert chosen == replace(mine, max_memories=9, auto_extraction=False)
        await opened.settings.update(me, {"retention_days": None})
        assert (await opened.settings.get(me)).retention_days is None


async def test_categories_for_everybody_reach_who_changed_another_setting(
    config: Config, address: str, tmp_path: Path, me: Scope, other: Scope
) -> None:
    plain = Config(
        data=tmp_path, database_url=address, key_file=config.data / "gieok.key"
    )
    own = ("location", "preference")
    async with open_memory(plain, parts=PARTS, worker=False) as opened:
        await opened.settings.update(me, {"max_memories": 60})
        await opened.profile.merge(me, {"name": "민지"})
        await opened.settings.update(other, {"allowed_categories": own})
    everybody = replace(plain, defaults=Settings(allowed_categories=ALL_CATEGORIES))
    async with open_memory(everybody, parts=PARTS, worker=False) as opened:
        assert (await opened.settings.get(me)).allowed_categories == ALL_CATEGORIES
        card = await opened.profile.get(me)
        assert card.to_document() == {"name": "민지"}
        card = await opened.profile.merge(me, {"name": "민지연"})
        assert card.to_document() == {"name": "민지연"}
        chosen = await opened.settings.get(other)
    assert chosen.allowed_categories == own, "who chose the same meant them"


@pytest.mark.req("D04")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {}),
        ({"is_enabled": False}, {"is_enabled": False}),
        ({"auto_extraction": False}, {"auto_extraction": False}),
        ({"max_memories": 1}, {"max_memories": 1}),
        ({"max_memories": 10_000}, {"max_memories": 10_000}),
        ({"retention_days": 30}, {"retention_days": 30}),
        ({"retention_days": None}, {"retention_days": None}),
        ({"promotion_policy": "strict"}, {"promotion_policy": Policy.STRICT}),
        ({"allowed_categories": []}, {"allowed_categories": ()}),
        (
            {"allowed_categories": ["habit", "location", "habit"]},
            {"allowed_categories": (Category.HABIT, Category.LOCATION)},
        ),
        (
            {"max_memories": 3, "is_enabled": False},
            {"max_memories": 3, "is_enabled": False},
        ),
    ],
)
async def test_a_change_is_kept_and_everything_else_stays(
    memory: Gieok, me: Scope, changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = await memory.settings.get(me)
    answered = await memory.settings.update(me, changes)
    assert answered == replace(before, **expected)
    assert await memory.settings.get(me) == answered


@pytest.mark.req("D04")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"colour": "red"}, "colour"),
        ({"user_id": "x"}, "user_id"),
        ({"is_enabled": "false"}, "is_enabled"),
        ({"is_enabled": 0}, "is_enabled"),
        ({"auto_extraction": None}, "auto_extraction"),
        ({"max_memories": 0}, "max_memories"),
        ({"max_memories": 10_001}, "max_memories"),
        ({"max_memories": 5.0}, "max_memories"),
        ({"max_memories": True}, "max_memories"),
        ({"max_memories": "50"}, "max_memories"),
        ({"max_memories": None}, "max_memories"),
        ({"retention_days": 0}, "retention_days"),
        ({"retention_days": -1}, "retention_days"),
        ({"retention_days": 36_501}, "retention_days"),
        ({"retention_days": "30"}, "retention_days"),
        ({"promotion_policy": "lenient"}, "promotion_policy"),
        ({"promotion_policy": None}, "promotion_policy"),
        ({"promotion_policy": []}, "promotion_policy"),
        ({"allowed_categories": "location"}, "allowed_categories"),
        ({"allowed_categories": ["gossip"]}, "allowed_categories"),
        ({"allowed_categories": [None]}, "allowed_categories"),
        ({"allowed_categories": [[]]}, "allowed_categories"),
        ({"allowed_categories": None}, "allowed_categories"),
    ],
)
async def test_a_bad_value_is_named_and_nothing_changes(
    memory: Gieok, me: Scope, changes: Mapping[str, Any], field: str
) -> None:
    before = await memory.settings.update(me, {"max_memories": 9})
    with pytest.raises(InvalidInputError) as caught:
        await memory.settings.update(me, {"is_enabled": False, **changes})
    assert caught.value.field == field
    assert await memory.settings.get(me) == before
    updates = [
        line
        for line in await memory.audit.lines(me)
        if line.target_table == "memory_settings"
    ]
    assert len(updates) == 1


async def test_two_changes_at_once_both_stay(memory: Gieok, me: Scope) -> None:
    for most in range(10, 20):
        await asyncio.gather(
            memory.settings.update(me, {"max_memories": most}),
            memory.settings.update(me, {"retention_days": most}),
        )
        found = await memory.settings.get(me)
        assert (found.max_memories, found.retention_days) == (most, most)


async def test_one_persons_settings_are_not_anothers(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.settings.update(me, {"is_enabled": False})
    assert (await memory.settings.get(other)).is_enabled


@pytest.mark.req("D14", "D09")
async def test_what_is_remembered_is_told_in_numbers(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    nothing = Usage(0, 0, 0, 0, 0, None, 50, {})
    assert await memory.settings.usage(me) == nothing
    kept = await memory.memories.remember(me, "고양이를 키운다")
    gone = await memory.memories.remember(me, "강남에 산다", category=Category.LOCATION)
    await memory.memories.remember(me, "커피를 즐긴다", category=Category.PREFERENCE)
    await memory.memories.deactivate(me, gone.memory_id)
    block = await memory.context.build(me, "고양이를 키우나요?", limit=1)
    assert [line.memory_id for line in block.lines] == [kept.memory_id]
    found = await memory.settings.usage(me)
    assert found == Usage(
        active=2,
        inactive=1,
        unused=1,
        waiting=0,
        uses=1,
        last_used_at=(await memory.memories.get(me, kept.memory_id)).last_used_at,
        most=50,
        categories={
            Category.CONTEXT: CategoryUsage(1, 1),
            Category.PREFERENCE: CategoryUsage(1, 0),
        },
    )
    assert await memory.settings.usage(other) == nothing
