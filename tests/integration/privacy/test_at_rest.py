"""What is on the disk: nothing anybody said, and not the name of who said it."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Role,
    Settings,
    Turn,
    open_memory,
)
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Basis, FindingOperation
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.scripted_model import Script, fact

USER = "canary.hong@example.co.kr"
CANARIES = {
    kind: (f"Canary{number:02d}Xq", f"까나리{number:02d}뷁쒧")
    for number, kind in enumerate(
        [
            "user text",
            "assistant text",
            "message",
            "speaker",
            "metadata",
            "planner",
            "config",
            "memory",
            "superseded",
            "candidate",
            "remembered",
            "forgotten",
            "question",
            "refused",
        ]
    )
}


def said(kind: str) -> str:
    return " ".join(CANARIES[kind])


def needles() -> Iterator[bytes]:
    """Yield every spelling in which a canary could lie on the disk."""
    for words in [*CANARIES.values(), (USER, USER.partition("@")[0])]:
        for word in words:
            yield word.encode()
            yield word.encode("utf-16-le")
            yield word.encode("unicode_escape")
            yield word.lower().encode()
            yield word.encode().hex().encode()


async def live(memory: Gieok, script: Script) -> None:
    """Put a canary into every kind of content."""
    me = memory.person(USER)
    session = await memory.sessions.start(me, config={said("config"): said("config")})
    at = session.session_id
    notes = {said("planner"): [said("planner")]}
    turn = Turn(said("user text"), said("assistant text"), "DEF", notes)
    await memory.sessions.record(me, at, turn)
    await memory.sessions.append(
        me,
        at,
        role=Role.USER,
        content=said("message"),
        metadata={"speaker": said("speaker"), "note": said("metadata")},
    )
    script.says(fact(said("superseded")), fact(said("candidate"), basis=Basis.OBSERVED))
    await memory.settled(me)
    (old,) = (await memory.memories.page(me))[0]
    script.computes(
        lambda conversation: [
            fact(said("memory")).__class__(
                FindingOperation.UPDATE,
                said("memory"),
                old.category,
                0.9,
                Basis.STATED,
                (len(conversation.messages) - 2,),
                str(old.memory_id),
            )
        ]
    )
    await memory.sessions.record(me, at, Turn("바뀌었어", "네"))
    await memory.settled(me)
    await memory.memories.remember(me, said("remembered"))
    gone = await memory.memories.remember(me, said("forgotten"))
    await memory.memories.forget(me, gone.memory_id)
    await memory.recall.search(me, said("question"))
    await memory.context.build(me, said("question"))
    with pytest.raises(InvalidInputError):
        await memory.sessions.record(me, at, Turn(said("refused"), "\x00"))
    known = {m.content for m in (await memory.memories.page(me))[0]}
    assert known == {said("memory"), said("remembered")}
    assert [c.claim for c in await memory.memories.candidates(me)].count(
        said("candidate")
    )


@pytest.mark.req("D16")
async def test_the_raw_files_hold_no_word_and_no_name(
    tmp_path: Path, script: Script
) -> None:
    script.answers.clear()
    config = Config(
        data=tmp_path / "gieok", defaults=Settings(allowed_categories=ALL_CATEGORIES)
    )
    parts = Parts(
        model=ScriptedModel(script), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with open_memory(config, parts=parts, worker=False) as memory:
        await live(memory, script)
        async with run_embedded_postgres(config.data / "pg") as server:
            address = build_database_url(server, DATABASE)
            with psycopg.connect(address, autocommit=True) as owner:
                owner.execute("CREATE TABLE control (word text)")
                owner.execute("INSERT INTO control VALUES ('ControlWordXq')")
                owner.execute("CHECKPOINT")
    found = dict.fromkeys((b"ControlWordXq", *needles()), 0)
    files = [path for path in config.data.rglob("*") if path.is_file()]
    for path in files:
        content = path.read_bytes()
        for needle in found:
            found[needle] += content.count(needle)
    assert not (config.data / "pg" / "postmaster.pid").exists(), "it was stopped"
    assert any(path.parent.name == "pg_wal" for path in files)
    assert found.pop(b"ControlWordXq") >= 2, "in the table and in the WAL"
    assert {needle for needle, times in found.items() if times} == set()
