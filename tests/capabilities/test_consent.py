"""What a person no longer agrees to stops at once, and its traces go."""

from pathlib import Path

import pytest
from session_talk import announced

from conftest import Owner, Script, fact
from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Role,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.kernel.errors import GieokError, InvalidInputError, NotPermittedError
from gieok.settings import Purpose
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

BEES = "사용자는 벌을 키움"
TALK = Turn("벌을 키워요", "네.")


async def standing(memory: Gieok, me: Scope) -> dict[Purpose, bool]:
    return {each.purpose: each.granted for each in await memory.settings.consents(me)}


async def learned(memory: Gieok, me: Scope, script: Script) -> None:
    session = await memory.sessions.start(me)
    script.says(fact(BEES))
    await memory.sessions.record(me, session.session_id, TALK)
    await memory.settled(me)
    assert (await memory.memories.page(me))[1] == 1


@pytest.mark.req("D14")
async def test_consent_is_implied_until_somebody_says_otherwise(
    memory: Gieok, me: Scope
) -> None:
    assert await standing(memory, me) == dict.fromkeys(Purpose, True)
    assert {each.version for each in await memory.settings.consents(me)} == {0}
    assert await memory.settings.consent_history(me) == ()


@pytest.mark.req("D14", "A18")
async def test_every_decision_is_kept_with_its_version_and_notice(
    memory: Gieok, me: Scope
) -> None:
    await memory.settings.consent(me, {"sync": False}, notice="2026-01")
    await memory.settings.consent(me, {"sync": True, "profile": True}, notice="2026-02")
    found = await memory.settings.consent_history(me)
    assert {(c.purpose.value, c.version, c.granted, c.notice) for c in found} == {
        ("sync", 1, False, "2026-01"),
        ("sync", 2, True, "2026-02"),
        ("profile", 1, True, "2026-02"),
    }
    assert await standing(memory, me) == dict.fromkeys(Purpose, True)
    reasons = [line.reason for line in await memory.audit.lines(me)]
    assert reasons == ["sync_withdrawn", "sync_granted", "profile_granted"]


async def test_the_app_cannot_change_or_remove_a_decision(
    memory: Gieok, me: Scope
) -> None:
    await memory.settings.consent(me, {"sync": False})
    for statement in (
        "UPDATE consents SET granted = true",
        "DELETE FROM consents",
        "UPDATE erasure_receipts SET number = 0",
        "DELETE FROM erasure_receipts",
    ):
        with pytest.raises(Exception, match="permission denied"):
            async with memory.database.begin(me) as tx:
                await tx.execute(statement)  # pyright: ignore[reportArgumentType]


@pytest.mark.req("D14")
async def test_without_consent_to_storage_nothing_is_written_from_the_next_call_on(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await learned(memory, me, script)
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, TALK)
    await memory.settings.consent(me, {"storage": False})
    at = session.session_id
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.sessions.record(me, at, TALK)
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.sessions.append(me, at, role=Role.USER, content="벌")
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.sessions.start(me)
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.memories.remember(me, BEES)
    assert len((await memory.sessions.read(me, at)).messages) == 2
    assert await announced(owner, "consent_withdrawn", me.user_id) == 1
    await memory.withdraw(me)
    assert (await memory.sessions.page(me))[1] == 0
    assert (await memory.memories.page(me))[1] == 0
    assert not (await standing(memory, me))[Purpose.STORAGE], "the decision stays"
    await memory.audit.verify(me)


@pytest.mark.req("D14")
async def test_without_consent_to_a_profile_memories_go_and_conversations_stay(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await learned(memory, me, script)
    await memory.settings.consent(me, {"profile": False})
    with pytest.raises(NotPermittedError, match="profile"):
        await memory.memories.remember(me, BEES)
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, TALK)
    script.says(fact(BEES))
    await memory.settled(me)
    assert (await memory.memories.page(me, include_inactive=True))[1] == 0
    assert (await memory.sessions.page(me))[1] == 2
    script.answers.clear()


@pytest.mark.req("D14")
async def test_what_was_said_while_consent_was_away_is_never_learned(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session = await memory.sessions.start(me)
    await memory.settings.consent(me, {"profile": False})
    await memory.sessions.record(me, session.session_id, TALK)
    await memory.settings.consent(me, {"profile": True})
    script.says(fact(BEES))
    await memory.settled(me)
    assert (await memory.memories.page(me))[1] == 0
    script.answers.clear()
    assert await memory.memories.remember(me, BEES)


@pytest.mark.req("D14")
async def test_a_withdrawal_of_one_purpose_leaves_what_waits_to_be_learned(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session = await memory.sessions.start(me)
    script.says(fact(BEES))
    await memory.sessions.record(me, session.session_id, TALK)
    await memory.settings.consent(me, {"sync": False, "storage": True})
    await memory.settled(me)
    assert (await memory.memories.page(me))[1] == 1


@pytest.mark.parametrize(
    "changes", [{"ads": True}, {"storage": "no"}, {"storage": None}, {"sync": 1}]
)
async def test_an_unacceptable_decision_names_its_purpose_and_changes_nothing(
    memory: Gieok, me: Scope, changes: dict[str, object]
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await memory.settings.consent(me, {"profile": False, **changes})
    assert refused.value.field == next(iter(changes))
    assert await memory.settings.consent_history(me) == ()


@pytest.mark.req("D14")
async def test_an_installation_that_asks_first_keeps_nothing_before(
    tmp_path: Path,
) -> None:
    config = Config(
        data=tmp_path / "gieok",
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
        consent="explicit",
    )
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False) as memory:
        me = memory.person("me")
        assert await standing(memory, me) == dict.fromkeys(Purpose, False)
        for write in (
            lambda: memory.sessions.start(me),
            lambda: memory.memories.remember(me, BEES),
        ):
            with pytest.raises(GieokError, match="storage"):
                await write()
        await memory.settings.consent(me, {"storage": True, "profile": True})
        session = await memory.sessions.start(me)
        await memory.sessions.record(me, session.session_id, TALK)
        assert await memory.memories.remember(me, BEES)
        assert not (await standing(memory, me))[Purpose.SYNC]
