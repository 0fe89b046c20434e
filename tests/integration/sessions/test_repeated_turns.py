"""A turn whose answer was lost is sent again, and is kept once."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import ConflictError, NotFoundError
from support.session_talk import HOME

pytestmark = pytest.mark.req("A01")


async def said(memory: Gieok, me: Scope, session_id: UUID) -> list[str]:
    read = await memory.sessions.read(me, session_id)
    return [message.content for message in read.messages]


async def test_it_is_kept_once_and_answered_as_before(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    turn, pair_id = replace(HOME, tokens=7), uuid4()
    first = await memory.sessions.record(me, session, turn, pair_id=pair_id)
    await memory.sessions.record(me, session, Turn("다음", "네"))
    assert first.pair_id == pair_id
    assert await memory.sessions.record(me, session, turn, pair_id=pair_id) == first
    read = await memory.sessions.read(me, session)
    assert [m.content for m in read.messages[2:]] == ["다음", "네"]
    assert (read.session.pair_count, read.session.total_tokens) == (2, 7)


async def test_it_is_kept_once_when_it_is_sent_twice_at_once(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    pair_id = uuid4()
    pairs = await asyncio.gather(
        *(memory.sessions.record(me, session, HOME, pair_id=pair_id) for _ in range(5))
    )
    assert len(set(pairs)) == 1
    assert len(await said(memory, me, session)) == 2


async def test_a_session_that_is_over_or_full_answers_it_as_before(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me, max_pairs=1)).session_id
    keys = [uuid4(), uuid4()]
    pairs = [
        await memory.sessions.record(me, session, HOME, pair_id=key) for key in keys
    ]
    assert pairs[0].session_id != pairs[1].session_id
    await memory.sessions.close(me, session)
    for key, pair in zip(keys, pairs, strict=True):
        again = await memory.sessions.record(me, session, HOME, pair_id=key)
        assert again == pair
    assert len(await said(memory, me, pairs[1].session_id)) == 2


async def test_masked_words_are_the_same_turn(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    turn, pair_id = Turn("내 번호는 010-1234-5678이야", "네"), uuid4()
    first = await memory.sessions.record(me, session, turn, pair_id=pair_id)
    assert "1234" not in repr(await said(memory, me, session))
    assert await memory.sessions.record(me, session, turn, pair_id=pair_id) == first


async def test_an_id_of_another_turn_is_refused(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    pair_id = uuid4()
    await memory.sessions.record(me, session, HOME, pair_id=pair_id)
    with pytest.raises(ConflictError, match="another turn"):
        await memory.sessions.record(me, session, Turn("다음", "네"), pair_id=pair_id)
    assert len(await said(memory, me, session)) == 2


async def test_somebody_elses_id_is_free(memory: Gieok, me: Scope) -> None:
    other, pair_id = memory.person("other"), uuid4()
    for scope in (me, other):
        session = (await memory.sessions.start(scope)).session_id
        await memory.sessions.record(scope, session, HOME, pair_id=pair_id)
        assert len(await said(memory, scope, session)) == 2


async def test_what_was_erased_does_not_come_back(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    other = (await memory.sessions.start(me)).session_id
    pair_id = uuid4()
    await memory.sessions.record(me, session, HOME, pair_id=pair_id)
    await memory.erasure.session(me, session)
    for into in (session, other):
        with pytest.raises(ConflictError, match="erased"):
            await memory.sessions.record(me, into, HOME, pair_id=pair_id)
    assert await said(memory, me, other) == []


async def test_a_session_that_never_was_is_not_found(memory: Gieok, me: Scope) -> None:
    with pytest.raises(NotFoundError):
        await memory.sessions.record(me, uuid4(), HOME, pair_id=uuid4())
