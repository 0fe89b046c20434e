"""Whoever is told what is remembered leaves a record of it (D16)."""

import inspect
import io
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, get_type_hints

import pytest

from gieok import Gieok, Scope, Turn
from gieok.items import Get, Put, Search
from gieok.kernel.language import (
    Basis,
    Category,
    Conversation,
    Finding,
    FindingOperation,
    Gist,
)
from gieok.recall import Filters
from gieok.recall.service import SearchPart
from gieok.summaries.periods import format_week
from support.scripted_model import Script, fact

CONTENT = re.compile(
    r"\.(Transcript|Message|SessionSummary|DaySummary|WeekSummary|Episode|SavedEpisode|EpisodePage|MemoryPage"
    r"|RecordedPair|Memory|Candidate|ForgetQuestion|HistoryEntry|HistoryPage|Fact|Hit|FoundParts|Item|Block|Line|Excerpt|Answer)\b|bytes"
)
"""What holds something that was said or remembered."""
WRITES = {
    "sessions.append",
    "episodes.archive",
    "episodes.create",
    "episodes.edit",
    "episodes.archive_excess",
    "episodes.remember",
    "episodes.restore",
    "episodes.set_plan",
    "memories.confirm",
    "memories.correct",
    "memories.pin",
    "memories.unpin",
    "memories.reactivate",
    "memories.remember",
    "retention.set_policy",
    "chat.keep",
}
"""Return what they have just written, and leave a record of that."""
WITHIN = {
    "memories.facts",
    "memories.open_wishes",
    "memories.read_questions",
    "summaries.summarize_session",
}
"""For other parts of gieok, which tell nobody or leave the record themselves."""

Call = Callable[[], Awaitable[object]]


def telling(memory: Gieok) -> set[str]:
    """Return the methods of the facade that return something remembered."""
    found: set[str] = set()
    for name, kind in get_type_hints(type(memory)).items():
        for method, function in inspect.getmembers(kind, inspect.isfunction):
            is_async = inspect.iscoroutinefunction(
                function
            ) or inspect.isasyncgenfunction(function)
            told = str(inspect.signature(function).return_annotation)
            if is_async and not method.startswith("_") and CONTENT.search(told):
                found.add(f"{name}.{method}")
    return found


async def lived(memory: Gieok, me: Scope, script: Script) -> dict[str, Call]:
    """Leave something of every kind; return how each is read."""
    session = (await memory.sessions.start(me)).session_id
    script.says(
        fact("사용자는 벌을 키움"), fact("사용자는 매일 꿀", basis=Basis.OBSERVED)
    )
    pair = await memory.sessions.record(me, session, Turn("벌을 키워요", "네."))
    await memory.settled(me)
    kept = await memory.memories.remember(me, "사용자는 강남구에 삶")
    script.computes(doubt_wish)
    await memory.sessions.record(me, session, Turn("사는 곳은 잊어 줘", "네."))
    await memory.settled(me)
    episode = await create(memory, me)
    await memory.items.batch(me, [Put(("notes",), "a", {"x": "벌"})])
    today = memory.clock().date()
    token = (await memory.portability.prepare(me)).token
    calls: dict[str, Call] = {
        "sessions.read": lambda: memory.sessions.read(me, session),
        "sessions.find_turn": lambda: memory.sessions.find_turn(me, pair.pair_id),
        "sessions.read_end": lambda: memory.sessions.read_end(me, session, limit=1),
        "sessions.find_messages": lambda: memory.sessions.find_messages(
            me, session, [pair.user_message_id]
        ),
        "sessions.recent": lambda: memory.sessions.recent(me, session),
        "summaries.session": lambda: memory.summaries.session(me, session),
        "summaries.find_session": lambda: memory.summaries.find_session(me, session),
        "summaries.day": lambda: memory.summaries.day(me, today),
        "summaries.days": lambda: memory.summaries.days(me),
        "summaries.week": lambda: memory.summaries.week(me, format_week(today)),
        "summaries.weeks": lambda: memory.summaries.weeks(me),
        "episodes.get": lambda: memory.episodes.get(me, episode),
        "episodes.load": lambda: memory.episodes.load(me, None),
        "episodes.load_latest": lambda: memory.episodes.load_latest(me, None),
        "episodes.page": lambda: memory.episodes.page(me),
        "episodes.search": lambda: memory.episodes.search(me, "벌"),
        "memories.candidates": lambda: memory.memories.candidates(me),
        "memories.get": lambda: memory.memories.get(me, kept.memory_id),
        "memories.history": lambda: memory.memories.history(me, kept.memory_id),
        "memories.page": lambda: memory.memories.page(me),
        "memories.questions": lambda: memory.memories.questions(me),
        "memories.sources": lambda: memory.memories.sources(me, [kept.memory_id]),
        "memories.updates": lambda: memory.memories.updates(
            me, since=memory.clock() - timedelta(days=1)
        ),
        "recall.search": lambda: memory.recall.search(me, "벌"),
        "recall.search_each": lambda: memory.recall.search_each(
            me, "벌", [SearchPart(5, Filters())]
        ),
        "items.batch": lambda: memory.items.batch(me, [Get(("notes",), "a"), Search()]),
        "context.build": lambda: memory.context.build(me, "벌"),
        "context.episodes": lambda: memory.context.episodes(me, None),
        "context.greeting": lambda: memory.context.greeting(me, None),
        "chat.send": lambda: memory.chat.send(
            me, persona="지우", message="안녕", recent=(), session=None
        ),
        "portability.export": lambda: drained(memory.portability.export(me)),
        "portability.fetch": lambda: drained(memory.portability.fetch(me, token)),
    }
    return calls


def doubt_wish(conversation: Conversation) -> list[Finding]:
    """Find a wish that may mean what is known of the home."""
    return [
        Finding(
            FindingOperation.DELETE,
            item.content,
            Category.LOCATION,
            0.4,
            Basis.REQUESTED,
            (conversation.messages[-2].index,),
            item.id,
        )
        for item in conversation.known
        if "강남구" in item.content
    ]


async def drained(pieces: Any) -> bytes:
    held = io.BytesIO()
    async for piece in pieces:
        held.write(piece)
    return held.getvalue()


async def create(memory: Gieok, me: Scope) -> Any:
    kept = await memory.episodes.create(
        me,
        persona_id=None,
        session_id=None,
        gist=Gist("사용자는 벌을 키운다.", ("벌",)),
        is_fallback=False,
        is_manual=True,
        summarizer="test",
    )
    return kept.episode.episode_id


@pytest.mark.req("D16")
async def test_every_call_that_tells_something_remembered_leaves_a_record(
    memory: Gieok, me: Scope, script: Script
) -> None:
    calls = await lived(memory, me, script)
    assert telling(memory) == calls.keys() | WRITES | WITHIN
    for name, call in calls.items():
        before = await read(memory, me)
        assert await call(), name
        assert await read(memory, me) > before, name
    await memory.audit.verify(me)


async def read(memory: Gieok, me: Scope) -> int:
    """Return how often something of a person was read or exported."""
    lines = await memory.audit.lines(me, limit=10_000)
    return len([x for x in lines if x.event_type in {"access", "export"}])
