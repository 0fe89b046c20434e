"""A person with a canary in every kind of content, and what finds canaries on disk."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointMetadata
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint

from gieok import Gieok, Role, Turn
from gieok.items import Put
from gieok.kernel.language import Basis, Emotion, Gist
from gieok.surfaces.langgraph import GieokSaver
from gieok.testing import FixedClock
from support.scripted_model import Script, fact

USER = "canary.kim@example.co.kr"
KINDS = (
    "user text",
    "assistant text",
    "message",
    "metadata",
    "planner",
    "config",
    "memory",
    "candidate",
    "remembered",
    "episode",
    "topic",
    "persona",
    "device",
    "item",
    "question",
    "state",
    "forgotten",
)
CANARIES = {
    kind: (f"ErasedZw{number:02d}", f"지움뷁쒧{number:02d}")
    for number, kind in enumerate(KINDS)
}
CONTROL = b"ControlWordZw"


def said(kind: str) -> str:
    return " ".join(CANARIES[kind])


def needles() -> Iterator[bytes]:
    """Yield every spelling in which a canary could lie on the disk.

    All canaries begin alike, so that few needles find any of them.
    """
    for word in ("ErasedZw", "지움뷁쒧", USER, USER.partition("@")[0]):
        yield word.encode()
        yield word.lower().encode()
        yield word.encode("utf-16-le")
        yield word.encode("unicode_escape")
        yield word.encode().hex().encode()


def readable(*places: Path) -> set[bytes]:
    """Return the canaries, and the control, that any file under these places holds."""
    found: set[bytes] = set()
    for path in (file for place in places for file in place.rglob("*")):
        # A server that is stopping takes some of its files away.
        with suppress(FileNotFoundError):
            if path.is_file():
                content = path.read_bytes()
                found |= {each for each in (CONTROL, *needles()) if each in content}
    return found


async def live(memory: Gieok, script: Script, clock: FixedClock) -> None:
    """Put a canary into every kind of content, and into the caches."""
    me = memory.person(USER)
    persona = await memory.accounts.persona(me, said("persona"))
    device = await memory.accounts.device(me, said("device"))
    session = await memory.sessions.start(
        me, persona_id=persona, device_id=device, config={"x": said("config")}
    )
    at = session.session_id
    turn = Turn(
        said("user text"), said("assistant text"), "DEF", {"x": said("planner")}
    )
    await memory.sessions.record(me, at, turn)
    notes = {"note": said("metadata")}
    await memory.sessions.append(
        me, at, role=Role.USER, content=said("message"), metadata=notes
    )
    script.says(fact(said("memory")), fact(said("candidate"), basis=Basis.OBSERVED))
    await memory.sessions.close(me, at)
    await memory.settled(me)
    clock.advance(timedelta(days=8))
    await memory.settled(me)
    await memory.memories.remember(me, said("remembered"))
    await memory.episodes.create(
        me,
        persona_id=persona,
        session_id=at,
        gist=Gist(
            said("episode"), topics=(said("topic"),), emotion=Emotion.CALM, importance=5
        ),
        is_fallback=False,
        is_manual=False,
        summarizer="x",
    )
    item = Put((said("item"),), said("item"), {"x": said("item")})
    await memory.items.batch(me, [item])
    await graphed(memory, str(at))
    await memory.portability.prepare(me)
    await memory.recall.search(me, said("question"))
    await memory.context.build(me, said("question"))
    assert (await memory.memories.page(me))[1] == 2


async def graphed(memory: Gieok, thread: str) -> None:
    """Let LangGraph keep a state of the person's."""
    saver = GieokSaver(memory, memory.person(USER))
    config = RunnableConfig(configurable={"thread_id": thread, "checkpoint_ns": ""})
    state = generate_checkpoint(
        channel_versions={"said": 1}, channel_values={"said": [said("state")]}
    )
    metadata = cast("CheckpointMetadata", {"step": 1, "note": said("state")})
    kept = await saver.aput(config, state, metadata, {"said": 1})
    await saver.aput_writes(kept, [("said", said("state"))], "task")
