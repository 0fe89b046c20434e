"""Resident memory of a process with both models loaded, part by part."""

import asyncio
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from report import Figure
    from rich.progress import Progress

    from gieok import Gieok

MAX_MEGABYTES = 800.0
MODELS = ("e5", "Kiwi")
TALK = (
    ("나 강남구 살아. 고양이 두 마리 키우고 있어.", "강남구 소식을 알려 드릴게요."),
    ("땅콩 알레르기가 있으니까 꼭 기억해줘.", "네, 땅콩 알레르기를 기억할게요."),
    ("매일 저녁 일곱 시에 한강에서 달리기를 해.", "꾸준하시네요!"),
    ("My sister Hana lives in Berlin.", "Noted. Do you visit her often?"),
    ("I work as a nurse and I hate early shifts.", "Early shifts are hard."),
)
QUESTIONS = (
    "내가 못 먹는 게 뭐였지?",
    "Where does my sister live?",
    "우리 동네 어디야?",
)


async def measure(progress: "Progress", *, quick: bool) -> "list[Figure]":
    """Return what a fresh process weighs after each step; `quick` changes nothing."""
    from report import Figure  # noqa: PLC0415 - the measured process must not weigh it

    del quick
    task = progress.add_task("a fresh process", total=None)
    child = await asyncio.create_subprocess_exec(
        sys.executable, __file__, stdout=asyncio.subprocess.PIPE
    )
    try:
        written, _ = await child.communicate()
    finally:
        if child.returncode is None:
            child.terminate()
    if child.returncode:
        problem = f"the measured process ended with {child.returncode}"
        raise RuntimeError(problem)
    progress.update(task, total=1, completed=1)
    found = json.loads(written)
    figures = [
        Figure(step["name"], step["megabytes"], "MB", note=_loading(step))
        for step in found["steps"]
    ]
    return [
        *figures,
        Figure(
            "the process in all",
            found["process"],
            "MB",
            at_most=MAX_MEGABYTES,
            note="resident, after the conversation was handled",
        ),
        Figure(
            "PostgreSQL beside it",
            found["server"],
            "MB",
            note="its processes, shared pages counted once",
        ),
    ]


def _loading(step: dict) -> str:
    return f"took {step['seconds']:.1f} s"


class Scale:
    """Weighs this process after every step."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._before = 0.0
        self.steps: list[dict] = []

    def weigh(self, name: str, since: float) -> float:
        """Note what the process has gained since the last step; return the time."""
        now = self.total()
        self.steps.append(
            {
                "name": name,
                "megabytes": now - self._before,
                "seconds": perf_counter() - since,
            }
        )
        self._before = now
        return perf_counter()

    def total(self) -> float:
        """Return the resident memory of this process, in megabytes."""
        return self._process.memory_info().rss / 1e6


async def _handle(folder: Path) -> dict:
    """Do what an app does first, and weigh it on the way."""
    scale = Scale()
    start = scale.weigh("Python and psutil", perf_counter())
    from gieok import Config, open_memory  # noqa: PLC0415 - its weight is measured

    start = scale.weigh("+ import gieok", start)
    async with open_memory(Config(data=folder), worker=False) as memory:
        start = scale.weigh("+ open_memory(), new database", start)
        await memory.recall.embedder.queries(["아무 말이나"])
        start = scale.weigh("+ e5", start)
        memory.recall.tokenizer.terms("아무 말이나 해 보자")
        start = scale.weigh("+ Kiwi", start)
        await _converse(memory)
        scale.weigh("+ a short conversation", start)
        return {
            "steps": scale.steps,
            "process": scale.total(),
            "server": sum(_own_share(pid) for pid in _server(folder)),
        }


async def _converse(memory: "Gieok") -> None:
    """Say something in one session and ask for it in the next."""
    from gieok import Turn  # noqa: PLC0415 - its weight is measured

    person = memory.person("minji")
    talk = await memory.sessions.start(person)
    for asked, answered in TALK:
        await memory.sessions.record(person, talk.session_id, Turn(asked, answered))
    await memory.sessions.close(person, talk.session_id)
    await memory.settled(person)
    await memory.sessions.start(person)
    for question in QUESTIONS:
        await memory.context.build(person, question)


def _server(folder: Path) -> list[psutil.Process]:
    """Return the processes of the PostgreSQL that runs on the folder."""
    pid = int((folder / "pg" / "postmaster.pid").read_text().split()[0])
    server = psutil.Process(pid)
    return [server, *server.children(recursive=True)]


def _own_share(process: psutil.Process) -> float:
    """Return a process's memory in megabytes; what is shared counts in part."""
    memory = process.memory_full_info()
    return getattr(memory, "pss", memory.rss) / 1e6


if __name__ == "__main__":
    with TemporaryDirectory(prefix="gieok-bench-") as where:
        print(json.dumps(asyncio.run(_handle(Path(where)))))
