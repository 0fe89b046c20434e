"""With the shipped models: who corrects themselves is remembered as they meant it."""

from collections.abc import AsyncGenerator

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Settings, open_memory
from support.memory_talk import list_contents, talk


@pytest.fixture(scope="module")
async def real(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Gieok]:
    allowed = Settings(allowed_categories=ALL_CATEGORIES)
    config = Config(data=tmp_path_factory.mktemp("real"), defaults=allowed)
    async with open_memory(config, worker=False) as opened:
        yield opened


@pytest.mark.req("D05")
@pytest.mark.parametrize(
    ("language", "turns", "kept"),
    [
        (
            "en",
            ["I work in accounting", "I mean finance"],
            "The user works in finance",
        ),
        (
            "ko",
            ["동생은 부산에 살아", "아 미안 대구"],
            "사용자의 동생은 대구에 산다",
        ),
    ],
)
async def test_a_slip_is_not_remembered(
    real: Gieok, language: str, turns: list[str], kept: str
) -> None:
    me = real.person(f"slip-{language}")
    await talk(real, me, *turns, close=True)
    assert await list_contents(real, me) == [kept]


@pytest.mark.req("D05", "A06")
@pytest.mark.parametrize(
    ("language", "sessions", "kept"),
    [
        (
            "en",
            ["I work in accounting", "actually it's finance, not accounting"],
            "The user works in finance",
        ),
        (
            "ko",
            ["저는 약사예요", "저번에 약사라고 했는데 간호사예요"],
            "사용자는 간호사",
        ),
    ],
)
async def test_what_is_corrected_weeks_later_changes_what_was_remembered(
    real: Gieok, language: str, sessions: list[str], kept: str
) -> None:
    me = real.person(f"later-{language}")
    for text in sessions:
        await talk(real, me, text, close=True)
    (content,) = await list_contents(real, me)
    assert content.startswith(kept)


@pytest.mark.req("D05")
async def test_what_only_sounds_like_a_correction_changes_nothing(real: Gieok) -> None:
    me = real.person("no-slip")
    await talk(real, me, "I work in accounting", "no wait, what time is it", close=True)
    assert await list_contents(real, me) == ["The user works in accounting"]
