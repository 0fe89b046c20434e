"""What is never kept goes from items and states before they are sealed (A18, A19)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Required, TypedDict
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.conformance.test_utils import (
    generate_checkpoint,
    generate_metadata,
)
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from gieok import Gieok, Scope
from gieok.items import Get, Item, Put
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Vectors
from gieok.surfaces.langgraph import GieokSaver, GieokStore
from gieok.testing import HashEmbedder
from support.graphs import config

pytestmark = pytest.mark.req("A18", "A19")

CARD = "4539 1488 0343 6467"
SAID = f"my card is {CARD}"
KEPT = "my card is [card number]"
SPACE = ("memories",)


class Form(BaseModel):
    note: str
    amount: int = 1


@dataclass
class Ticket:
    text: str


class State(MessagesState, total=False):
    form: Required[Form]
    ticket: Ticket
    plain: str
    number: int
    contact: str


async def masks(memory: Gieok, me: Scope, table: str) -> list[dict[str, Any]]:
    lines = await memory.audit.lines(me)
    masked = [line for line in lines if line.event_type == "mask"]
    assert all(line.target_table == table for line in masked)
    return [dict(line.details or {}) for line in masked]


def heard(memory: Gieok, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return where everything the embedder is given will stand."""
    texts: list[str] = []
    passages, queries = HashEmbedder.passages, HashEmbedder.queries

    async def hear_passages(self: HashEmbedder, given: Sequence[str]) -> Vectors:
        texts.extend(given)
        return await passages(self, given)

    async def hear_queries(self: HashEmbedder, given: Sequence[str]) -> Vectors:
        texts.extend(given)
        return await queries(self, given)

    monkeypatch.setattr(HashEmbedder, "passages", hear_passages)
    monkeypatch.setattr(HashEmbedder, "queries", hear_queries)
    assert isinstance(memory.recall.embedder, HashEmbedder)
    return texts


async def test_items_are_masked_at_any_depth_before_they_are_kept_or_embedded(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, store = heard(memory, monkeypatch), GieokStore(memory, me)
    value = {
        "text": SAID,
        "deep": [{"password": "tiger!Moon482", "n": [1, CARD]}],
        CARD: "a name",
        "contact": "hong@naver.com 010-1234-5678",
        "number": 4539148803436467,
        "speaker": SAID,
    }
    await store.aput(SPACE, "k", value)
    await memory.items.index(me)
    found = await store.asearch(SPACE, query=f"whose is {CARD}?")
    assert found[0].value == {
        "text": KEPT,
        "deep": [{"password": "[password]", "n": [1, "[card number]"]}],
        "[card number]": "a name",
        "contact": "hong@naver.com 010-1234-5678",
        "number": "[card number]",
        "speaker": KEPT,
    }
    assert "whose is [card number]?" in texts
    assert not [text for text in texts if "1488" in text or "tiger" in text]
    (flags, *more) = await masks(memory, me, "store_items")
    assert flags["card"] >= 4
    assert flags["password"] == 1
    assert not more
    assert value["text"] == SAID, "the app's own value is as it was"


async def test_items_put_without_langgraph_are_masked_long_ones_aside(
    memory: Gieok, me: Scope
) -> None:
    long = {"t": "가나다 " * 10_000 + SAID}
    put = Put(SPACE, "long", long, texts=[SAID], speaker=SAID)
    one, other = await asyncio.gather(
        memory.items.batch(me, [put]),
        memory.items.batch(me, [Put(SPACE, "k", {"t": "nothing"}, texts=["nothing"])]),
    )
    assert one == other == [None]
    held, kept = await memory.items.batch(me, [Get(SPACE, "long"), Get(SPACE, "k")])
    assert isinstance(held, Item)
    assert isinstance(kept, Item)
    assert held.value["t"].endswith(KEPT.replace("card number", "카드번호"))
    assert kept.value == {"t": "nothing"}
    assert len(await masks(memory, me, "store_items")) == 1


async def test_a_batch_audits_every_item_that_was_masked_and_no_other(
    memory: Gieok, me: Scope
) -> None:
    puts = [Put(SPACE, f"k{at}", {"t": SAID if at % 2 else "x"}) for at in range(4)]
    await memory.items.batch(me, puts)
    assert await masks(memory, me, "store_items") == [{"card": 1}] * 2


async def test_names_of_items_stay_and_find_them_again(
    memory: Gieok, me: Scope
) -> None:
    store = GieokStore(memory, me)
    for card in (CARD, "4111111111111111"):
        await store.aput((card,), card, {"v": card[:1]})
        found = await store.aget((card,), card)
        assert found is not None
        assert found.key == card


def run(saver: GieokSaver) -> Any:
    async def work(state: State) -> dict[str, Any]:
        answer = interrupt(SAID)
        assert state["form"].amount == 3
        return {"messages": [AIMessage(f"{answer} {CARD}")], "plain": SAID}

    builder = StateGraph(State)
    builder.add_node("work", work)
    builder.add_edge(START, "work")
    return builder.compile(checkpointer=saver)


@pytest.mark.req("B01")
async def test_whoever_resumes_a_graph_finds_no_number_and_all_its_types(
    memory: Gieok, me: Scope
) -> None:
    here = config(str(uuid4()), team=SAID)
    messages: list[AnyMessage] = [
        HumanMessage("카드 4539 1488", id="a"),
        AIMessage("네", id="b"),
        HumanMessage("0343 6467", id="c"),
    ]
    given = {
        "messages": messages,
        "form": Form(note=SAID, amount=3),
        "ticket": Ticket(SAID),
        "number": 4539148803436467,
        "contact": "hong@naver.com",
    }
    await run(GieokSaver(memory, me)).ainvoke(given, here)
    again = run(GieokSaver(memory, me))
    stopped = await again.aget_state(here)
    assert stopped.interrupts[0].value == KEPT
    assert stopped.metadata["team"] == KEPT
    done = await again.ainvoke(Command(resume="yes"), here)
    assert done["messages"][-1].content == f"yes {CARD}", "it holds what it made"
    assert done["form"] == Form(note=KEPT, amount=3)
    assert done["ticket"] == Ticket(KEPT)
    assert (done["number"], done["contact"]) == ("[card number]", "hong@naver.com")
    assert [each.content for each in done["messages"][:3]] == [
        "카드 [카드번호]",
        "네",
        "[card number]",
    ]
    history = [each async for each in again.aget_state_history(here)]
    assert len(history) >= 3
    assert not [each for each in history if "1488" in repr(each)]
    flags = await masks(memory, me, "checkpoints")
    assert all(each["card"] for each in flags)


async def test_what_a_task_wrote_is_masked_and_nothing_is_audited_where_nothing_was(
    memory: Gieok, me: Scope
) -> None:
    saver, thread = GieokSaver(memory, me), str(uuid4())
    at = await saver.aput(
        config(thread), generate_checkpoint(), generate_metadata(), {}
    )
    await saver.aput_writes(at, [("a", "nothing"), ("b", 7)], "first")
    assert await masks(memory, me, "checkpoints") == []
    await saver.aput_writes(at, [("a", {"x": SAID}), ("b", ValueError(SAID))], "second")
    found = await saver.aget_tuple(at)
    assert found is not None
    written = {(task, name): value for task, name, value in found.pending_writes or ()}
    assert written["first", "a"] == "nothing"
    assert written["second", "a"] == {"x": KEPT}
    assert written["second", "b"] == f"ValueError('{KEPT}')"
    assert await masks(memory, me, "checkpoints") == [{"card": 2}]


async def test_a_state_that_holds_itself_is_refused(memory: Gieok, me: Scope) -> None:
    saver, loop = GieokSaver(memory, me), list[Any]()
    loop.append(loop)
    at = await saver.aput(
        config(str(uuid4())), generate_checkpoint(), generate_metadata(), {}
    )
    with pytest.raises(InvalidInputError, match="too deeply"):
        await saver.aput_writes(at, [("a", loop)], "task")


class Deep(TypedDict):
    deep: Any


async def test_a_deep_state_is_kept(memory: Gieok, me: Scope) -> None:
    deep: Any = SAID
    for _ in range(60):
        deep = {"in": [deep]}
    saver, here = GieokSaver(memory, me), config(str(uuid4()))
    builder = StateGraph(Deep)
    builder.add_node("work", lambda state: state)
    builder.add_edge(START, "work")
    await builder.compile(checkpointer=saver).ainvoke({"deep": deep}, here)
    found = await saver.aget_tuple(here)
    assert found is not None
    assert KEPT in repr(found.checkpoint["channel_values"]["deep"])
