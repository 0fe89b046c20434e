"""What was forgotten is neither found nor read again, wherever it was repeated."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from gieok import Category, Gieok, Scope, Turn
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation
from gieok.memories import CandidateStatus
from gieok.testing import FixedClock
from support.database import Owner
from support.memory_talk import list_memories, talk
from support.scripted_model import Script, fact

MINHYUK = "사용자의 전 남자친구 이름은 민혁"


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """A model during whose reading something happens."""

    happens: Callable[[], Awaitable[object]]
    findings: tuple[Finding, ...]
    name: str = "slow/1"

    async def extract(self, _: Conversation) -> tuple[Finding, ...]:
        await self.happens()
        return self.findings


async def hidden(owner: Owner, me: Scope) -> int:
    rows = await owner.execute(
        "SELECT count(*) FROM session_messages"
        " WHERE user_id = %s AND forgotten_at IS NOT NULL",
        [me.user_id],
    )
    row = await rows.fetchone()
    return row[0] if row else 0


async def found(memory: Gieok, me: Scope, text: str) -> list[str]:
    hits = await memory.recall.search(me, text)
    return [hit.content for hit in hits if text in hit.content]


@pytest.mark.req("A18", "D02")
async def test_forgetting_hides_every_message_that_said_it(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact(MINHYUK))
    await talk(memory, me, "전 남친 민혁이랑 헤어졌어")
    script.says(fact(f"{MINHYUK}."))
    await talk(memory, me, "민혁이가 전 남친이라니까")
    ((kept,), _) = await memory.memories.page(me)
    assert len(kept.source_message_ids) == 2
    await memory.memories.forget(me, kept.memory_id)
    assert await hidden(owner, me) == 2
    assert await found(memory, me, "민혁") == []


@pytest.mark.req("A18")
async def test_what_came_from_the_same_message_does_not_quote_it_any_more(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    job, home = "사용자는 간호사이다", "사용자는 마포구에 거주"
    script.says(fact(job), fact(home))
    await talk(memory, me, "저는 간호사고 마포 살아요")
    known = {each.content: each for each in await list_memories(memory, me)}
    await memory.memories.forget(me, known[job].memory_id)
    (kept,) = await list_memories(memory, me)
    assert (kept.content, kept.preview) == (home, None)
    rows = await owner.execute(
        "SELECT count(*) FROM memory_updates WHERE user_id = %s AND entity_id = %s",
        [me.user_id, kept.memory_id],
    )
    assert await rows.fetchone() == (2,), "created, and quoting nothing any more"


@pytest.mark.req("A18")
async def test_saying_the_same_as_an_update_is_a_repeat(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(MINHYUK))
    await talk(memory, me, "전 남친 민혁이랑 헤어졌어")

    def same(conversation: Conversation) -> tuple[Finding, ...]:
        target = conversation.known[0].id
        return (
            replace(fact(MINHYUK), operation=FindingOperation.UPDATE, target=target),
        )

    script.computes(same)
    await talk(memory, me, "민혁이가 전 남친이라니까")
    ((kept,), _) = await memory.memories.page(me)
    assert len(kept.source_message_ids) == 2
    actions = [s.action for s in await memory.memories.history(me, kept.memory_id)]
    assert actions == ["created", "merged"]


@pytest.mark.req("A05", "A18")
async def test_a_corroborated_candidate_keeps_all_its_messages(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    for text in ("또 새벽이네", "오늘도 새벽까지 깨어 있어"):
        script.says(fact("사용자는 늦게 잠", basis=Basis.OBSERVED))
        await talk(memory, me, text)
    ((kept,), _) = await memory.memories.page(me)
    assert len(kept.source_message_ids) == 2
    await memory.memories.forget(me, kept.memory_id)
    assert await hidden(owner, me) == 2


@pytest.mark.req("A18")
async def test_forgetting_hides_what_waiting_candidates_about_it_rest_on(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    kept = await memory.memories.remember(me, MINHYUK)

    def denied(conversation: Conversation) -> tuple[Finding, ...]:
        target = conversation.known[0].id
        doubt = fact("민혁이 아닌 듯", basis=Basis.OBSERVED)
        return (replace(doubt, operation=FindingOperation.DELETE, target=target),)

    script.computes(denied)
    await talk(memory, me, "민혁이가 누구더라")
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert waiting.target_id == kept.memory_id
    await memory.memories.forget(me, kept.memory_id)
    assert await memory.memories.candidates(me) == ()
    assert await hidden(owner, me) == 1


@pytest.mark.req("A18", "D05")
async def test_a_forgotten_message_is_not_read_along(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(MINHYUK))
    session_id = await talk(memory, me, "전 남친은 민혁")
    ((kept,), _) = await memory.memories.page(me)
    await memory.memories.forget(me, kept.memory_id)
    seen: list[Conversation] = []

    def answer(conversation: Conversation) -> tuple[Finding, ...]:
        seen.append(conversation)
        return (fact("사용자는 강남구에 거주", evidence=(1,)),)

    script.computes(answer)
    await memory.sessions.record(me, session_id, Turn("나 강남구 살아", "네."))
    await memory.settled(me)
    said = [message.content for message in seen[0].messages]
    assert said == ["네.", "나 강남구 살아", "네."]
    ((known,), _) = await memory.memories.page(me)
    assert known.preview == "나 강남구 살아"
    whole = await memory.sessions.read(me, session_id)
    assert whole.messages[0].content == "전 남친은 민혁"
    assert not await memory.sessions.unread(me)


@pytest.mark.req("D05")
async def test_the_preview_is_of_what_was_new(
    memory: Gieok, me: Scope, script: Script
) -> None:
    session_id = await talk(memory, me, "안녕")
    script.says(fact("사용자는 강남구에 거주", evidence=(0, 2, 2)))
    await memory.sessions.record(me, session_id, Turn("나 강남구 살아", "네."))
    await memory.settled(me)
    ((known,), _) = await memory.memories.page(me)
    assert known.preview == "나 강남구 살아"
    assert len(known.source_message_ids) == 2


@pytest.mark.req("A18")
async def test_what_is_forgotten_while_the_model_reads_makes_no_memory(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact(MINHYUK))
    session_id = await talk(memory, me, "전 남친은 민혁")
    ((kept,), _) = await memory.memories.page(me)
    await memory.sessions.record(me, session_id, Turn("걔 대구 살아", "네."))

    async def forget() -> None:
        await memory.memories.forget(me, kept.memory_id)

    slow = Meanwhile(forget, (fact("민혁은 대구에 거주", evidence=(0, 2)),))
    await replace(memory.memories, model=slow).extract(me, session_id)
    assert await memory.memories.page(me, include_inactive=True) == ((), 0)
    assert await memory.memories.candidates(me) == ()
    assert not await memory.sessions.unread(me)


async def test_a_session_of_forgotten_messages_comes_to_its_end(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    session = await memory.sessions.start(me)
    for n in range(25):
        await memory.sessions.record(me, session.session_id, Turn(f"u{n}", "a"))
    await owner.execute(
        "UPDATE session_messages SET forgotten_at = now()"
        " WHERE user_id = %s AND position < 45",
        [me.user_id],
    )
    script.says(fact("사용자는 강남구에 거주", evidence=(1,)))
    await memory.settled(me)
    assert not await memory.sessions.unread(me)
    ((known,), _) = await memory.memories.page(me)
    assert known.preview == "u23"


@pytest.mark.req("A18")
async def test_forgetting_everything_forgets_candidates(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 늦게 잠", basis=Basis.OBSERVED))
    await talk(memory, me, "또 새벽이네")
    assert await memory.memories.forget_all(me) == 0
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("D02", "D06")
async def test_remembering_twice_at_once_keeps_one(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    words = "사용자는 매주 화요일과 목요일 저녁에 동네 수영장에서 친구들과 수영을 하고"
    await memory.memories.remember(me, "사용자는 고양이를 키움")
    texts = (f"{words} 차를 마심", f"{words} 차를 마심 마심")
    async with owner.transaction():
        await owner.execute(
            "SELECT 1 FROM user_counters WHERE user_id = %s FOR UPDATE", [me.user_id]
        )
        both = asyncio.gather(*(memory.memories.remember(me, text) for text in texts))
        await asyncio.sleep(0.5)
        assert not both.done(), "they wait for whoever writes now"
    await both
    assert (await memory.memories.page(me, include_inactive=True))[1] == 2


@pytest.mark.req("A18")
async def test_forgetting_and_repeating_at_once_leave_one_state(
    memory: Gieok, me: Scope, script: Script
) -> None:
    for _ in range(5):
        kept = await memory.memories.remember(me, MINHYUK)
        session = await memory.sessions.start(me)
        await memory.sessions.record(me, session.session_id, Turn("민혁이", "네."))
        script.says(fact(MINHYUK))
        await asyncio.gather(
            memory.memories.forget(me, kept.memory_id),
            memory.memories.extract(me, session.session_id),
            memory.memories.remember(me, f"{MINHYUK}."),
        )
        with pytest.raises(NotFoundError):
            await memory.memories.get(me, kept.memory_id)
        left, _ = await memory.memories.page(me)
        assert len(left) <= 1
        waiting = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
        assert waiting == ()
        await memory.memories.forget_all(me)


@pytest.mark.req("D04")
@pytest.mark.parametrize("setting", ["is_enabled", "auto_extraction"])
async def test_what_is_said_while_off_is_never_extracted(
    memory: Gieok, me: Scope, script: Script, setting: str
) -> None:
    await memory.settings.update(me, {setting: False})
    session_id = await talk(memory, me, "나 강남구 살아")
    await memory.settings.update(me, {setting: True})
    script.says(fact("사용자는 강남구에 거주"))
    await memory.memories.extract(me, session_id)
    assert len(script.answers) == 1, "the model was not asked"


@pytest.mark.req("D04")
async def test_switching_off_while_the_model_reads_counts(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("나 강남구 살아", "네"))

    async def switch_off() -> None:
        await memory.settings.update(me, {"is_enabled": False})

    slow = Meanwhile(switch_off, (fact("사용자는 강남구에 거주"),))
    await replace(memory.memories, model=slow).extract(me, session.session_id)
    assert (await memory.memories.page(me))[1] == 0
    assert not await memory.sessions.unread(me)


@pytest.mark.req("D04")
async def test_a_category_refused_while_the_model_reads_is_not_kept(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("나 강남구 살아", "네"))

    async def narrow() -> None:
        await memory.settings.update(me, {"allowed_categories": ["preference"]})

    slow = Meanwhile(narrow, (fact("사용자는 강남구에 거주", Category.LOCATION),))
    await replace(memory.memories, model=slow).extract(me, session.session_id)
    assert await memory.memories.candidates(me) == ()


@pytest.mark.req("A18")
async def test_what_it_replaced_goes_with_a_memory(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact("사용자는 서울에 거주"))
    await talk(memory, me, "저는 서울 살아요")

    def moved(conversation: Conversation) -> tuple[Finding, ...]:
        new = replace(fact("사용자는 부산에 거주"), operation=FindingOperation.UPDATE)
        return (replace(new, target=conversation.known[0].id),)

    script.computes(moved)
    await talk(memory, me, "부산으로 이사했어요")
    ((home,), _) = await memory.memories.page(me)
    await memory.memories.forget(me, home.memory_id)
    assert await memory.memories.page(me, include_inactive=True) == ((), 0)
    assert await hidden(owner, me) == 2
    assert await found(memory, me, "서울") == []


@pytest.mark.req("A15", "A18")
async def test_what_said_the_same_and_is_out_of_use_goes_with_a_memory(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    script.says(fact(MINHYUK))
    await talk(memory, me, "전 남친 민혁이랑 헤어졌어")
    (denied,) = await list_memories(memory, me)
    await memory.memories.deactivate(me, denied.memory_id)
    again = await memory.memories.remember(me, MINHYUK)
    preview = await memory.memories.forgetting(me, again.memory_id)
    assert [each.memory_id for each in preview.versions] == [denied.memory_id]
    receipt = await memory.memories.forget(me, again.memory_id)
    assert await list_memories(memory, me, include_inactive=True) == []
    assert await memory.memories.history(me, denied.memory_id) == ()
    assert await hidden(owner, me) == 1
    about = {each.about for each in await memory.erasure.receipts(me)}
    assert about == {receipt.about, denied.memory_id}


@pytest.mark.req("A18")
async def test_what_is_in_use_stays_when_what_said_the_same_before_goes(
    memory: Gieok, me: Scope
) -> None:
    before = await memory.memories.remember(me, MINHYUK)
    await memory.memories.deactivate(me, before.memory_id)
    again = await memory.memories.remember(me, MINHYUK)
    await memory.memories.forget(me, before.memory_id)
    kept = await list_memories(memory, me, include_inactive=True)
    assert [each.memory_id for each in kept] == [again.memory_id]


async def _list_told(
    memory: Gieok, me: Scope, memory_id: UUID, since: datetime
) -> set[str | None]:
    """Return every wording that the histories of a person's memories show."""
    shown = await memory.memories.history(me, memory_id)
    origins = await memory.memories.why(me, memory_id)
    changes = await memory.memories.updates(me, since=since)
    steps = [*shown, *origins.history, *changes.entries]
    exported = b"".join([chunk async for chunk in memory.portability.export(me)])
    assert ("부산" in exported.decode()) is any(
        "부산" in (step.new_content or "") for step in steps
    )
    return {text for step in steps for text in (step.old_content, step.new_content)}


async def _move_and_return(
    memory: Gieok, me: Scope, clock: FixedClock
) -> tuple[UUID, UUID]:
    """Replace a home by another, put it back in use; return both, a step a minute."""
    seoul = await memory.memories.remember(me, "사용자는 서울에 거주")
    clock.advance(timedelta(minutes=1))
    busan = await memory.memories.correct(me, seoul.memory_id, "사용자는 부산에 거주")
    clock.advance(timedelta(minutes=1))
    await memory.memories.reactivate(me, seoul.memory_id)
    clock.advance(timedelta(minutes=1))
    return seoul.memory_id, busan.memory_id


@pytest.mark.req("A15", "A18")
async def test_what_is_back_in_use_no_longer_tells_what_had_replaced_it(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    since = clock() - timedelta(minutes=1)
    seoul, busan = await _move_and_return(memory, me, clock)
    daegu = await memory.memories.correct(me, seoul, "사용자는 대구에 거주")
    assert "사용자는 부산에 거주" in await _list_told(memory, me, seoul, since)
    await memory.memories.forget(me, busan)
    assert await _list_told(memory, me, seoul, since) == {
        "사용자는 서울에 거주",
        "사용자는 대구에 거주",
        None,
    }
    actions = [each.action for each in await memory.memories.history(me, seoul)]
    assert actions == ["created", "updated", "reactivated", "updated"]
    assert (await memory.memories.get(me, daegu.memory_id)).is_active


@pytest.mark.req("A18")
async def test_what_its_time_erases_is_in_no_history_either(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    since = clock() - timedelta(minutes=1)
    seoul, busan = await _move_and_return(memory, me, clock)
    await memory.memories.deactivate(me, seoul)
    await memory.retention.set_policy(me, busan, "retention_expire")
    await memory.settings.update(me, {"retention_days": 3})
    clock.advance(timedelta(days=4))
    await memory.retention.expire(me)
    told = await _list_told(memory, me, seoul, since)
    assert told == {"사용자는 서울에 거주", None}


@pytest.mark.req("A15")
async def test_a_confirmed_wish_erases_what_is_out_of_use_by_then(
    memory: Gieok, me: Scope, script: Script
) -> None:
    kept = await memory.memories.remember(me, MINHYUK)

    def perhaps(conversation: Conversation) -> tuple[Finding, ...]:
        wish = fact(MINHYUK, confidence=0.4, basis=Basis.REQUESTED)
        target = conversation.known[0].id
        return (replace(wish, operation=FindingOperation.DELETE, target=target),)

    script.computes(perhaps)
    await talk(memory, me, "그 사람 얘기는 좀 빼 줘")
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    await memory.memories.deactivate(me, kept.memory_id)
    await memory.memories.confirm(me, waiting.candidate_id)
    assert await memory.memories.page(me, include_inactive=True) == ((), 0)


async def _list_candidate_changes(memory: Gieok, me: Scope) -> dict[UUID, str]:
    """Return what the change feed last says of each candidate."""
    query = """
        SELECT entity_id, operation FROM memory_updates
        WHERE user_id = %s AND entity = 'memory_candidate' ORDER BY seq
    """
    async with memory.maintenance.database.begin(me) as tx:
        return dict(await tx.fetch_all(query, [me.user_id]))


async def test_a_spoken_wish_leaves_no_candidate_and_names_none(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 기타를 배운다", Category.HABIT))
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("기타 배워", "네."))
    await memory.memories.extract(me, session.session_id)
    (kept,), _ = await memory.memories.page(me)

    def forget(conversation: Conversation) -> tuple[Finding, ...]:
        found = fact("기타 얘기 잊어줘", Category.HABIT, basis=Basis.REQUESTED)
        target = conversation.known[0].id
        return (replace(found, operation=FindingOperation.DELETE, target=target),)

    script.computes(forget)
    later = await memory.sessions.start(me)
    await memory.sessions.record(me, later.session_id, Turn("기타 잊어줘", "네."))
    (outcome,) = await memory.memories.extract(me, later.session_id)
    assert (outcome.candidate_id, outcome.target_id) == (None, kept.memory_id)
    assert outcome.confirmed
    assert outcome.content == kept.content
    waiting = await memory.memories.open_wishes(me)
    left = {one.candidate_id for one in await memory.memories.candidates(me)}
    assert left == {wish.candidate_id for wish in waiting}, "only the search goes on"
    changes = await _list_candidate_changes(memory, me)
    assert {each for each, operation in changes.items() if operation == "put"} == left


async def test_devices_hear_of_candidates_that_went_with_a_memory(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.says(fact("사용자는 수영을 한다", Category.HABIT, basis=Basis.OBSERVED))
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("수영 가", "네."))
    await memory.memories.extract(me, session.session_id)
    (waiting,) = await memory.memories.candidates(me)
    assert await memory.memories.forget_all(me) == 0
    assert await _list_candidate_changes(memory, me) == {waiting.candidate_id: "delete"}
