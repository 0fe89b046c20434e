"""With the bundled embedder a situation finds the memory that it does not name."""

from dataclasses import replace
from pathlib import Path

import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Filters,
    HitKind,
    Parts,
    Settings,
    open_memory,
)
from gieok.database.migrate import build_database_url, create_database
from gieok.models.e5 import E5Embedder
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

KNOWN = (
    "The user does not drink alcohol",
    "The user said: “I've a fitting at 4 at the tailor, and the car is at Bo's”",
    "The user's sister Imke is a beekeeper in Leer",
    "The user has to be tighter. The new roof ate everything",
    "The user wants to be called Mats",
    "The user rents two rooms above a bakery and cannot have pets there",
)
SITUATION = "everyone's off to a cocktail thing saturday, what do i order"


@pytest.fixture
def here(address: str, tmp_path: Path) -> Config:
    """A database of its own on the server that runs already."""
    name = f"situations_{tmp_path.name}".lower().replace("-", "_")[-60:]
    create_database(address, name)
    return Config(
        data=tmp_path,
        database_url=build_database_url(address, name),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )


@pytest.mark.req("D13")
async def test_a_situation_finds_what_it_does_not_name(here: Config) -> None:
    parts = Parts(
        model=ScriptedModel(), embedder=E5Embedder(), tokenizer=WordTokenizer()
    )
    only = Filters(kinds=[HitKind.MEMORY])
    async with open_memory(here, parts=parts, worker=False) as memory:
        me = memory.person("mats")
        for text in KNOWN:
            await memory.memories.remember(me, text)
        await memory.recall.index(me)
        plain = replace(memory.recall, adapt_query=None)
        by_itself = await plain.search(me, SITUATION, filters=only)
        turned = await memory.recall.search(me, SITUATION, filters=only)
    assert by_itself[0].content != KNOWN[0]
    assert turned[0].content == KNOWN[0]


async def test_another_embedder_s_questions_stay_as_they_are(here: Config) -> None:
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(here, parts=parts, worker=False) as memory:
        assert memory.recall.adapt_query is None
