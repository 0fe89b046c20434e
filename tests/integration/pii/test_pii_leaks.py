"""Nothing of level S3 is kept, embedded, logged or shown to a model (A19)."""

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, MessagesState, StateGraph

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
from gieok.chat import ClientMessage
from gieok.database.embedded import run_embedded_postgres
from gieok.items import Search
from gieok.kernel.language import (
    Conversation,
    Finding,
    Gist,
    ModelReply,
    Utterance,
    Vectors,
)
from gieok.surfaces.langgraph import GieokSaver, GieokStore
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.scripted_model import fact

PERSONA = "하나"
THREAD = "a graph of the app's own"
SECRETS = {
    "901231-1234568": "제 주민등록번호는 {}이에요",
    "910101-5234567": "외국인등록번호 {}입니다",
    "4539 1488 0343 6467": "신용카드 번호는 {} 이고요",
    "110-437-826491": "신한은행 계좌 {}로 보내 줘",
    "M392K4817": "여권번호 {} 확인해 줘",
    "11-17-482913-62": "운전면허 {}이야",
    "tiger!Moon482": "비밀번호는 {} 입니다",
    "sk-proj-Qm4Zx81LtYv7Kd2Wp9Rb3NcH": "my key is {}",
    "536-28-4917": "my social security number is {}",
}
LINES = tuple(form.format(value) for value, form in SECRETS.items())
ALL = "\n".join(LINES)


def left(text: str) -> list[str]:
    """Return the secrets that a text holds, however they are set apart."""
    plain = "".join(text.split()).replace("-", "")
    return [
        value
        for value in SECRETS
        if value in text or value.replace("-", "").replace(" ", "") in plain
    ]


@dataclass
class Heard(HashEmbedder):
    """An embedder, and everything a model or it was given."""

    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        HashEmbedder.__init__(self)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return await HashEmbedder.passages(self, texts)

    async def queries(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return await HashEmbedder.queries(self, texts)

    def extracts(self, conversation: Conversation) -> list[Finding]:
        """Answer with every secret, as a model that has them from elsewhere."""
        self.texts += [said.content for said in conversation.messages]
        self.texts += [known.content for known in conversation.known]
        return [fact(line) for line in LINES]

    def sums_up(self, conversation: Conversation) -> Gist:
        self.texts += [said.content for said in conversation.messages]
        return Gist(ALL, LINES[:3], open_tasks=LINES[:2], preferences=LINES[2:4])

    def replies(self, instructions: str, messages: Sequence[Utterance]) -> ModelReply:
        self.texts += [instructions, *(said.content for said in messages)]
        return ModelReply(ALL, 3)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def leaky(
    tmp_path: Path, clock: FixedClock, heard: Heard
) -> AsyncGenerator[Gieok]:
    """Gieok with a model that says every secret whenever it is asked anything."""
    model = ScriptedModel(
        heard.extracts, summarizes=heard.sums_up, replies=heard.replies
    )
    parts = Parts(clock, model=model, embedder=heard, tokenizer=WordTokenizer())
    config = Config(
        data=tmp_path / "gieok", defaults=Settings(allowed_categories=ALL_CATEGORIES)
    )
    async with open_memory(config, parts=parts, worker=False) as opened:
        yield opened


async def live(memory: Gieok, me: Scope) -> None:
    """Say every secret in every way there is."""
    notes: dict[str, Any] = {"said": list(LINES), "password": "tiger!Moon482"}
    session = await memory.sessions.start(me, config={"note": ALL})
    at = session.session_id
    await memory.sessions.record(me, at, Turn(ALL, ALL, "DEF", notes))
    for line in LINES:
        await memory.sessions.record(me, at, Turn(line, line))
    await memory.sessions.append(
        me, at, role=Role.USER, content=ALL, metadata={"note": notes, ALL: 1}
    )
    await memory.memories.remember(me, ALL)
    await memory.chat.send(
        me,
        persona=PERSONA,
        message=ALL,
        recent=[ClientMessage(Role.USER, ALL), ClientMessage(Role.ASSISTANT, ALL)],
        instructions=ALL,
    )
    told = [ClientMessage(Role.USER, line) for line in LINES]
    await memory.chat.keep(me, persona=PERSONA, session="one", told=told)
    await memory.chat.keep(me, persona=PERSONA, session="one", summary=ALL)
    await memory.recall.search(me, ALL)
    await work(memory, me, notes)
    await memory.episodes.search(me, ALL)
    await memory.sessions.close(me, at)
    await memory.settled(me)
    (episode, *_) = (await memory.episodes.page(me)).episodes
    await memory.episodes.edit(
        me, episode.episode_id, summary=ALL, tags=[LINES[0], LINES[2]]
    )


async def work(memory: Gieok, me: Scope, notes: dict[str, Any]) -> None:
    """Put every secret into the store and the states of a graph of the app's own."""
    store = GieokStore(memory, me)
    await store.aput(("notes",), "k", {"text": ALL, "more": [notes], ALL: 1})
    await store.asearch(("notes",), query=ALL)

    async def repeat(state: MessagesState) -> dict[str, Any]:
        return {
            "messages": [AIMessage(ALL, additional_kwargs=notes), *state["messages"]]
        }

    builder = StateGraph(MessagesState)
    builder.add_node("repeat", repeat)
    builder.add_edge(START, "repeat")
    graph = builder.compile(checkpointer=GieokSaver(memory, me))
    said: list[AnyMessage] = [HumanMessage(line) for line in LINES]
    run: RunnableConfig = {"configurable": {"thread_id": THREAD}, "metadata": notes}
    await graph.ainvoke({"messages": said}, run)


async def speak(memory: Gieok, me: str, clock: FixedClock) -> None:
    """Say every secret over HTTP."""
    tokens = Tokens(b"a secret of tests, 32 bytes long", clock)
    headers = {"Authorization": f"Bearer {tokens.issue(me, timedelta(hours=1))}"}
    transport = httpx.ASGITransport(create_app(memory, tokens))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://test", headers=headers
    ) as http:
        started = await http.post("/api/v1/sessions", json={"config": {"a": ALL}})
        path = f"/api/v1/sessions/{started.json()['id']}"
        turn = {"user_text": ALL, "assistant_text": ALL, "planner_summary": {"x": ALL}}
        said = {"role": "user", "content": ALL, "metadata": {"x": ALL}}
        for where, body in (
            (f"{path}/turns", turn),
            (f"{path}/messages", said),
            ("/api/v1/users/me/memories", {"content": ALL}),
            ("/api/v1/chat/send", {"personaId": PERSONA, "message": ALL}),
            ("/api/v1/recall", {"query": ALL}),
        ):
            answer = await http.post(where, json=body)
            assert answer.is_success, answer.text


async def kept(memory: Gieok, me: Scope) -> str:
    """Return everything that can be read of a person, opened."""
    sessions, _ = await memory.sessions.page(me, limit=200)
    read = [await memory.sessions.read(me, each.session_id) for each in sessions]
    memories, _ = await memory.memories.page(me, include_inactive=True)
    lives = [await memory.memories.history(me, each.memory_id) for each in memories]
    saver = GieokSaver(memory, me)
    states = [
        each async for each in saver.alist({"configurable": {"thread_id": THREAD}})
    ]
    assert states
    return repr(
        (
            read,
            memories,
            lives,
            states,
            await memory.items.batch(me, [Search(("notes",))]),
            await memory.memories.candidates(me),
            await memory.episodes.page(me, include_archived=True),
            [await memory.summaries.session(me, s.session_id) for s in sessions],
            await memory.recall.search(me, "번호", limit=200),
            str(await memory.context.build(me, "번호")),
        )
    )


def files(path: Path) -> bytes:
    """Return every byte on the disk: database, WAL, logs."""
    return b"".join(each.read_bytes() for each in path.rglob("*") if each.is_file())


@pytest.mark.req("A19")
@pytest.mark.req("A14")
async def test_no_secret_is_kept_embedded_logged_or_shown_to_a_model(
    leaky: Gieok,
    heard: Heard,
    clock: FixedClock,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    me = leaky.person("canary")
    await live(leaky, me)
    await speak(leaky, "canary", clock)
    await leaky.settled(me)
    assert left(ALL) == list(SECRETS), "they can be seen where they are"
    assert left(await kept(leaky, me)) == []
    assert heard.texts
    assert left("\n".join(heard.texts)) == []
    assert left("".join(capfd.readouterr())) == []
    async with run_embedded_postgres(tmp_path / "gieok" / "pg"):
        raw = files(tmp_path)
    assert b"driver_license" in raw, "what lies open can be seen"
    assert not [value for value in SECRETS if value.encode() in raw]


@pytest.mark.req("A18")
@pytest.mark.req("A19")
async def test_masking_is_counted_and_audited_without_content(
    memory: Gieok, me: Scope, owner: Any
) -> None:
    session = await memory.sessions.start(me)
    turn = Turn("010-3948-2716로 전화해 줘. 당뇨가 있어.", LINES[0])
    pair = await memory.sessions.record(me, session.session_id, turn)
    said = (await memory.sessions.read(me, session.session_id)).messages
    assert [each.content for each in said] == [
        "010-****-2716로 전화해 줘. 당뇨가 있어.",
        "제 주민등록번호는 [주민등록번호]이에요",
    ]
    rows = await owner.execute(
        "SELECT sensitive_flags FROM conversation_pairs WHERE pair_id = %s",
        [pair.pair_id],
    )
    flags = {"health": 1, "phone": 1, "rrn": 1}
    assert await rows.fetchone() == (flags,)
    rows = await owner.execute(
        "SELECT target_table, details FROM memory_audit_log "
        "WHERE user_id = %s AND event_type = 'mask'",
        [me.user_id],
    )
    assert await rows.fetchall() == [("conversation_pairs", flags)]


@pytest.mark.req("A19")
async def test_a_number_said_in_two_messages_is_masked_in_both(
    memory: Gieok, me: Scope
) -> None:
    session = (await memory.sessions.start(me)).session_id
    halves = ("카드 번호 앞은 4539 1488", "뒤는 0343 6467")
    for half in halves:
        await memory.sessions.append(me, session, role=Role.USER, content=half)
        await memory.recall.index(me)
    said = (await memory.sessions.read(me, session)).messages
    assert "4539" not in said[0].content
    assert "6467" not in said[1].content
    assert [hit.content for hit in await memory.recall.search(me, "카드 번호")]
    assert json.dumps([m.content for m in said]).count("1488") == 0


@pytest.mark.req("A19")
async def test_what_was_announced_before_is_masked(memory: Gieok, me: Scope) -> None:
    session = (await memory.sessions.start(me)).session_id
    await memory.sessions.record(me, session, Turn("와이파이 되나요?", "비밀번호는요"))
    await memory.sessions.record(me, session, Turn("tiger482", "감사합니다"))
    said = (await memory.sessions.read(me, session)).messages
    assert "tiger482" not in said[2].content


@pytest.mark.req("A18")
@pytest.mark.req("A19")
async def test_a_memory_is_masked_and_that_is_audited(
    memory: Gieok, me: Scope, owner: Any
) -> None:
    made = await memory.memories.remember(me, "메일은 hong@example.com")
    assert made.content == "메일은 h***@example.com"
    rows = await owner.execute(
        "SELECT target_id FROM memory_audit_log "
        "WHERE user_id = %s AND event_type = 'mask'",
        [me.user_id],
    )
    assert await rows.fetchall() == [(made.memory_id,)]
