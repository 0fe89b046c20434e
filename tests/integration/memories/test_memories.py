"""Memories on a real PostgreSQL: from what was said to what is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from gieok import Category, Gieok, Scope, Turn
from gieok.database import Transaction
from gieok.kernel.errors import (
    ConflictError,
    InvalidInputError,
    ModelUnavailableError,
    NotFoundError,
    NotPermittedError,
)
from gieok.kernel.language import (
    Basis,
    Conversation,
    Finding,
    FindingOperation,
    Vectors,
)
from gieok.memories import (
    CandidateStatus,
    HistoryAction,
    Memories,
    SourceType,
    Trigger,
    candidate_store,
)
from gieok.memories.claims import Candidate
from gieok.memories.model import Embedding
from gieok.privacy import PersonKey
from gieok.testing import FixedClock, babble
from support.database import Owner
from support.memory_talk import list_memories
from support.scripted_model import Script, fact


async def converse(memory: Gieok, me: Scope, *said: str) -> UUID:
    """Record what was said in one session, closed, and settle it."""
    session = await memory.sessions.start(me)
    for text in said:
        await memory.sessions.record(me, session.session_id, Turn(text, "네."))
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    return session.session_id


def targeting(
    operation: FindingOperation, content: str, basis: Basis = Basis.STATED
) -> Callable[[Conversation], tuple[Finding, ...]]:
    """Return an answer about the first thing known."""

    def answer(conversation: Conversation) -> tuple[Finding, ...]:
        target = conversation.known[0].id
        found = fact(content, Category.LOCATION, basis=basis)
        return (replace(found, operation=operation, target=target),)

    return answer


@pytest.mark.req("D01", "D05", "A06")
async def test_a_stated_fact_becomes_a_memory_with_its_source(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 강남구에 거주", Category.LOCATION, confidence=0.95))
    long = "나 강남구 살아. " + "그리고 " * 60
    session_id = await converse(memory, me, long)
    (found,) = await list_memories(memory, me)
    assert found.content == "사용자는 강남구에 거주"
    assert found.category is Category.LOCATION
    assert found.confidence == 0.95
    assert found.source_session_id == session_id
    assert len(found.source_message_ids) == 1
    assert found.preview == long.strip()[:100] or found.preview == long[:100]
    assert found.source_type == "inferred"
    assert found.extractor == "scripted/1"
    (candidate,) = await memory.memories.candidates(me)
    assert candidate.status is CandidateStatus.CONFIRMED
    assert candidate.memory_id == found.memory_id
    assert found.source_candidate_ids == (candidate.candidate_id,)


@pytest.mark.req("D05")
async def test_extraction_reads_every_message_once_with_ten_before_and_the_first(
    memory: Gieok, me: Scope, script: Script
) -> None:
    seen: list[Conversation] = []
    script.computes(lambda conversation: seen.append(conversation) or ())
    script.computes(lambda conversation: seen.append(conversation) or ())
    session = await memory.sessions.start(me)
    for turn in range(8):
        await memory.sessions.record(me, session.session_id, Turn(f"u{turn}", "a"))
    await memory.settled(me)
    await memory.settled(me)
    await memory.sessions.record(me, session.session_id, Turn("new", "a"))
    await memory.settled(me)
    assert [len(conversation.messages) for conversation in seen] == [16, 13]
    assert seen[1].messages[0].content == "u0"
    assert seen[1].messages[11].content == "new"


async def test_a_long_session_is_read_whole_in_several_goes(
    memory: Gieok, me: Scope, script: Script
) -> None:
    read: list[str] = []

    def answer(conversation: Conversation) -> tuple[Finding, ...]:
        read.extend(said.content for said in conversation.messages[-40:])
        return ()

    for _ in range(3):
        script.computes(answer)
    session = await memory.sessions.start(me)
    for turn in range(50):
        await memory.sessions.record(me, session.session_id, Turn(f"u{turn}", "a"))
    await memory.settled(me)
    assert {f"u{turn}" for turn in range(50)} <= set(read)


@pytest.mark.req("D02")
async def test_the_same_content_is_kept_once_and_counts(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 커피를 좋아함", confidence=0.7))
    await converse(memory, me, "커피 좋아")
    script.says(fact("사용자는 커피를 좋아함.", confidence=0.9))
    await converse(memory, me, "나 커피 좋아한다니까")
    (found,) = await list_memories(memory, me)
    assert found.confidence == 0.97, "it was said twice"
    assert found.usage_count == 1
    steps = await memory.memories.history(me, found.memory_id)
    assert [step.action for step in steps] == [
        HistoryAction.CREATED,
        HistoryAction.MERGED,
    ]


@pytest.mark.req("D06")
async def test_near_duplicates_merge_but_other_numbers_do_not(
    memory: Gieok, me: Scope, script: Script
) -> None:
    words = (
        "사용자는 매주 화요일과 목요일 저녁에 동네 수영장에서 "
        "친구들과 수영을 하고 집에 와서"
    )
    script.says(fact(f"{words} 차를 마심"))
    await converse(memory, me, "수영해")
    script.says(fact(f"{words} 차를 마심 마심"), fact(f"{words} 차를 3잔 마심"))
    await converse(memory, me, "수영한다고")
    assert {m.content for m in await list_memories(memory, me)} == {
        f"{words} 차를 마심",
        f"{words} 차를 3잔 마심",
    }


@pytest.mark.req("D03")
async def test_an_update_supersedes_with_history(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 마포구에 거주", Category.LOCATION))
    await converse(memory, me, "마포 살아")
    (old,) = await list_memories(memory, me)
    script.computes(targeting(FindingOperation.UPDATE, "사용자는 일산에 거주"))
    session_id = await converse(memory, me, "일산으로 이사했어")
    (new,) = await list_memories(memory, me)
    assert new.content == "사용자는 일산에 거주"
    before = await memory.memories.get(me, old.memory_id)
    assert not before.is_active
    assert before.superseded_by == new.memory_id
    last = (await memory.memories.history(me, old.memory_id))[-1]
    assert last.action is HistoryAction.UPDATED
    assert (last.old_content, last.new_content) == (
        "사용자는 마포구에 거주",
        "사용자는 일산에 거주",
    )
    assert (last.old_confidence, last.session_id) == (0.9, session_id)
    assert last.trigger == "llm_extraction"


TWO_HOMES = ("사용자는 마포구에 거주", "사용자는 일산에 거주")


def moving(
    memory_id: UUID, content: str, confidence: float = 0.9, **options: Any
) -> Callable[[Conversation], tuple[Finding, ...]]:
    """Return an answer by which something is true instead of a memory."""
    found = fact(content, Category.LOCATION, confidence=confidence, **options)
    target = str(memory_id)
    found = replace(found, operation=FindingOperation.UPDATE, target=target)
    return lambda _: (found,)


async def keep_two_homes(memory: Gieok, me: Scope, script: Script) -> list[UUID]:
    """Know two homes, neither of which the person asked to keep; return them."""
    script.says(*(fact(home, Category.LOCATION) for home in TWO_HOMES))
    await converse(memory, me, "마포구 살고 일산에도 살아")
    kept = {each.content: each.memory_id for each in await list_memories(memory, me)}
    return [kept[home] for home in TWO_HOMES]


@pytest.mark.req("D03")
@pytest.mark.parametrize("said", [TWO_HOMES[1], f"{TWO_HOMES[1]}."])
async def test_a_change_to_what_is_known_already_ends_the_old(
    memory: Gieok, me: Scope, script: Script, said: str
) -> None:
    old, new = await keep_two_homes(memory, me, script)
    script.computes(moving(old, said))
    await converse(memory, me, "마포 집은 정리했어, 이제 일산에만 살아")
    (left,) = await list_memories(memory, me)
    assert (left.memory_id, left.usage_count) == (new, 1)
    assert (await memory.memories.get(me, old)).superseded_by == new
    steps = await memory.memories.history(me, new)
    assert [each.action for each in steps] == [
        HistoryAction.CREATED,
        HistoryAction.MERGED,
    ]


@pytest.mark.req("D03", "A05")
async def test_a_confirmed_change_to_what_is_known_meanwhile_ends_the_old(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(TWO_HOMES[0], Category.LOCATION))
    await converse(memory, me, "마포구 살아")
    (old,) = await list_memories(memory, me)
    script.computes(moving(old.memory_id, TWO_HOMES[1], basis=Basis.OBSERVED))
    await converse(memory, me, "일산 집 가는 길")
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    new = await memory.memories.remember(me, TWO_HOMES[1])
    kept = await memory.memories.confirm(me, waiting.candidate_id)
    assert kept is not None
    assert kept.memory_id == new.memory_id
    assert [m.memory_id for m in await list_memories(memory, me)] == [new.memory_id]


@pytest.mark.req("A07")
async def test_what_may_be_no_change_to_what_is_known_ends_nothing(
    memory: Gieok, me: Scope, script: Script
) -> None:
    kept = await keep_two_homes(memory, me, script)
    script.computes(moving(kept[0], TWO_HOMES[1], confidence=0.3))
    await converse(memory, me, "일산 살아")
    assert {each.memory_id for each in await list_memories(memory, me)} == {*kept}


@pytest.mark.req("D03", "A18")
async def test_a_request_to_forget_erases_memory_history_and_findability(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자의 전 남자친구 이름은 민혁", Category.CONTEXT))
    await converse(memory, me, "전 남친 민혁이랑 헤어졌어")
    (old,) = await list_memories(memory, me)
    script.computes(targeting(FindingOperation.DELETE, "잊어줘", Basis.REQUESTED))
    await converse(memory, me, "민혁이 얘기 잊어줘")
    assert await list_memories(memory, me) == []
    with pytest.raises(NotFoundError):
        await memory.memories.get(me, old.memory_id)
    assert await memory.memories.history(me, old.memory_id) == ()
    assert all("민혁" not in c.claim for c in await memory.memories.candidates(me))
    hits = await memory.recall.search(me, "민혁")
    assert all("민혁" not in hit.content for hit in hits)
    lines = await memory.audit.lines(me)
    assert ("delete", old.memory_id) in [(x.event_type, x.target_id) for x in lines]


async def test_a_denial_sets_aside_and_can_be_undone(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 새우 알레르기가 있음", Category.CONSTRAINT))
    await converse(memory, me, "새우 알레르기 있어")
    (old,) = await list_memories(memory, me)
    script.computes(targeting(FindingOperation.DELETE, "새우 알레르기가 아님"))
    await converse(memory, me, "새우 알레르기 아니래")
    assert await list_memories(memory, me) == []
    again = await memory.memories.reactivate(me, old.memory_id)
    assert again.is_active


@pytest.mark.req("A05", "A07")
async def test_an_observation_waits_until_a_second_session_corroborates_it(
    memory: Gieok, me: Scope, script: Script
) -> None:
    observed = fact(
        "사용자는 저녁마다 안방 청정을 켬",
        Category.DEVICE_PATTERN,
        basis=Basis.OBSERVED,
        confidence=0.6,
    )
    script.says(observed)
    first = await converse(memory, me, "안방 청정 켜")
    assert await list_memories(memory, me) == []
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert waiting.session_ids == (first,)
    block = await memory.context.build(me, "안방 청정")
    assert not block, "a candidate is never used as if confirmed"
    script.says(replace(observed, confidence=0.7))
    second = await converse(memory, me, "안방 청정 또 켜")
    (found,) = await list_memories(memory, me)
    assert found.source_type == "inferred"
    (done,) = await memory.memories.candidates(me)
    assert done.status is CandidateStatus.CONFIRMED
    assert done.session_ids == (first, second)


@pytest.mark.req("A07")
async def test_the_same_session_does_not_corroborate_itself(
    memory: Gieok, me: Scope, script: Script
) -> None:
    observed = fact("사용자는 늦게 잠", basis=Basis.OBSERVED)
    session = await memory.sessions.start(me)
    for _ in range(3):
        script.says(observed)
        await memory.sessions.record(me, session.session_id, Turn("또 새벽이네", "네"))
        await memory.settled(me)
    assert await list_memories(memory, me) == []


@pytest.mark.req("A07")
async def test_strict_policy_lets_nothing_through_but_requests_and_reviews(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"promotion_policy": "strict"})
    script.says(
        fact("사용자는 강남구에 거주"),
        fact("사용자는 채식주의자", basis=Basis.REQUESTED),
        fact("사용자는 고양이를 키움"),
    )
    await converse(memory, me, "강남 살고 채식하는거 기억해줘 고양이도 키워")
    assert [m.content for m in await list_memories(memory, me)] == [
        "사용자는 채식주의자"
    ]
    waiting = {
        c.claim: c.candidate_id
        for c in await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    }
    confirmed = await memory.memories.confirm(me, waiting["사용자는 강남구에 거주"])
    assert confirmed is not None
    await memory.memories.reject(me, waiting["사용자는 고양이를 키움"])
    with pytest.raises(ConflictError, match="rejected"):
        await memory.memories.confirm(me, waiting["사용자는 고양이를 키움"])
    script.says(fact("사용자는 고양이를 키움"))
    await converse(memory, me, "고양이")
    assert not await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    script.says(fact("사용자는 고양이를 키움", basis=Basis.REQUESTED))
    await converse(memory, me, "고양이 키우는 거 기억해줘")
    assert {m.content for m in await list_memories(memory, me)} == {
        "사용자는 채식주의자",
        "사용자는 강남구에 거주",
        "사용자는 고양이를 키움",
    }


@pytest.mark.req("A07", "D04")
async def test_what_is_said_again_is_confirmed_under_the_strict_policy(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    strict = {"promotion_policy": "strict", "retention_days": 90}
    await memory.settings.update(me, strict)
    kept = await memory.memories.remember(me, "사용자는 강남구에 거주")
    assert kept.expires_at is not None
    clock.advance(timedelta(days=80))
    script.says(fact("사용자는 강남구에 거주."))
    try:
        await converse(memory, me, "나 강남 살잖아")
        (again,) = await list_memories(memory, me)
    finally:
        clock.advance(timedelta(days=-80))
    assert again.expires_at == kept.expires_at + timedelta(days=80)
    assert not await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    script.says(fact("사용자는 강남구에 거주", basis=Basis.OBSERVED))
    await converse(memory, me, "강남역 가는 길")
    assert await memory.memories.candidates(me, status=CandidateStatus.PENDING)


@pytest.mark.req("D01", "D02")
@pytest.mark.parametrize("said", ["사용자는 차를 좋아함", "사용자는 차를 좋아함."])
async def test_a_category_that_is_given_holds_for_what_is_known_already(
    memory: Gieok, me: Scope, said: str
) -> None:
    remember = memory.memories.remember
    kept = await remember(me, "사용자는 차를 좋아함", category=Category.PREFERENCE)
    assert (await remember(me, said)).category is Category.PREFERENCE
    again = await remember(me, said, category=Category.FEEDBACK)
    assert again.memory_id == kept.memory_id
    assert again.category is Category.FEEDBACK
    assert (await remember(me, said)).category is Category.FEEDBACK


@pytest.mark.req("D01")
async def test_a_category_can_be_corrected_alone(memory: Gieok, me: Scope) -> None:
    kept = await memory.memories.remember(me, "차", category=Category.PREFERENCE)
    correct = memory.memories.correct
    assert (await correct(me, kept.memory_id, "차")).category is Category.PREFERENCE
    after = await correct(me, kept.memory_id, "차", category=Category.FEEDBACK)
    assert (after.memory_id, after.category) == (kept.memory_id, Category.FEEDBACK)
    assert await list_memories(memory, me) == [after]


@pytest.mark.req("D01", "D04")
async def test_what_is_asked_for_again_is_kept_in_a_category_that_is_allowed(
    memory: Gieok, me: Scope
) -> None:
    kept = await memory.memories.remember(me, "차", category=Category.PREFERENCE)
    await memory.settings.update(me, {"allowed_categories": ["context"]})
    again = await memory.memories.remember(me, "차")
    assert (again.memory_id, again.category) == (kept.memory_id, Category.CONTEXT)


@pytest.mark.req("D04")
async def test_settings_decide_what_is_kept(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(
        me, {"allowed_categories": ["location"], "max_memories": 2}
    )
    script.says(
        *(
            fact(f"{n}번째 동네", Category.LOCATION, confidence=n / 10)
            for n in (5, 8, 7)
        ),
        fact("커피를 좋아함", Category.PREFERENCE),
    )
    await converse(memory, me, "여기저기 살았고 커피 좋아해")
    assert {m.content for m in await list_memories(memory, me)} == {
        "8번째 동네",
        "7번째 동네",
    }
    everything, total = await memory.memories.page(me, include_inactive=True)
    assert total == 3
    assert {m.inactive_reason for m in everything} == {None, "capacity"}
    with pytest.raises(NotPermittedError, match="preference"):
        await memory.memories.remember(me, "차", category=Category.PREFERENCE)


@pytest.mark.req("D04")
@pytest.mark.parametrize("setting", ["is_enabled", "auto_extraction"])
async def test_switched_off_means_the_model_reads_nothing(
    memory: Gieok, me: Scope, script: Script, setting: str
) -> None:
    await memory.settings.update(me, {setting: False})
    script.says(fact("사용자는 강남구에 거주"))
    await converse(memory, me, "나 강남구 살아")
    assert await list_memories(memory, me) == []
    assert len(script.answers) == 1, "the model was not asked"


async def test_forgetting_everything(memory: Gieok, me: Scope) -> None:
    for n in range(3):
        await memory.memories.remember(me, f"사실 {n}")
    assert await memory.memories.forget_all(me) == 3
    assert (await memory.memories.page(me, include_inactive=True)) == ((), 0)
    assert await memory.memories.forget_all(me) == 0


async def test_another_persons_memory_looks_missing(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    mine = await memory.memories.remember(me, "사용자는 강남구에 거주")
    texts = set()
    for scope, memory_id in ((other, mine.memory_id), (me, uuid4())):
        for call in (
            memory.memories.get,
            memory.memories.forget,
            memory.memories.deactivate,
            memory.memories.reactivate,
        ):
            with pytest.raises(NotFoundError) as caught:
                await call(scope, memory_id)
            texts.add(str(caught.value))
    assert texts == {"There is no memory with this id."}
    assert [m.memory_id for m in await list_memories(memory, me)] == [mine.memory_id]


async def test_a_dead_model_loses_nothing(
    memory: Gieok, me: Scope, script: Script
) -> None:
    def fail(_: Conversation) -> tuple[Finding, ...]:
        raise ModelUnavailableError("model", "it is away")

    script.computes(fail)
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("나 강남구 살아", "네"))
    with pytest.raises(ModelUnavailableError):
        await memory.settled(me)
    script.says(fact("사용자는 강남구에 거주"))
    await memory.settled(me)
    assert len(await list_memories(memory, me)) == 1


async def test_a_babbling_model_writes_nothing(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    script.computes(babble)
    await converse(memory, me, "안녕")
    assert [m.content for m in await list_memories(memory, me)] == [
        "사용자는 강남구에 거주"
    ]


@pytest.mark.req("A07")
async def test_what_only_the_assistant_said_is_no_fact(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 단독주택에 거주", evidence=(1,)))
    await converse(memory, me, "선풍기 버리려면요?")
    assert await list_memories(memory, me) == []


async def test_injected_memory_is_not_read_again(
    memory: Gieok, me: Scope, script: Script
) -> None:
    home = "사용자는 강남구에 거주"
    await memory.memories.remember(me, home, category=Category.LOCATION)
    block = await memory.context.build(me, "어디 살아?")
    seen: list[Conversation] = []
    script.computes(lambda conversation: seen.append(conversation) or ())
    await converse(memory, me, f"{block}\n오늘 뭐 먹지?")
    assert seen[0].messages[0].content == "오늘 뭐 먹지?"


async def test_bad_input_to_remember(memory: Gieok, me: Scope) -> None:
    for text in ("", "\x00", "가" * 5_000):
        with pytest.raises(InvalidInputError, match="content"):
            await memory.memories.remember(me, text)


@pytest.mark.req("D01")
async def test_who_asked_for_it_is_told_from_what_was_found(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(
        fact("사용자는 강남구에 거주", Category.LOCATION),
        fact("사용자는 게를 못 먹음", Category.CONSTRAINT, basis=Basis.REQUESTED),
    )
    await converse(memory, me, "나 강남구 살아. 게 못 먹는 것도 기억해 줘")
    await memory.memories.remember(me, "사용자는 벌을 키움")
    types = {each.content: each.source_type for each in await list_memories(memory, me)}
    assert types == {
        "사용자는 강남구에 거주": SourceType.INFERRED,
        "사용자는 게를 못 먹음": SourceType.EXPLICIT,
        "사용자는 벌을 키움": SourceType.EXPLICIT,
    }


@pytest.mark.req("D03")
def test_the_trigger_says_what_kind_of_model_found_it() -> None:
    assert Trigger.from_model("rules/3") == "rules_extraction"
    assert Trigger.from_model("openai:gpt-5-mini/p7") == "llm_extraction"


def replace_judges(memories: Memories, **judges: Any) -> Memories:
    return replace(memories, consolidator=replace(memories.consolidator, **judges))


@pytest.mark.req("D01")
async def test_a_subcategory_is_kept_sealed_and_comes_with_a_late_vector(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    told = replace_judges(memory.memories, slot_of=lambda _: "pet")
    kept = await told.remember(me, "사용자는 벌을 키움")
    assert kept.subcategory == "pet"
    plain = await memory.memories.remember(me, "사용자는 양봉가")
    assert plain.subcategory is None
    found = await owner.execute(
        "SELECT subcategory FROM user_memories WHERE memory_id = %s", [kept.memory_id]
    )
    assert b"pet" not in (await found.fetchall())[0][0]
    await owner.execute(
        "UPDATE user_memories SET embedder = NULL WHERE memory_id = %s",
        [plain.memory_id],
    )
    assert await told.embed(me) == 1
    assert (await told.get(me, plain.memory_id)).subcategory == "pet"


@pytest.mark.req("D01", "D09")
async def test_relevance_is_that_of_the_last_question_it_was_shown_for(
    memory: Gieok, me: Scope
) -> None:
    for text in (
        "고양이 세 마리",
        "부산 본가",
        "첼로 연습",
        "새벽 조깅",
        "게 알레르기",
    ):
        await memory.memories.remember(me, text)
    block = await memory.context.build(me, "고양이 세 마리")
    shown = {line.memory_id for line in block.lines}
    scores = {
        each.content: (each.memory_id in shown, each.relevance_score)
        for each in await list_memories(memory, me)
    }
    was_shown, score = scores["고양이 세 마리"]
    assert was_shown
    assert 0.5 < score <= 1
    assert all(score == 0 for is_in, score in scores.values() if not is_in)


@pytest.mark.req("D06")
async def test_what_differs_is_kept_beside_what_is_near_it(
    memory: Gieok, me: Scope
) -> None:
    class Same:
        """An embedder to which everything is the same."""

        name, dimension = "same", 2

        async def passages(self, texts: Sequence[str]) -> Vectors:
            return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

        queries = passages

    texts = ("사용자의 아들은 일곱 살", "사용자의 딸은 일곱 살")
    near = replace_judges(memory.memories, embedder=Same())
    first, second = [await near.remember(me, text) for text in texts]
    assert first.memory_id == second.memory_id
    await memory.memories.forget_all(me)
    apart = replace_judges(near, differs=lambda *_: True)
    first, second = [await apart.remember(me, text) for text in texts]
    assert first.memory_id != second.memory_id
    assert (await apart.remember(me, texts[1])).memory_id == second.memory_id


@pytest.mark.req("A07")
async def test_what_waits_is_read_once_for_all_claims_of_a_batch(
    memory: Gieok, me: Scope, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    list_pending = candidate_store.list_pending

    async def count_reading(
        tx: Transaction, key: PersonKey
    ) -> list[tuple[Candidate, Embedding | None]]:
        found = await list_pending(tx, key)
        read.append(len(found))
        return found

    monkeypatch.setattr(candidate_store, "list_pending", count_reading)
    said = ("사용자는 배를 탐", "사용자는 산에 감", "사용자는 배를 탐.")
    for claims in (said, said[:2]):
        script.says(
            *(fact(each, basis=Basis.OBSERVED, confidence=0.4) for each in claims)
        )
        await converse(memory, me, "배도 타고 산에도 가요")
        waiting = await memory.memories.candidates(me)
        assert sorted(each.claim for each in waiting) == sorted(said[:2])
    assert read == [0, 2]
    assert {len(each.session_ids) for each in waiting} == {2}
