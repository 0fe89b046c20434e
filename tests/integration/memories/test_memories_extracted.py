"""How long memories stay, which give way, and who hears of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from gieok import Gieok, Scope, Turn
from gieok.kernel.background import mark_background
from gieok.kernel.errors import (
    ConflictError,
    ModelRefusedError,
    ModelUnavailableError,
)
from gieok.kernel.language import (
    Basis,
    Conversation,
    Finding,
    FindingOperation,
    Role,
)
from gieok.memories import CandidateStatus
from gieok.models.fallback import PAUSES, FallbackModel
from gieok.testing import FixedClock, ScriptedModel
from support.database import Owner
from support.memory_talk import list_contents, list_memories, record_turns, talk
from support.scripted_model import Script, fact


@pytest.mark.req("D04", "D06")
async def test_what_expired_and_is_said_again_starts_anew(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 10})
    old = await memory.memories.remember(me, "사용자는 강남구에 거주")
    clock.advance(timedelta(days=11))
    try:
        new = await memory.memories.remember(me, "사용자는 강남구에 거주")
        assert new.is_active
        assert new.memory_id != old.memory_id
        assert await list_memories(memory, me) == [new]
    finally:
        clock.advance(timedelta(days=-11))


@pytest.mark.req("D04", "D10")
async def test_reactivation_renews_what_retention_ended(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 10})
    old = await memory.memories.remember(me, "사용자는 강남구에 거주")
    clock.advance(timedelta(days=11))
    try:
        again = await memory.memories.reactivate(me, old.memory_id)
        assert await list_memories(memory, me) == [again]
        actions = [s.action for s in await memory.memories.history(me, old.memory_id)]
        assert actions == ["created", "expired", "reactivated"]
    finally:
        clock.advance(timedelta(days=-11))


@pytest.mark.req("D04")
async def test_a_repeat_renews_retention(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 10})
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    clock.advance(timedelta(days=6))
    try:
        await memory.memories.remember(me, "사용자는 강남구에 거주.")
        clock.advance(timedelta(days=6))
        assert len(await list_memories(memory, me)) == 1
    finally:
        clock.advance(timedelta(days=-12))


@pytest.mark.req("D06")
async def test_reactivation_makes_room(memory: Gieok, me: Scope) -> None:
    first = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.deactivate(me, first.memory_id)
    await memory.settings.update(me, {"max_memories": 1})
    await memory.memories.remember(me, "사용자는 고양이를 키움")
    again = await memory.memories.reactivate(me, first.memory_id)
    assert await list_memories(memory, me) == [again]


@pytest.mark.req("D06")
async def test_who_allows_fewer_memories_has_fewer_in_use(
    memory: Gieok, me: Scope
) -> None:
    home = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.pin(me, home.memory_id)
    for content in ("사용자는 고양이를 키움", "사용자는 커피를 좋아함"):
        await memory.memories.remember(me, content)
    await memory.settings.update(me, {"max_memories": 1})
    await memory.settled(me)
    assert await list_contents(memory, me) == [home.content]
    _, total = await memory.memories.page(me, include_inactive=True)
    assert total == 3


@pytest.mark.req("D06")
async def test_what_was_just_repeated_does_not_give_way(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"max_memories": 2})
    script.says(
        fact("사용자는 강남구에 거주", confidence=0.5),
        fact("사용자는 고양이를 키움", confidence=0.7),
    )
    await talk(memory, me, "강남 살고 고양이 키워")
    script.says(
        fact("사용자는 강남구에 거주.", confidence=0.9),
        fact("사용자는 커피를 좋아함", confidence=0.8),
    )
    await talk(memory, me, "강남 산다니까, 커피 좋아")
    assert {m.content for m in await list_memories(memory, me)} == {
        "사용자는 강남구에 거주",
        "사용자는 커피를 좋아함",
    }


@pytest.mark.req("D06")
async def test_what_was_just_learned_does_not_give_way_to_what_is_surer(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"max_memories": 2})
    for content in ("사용자는 강남구에 거주", "사용자는 고양이를 키움"):
        await memory.memories.remember(me, content)
    script.says(fact("사용자는 커피를 좋아함", confidence=0.7))
    await talk(memory, me, "커피가 좋더라")
    contents = await list_contents(memory, me)
    assert "사용자는 커피를 좋아함" in contents
    assert len(contents) == 2


@pytest.mark.req("D06")
async def test_what_takes_the_place_of_another_does_not_give_way_at_once(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"max_memories": 2})
    await memory.memories.remember(me, "사용자는 고양이를 키움")
    script.says(fact("사용자는 강남구에 거주"))
    await talk(memory, me, "나 강남 살아")

    def moves(talked: Conversation) -> list[Finding]:
        target = next(each.id for each in talked.known if "강남" in each.content)
        moved = fact("사용자는 부산에 거주", confidence=0.7)
        update = replace(moved, operation=FindingOperation.UPDATE, target=target)
        return [update, fact("사용자는 커피를 좋아함", confidence=0.8)]

    script.computes(moves)
    await talk(memory, me, "부산으로 이사했어, 커피도 좋아해")
    assert await list_contents(memory, me) == [
        "사용자는 부산에 거주",
        "사용자는 커피를 좋아함",
    ]


@pytest.mark.req("D06")
async def test_what_is_pinned_does_not_give_way_to_what_was_just_learned(
    memory: Gieok, me: Scope, script: Script
) -> None:
    await memory.settings.update(me, {"max_memories": 1})
    home = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.pin(me, home.memory_id)
    script.says(fact("사용자는 커피를 좋아함"))
    await talk(memory, me, "커피가 좋더라")
    assert await list_contents(memory, me) == [home.content]


@pytest.mark.req("A07")
async def test_an_explicit_request_outweighs_an_earlier_refusal(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 고양이를 키움", basis=Basis.OBSERVED))
    await talk(memory, me, "야옹")
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    await memory.memories.reject(me, waiting.candidate_id)
    kept = await memory.memories.remember(me, "사용자는 고양이를 키움")
    assert kept.is_active


async def test_a_vector_that_follows_is_numbered(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    kept = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await owner.execute(
        "UPDATE user_memories SET embedder = 'another/1' WHERE user_id = %s",
        [me.user_id],
    )
    count = "SELECT count(*) FROM memory_updates WHERE user_id = %s AND entity_id = %s"
    asked = [me.user_id, kept.memory_id]
    before = await (await owner.execute(count, asked)).fetchone()
    assert await memory.memories.embed(me) == 1
    after = await (await owner.execute(count, asked)).fetchone()
    assert before is not None
    assert after is not None
    assert after[0] == before[0] + 1


@pytest.mark.req("D04", "D06")
async def test_retention_lets_memories_expire(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 10})
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    clock.advance(timedelta(days=11))
    try:
        assert await list_memories(memory, me) == []
        assert not await memory.context.build(me, "어디 살아?")
        await memory.memories.remember(me, "사용자는 새 집에 거주")
        (gone,) = [
            m
            for m in (await memory.memories.page(me, include_inactive=True))[0]
            if not m.is_active
        ]
        steps = await memory.memories.history(me, gone.memory_id)
        assert [step.action for step in steps] == ["created", "expired"]
    finally:
        clock.advance(timedelta(days=-11))


@pytest.mark.req("D10")
async def test_soft_delete_and_reactivation(memory: Gieok, me: Scope) -> None:
    kept = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.deactivate(me, kept.memory_id)
    assert await list_memories(memory, me) == []
    with pytest.raises(ConflictError, match="not in use"):
        await memory.memories.deactivate(me, kept.memory_id)
    again = await memory.memories.reactivate(me, kept.memory_id)
    assert (again.memory_id, again.is_active) == (kept.memory_id, True)
    with pytest.raises(ConflictError):
        await memory.memories.reactivate(me, kept.memory_id)
    actions = [s.action for s in await memory.memories.history(me, kept.memory_id)]
    assert actions == ["created", "deactivated", "reactivated"]


async def test_reactivation_never_makes_a_twin(memory: Gieok, me: Scope) -> None:
    first = await memory.memories.remember(me, "사용자는 강남구에 거주")
    await memory.memories.deactivate(me, first.memory_id)
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    with pytest.raises(ConflictError, match="same"):
        await memory.memories.reactivate(me, first.memory_id)


@pytest.mark.req("D04")
@pytest.mark.parametrize("setting", ["is_enabled", "auto_extraction"])
async def test_what_was_said_while_off_stays_unread_once_on_again(
    memory: Gieok, me: Scope, script: Script, setting: str
) -> None:
    session = await memory.sessions.start(me)
    await memory.settings.update(me, {setting: False})
    turn = Turn("나 비밀 하나 말할게", "네.")
    await memory.sessions.record(me, session.session_id, turn)
    await memory.settings.update(me, {setting: True})
    script.says(fact("사용자는 비밀이 있음"))
    await memory.settled(me)
    assert len(script.answers) == 1, "the model was not asked"


@pytest.mark.req("D04")
async def test_what_was_said_while_off_is_not_read_beside_what_comes_later(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session_id = await record_turns(memory, me)
    await memory.settings.update(me, {"is_enabled": False})
    await memory.sessions.record(me, session_id, Turn("나 비밀 하나 말할게", "쉿."))
    await memory.settings.update(me, {"is_enabled": True})
    read: list[str] = []
    script.computes(lambda said: read.extend(m.content for m in said.messages) or ())
    await memory.sessions.record(me, session_id, Turn("나는 홍차를 좋아해", "네."))
    await memory.settled(me)
    assert read == ["나는 홍차를 좋아해", "네."]


async def test_long_messages_are_read_a_few_at_a_time_and_each_once(
    memory: Gieok, me: Scope, script: Script
) -> None:
    read: list[list[str]] = []

    def note(conversation: Conversation) -> tuple[Finding, ...]:
        read.append([said.content[:3] for said in conversation.messages])
        return ()

    for _ in range(20):
        script.computes(note)
    await talk(memory, me, *(f"{n:02}번" + "가" * 9_000 for n in range(11)))
    assert len(read) == 3
    first = [{name for name in batch if name != "네."} for batch in read]
    assert first[0] == {f"{n:02}번" for n in range(4)}
    assert set.union(*first) == {f"{n:02}번" for n in range(11)}


async def test_how_a_session_began_is_read_with_what_comes_late(
    memory: Gieok, me: Scope, script: Script
) -> None:
    """It says what the talk is: a game, a lesson."""
    read: list[list[str]] = []

    def note(conversation: Conversation) -> tuple[Finding, ...]:
        read.append([said.content for said in conversation.messages])
        return ()

    for _ in range(40):
        script.computes(note)
    session_id = await record_turns(memory, me, "상황극 하자")
    for number in range(9):
        await memory.sessions.record(me, session_id, Turn(f"{number}막", "네."))
        await memory.settled(me)
    assert all(each[0] == "상황극 하자" for each in read)
    assert all(each.count("상황극 하자") == 1 for each in read)
    assert "0막" not in read[-1]


def find_by_mark(conversation: Conversation) -> tuple[Finding, ...]:
    """Find a fact in each of the user's messages that says of what."""
    return tuple(
        fact(f"사용자는 {said.content} 좋아함", evidence=(said.index,))
        for said in conversation.messages
        if said.role is Role.USER
    )


class TrustingRules(ScriptedModel):
    """Rules that believe all that another model found."""

    async def verify(
        self, conversation: Conversation, findings: Sequence[Finding]
    ) -> tuple[Finding, ...]:
        del conversation
        return tuple(findings)


class RefusingModel(ScriptedModel):
    """A model whose vendor refuses every conversation that holds one of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(find_by_mark)
        self.words = words
        self.asked = 0

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        self.asked += 1
        said = " ".join(message.content for message in conversation.messages)
        if any(word in said for word in self.words):
            raise ModelRefusedError(self.name, "it answered with HTTP status 400")
        return await super().extract(conversation)


@pytest.mark.parametrize(
    ("refused", "by_rules", "most_asked"),
    [(["물3"], {3}, 1 + 2 * 4), (["물"], set(range(9)), 3)],
)
async def test_what_a_model_refuses_is_read_by_rules_and_the_rest_by_the_model(
    memory: Gieok, me: Scope, refused: list[str], by_rules: set[int], most_asked: int
) -> None:
    model = RefusingModel(refused)
    rules = TrustingRules(find_by_mark, name="rules/test")
    reading = replace(memory.memories, model=FallbackModel(model, rules))
    await reading.extract(me, await record_turns(memory, me, "…"))
    assert model.asked == 1
    model.asked = 0
    session_id = await record_turns(memory, me, *(f"나물{n}번을" for n in range(9)))
    with capture_logs() as lines:
        await reading.extract(me, session_id)
    assert (await reading.reading(me, session_id)).unread_count == 0
    found = {m.content: m.extractor for m in await list_memories(memory, me)}
    found.pop("사용자는 … 좋아함")
    assert found == {
        f"사용자는 나물{n}번을 좋아함": "rules/test" if n in by_rules else "scripted/1"
        for n in range(9)
    }
    assert model.asked <= most_asked
    (fell_back,) = [line for line in lines if line["event"] == "extraction_fell_back"]
    assert fell_back["messages"] >= len(by_rules)
    assert "나물" not in str(lines)


async def test_a_model_that_refuses_from_the_start_is_set_up_wrongly(
    memory: Gieok, me: Scope
) -> None:
    """Else everything said would count as read, and a repair would come too late."""
    model = RefusingModel(["나물"])
    rules = TrustingRules(find_by_mark, name="rules/test")
    reading = replace(memory.memories, model=FallbackModel(model, rules))
    session_id = await record_turns(memory, me, "나물1번을", "나물2번을")
    with pytest.raises(ModelRefusedError, match="refused this conversation"):
        await reading.extract(me, session_id)
    assert (await reading.reading(me, session_id)).unread_count == 4
    model.words = []
    await reading.extract(me, session_id)
    assert {m.extractor for m in await list_memories(memory, me)} == {"scripted/1"}


class LimitedModel(RefusingModel):
    """One whose vendor turns away so many calls, from a number of them on."""

    def __init__(self, words: Sequence[str], *, after: int, times: int) -> None:
        super().__init__(words)
        self.limited = range(after, after + times)
        self.answered: list[str] = []

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        if self.asked in self.limited:
            self.asked += 1
            raise ModelUnavailableError(self.name, "it answered with HTTP status 429")
        found = await super().extract(conversation)
        self.answered += [said.content for said in conversation.messages]
        return found


@pytest.mark.parametrize("times", [1, len(PAUSES), len(PAUSES) + 1])
async def test_what_a_model_answered_of_a_halved_conversation_is_not_asked_again(
    memory: Gieok, me: Scope, times: int
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    model = LimitedModel(["물7"], after=3, times=times)
    rules = TrustingRules(find_by_mark, name="rules/test")
    fallback = FallbackModel(model, rules, sleep=sleep)
    reading = replace(memory.memories, model=fallback)
    await reading.extract(me, await record_turns(memory, me, "…"))
    session_id = await record_turns(memory, me, *(f"나물{n}번을" for n in range(9)))
    with mark_background():
        if times > len(PAUSES):
            with pytest.raises(ModelUnavailableError, match="429"):
                await reading.extract(me, session_id)
            assert (await reading.reading(me, session_id)).unread_count == 18
        else:
            await reading.extract(me, session_id)
            answered = [said for said in model.answered if "나물" in said]
            assert sorted(answered) == [f"나물{n}번을" for n in range(9) if n != 7]
            assert len(await list_memories(memory, me)) == 10
    assert pauses == list(PAUSES[:times])


async def test_who_waits_for_a_halved_conversation_is_told_at_once(
    memory: Gieok, me: Scope
) -> None:
    model = LimitedModel(["물1"], after=2, times=1)
    rules = TrustingRules(find_by_mark, name="rules/test")
    reading = replace(memory.memories, model=FallbackModel(model, rules))
    await reading.extract(me, await record_turns(memory, me, "…"))
    session_id = await record_turns(memory, me, "나물1번을", "나물2번을")
    with pytest.raises(ModelUnavailableError, match="429"):
        await reading.extract(me, session_id)
