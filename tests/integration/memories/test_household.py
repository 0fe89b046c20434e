"""One person's memory, several voices: what others say is nobody's fact (0024)."""

from collections.abc import Iterable

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation, Role
from gieok.sessions import RecordedPair
from gieok.sync import RejectionCode
from support.memory_talk import list_contents, list_memories
from support.scripted_model import Script, fact
from support.sync_device import joined

pytestmark = pytest.mark.req("A08")

GUEST, MINE = "나는 땅콩 알레르기가 있어", "나는 마포구에 살아"


def believe_everything(told: Conversation) -> Iterable[Finding]:
    """Find a fact in all that is there, and in messages that are not shown."""
    for said in told.messages:
        yield fact(f"사용자: {said.content}", evidence=(said.index,))
    for index in range(0, 10, 2):
        yield fact(f"{index}번째", evidence=(index,))
        yield fact(f"처음과 {index}번째", evidence=(index, 0))


async def start(memory: Gieok, me: Scope, *turns: Turn) -> None:
    session = await memory.sessions.start(me)
    for turn in turns:
        await memory.sessions.record(me, session.session_id, turn)


async def test_what_somebody_else_says_is_no_fact_about_the_person(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.computes(believe_everything)
    await start(memory, me, Turn(GUEST, "네.", speaker="지우"), Turn(MINE, "네."))
    await memory.settled(me)
    assert await list_contents(memory, me) == ["2번째", f"사용자: {MINE}"]


async def test_a_device_says_who_spoke(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.computes(believe_everything)
    kitchen = await joined(memory, me, "kitchen")
    kitchen.says(GUEST, speaker="지우")
    kitchen.says(MINE)
    assert (await kitchen.push()).rejected == ()
    await memory.settled(me)
    assert await list_contents(memory, me) == ["2번째", f"사용자: {MINE}"]
    phone = await joined(memory, me, "phone")
    spoken = {
        pair.user_text: pair.speaker
        for pair in phone.store.values()
        if isinstance(pair, RecordedPair)
    }
    assert spoken == {GUEST: "지우", MINE: None}


async def test_somebody_else_cannot_have_anything_forgotten(
    memory: Gieok, me: Scope, script: Script
) -> None:
    known = await memory.memories.remember(me, "사용자는 마포구에 거주")

    def forget(told: Conversation) -> Iterable[Finding]:
        wish = fact("마포구", basis=Basis.REQUESTED, confidence=1.0)
        (target,) = told.known
        yield Finding(
            FindingOperation.DELETE,
            wish.content,
            wish.category,
            wish.confidence,
            wish.basis,
            wish.evidence,
            target.id,
        )

    script.computes(forget)
    wish = "마포구 사는 거 잊어줘"
    await start(memory, me, Turn(wish, "네.", speaker="지우"))
    await memory.settled(me)
    (left,) = await list_memories(memory, me)
    assert left.memory_id == known.memory_id
    script.computes(forget)
    await start(memory, me, Turn(wish, "네."))
    await memory.settled(me)
    assert await list_memories(memory, me) == []


async def test_somebody_elses_words_are_not_quoted_as_the_persons(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    said = Turn("제 차는 2019년식 쏘나타예요", "네.", speaker="지우")
    await memory.sessions.record(me, session.session_id, said)
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    question = "차 쏘나타 몇 년식이지?"
    assert not (await memory.context.build(me, question)).excerpts
    found = [hit for hit in await memory.recall.search(me, question) if hit.role]
    assert {hit.other_speaker for hit in found} == {"지우"}, "found, under the name"


async def test_a_summary_names_who_said_it(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me)
    said = Turn(GUEST, "조심할게요.", speaker="지우")
    await memory.sessions.record(me, session.session_id, said)
    await memory.sessions.close(me, session.session_id)
    await memory.settled(me)
    about = await memory.summaries.session(me, session.session_id)
    assert about is not None
    assert f"지우: {GUEST}" in about.gist.summary


async def test_one_message_can_be_somebody_elses_too(
    memory: Gieok, me: Scope, script: Script
) -> None:
    script.computes(believe_everything)
    session_id = (await memory.sessions.start(me)).session_id
    for text, notes in ((GUEST, {"other_speaker": "지우"}), (MINE, {"speaker": "나"})):
        await memory.sessions.append(
            me, session_id, role=Role.USER, content=text, metadata=notes
        )
    await memory.settled(me)
    assert await list_contents(memory, me) == [f"사용자: {MINE}"]


async def test_a_name_is_cleaned_and_masked(memory: Gieok, me: Scope) -> None:
    session_id = (await memory.sessions.start(me)).session_id
    number = Turn("안녕", "네.", speaker="지우 010-1234-5678")
    await memory.sessions.record(me, session_id, number)
    read = await memory.sessions.read(me, session_id)
    name = read.messages[0].other_speaker
    assert name is not None
    assert name.startswith("지우")
    assert "1234" not in name
    too_long = Turn("안녕", "네.", speaker="지" * 129)
    with pytest.raises(InvalidInputError):
        await memory.sessions.record(me, session_id, too_long)
    device = await joined(memory, me)
    device.says("안녕", speaker="줄\n바꿈")
    device.says("안녕", speaker="지우")
    (rejected,) = (await device.push()).rejected
    assert (rejected.seq, rejected.code) == (1, RejectionCode.INVALID)
