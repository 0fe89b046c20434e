"""With the shipped models: what somebody tells of later is what a prompt has."""

from collections.abc import AsyncGenerator

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Settings, open_memory
from support.memory_talk import list_memories, talk

SAID = {
    "ko": (
        "저는 대전에 살아요. 저는 간호사예요.",
        "저는 땅콩 알레르기가 있어요. 저는 홍차를 좋아해요.",
        "저는 광주에 살아요.",
    ),
    "en": (
        "I drive a Ford. I'm a nurse.",
        "I'm allergic to peanuts. I like black tea.",
        "I drive a Toyota.",
    ),
}
VALUES = {"ko": ("대전", "광주"), "en": ("Ford", "Toyota")}
ASKED = {"ko": "내가 어디 살더라?", "en": "what do I drive?"}


@pytest.fixture(scope="module")
async def real(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Gieok]:
    allowed = Settings(allowed_categories=ALL_CATEGORIES)
    config = Config(data=tmp_path_factory.mktemp("real"), defaults=allowed)
    async with open_memory(config, worker=False) as opened:
        yield opened


@pytest.mark.req("A06", "D07")
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_the_newer_value_is_shown_and_both_stand(
    real: Gieok, language: str
) -> None:
    me = real.person(f"contradicted-{language}")
    for text in SAID[language]:
        await talk(real, me, text, close=True)
    before, now = VALUES[language]
    block = await real.context.build(me, ASKED[language], excerpts=0)
    assert now in block.text
    assert before not in block.text
    known = {memory.content: memory for memory in await list_memories(real, me)}
    (old,) = [each for content, each in known.items() if before in content]
    (new,) = [each for content, each in known.items() if now in content]
    assert old.is_active
    assert old.contradicted_by == new.memory_id
    others = [each for each in known.values() if each not in (old, new)]
    assert len(others) >= 2
    assert not any(each.contradicted_by for each in others)
