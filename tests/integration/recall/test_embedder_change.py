"""Another embedder is noticed, and vectors can be made anew."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Filters,
    Gieok,
    HitKind,
    Parts,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.database.migrate import build_database_url, create_database
from gieok.kernel.errors import EmbedderMismatchError, ModelUnavailableError
from gieok.kernel.language import Vectors
from gieok.opening import open_for_maintenance
from gieok.recall import EmbedderRecord
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.database import Owner


@pytest.fixture
def here(address: str, tmp_path: Path) -> Config:
    """A database of its own on the server that runs already."""
    name = f"embedders_{tmp_path.name}".lower().replace("-", "_")[-60:]
    create_database(address, name)
    return Config(
        data=tmp_path,
        database_url=build_database_url(address, name),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )


@asynccontextmanager
async def opened(
    config: Config, embedder: HashEmbedder, *, any_embedder: bool = False
) -> AsyncGenerator[Gieok]:
    parts = Parts(model=ScriptedModel(), embedder=embedder, tokenizer=WordTokenizer())
    opening = (
        open_for_maintenance(config, parts=parts, any_embedder=True)
        if any_embedder
        else open_memory(config, parts=parts, worker=False)
    )
    async with opening as memory:
        yield memory


class Renamed(HashEmbedder):
    """Another embedder whose vectors are as long."""

    @property
    def name(self) -> str:
        return "renamed/256"


async def fill(memory: Gieok, name: str) -> Scope:
    scope = memory.person(name)
    session = await memory.sessions.start(scope)
    for text in ("고양이 두부가 아파", "제주도 여행을 가", "회사에서 승진했어"):
        await memory.sessions.record(scope, session.session_id, Turn(text, "네"))
    await memory.memories.remember(scope, "사용자는 망원경이 있음")
    await memory.settled(scope)
    return scope


async def embedders(config: Config) -> set[tuple[str | None]]:
    address = config.database_url or ""
    async with await psycopg.AsyncConnection.connect(address) as owner:
        found = await owner.execute(
            """
            SELECT embedder FROM gieok.recall_items
            UNION SELECT embedder FROM gieok.user_memories
            """
        )
        return set(await found.fetchall())


@pytest.mark.parametrize("new", [HashEmbedder(64), Renamed()], ids=["length", "name"])
async def test_another_embedder_is_refused_and_reembedding_repairs_it(
    here: Config, new: HashEmbedder
) -> None:
    people: list[Scope] = []
    async with opened(here, HashEmbedder()) as memory:
        people = [await fill(memory, name) for name in ("minji", "junho")]
    with pytest.raises(EmbedderMismatchError, match=r"hash/256.*`gieok reembed`"):
        async with opened(here, new):
            pass
    told: list[tuple[int, int]] = []
    async with opened(here, new, any_embedder=True) as memory:
        assert (
            await memory.maintenance.reembed(
                lambda done, all_: told.append((done, all_))
            )
            == 14
        )
        assert told[0] == (0, 2)
        assert told[-1] == (2, 2)
        assert await memory.maintenance.reembed(lambda *_: None) == 0
    assert await embedders(here) == {(new.name,)}
    async with opened(here, new) as memory:
        for scope in people:
            (hit,) = await memory.recall.search(scope, "제주도 여행", limit=1)
            assert hit.content == "제주도 여행을 가"
            only = Filters(kinds=[HitKind.MEMORY])
            (hit,) = await memory.recall.search(scope, "망원경", limit=1, filters=only)
            assert hit.content == "사용자는 망원경이 있음"
    with pytest.raises(EmbedderMismatchError):
        async with opened(here, HashEmbedder()):
            pass


class Breaking(HashEmbedder):
    """Goes away after so many calls."""

    def __init__(self, calls: int) -> None:
        super().__init__(64)
        self.left = calls

    def _embed(self, texts: list[str]) -> Vectors:  # pyright: ignore[reportIncompatibleMethodOverride] - a narrower fake
        if not self.left:
            raise ModelUnavailableError(self.name, "it is away")
        self.left -= 1
        return super()._embed(texts)


async def test_reembedding_that_breaks_off_goes_on_where_it_stopped(
    here: Config,
) -> None:
    async with opened(here, HashEmbedder()) as memory:
        for name in ("minji", "junho"):
            await fill(memory, name)
    breaking = Breaking(calls=2)
    async with opened(here, breaking, any_embedder=True) as memory:
        with pytest.raises(ModelUnavailableError):
            await memory.maintenance.reembed(lambda *_: None)
    with pytest.raises(EmbedderMismatchError):
        async with opened(here, HashEmbedder(64)):
            pass
    async with opened(here, HashEmbedder(64), any_embedder=True) as memory:
        assert await memory.maintenance.reembed(lambda *_: None) == 14 - 7
    async with opened(here, HashEmbedder(64)):
        pass


async def test_recall_answers_by_words_until_the_vectors_are_made_anew(
    here: Config,
) -> None:
    async with opened(here, HashEmbedder()) as memory:
        scope = await fill(memory, "minji")
    async with opened(here, HashEmbedder(64), any_embedder=True) as memory:
        (hit,) = await memory.recall.search(scope, "제주도 여행", limit=1)
        assert hit.content == "제주도 여행을 가"


async def test_the_record_names_the_embedder_and_its_length(
    memory: Gieok, owner: Owner
) -> None:
    await EmbedderRecord(memory.maintenance.database).verify(HashEmbedder())
    found = await owner.execute("SELECT name, value FROM installation")
    rows: list[tuple[str, str | UUID]] = await found.fetchall()
    assert ("embedder", "hash/256 (256 values)") in rows
