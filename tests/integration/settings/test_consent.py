"""What a person no longer agrees to stops at once, and its traces go."""

import io
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gieok import (
    ALL_CATEGORIES,
    Actor,
    Config,
    Gieok,
    Parts,
    Role,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.episodes import Episode
from gieok.items import Put, Search
from gieok.kernel.errors import (
    ConflictError,
    GieokError,
    InvalidInputError,
    NotPermittedError,
    UnavailableError,
)
from gieok.kernel.language import Basis, Conversation, Finding, Gist
from gieok.pii import is_special
from gieok.recall import HitKind
from gieok.settings import Purpose
from gieok.settings.consent_rules import store_default_consent
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.database import Owner
from support.exports import export_bytes
from support.own_installation import module_address, module_config, module_memory
from support.restored_rows import remove_person, restore_consents
from support.scripted_model import Script, fact
from support.session_talk import announced

config, memory, address = module_config, module_memory, module_address

BEES = "사용자는 벌을 키움"
TALK = Turn("벌을 키워요", "네.")


IMPLIED = {purpose: purpose is not Purpose.WORDS for purpose in Purpose}
"""What people agree to before they say anything."""
ILL = Turn("우울증 약을 복용해요", "언제부터요?")
ILLNESS = "사용자는 우울증 약을 먹음"


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
    assert await standing(memory, me) == IMPLIED
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
    assert await standing(memory, me) == IMPLIED
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
            async with memory.maintenance.database.begin(me) as tx:
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
    await memory.maintenance.erase_withdrawn(me)
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


@pytest.fixture
async def asking(tmp_path: Path) -> AsyncGenerator[Gieok]:
    """An installation whose people agree to nothing before they say so."""
    config = Config(
        data=tmp_path / "gieok",
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
        consent="explicit",
    )
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False) as memory:
        yield memory


@pytest.mark.req("D14")
async def test_an_installation_that_asks_first_keeps_nothing_before(
    asking: Gieok,
) -> None:
    me = asking.person("me")
    assert await standing(asking, me) == dict.fromkeys(Purpose, False)
    for write in (
        lambda: asking.sessions.start(me),
        lambda: asking.memories.remember(me, BEES),
    ):
        with pytest.raises(GieokError, match="storage"):
            await write()
    await asking.settings.consent(me, {"storage": True, "profile": True})
    session = await asking.sessions.start(me)
    await asking.sessions.record(me, session.session_id, TALK)
    assert await asking.memories.remember(me, BEES)
    assert not (await standing(asking, me))[Purpose.SYNC]


@pytest.mark.req("D14")
async def test_a_file_agrees_to_nothing_that_it_does_not_name(
    memory: Gieok, me: Scope, asking: Gieok
) -> None:
    await memory.memories.remember(me, BEES)
    silent = await export_bytes(memory, me)
    you = asking.person("you")
    with pytest.raises(NotPermittedError, match="storage"):
        await asking.portability.load(you, io.BytesIO(silent))
    assert await standing(asking, you) == dict.fromkeys(Purpose, False)
    await memory.settings.consent(me, {"storage": True, "words": True, "sync": False})
    partial = await export_bytes(memory, me)
    await asking.portability.load(you, io.BytesIO(partial))
    agreed = {Purpose.STORAGE, Purpose.WORDS}
    assert await standing(asking, you) == {each: each in agreed for each in Purpose}
    assert len(await asking.settings.consent_history(you)) == 3


@pytest.mark.req("D14")
async def test_a_decision_of_the_future_in_a_file_gives_way_to_the_next_one(
    memory: Gieok, me: Scope, other: Scope, clock: FixedClock
) -> None:
    now = clock()
    clock.set(now + timedelta(days=365))
    await memory.settings.consent(me, {"sync": True}, notice="old")
    export = await export_bytes(memory, me)
    clock.set(now)
    await memory.portability.load(other, io.BytesIO(export))
    await memory.settings.consent(other, {"sync": False}, notice="new")
    (decided,) = (
        each
        for each in await memory.settings.consents(other)
        if each.purpose is Purpose.SYNC
    )
    assert (decided.version, decided.granted, decided.notice) == (2, False, "new")


@pytest.mark.req("D14")
async def test_who_refused_storage_takes_in_no_file(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.settings.consent(me, {"storage": True})
    await memory.memories.remember(me, BEES)
    export = await export_bytes(memory, me)
    await memory.settings.consent(other, {"storage": False})
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.portability.load(other, io.BytesIO(export))
    assert (await memory.memories.page(other))[1] == 0
    await memory.settings.consent(me, {"storage": False})
    refused = await export_bytes(memory, me)
    third = memory.person("third")
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.portability.load(third, io.BytesIO(refused))
    assert (await memory.memories.page(third))[1] == 0
    await memory.settings.consent(other, {"storage": True})
    await memory.portability.load(other, io.BytesIO(export))
    assert (await memory.memories.page(other))[1] == 1


async def told(memory: Gieok, me: Scope, *turns: Turn) -> UUID:
    session = await memory.sessions.start(me)
    for turn in turns:
        await memory.sessions.record(me, session.session_id, turn)
    return session.session_id


async def held(memory: Gieok, me: Scope) -> set[str]:
    """Return all that memory holds and could tell, as one looks for it by meaning."""
    memories, _ = await memory.memories.page(me, include_inactive=True)
    candidates = await memory.memories.candidates(me)
    episodes = await memory.episodes.page(me, include_archived=True)
    hits = await memory.recall.search(me, "우울증 약", limit=50)
    days = await memory.summaries.days(me)
    return {
        *(each.content for each in (*memories, *hits)),
        *(each.claim for each in candidates),
        *(word for each in episodes.episodes for word in each.words),
        *(each.text for each in days),
    }


@pytest.mark.req("D14", "A19", "A14")
async def test_without_consent_special_categories_are_kept_raw_and_learned_by_nobody(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await memory.settings.consent(me, {"sensitive": False})
    session = await told(memory, me, ILL, TALK)
    await memory.sessions.append(
        me, session, role=Role.USER, content="저는 임신 중이에요"
    )
    read: list[str] = []

    def finds(conversation: Conversation) -> list[Finding]:
        read.extend(said.content for said in conversation.messages)
        return [
            fact(BEES),
            fact(ILLNESS),
            fact("사용자는 불자임", basis=Basis.OBSERVED),
        ]

    script.computes(finds)
    await memory.sessions.close(me, session)
    await memory.settled(me)
    assert read == [TALK.user_text, TALK.assistant_text]
    kept = await held(memory, me)
    assert BEES in kept
    assert not {word for word in kept if is_special(word)}
    messages = (await memory.sessions.read(me, session)).messages
    assert messages[0].content == ILL.user_text, "it stays raw"
    found = await owner.execute(
        "SELECT sensitive_flags FROM conversation_pairs"
        " WHERE user_id = %s ORDER BY turn_index",
        [me.user_id],
    )
    assert [row[0] for row in await found.fetchall()] == [{"health": 2}, {}]


@pytest.mark.req("D14", "A19")
async def test_nobody_writes_a_special_category_into_memory_without_consent(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(ILLNESS, basis=Basis.OBSERVED))
    await told(memory, me, TALK)
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me)
    kept = await create(memory, me, "사용자는 벌을 키운다.")
    await memory.settings.consent(me, {"sensitive": False})
    for write in (
        lambda: memory.memories.remember(me, ILLNESS),
        lambda: memory.memories.confirm(me, waiting.candidate_id),
        lambda: create(memory, me, ILLNESS),
        lambda: memory.episodes.edit(me, kept.episode_id, topics=["우울증"]),
        lambda: memory.items.batch(me, [Put(("notes",), "a", {"x": ILLNESS})]),
    ):
        with pytest.raises(NotPermittedError, match="sensitive"):
            await write()
    assert await memory.memories.remember(me, BEES)


async def create(memory: Gieok, me: Scope, summary: str) -> Episode:
    kept = await memory.episodes.create(
        me,
        persona_id=None,
        session_id=None,
        gist=Gist(summary),
        is_fallback=False,
        is_manual=True,
        summarizer="test",
    )
    return kept.episode


PILLS = "사용자는 매일 아침 알약을 먹음"


async def ill(memory: Gieok, me: Scope, script: Script) -> UUID:
    """Let an illness be known in every way; return the session it was said in."""
    script.says(fact(ILLNESS), fact(PILLS), fact(BEES, evidence=(2,)))
    session = await told(memory, me, ILL, TALK)
    await memory.sessions.close(me, session)
    await memory.settled(me)
    await create(memory, me, ILLNESS)
    await memory.memories.remember(me, "사용자는 당뇨가 있음")
    await memory.items.batch(me, [Put(("notes",), "a", {"x": ILLNESS})])
    assert {ILLNESS, PILLS, BEES, ILL.user_text} <= await held(memory, me)
    return session


@pytest.mark.req("D14")
async def test_who_agrees_again_gets_nothing_back_that_a_withdrawal_was_to_erase(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await learned(memory, me, script)
    for purpose, kept in (("profile", 1), ("storage", 0)):
        await memory.settings.consent(me, {purpose: False})
        await memory.settings.consent(me, {purpose: True})
        assert (await memory.memories.page(me, include_inactive=True))[1] == 0
        assert "벌" not in (await memory.context.build(me, "꿀")).text
        assert (await memory.sessions.page(me))[1] == kept
    await learned(memory, me, script)
    await memory.maintenance.erase_withdrawn(me)
    await memory.settings.consent(me, {"profile": True, "storage": True})
    assert (await memory.memories.page(me))[1] == 1, "it was agreed to already"


@pytest.mark.req("D14")
async def test_what_was_summed_up_before_a_refusal_is_gone_after_it(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session = await told(memory, me, TALK)
    await memory.sessions.close(me, session)
    await memory.settled(me)
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    assert await memory.summaries.days(me)
    await memory.settings.consent(me, {"profile": False})
    await memory.maintenance.erase_withdrawn(me)
    await memory.settings.consent(me, {"profile": True})
    await memory.settled(me)
    assert await memory.summaries.session(me, session) is None
    assert await memory.summaries.days(me) == ()
    assert await memory.summaries.weeks(me) == ()
    hits = await memory.recall.search(me, "벌", limit=50)
    assert {hit.kind for hit in hits} == {HitKind.MESSAGE}, "what was said stays"


@pytest.mark.req("D14", "A19")
async def test_who_agrees_again_to_special_categories_has_none_from_before(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await ill(memory, me, script)
    await memory.settings.consent(me, {"sensitive": False})
    await memory.settings.consent(me, {"sensitive": True})
    kept = await held(memory, me)
    assert BEES in kept
    assert not {word for word in kept if is_special(word)}


@pytest.mark.req("D14")
async def test_nobody_agrees_again_while_what_they_withdrew_cannot_be_erased(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await learned(memory, me, script)
    await memory.settings.consent(me, {"profile": False})

    async def fails(_: Scope, __: datetime | None) -> None:
        what = "the table of cards"
        raise UnavailableError(what, "it does not answer")

    service = replace(memory.settings, _erasers=[])
    service.subscribe_regrants(fails)
    with pytest.raises(UnavailableError):
        await service.consent(me, {"profile": True})
    assert not (await standing(memory, me))[Purpose.PROFILE]
    assert await service.consent(me, {"sync": True}), "it was never refused"


@pytest.mark.req("D14", "A14")
async def test_a_withdrawal_keeps_special_categories_out_of_prompts_at_once(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    await ill(memory, me, script)
    assert "우울증" in (await memory.context.build(me, "우울증 약을 먹나요?")).text
    await memory.settings.consent(me, {"sensitive": False})
    for block in (
        await memory.context.build(me, "우울증 약을 먹나요?"),
        await memory.context.episodes(me, None),
    ):
        assert "우울증" not in block.text
    assert await announced(owner, "consent_withdrawn", me.user_id) == 1


@pytest.mark.req("D14", "A14", "A19")
async def test_a_withdrawal_erases_what_was_learned_of_special_categories_alone(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session = await ill(memory, me, script)
    await memory.settings.consent(me, {"sensitive": False})
    assert await memory.maintenance.erase_withdrawn(me) > 0
    assert await memory.maintenance.erase_withdrawn(me) == 0
    await memory.settled(me)
    kept = await held(memory, me)
    assert BEES in kept
    assert PILLS not in kept, "it rested on what was said of the illness"
    assert not {word for word in kept if is_special(word)}
    assert await memory.items.batch(me, [Search(("notes",))]) == [[]]
    messages = (await memory.sessions.read(me, session)).messages
    assert messages[0].content == ILL.user_text, "what was said stays where it was said"
    await memory.settings.consent(me, {"sensitive": True})
    await memory.settled(me)
    assert not {word for word in await held(memory, me) if is_special(word)}
    await memory.audit.verify(me)


@pytest.mark.req("D14")
async def test_other_purposes_leave_special_categories_alone(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(ILLNESS))
    await told(memory, me, ILL)
    await memory.settings.consent(me, {"sync": False})
    await memory.settled(me)
    assert await memory.maintenance.erase_withdrawn(me) == 0
    assert ILLNESS in await held(memory, me)


@pytest.mark.req("D14")
async def test_without_consent_to_sync_devices_are_told_nothing_of_memory(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await learned(memory, me, script)
    device = Scope(me.user_id, Actor.DEVICE)
    assert await memory.recall.search(device, "벌")
    await memory.settings.consent(me, {"sync": False})
    assert await memory.recall.search(device, "벌") == ()
    assert not await memory.context.build(device, "벌")
    assert await memory.episodes.load(device, None) == ()
    with pytest.raises(NotPermittedError):
        await memory.items.batch(device, [Put(("notes",), "a", {"x": "벌"})])
    assert await memory.recall.search(me, "벌"), "the person's apps are"
    await memory.settings.consent(me, {"sync": True})
    assert await memory.recall.search(device, "벌")


@pytest.mark.req("D14", "A19")
async def test_what_an_import_brings_is_learned_no_more_than_what_is_said(
    memory: Gieok, me: Scope, other: Scope, script: Script, owner: Owner
) -> None:
    await ill(memory, me, script)
    export = b"".join([piece async for piece in memory.portability.export(me)])
    await memory.settings.consent(other, {"sensitive": False})
    await memory.maintenance.erase_withdrawn(other)
    await memory.portability.load(other, io.BytesIO(export))
    assert await announced(owner, "consent_withdrawn", other.user_id) == 1
    await memory.settled(other)
    kept = await held(memory, other)
    assert BEES in kept
    assert not {word for word in kept if is_special(word)}


@pytest.mark.req("D14", "E19")
async def test_what_was_withdrawn_stays_withdrawn_after_a_restore(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    await memory.maintenance.replay()
    await learned(memory, me, script)
    await memory.settings.consent(me, {"sync": False})
    clock.advance(timedelta(hours=1))
    backup = [("sync", 1, False, None, "user", clock() - timedelta(hours=1))]
    await memory.settings.consent(me, {"storage": False}, notice="2026-01")
    await memory.maintenance.erase_withdrawn(me)
    decided = await memory.settings.consent_history(me)
    await restore_consents(owner, me, backup)
    await learned(memory, me, script)  # stands for the rows that the backup brings
    clock.advance(timedelta(hours=1))
    done = await memory.maintenance.replay()
    assert (done.decisions, done.erasures, done.revocations) == (1, 0, 0)
    assert await memory.settings.consent_history(me) == decided
    assert not (await standing(memory, me))[Purpose.STORAGE]
    assert (await memory.sessions.page(me))[1] == 0
    assert (await memory.memories.page(me))[1] == 0
    with pytest.raises(NotPermittedError, match="storage"):
        await memory.sessions.start(me)
    assert (await memory.maintenance.replay()).decisions == 0
    await memory.audit.verify(me)


@pytest.mark.req("D14", "E19")
async def test_what_was_withdrawn_before_the_person_agreed_again_does_not_come_back(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    await memory.maintenance.replay()
    await learned(memory, me, script)
    await memory.settings.consent(me, {"storage": False})
    clock.advance(timedelta(hours=1))
    await memory.settings.consent(me, {"storage": True})
    await restore_consents(owner, me, [])
    await learned(memory, me, script)
    assert (await memory.maintenance.replay()).decisions == 2
    assert (await standing(memory, me))[Purpose.STORAGE]
    assert (await memory.sessions.page(me))[1] == 0
    assert (await memory.memories.page(me))[1] == 0
    await learned(memory, me, script)
    assert (await memory.maintenance.replay()).decisions == 0
    assert (await memory.memories.page(me))[1] == 1


@pytest.mark.req("D14", "E19")
async def test_who_came_and_refused_since_the_backup_refuses_still(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await memory.maintenance.replay()
    await memory.settings.consent(me, {"profile": False})
    await remove_person(owner, me)
    assert (await memory.maintenance.replay()).decisions == 1
    assert not (await standing(memory, me))[Purpose.PROFILE]


@pytest.mark.req("D14", "E19")
async def test_who_came_and_agreed_since_the_backup_holds_nobody_up(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    await store_default_consent(memory.maintenance.database, explicit=True)
    await memory.maintenance.replay()
    await memory.settings.consent(me, {"storage": True, "profile": True})
    await memory.settings.consent(other, {"sync": False})
    await remove_person(owner, me)
    await restore_consents(owner, other, [])
    assert (await memory.maintenance.replay()).decisions == 3
    agreed = {Purpose.STORAGE, Purpose.PROFILE}
    assert await standing(memory, me) == {each: each in agreed for each in Purpose}
    assert not (await standing(memory, other))[Purpose.SYNC]
    assert (await memory.maintenance.replay()).decisions == 0


@pytest.mark.req("D14", "E19")
async def test_what_fails_for_one_person_holds_no_refusal_of_others_back(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    await memory.maintenance.replay()
    for each in (me, other):
        await memory.settings.consent(each, {"profile": False})
        await restore_consents(owner, each, [])

    async def fails(scope: Scope, _: datetime | None) -> None:
        if scope.user_id == me.user_id:
            reason = "it is being renewed"
            raise ConflictError(reason)

    service = replace(memory.settings, _erasers=[])
    service.subscribe_regrants(fails)
    with pytest.raises(ConflictError):
        await service.replay()
    for each in (me, other):
        assert not (await standing(memory, each))[Purpose.PROFILE]


@pytest.mark.req("D14", "E19")
async def test_what_somebody_decided_goes_with_them(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    await memory.maintenance.replay()
    await memory.settings.consent(other, {"profile": False})
    await memory.settings.consent(me, {"profile": False})
    await memory.erasure.person(me)
    ledger = memory.maintenance.vault.keystore.ledger
    people = {each.user_id for each in await ledger.list_decisions()}
    assert me.user_id not in people
    assert other.user_id in people
    assert (await memory.maintenance.replay()).decisions == 0
    assert not await memory.accounts.is_known(me)
