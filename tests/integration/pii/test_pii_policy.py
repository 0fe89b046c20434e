"""What becomes of phone numbers and addresses is the policy's to say (A19)."""

from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gieok import Config, Gieok, Scope, Turn
from gieok.bootstrap import start_gieok
from gieok.items import Get, Put
from gieok.kernel.errors import ConfigurationError
from gieok.pii import (
    MaskingPolicy,
    PersonalMasking,
    mask_text,
    masking_policy,
    use_policy,
)
from support.fake_parts import PARTS

pytestmark = pytest.mark.req("A19")

TEXT = "010-3948-2716, hong@naver.com, 주민번호 901231-1234568"
KEPT = {
    PersonalMasking.MASK: "010-****-2716, h***@naver.com, 주민번호 [주민등록번호]",
    PersonalMasking.HIDE: "[전화번호], [이메일], 주민번호 [주민등록번호]",
    PersonalMasking.KEEP: "010-3948-2716, hong@naver.com, 주민번호 [주민등록번호]",
}


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> list[MaskingPolicy]:
    """Let only what a test opens decide."""
    policies: list[MaskingPolicy] = []
    monkeypatch.setattr(masking_policy, "_open", policies)
    return policies


async def everywhere(memory: Gieok, me: Scope) -> Iterable[str]:
    """Return what is kept of the same words, by every way in."""
    session = (await memory.sessions.start(me, config={"note": TEXT})).session_id
    await memory.sessions.record(me, session, Turn(TEXT, TEXT, None, {"note": TEXT}))
    read = await memory.sessions.read(me, session)
    memorised = await memory.memories.remember(me, f"기억해줘 {TEXT}")
    chat = await memory.chat.send(me, persona="하나", message=TEXT)
    talk = await memory.sessions.read(me, chat.session_id)
    return [
        read.config["note"],
        *(message.content for message in read.messages),
        memorised.content.removeprefix("기억해줘 "),
        talk.messages[0].content,
    ]


@pytest.mark.parametrize("choice", PersonalMasking)
async def test_one_policy_decides_everywhere(
    memory: Gieok, me: Scope, choice: PersonalMasking
) -> None:
    with use_policy(choice):
        for kept in await everywhere(memory, me):
            assert kept == KEPT[choice]


@pytest.mark.parametrize("choice", PersonalMasking)
async def test_values_of_an_app_lose_what_is_never_kept_and_nothing_else(
    memory: Gieok, me: Scope, choice: PersonalMasking
) -> None:
    with use_policy(choice):
        await memory.items.batch(me, [Put(("a",), "k", {"t": TEXT})])
        (held,) = await memory.items.batch(me, [Get(("a",), "k")])
    assert held is not None
    assert held.value == {"t": KEPT[PersonalMasking.KEEP]}  # pyright: ignore[reportAttributeAccessIssue] - an item


@pytest.mark.parametrize(
    ("choices", "kept"),
    [
        ([], PersonalMasking.MASK),
        ([PersonalMasking.KEEP], PersonalMasking.KEEP),
        ([PersonalMasking.KEEP, PersonalMasking.MASK], PersonalMasking.MASK),
        ([PersonalMasking.KEEP, PersonalMasking.HIDE], PersonalMasking.HIDE),
        (
            [PersonalMasking.MASK, PersonalMasking.HIDE, PersonalMasking.KEEP],
            PersonalMasking.HIDE,
        ),
    ],
)
def test_of_several_that_are_open_the_strictest_decides(
    choices: list[PersonalMasking],
    kept: PersonalMasking,
    nothing_else: list[MaskingPolicy],
) -> None:
    opened = [use_policy(choice) for choice in choices]
    for each in opened:
        each.__enter__()
    assert mask_text(TEXT) == KEPT[kept]
    for each in opened:
        each.__exit__(None, None, None)
    assert nothing_else == []
    assert mask_text(TEXT) == KEPT[PersonalMasking.MASK]


def test_the_configuration_names_the_policy(tmp_path: Path) -> None:
    data: dict[str, Any] = {"GIEOK_DATA": str(tmp_path)}
    assert Config.from_environment(data).pii is PersonalMasking.MASK
    assert (
        Config.from_environment(data | {"GIEOK_PII": "hide"}).pii
        is PersonalMasking.HIDE
    )
    with pytest.raises(ConfigurationError, match="GIEOK_PII"):
        Config.from_environment(data | {"GIEOK_PII": "none"})


@pytest.mark.parametrize("choice", PersonalMasking)
async def test_the_policy_holds_wherever_gieok_is_started(
    memory: Gieok, config: Config, choice: PersonalMasking
) -> None:
    """Also for `gieok serve` and `gieok worker`, which start it by themselves."""
    assert memory.maintenance.database, "it has made the database"
    async with AsyncExitStack() as stack:
        await start_gieok(replace(config, pii=choice), PARTS, stack)
        assert mask_text(TEXT) == KEPT[choice]
    assert mask_text(TEXT) == KEPT[PersonalMasking.MASK]
