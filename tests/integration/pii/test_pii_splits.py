"""Values said in parts are masked, whoever recorded the parts (A19)."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

import pytest

from gieok import Config, Gieok, Parts, Role, Scope, Turn, open_memory
from gieok.kernel.language import Conversation, Finding, Vectors
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.database import Owner
from support.scripted_model import Script

PARTS = ("카드 번호 앞은 4539 1488", "그다음은 0343", "끝은 6467")
MASKED = ["카드 번호 앞은 [카드번호]", "그다음은 [카드번호]", "끝은 [카드번호]"]


class Heard(HashEmbedder):
    """An embedder that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        while self.meanwhile:
            await self.meanwhile.pop()()
        return await super().passages(texts)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def elsewhere(
    config: Config, address: str, clock: FixedClock, heard: Heard, script: Script
) -> AsyncGenerator[Gieok]:
    """Another process on the same database."""
    parts = Parts(
        clock, model=ScriptedModel(script), embedder=heard, tokenizer=WordTokenizer()
    )
    there = replace(config, database_url=address)
    async with open_memory(there, parts=parts, worker=False) as opened:
        yield opened


async def contents(memory: Gieok, me: Scope, session: UUID) -> list[str]:
    read = await memory.sessions.read(me, session)
    return [message.content for message in read.messages]


async def in_parts(people: Iterable[Gieok], me: Scope, session: UUID) -> None:
    for memory, part in zip(people, PARTS, strict=True):
        await memory.sessions.append(me, session, role=Role.USER, content=part)


@pytest.mark.req("A18", "A19")
async def test_a_value_said_in_three_parts_to_two_processes_is_never_embedded(
    memory: Gieok, elsewhere: Gieok, me: Scope, heard: Heard, owner: Owner
) -> None:
    session = (await memory.sessions.start(me)).session_id
    await in_parts([memory, elsewhere, memory], me, session)
    assert await contents(memory, me, session) == list(PARTS), "no process saw it all"
    assert await elsewhere.recall.index(me) == 3
    assert await contents(memory, me, session) == MASKED
    assert sorted(heard.texts) == sorted(MASKED)
    rows = await owner.execute(
        "SELECT target_table, details - 'rows:session_messages' FROM memory_audit_log "
        "WHERE user_id = %s AND event_type = 'mask'",
        [me.user_id],
    )
    assert await rows.fetchall() == [("session_messages", {"card": 1})] * 3


@pytest.mark.req("A19")
async def test_neither_a_memory_nor_a_summary_is_made_of_what_waits_to_be_masked(
    memory: Gieok, elsewhere: Gieok, me: Scope, script: Script
) -> None:
    read: list[str] = []

    def reads(conversation: Conversation) -> list[Finding]:
        read.extend(said.content for said in conversation.messages)
        return []

    for one in (0, 1):
        session = (await memory.sessions.start(me)).session_id
        await in_parts([elsewhere, memory, elsewhere], me, session)
        if one:
            summed = await memory.summaries.session(me, session)
            assert summed is not None
            assert "0343" not in repr(summed)
        else:
            script.computes(reads)
            await memory.memories.extract(me, session)
            assert read == MASKED
        assert await contents(memory, me, session) == MASKED


@pytest.mark.req("A14", "A19")
async def test_nobody_is_shown_the_last_messages_before_they_are_masked(
    memory: Gieok, elsewhere: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    await in_parts([elsewhere, memory, elsewhere], me, session)
    shown = await memory.sessions.recent(me, session)
    assert [message.content for message in shown] == MASKED
    assert await contents(elsewhere, me, session) == MASKED


@pytest.mark.req("A19")
async def test_a_value_that_goes_on_in_the_next_session_of_a_line_is_masked(
    memory: Gieok, elsewhere: Gieok, me: Scope
) -> None:
    first = (await memory.sessions.start(me, max_pairs=1)).session_id
    await memory.sessions.record(me, first, Turn("주민번호 앞자리는", "901231"))
    pair = await elsewhere.sessions.record(me, first, Turn("1234568 이야", "네"))
    assert pair.session_id != first
    await memory.recall.index(me)
    said = [
        *await contents(memory, me, first),
        *await contents(memory, me, pair.session_id),
    ]
    assert said == [
        "주민번호 앞자리는",
        "[resident number]",
        "[주민등록번호] 이야",
        "네",
    ]


@pytest.mark.req("A18", "A19")
async def test_the_pairs_that_held_the_parts_count_them(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    session = (await memory.sessions.start(me)).session_id
    for part in ("당뇨 약 살 카드 번호 앞은 4539 1488", *PARTS[1:]):
        await memory.sessions.record(me, session, Turn(part, "네"))
    rows = await owner.execute(
        "SELECT sensitive_flags FROM conversation_pairs "
        "WHERE user_id = %s ORDER BY turn_index",
        [me.user_id],
    )
    flags = [{"card": 1, "health": 1}, {"card": 1}, {"card": 1}]
    assert [row[0] for row in await rows.fetchall()] == flags


@pytest.mark.req("A19")
async def test_a_part_is_not_found_any_more_by_the_words_that_were_masked(
    memory: Gieok, elsewhere: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    for one, part in zip((memory, elsewhere, memory), PARTS, strict=True):
        await one.sessions.append(me, session, role=Role.USER, content=part)
        await memory.recall.search(me, "0343")
    found = await memory.recall.search(me, "0343")
    assert any(hit.signals["words"] > 0 for hit in found), "it stands in memory"
    await elsewhere.recall.index(me)
    found = await memory.recall.search(me, "0343")
    assert sorted(hit.content for hit in found) == sorted(MASKED)
    assert not any(hit.signals["words"] > 0 for hit in found)


@pytest.mark.req("A19")
async def test_what_is_said_after_a_value_in_parts_can_be_found(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    for part in (*PARTS, "내일은 등산을 간다"):
        await memory.sessions.append(me, session, role=Role.USER, content=part)
        await memory.recall.index(me)
    memory.recall.drop(me)
    (best, *_) = await memory.recall.search(me, "등산")
    assert best.content == "내일은 등산을 간다"
    assert await memory.recall.index(me) == 0


@pytest.mark.req("A19")
async def test_a_part_that_is_being_embedded_when_the_next_is_said_is_embedded_anew(
    elsewhere: Gieok, me: Scope, heard: Heard
) -> None:
    session = (await elsewhere.sessions.start(me)).session_id
    first, second = "카드 번호 앞은 4539 1488", "뒤는 0343 6467"

    async def say(text: str) -> None:
        await elsewhere.sessions.append(me, session, role=Role.USER, content=text)

    await say(first)
    heard.meanwhile.append(partial(say, second))
    assert await elsewhere.recall.index(me) == 2
    assert heard.texts[0] == first
    assert sorted(heard.texts[1:]) == ["뒤는 [카드번호]", "카드 번호 앞은 [카드번호]"]


@pytest.mark.req("A15", "A19")
async def test_nothing_of_an_erased_session_stays_in_memory(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    await memory.sessions.append(me, session, role=Role.USER, content=PARTS[0])
    recent = memory.sessions.writer.recent
    assert recent.get_texts(me, session)
    await memory.erasure.session(me, session)
    assert not recent.get_texts(me, session)
