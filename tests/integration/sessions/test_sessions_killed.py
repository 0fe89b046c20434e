"""A process that dies in the middle of a session loses nothing that was recorded."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gieok import ALL_CATEGORIES, Config, Parts, Settings, open_memory
from gieok.kernel.errors import ConflictError
from gieok.sessions import Status
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.paths import PROGRAMS

pytestmark = pytest.mark.acceptance
RECORDER = PROGRAMS / "recorder.py"


def killed_while_recording(data: Path) -> tuple[UUID, int]:
    """Kill -9 a process that records; return its session and how much was safe."""
    command = [sys.executable, str(RECORDER), str(data), "minji"]
    with subprocess.Popen(  # noqa: S603 - a program of ours
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as recorder:
        assert recorder.stdout is not None
        session_id = UUID(recorder.stdout.readline().strip())
        safe = [recorder.stdout.readline() for _ in range(10)]
        recorder.kill()
    return session_id, len(safe)


@pytest.mark.req("E17")
async def test_a_session_whose_process_was_killed_is_whole_found_and_followed_up(
    tmp_path: Path,
) -> None:
    config = Config(
        data=tmp_path / "gieok", defaults=Settings(allowed_categories=ALL_CATEGORIES)
    )
    session_id, safe = killed_while_recording(config.data)
    parts = Parts(
        clock=FixedClock(datetime.now(UTC) + timedelta(minutes=31)),
        model=ScriptedModel(),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )
    async with open_memory(config, parts=parts, worker=False) as memory:
        me = memory.person("minji")
        assert await memory.agenda.enqueue_due() >= 1
        tasks = [job.task for job in await memory.jobs.list_waiting()]
        assert tasks.count("sessions_may_be_idle") == 1
        assert await memory.sessions.expire_idle(me) == (session_id,)
        tasks = [job.task for job in await memory.jobs.list_waiting()]
        assert tasks.count("session_closed") == 1
        after = await memory.sessions.read(me, session_id)
        assert after.session.status is Status.EXPIRED
        assert len(after.messages) == 2 * after.session.pair_count >= 2 * safe
        with pytest.raises(ConflictError, match="expired"):
            await memory.sessions.resume(me, session_id)
        await memory.audit.verify(me)
