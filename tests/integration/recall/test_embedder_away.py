"""The embedder does not answer: nothing is lost, and words still find."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

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
    open_memory,
)
from gieok.database.migrate import build_database_url, create_database
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import Vectors
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.memory_talk import record_turns
from support.scripted_model import Script, fact

ONLY_MEMORIES = Filters(kinds=[HitKind.MEMORY])


class Absent(HashEmbedder):
    """Answers only while it is there."""

    there = False

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if not self.there:
            raise ModelUnavailableError(self.name, "it is away")
        return super()._embed(texts)


@pytest.fixture
def absent() -> Absent:
    return Absent()


@pytest.fixture
async def alone(
    address: str, tmp_path: Path, absent: Absent, script: Script
) -> AsyncGenerator[Gieok]:
    """Gieok whose embedder is away from the start."""
    script.answers.clear()
    name = f"away_{tmp_path.name}".lower().replace("-", "_")[-60:]
    create_database(address, name)
    config = Config(
        data=tmp_path,
        database_url=build_database_url(address, name),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )
    parts = Parts(
        model=ScriptedModel(script), embedder=absent, tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False) as opened:
        yield opened


@pytest.fixture
def minji(alone: Gieok) -> Scope:
    return alone.person("minji")


async def test_recall_answers_by_words(alone: Gieok, minji: Scope) -> None:
    await record_turns(alone, minji, "고양이 두부가 아파", "제주도 여행을 가")
    (hit,) = await alone.recall.search(minji, "제주도 여행", limit=1)
    assert hit.content == "제주도 여행을 가"


async def test_remembering_and_the_prompt_block_work(
    alone: Gieok, minji: Scope
) -> None:
    kept = await alone.memories.remember(minji, "사용자는 강남구에 거주")
    again = await alone.memories.remember(minji, "사용자는 강남구에 거주.")
    assert again.memory_id == kept.memory_id
    block = await alone.context.build(minji, "강남구에 거주하나?")
    assert [line.memory_id for line in block.lines] == [kept.memory_id]


async def test_extraction_goes_on_and_indexing_says_that_it_could_not(
    alone: Gieok, minji: Scope, script: Script
) -> None:
    await record_turns(alone, minji, "강남구 살아")
    script.says(fact("사용자는 강남구에 거주"))
    with pytest.raises(ModelUnavailableError):
        await alone.settled(minji)
    (found,) = (await alone.memories.page(minji))[0]
    assert found.content == "사용자는 강남구에 거주"
    (hit,) = await alone.recall.search(minji, "강남구", filters=ONLY_MEMORIES)
    assert hit.id == found.memory_id


async def test_vectors_follow_when_it_is_back(
    alone: Gieok, minji: Scope, absent: Absent, script: Script
) -> None:
    await record_turns(alone, minji, "제주도 여행을 가")
    script.says(fact("사용자는 제주도에 감"))
    await alone.memories.remember(minji, "사용자는 망원경이 있음")
    with pytest.raises(ModelUnavailableError):
        await alone.settled(minji)
    before = await alone.recall.search(minji, "제주도")
    absent.there = True
    await alone.settled(minji)
    assert sorted(absent.seen) == sorted(
        ["사용자는 망원경이 있음", "사용자는 제주도에 감", "제주도 여행을 가", "네."]
    )
    after = await alone.recall.search(minji, "제주도")
    assert {hit.id for hit in before} <= {hit.id for hit in after}


async def test_it_may_leave_and_come_back_in_between(
    alone: Gieok, minji: Scope, absent: Absent
) -> None:
    absent.there = True
    await record_turns(alone, minji, "고양이 두부가 아파")
    await alone.settled(minji)
    absent.there = False
    await record_turns(alone, minji, "제주도 여행을 가")
    for question, answer in (
        ("제주도 여행", "제주도 여행을 가"),
        ("고양이 두부", "고양이 두부가 아파"),
    ):
        (hit,) = await alone.recall.search(minji, question, limit=1)
        assert hit.content == answer
    absent.there = True
    assert await alone.recall.index(minji) == 2
