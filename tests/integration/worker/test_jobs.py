"""What follows later: a real worker, with a model that can be slow or away."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import Rollback
from psycopg.conninfo import make_conninfo

from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Scope,
    Settings,
    Turn,
    open_memory,
)
from gieok.bootstrap import DATABASE
from gieok.database import (
    AgendaEvent,
    ForgettingRequested,
    ItemsExpired,
    Job,
    schedule_event,
)
from gieok.database.embedded import run_embedded_postgres
from gieok.database.jobs import MAX_RETURNS, RESOLVE_FAILURES, WORKER_DIED
from gieok.database.migrate import SCHEMA, build_database_url
from gieok.database.row_security import APP_ROLE
from gieok.items import Put
from gieok.kernel.errors import (
    ModelRefusedError,
    ModelUnavailableError,
    NotFoundError,
    UnavailableError,
)
from gieok.kernel.language import Conversation, Finding, Vectors
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from gieok.worker import Pace
from gieok.worker.job_steps import ON, extract_unread
from support.database import Owner
from support.jobs import wait_until
from support.memory_talk import list_contents, record_turns
from support.plans import count_read_rows
from support.scripted_model import Script, fact

QUICK = Pace(poll=0.1, heartbeat=1.0, stalled_after=3.0)


class Moody(ScriptedModel):
    """Finds every user message a fact; waits while `gate` is shut, fails while away."""

    def __init__(self) -> None:
        super().__init__(self._findings, name="moody/1")
        self.gate = asyncio.Event()
        self.gate.set()
        self.away = False
        self.running: list[str] = []
        self.most_at_once = 0

    async def extract(self, conversation: Conversation) -> tuple[Finding, ...]:
        said = conversation.messages[-2].content
        self.running.append(said.partition(" ")[0])
        self.most_at_once = max(
            self.most_at_once, *map(self.running.count, self.running)
        )
        try:
            await self.gate.wait()
            await asyncio.sleep(0.01)
            if self.away:
                raise ModelUnavailableError(self.name, "it is away")
            return await super().extract(conversation)
        finally:
            self.running.remove(said.partition(" ")[0])

    @staticmethod
    def _findings(conversation: Conversation) -> Sequence[Finding]:
        return [
            fact(f"사용자: {said.content}", evidence=(said.index,))
            for said in conversation.messages
            if said.role == "user"
        ]


class MoodyEmbedder(HashEmbedder):
    """Does not answer while it is away."""

    away = False

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if self.away:
            raise ModelUnavailableError(self.name, "it is away")
        return super()._embed(texts)


@pytest.fixture(scope="module")
def model() -> Moody:
    return Moody()


@pytest.fixture(scope="module")
def embedder() -> MoodyEmbedder:
    return MoodyEmbedder()


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Config:
    data: Path = tmp_path_factory.mktemp("jobs")
    return Config(
        data=data,
        pause=timedelta(milliseconds=50),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )


@pytest.fixture(scope="module")
async def working(
    setup: Config, model: Moody, embedder: MoodyEmbedder
) -> AsyncGenerator[Gieok]:
    """Gieok with a worker that looks around often."""
    parts = Parts(model=model, embedder=embedder, tokenizer=WordTokenizer(), pace=QUICK)
    async with open_memory(setup, parts=parts, worker=True) as opened:
        yield opened


@pytest.fixture
async def boss(setup: Config, working: Gieok) -> AsyncGenerator[Owner]:
    """The owner of the worker's database."""
    assert working.jobs, "it has made the database"
    async with run_embedded_postgres(setup.data / "pg") as server:
        address = make_conninfo(
            build_database_url(server, DATABASE), options=f"-c search_path={SCHEMA}"
        )
        async with await Owner.connect(address, autocommit=True) as connection:
            yield connection


_people = count()


@pytest.fixture
def them(working: Gieok, model: Moody, embedder: MoodyEmbedder) -> Scope:
    """Somebody whose jobs a worker does."""
    model.gate.set()
    model.away = embedder.away = False
    model.most_at_once = 0
    return working.person(f"worked-for-{next(_people)}")


def done(
    gieok: Gieok, scope: Scope, boss: Owner, messages: int
) -> Callable[[], Awaitable[bool]]:
    """Return a check that all is extracted, embedded and nothing is left to do."""

    async def check() -> bool:
        found = await boss.execute(
            """
            SELECT (SELECT count(*) FROM recall_items
                    WHERE user_id = %(id)s AND embedder IS NOT NULL),
                   (SELECT count(*) FROM procrastinate_jobs
                    WHERE args ->> 'user_id' = %(id)s::text),
                   (SELECT count(*) FROM user_memories
                    WHERE user_id = %(id)s AND embedder IS NULL)
            """,
            {"id": scope.user_id},
        )
        left = await found.fetchone()
        return left == (messages, 0, 0) and not await gieok.sessions.unread(scope)

    return check


async def jobs_of(boss: Owner, scope: Scope) -> list[tuple[Any, ...]]:
    found = await boss.execute(
        """
        SELECT id, task_name, status::text, attempts, scheduled_at > now()
        FROM procrastinate_jobs WHERE args ->> 'user_id' = %s ORDER BY id
        """,
        [str(scope.user_id)],
    )
    return await found.fetchall()


async def test_what_is_said_becomes_searchable_and_known_by_itself(
    working: Gieok, them: Scope, boss: Owner
) -> None:
    await record_turns(working, them, "강남구 살아", "고양이 키워")
    second = await record_turns(working, them, "커피 좋아")
    await working.sessions.close(them, second)
    await wait_until(done(working, them, boss, messages=6))
    assert await list_contents(working, them) == [
        "사용자: 강남구 살아",
        "사용자: 고양이 키워",
        "사용자: 커피 좋아",
    ]


async def test_a_lower_limit_of_memories_holds_by_itself(
    working: Gieok, them: Scope
) -> None:
    for content in ("강남구에 산다", "고양이를 키운다"):
        await working.memories.remember(them, content)
    await working.settings.update(them, {"max_memories": 1})

    async def is_kept() -> bool:
        return len(await list_contents(working, them)) == 1

    await wait_until(is_kept)


async def test_one_persons_jobs_run_one_after_the_other_in_order(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    neighbour = working.person(f"{them.user_id} neighbour")
    model.calls.clear()
    for number in range(6):
        for name, scope in (("me", them), ("neighbour", neighbour)):
            await working.sessions.close(
                scope, await record_turns(working, scope, f"{name} {number}")
            )
    await wait_until(done(working, them, boss, messages=12))
    await wait_until(done(working, neighbour, boss, messages=12))
    mine = [
        said
        for call in model.calls
        if (said := call.messages[0].content).startswith("me ")
    ]
    assert mine == sorted(mine)
    assert len(mine) >= 6


@pytest.mark.req("E15")
async def test_a_failing_model_is_tried_again_then_put_aside_and_can_be_retried(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    model.away = True
    session_id = await record_turns(working, them, "강남구 살아")
    await working.sessions.close(them, session_id)

    async def tried() -> bool:
        return any(job[3] >= 1 for job in await jobs_of(boss, them))

    await wait_until(tried)
    closed = [j for j in await jobs_of(boss, them) if j[1] == "session_closed"]
    assert closed[0][2] in {"todo", "doing"}, "it is not given up"
    await boss.execute(
        """
        UPDATE procrastinate_jobs SET attempts = 7, scheduled_at = now()
        WHERE args ->> 'user_id' = %s AND status = 'todo'
        """,
        [str(them.user_id)],
    )

    async def dead() -> tuple[Job, ...]:
        failed = await working.jobs.list_failed()
        mine = [job for job in failed if job.arguments["user_id"] == str(them.user_id)]
        return tuple(mine) if len(mine) == len(await jobs_of(boss, them)) else ()

    async def hurry() -> bool:
        await boss.execute(
            """
            UPDATE procrastinate_jobs SET scheduled_at = now()
            WHERE args ->> 'user_id' = %s AND status = 'todo'
            """,
            [str(them.user_id)],
        )
        return bool(await dead())

    await wait_until(hurry)
    letters = await dead()
    assert {job.status for job in letters} == {"failed"}
    assert max(job.attempts for job in letters) == 8
    assert (await working.jobs.count_by_status())["failed"] >= len(letters)
    assert await list_contents(working, them) == []
    model.away = False
    for job in letters:
        await working.jobs.retry(job.job_id)
    await wait_until(done(working, them, boss, messages=2))
    assert await list_contents(working, them) == ["사용자: 강남구 살아"]
    with pytest.raises(NotFoundError, match="failed job"):
        await working.jobs.retry(letters[0].job_id)


@pytest.mark.req("A20")
@pytest.mark.req("E15")
async def test_what_no_try_could_read_is_read_later_and_leaves_in_time(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    """Nobody says anything more in a closed session, and no step of its job is done."""
    model.away = True
    session_id = await record_turns(working, them, "강남구 살아")
    await working.sessions.close(them, session_id)

    async def entries() -> dict[str, timedelta]:
        found = await boss.execute(
            "SELECT task, due - now() FROM agenda WHERE user_id = %s", [them.user_id]
        )
        return dict(await found.fetchall())

    async def is_given_up() -> bool:
        await boss.execute(
            """
            UPDATE procrastinate_jobs SET attempts = 7, scheduled_at = now()
            WHERE args ->> 'user_id' = %s AND status = 'todo'
            """,
            [str(them.user_id)],
        )
        jobs = await jobs_of(boss, them)
        return bool(jobs) and {job[2] for job in jobs} == {"failed"}

    await wait_until(is_given_up)
    coming = await entries()
    assert timedelta(days=29) < coming["retention_ended"] < timedelta(days=31)
    assert timedelta(minutes=59) < coming["reading_failed"] < timedelta(minutes=61)
    assert (await working.memories.reading(them, session_id)).state == "failed"
    model.away = False
    await boss.execute(
        "UPDATE agenda SET due = now() WHERE user_id = %s AND task = 'reading_failed'",
        [them.user_id],
    )
    await working.agenda.enqueue_due()

    async def is_read() -> bool:
        return await list_contents(working, them) == ["사용자: 강남구 살아"]

    await wait_until(is_read)
    assert (await working.memories.reading(them, session_id)).state == "read"

    async def is_nothing_left() -> bool:
        return not await jobs_of(boss, them)

    await wait_until(is_nothing_left)


async def test_reading_again_asks_no_model_that_is_away_twice_and_passes_a_refusal(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    for _ in range(3):
        await memory.sessions.close(me, await record_turns(memory, me, "강남구 살아"))
    clock.advance(timedelta(hours=1))
    errors: list[ModelUnavailableError] = []

    def fail(error: type[ModelUnavailableError]) -> Callable[..., list[Finding]]:
        def answer(_: Conversation) -> list[Finding]:
            errors.append(error("m", "it is away"))
            raise errors[-1]

        return answer

    script.computes(fail(ModelUnavailableError))
    with pytest.raises(ModelUnavailableError):
        await extract_unread(memory, me, me.user_id)
    assert len(errors) == 1
    script.computes(fail(ModelRefusedError))
    script.says(fact("사용자: 강남구 살아"))
    await extract_unread(memory, me, me.user_id)
    assert await list_contents(memory, me) == ["사용자: 강남구 살아"]


@pytest.mark.parametrize("event", [ItemsExpired, ForgettingRequested])
async def test_what_has_come_due_and_fails_to_the_end_comes_again_an_hour_later(
    working: Gieok,
    them: Scope,
    boss: Owner,
    monkeypatch: pytest.MonkeyPatch,
    event: type[AgendaEvent],
) -> None:
    """Nothing else would enter it: what is no longer kept would stay for ever."""

    async def fail(*_: object) -> None:
        raise UnavailableError("keystore", "it is away")

    follows = ON[event]
    monkeypatch.setitem(ON, event, (fail,))
    await working.accounts.ensure(them)
    async with working.maintenance.database.begin(them) as tx:
        await schedule_event(tx, event, tx.now)

    async def entries() -> list[tuple[Any, ...]]:
        found = await boss.execute(
            """
            SELECT task, due > now() + interval '59 minutes' FROM agenda
            WHERE user_id = %s
            """,
            [them.user_id],
        )
        return await found.fetchall()

    async def is_given_up() -> bool:
        await boss.execute(
            """
            UPDATE procrastinate_jobs SET attempts = 7, scheduled_at = now()
            WHERE args ->> 'user_id' = %s AND status = 'todo'
            """,
            [str(them.user_id)],
        )
        jobs = await jobs_of(boss, them)
        return [job[2] for job in jobs] == ["failed"] and bool(await entries())

    letters: set[int] = set()
    for _ in range(2):
        await working.agenda.enqueue_due()
        await wait_until(is_given_up)
        letters |= {job[0] for job in await jobs_of(boss, them)}
        assert await entries() == [(event.name, True)]
        await boss.execute(
            "UPDATE agenda SET due = now() WHERE user_id = %s", [them.user_id]
        )
    assert len(letters) == 2
    monkeypatch.setitem(ON, event, follows)
    await working.agenda.enqueue_due()

    async def is_done() -> bool:
        return not await jobs_of(boss, them)

    await wait_until(is_done)
    assert await entries() == []


@pytest.mark.req("E15")
async def test_a_failing_job_says_which_model_fails_and_never_what_was_said(
    working: Gieok, them: Scope, model: Moody
) -> None:
    model.away = True
    session_id = await record_turns(working, them, "강남구 살아")
    await working.sessions.close(them, session_id)

    async def reasons() -> list[str]:
        waiting = await working.jobs.list_retrying()
        mine = [job for job in waiting if job.arguments["about"] == str(session_id)]
        return [job.failure or "" for job in mine]

    await wait_until(reasons)
    (reason,) = set(await reasons())
    assert "is not available" in reason
    assert "강남구" not in reason


async def test_what_was_said_during_a_job_is_not_lost(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    model.gate.clear()
    session_id = await record_turns(working, them, "첫째")
    await wait_until(lambda: asyncio.sleep(0, model.running))
    for text in ("둘째", "셋째", "넷째", "다섯째"):
        await working.sessions.record(them, session_id, Turn(text, "네"))
        await asyncio.sleep(0.02)
    model.gate.set()
    await wait_until(done(working, them, boss, messages=10))
    assert len(await list_contents(working, them)) == 5


async def test_a_job_that_fails_while_its_successor_waits_does_not_block_the_person(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    """Two waiting jobs of one kind are refused: a plain retry would hang for ever."""
    model.gate.clear()
    session_id = await record_turns(working, them, "첫째")

    async def are_paused(*states: str) -> bool:
        jobs = await jobs_of(boss, them)
        return sorted(j[2] for j in jobs if j[1] == "conversation_paused") == [*states]

    # Whoever asks the model may still be somebody of the test before.
    await wait_until(lambda: are_paused("doing"))
    await wait_until(lambda: asyncio.sleep(0, model.running))
    await working.sessions.record(them, session_id, Turn("둘째", "네"))
    await wait_until(lambda: are_paused("doing", "todo"))
    model.away = True
    model.gate.set()
    await asyncio.sleep(0.5)
    model.away = False
    await wait_until(done(working, them, boss, messages=4), seconds=20)
    assert await list_contents(working, them) == ["사용자: 둘째", "사용자: 첫째"]


@pytest.mark.usefixtures("working")
async def test_a_conversation_that_goes_on_holds_nothing_up(
    setup: Config, them: Scope, boss: Owner, model: Moody
) -> None:
    """A job that waits for a pause of a minute stands before those that come after."""
    async with patient(setup, model) as slow:
        session_id = await record_turns(slow, them, "첫째")

        async def embedded() -> bool:
            found = await boss.execute(
                "SELECT count(*) FROM recall_items WHERE user_id = %s", [them.user_id]
            )
            return await found.fetchone() == (4,)

        await asyncio.sleep(0.5)
        await slow.sessions.record(them, session_id, Turn("둘째", "네"))
        await wait_until(embedded, seconds=5)
        assert await list_contents(slow, them) == [], "the pause is not over"
        await slow.sessions.close(them, session_id)

        async def extracted() -> bool:
            return len(await list_contents(slow, them)) == 2

        await wait_until(extracted, seconds=5)


@asynccontextmanager
async def patient(setup: Config, model: Moody) -> AsyncGenerator[Gieok]:
    """Open the same database in another process's way, with a pause of a minute."""
    config = replace(setup, pause=timedelta(minutes=1))
    parts = Parts(model=model, embedder=MoodyEmbedder(), tokenizer=WordTokenizer())
    async with open_memory(config, parts=parts, worker=False) as opened:
        yield opened


async def test_a_memory_kept_while_the_embedder_was_away_gets_its_vector_later(
    working: Gieok, them: Scope, boss: Owner, embedder: MoodyEmbedder
) -> None:
    embedder.away = True
    await working.memories.remember(them, "사용자는 망원경이 있음")
    embedder.away = False
    await wait_until(done(working, them, boss, messages=0))


async def test_what_an_outage_of_the_embedder_left_is_found_by_meaning_later(
    working: Gieok, them: Scope, boss: Owner, embedder: MoodyEmbedder
) -> None:
    """Four minutes of tries are over before the embedder answers again."""
    embedder.away = True
    await working.memories.remember(them, "사용자는 망원경이 있음")
    put = Put(("notes",), "one", {"text": "창가에"}, texts=("창가에",))
    await working.items.batch(them, [put])

    async def is_given_up() -> bool:
        await boss.execute(
            """
            UPDATE procrastinate_jobs SET attempts = 7, scheduled_at = now()
            WHERE args ->> 'user_id' = %s AND status = 'todo'
            """,
            [str(them.user_id)],
        )
        jobs = await jobs_of(boss, them)
        return bool(jobs) and {job[2] for job in jobs} == {"failed"}

    await wait_until(is_given_up)
    embedder.away = False
    entered = await boss.execute(
        "UPDATE agenda SET due = now() WHERE user_id = %s AND task = 'reading_failed'",
        [them.user_id],
    )
    assert entered.rowcount == 1
    await working.agenda.enqueue_due()
    await wait_until(done(working, them, boss, messages=0))
    missing = await boss.execute(
        "SELECT count(*) FROM store_items WHERE user_id = %s AND embedder IS NULL",
        [them.user_id],
    )
    assert await missing.fetchone() == (0,)


async def test_a_worker_outlives_its_connections(
    working: Gieok, them: Scope, boss: Owner
) -> None:
    await boss.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()
        """
    )
    await record_turns(working, them, "강남구 살아")
    await wait_until(done(working, them, boss, messages=2), seconds=30)
    assert await list_contents(working, them) == ["사용자: 강남구 살아"]


async def test_a_job_that_ends_its_worker_every_time_is_given_up(
    setup: Config, working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    """Memory or a signal ends the process: no exception tells the job's failure."""
    await working.sessions.start(them)

    async def leave_with_dead_worker(task: str, attempts: int) -> int:
        found = await boss.execute(
            """
            INSERT INTO procrastinate_jobs (
                queue_name, task_name, lock, args, status, attempts
            ) VALUES (
                'gieok', %(task)s::text, %(task)s::text, jsonb_build_object(
                    'user_id', %(person)s::text, 'about', %(person)s::text
                ), 'doing', %(attempts)s
            ) RETURNING id
            """,
            {"task": task, "person": str(them.user_id), "attempts": attempts},
        )
        row = await found.fetchone()
        assert row is not None
        return row[0]

    given_up = await leave_with_dead_worker("retention_ended", 7)
    tried_again = await leave_with_dead_worker("sources_changed", 3)
    pace = replace(QUICK, sweep="* * * * * *")
    parts = Parts(model=model, embedder=MoodyEmbedder(), pace=pace)
    async with open_memory(setup, parts=parts, worker=True):

        async def are_taken_up() -> bool:
            states = {job[0]: job[2:] for job in await jobs_of(boss, them)}
            return states.get(given_up, ("", 0))[0] == "failed" and states.get(
                tried_again
            ) == ("todo", 4, True)

        await wait_until(are_taken_up)
    failed = {job.job_id: job for job in await working.jobs.list_failed()}
    assert failed[given_up].failure == "its worker died"
    found = await boss.execute(
        "SELECT due > now() + interval '50 minutes' FROM agenda "
        "WHERE user_id = %s AND task = 'retention_ended'",
        [them.user_id],
    )
    assert await found.fetchone() == (True,)
    await boss.execute(
        "DELETE FROM procrastinate_jobs WHERE id = ANY(%s)", [[given_up, tried_again]]
    )


async def test_a_persons_erased_session_leaves_no_failing_job(
    working: Gieok, them: Scope, boss: Owner, model: Moody
) -> None:
    model.gate.clear()
    session_id = await record_turns(working, them, "첫째")
    await boss.execute("DELETE FROM sessions WHERE session_id = %s", [session_id])
    model.gate.set()
    await wait_until(done(working, them, boss, messages=0))


async def of_session(memory: Gieok, session_id: UUID) -> list[Job]:
    waiting = await memory.jobs.list_waiting(limit=10_000)
    return [j for j in waiting if j.arguments.get("about") == str(session_id)]


async def test_one_job_of_a_kind_waits_per_session_and_names_ids_only(
    memory: Gieok, me: Scope
) -> None:
    sessions = [await record_turns(memory, me, *"가나다라마") for _ in range(2)]
    for session_id in sessions:
        jobs = await of_session(memory, session_id)
        assert sorted(job.task for job in jobs) == [
            "conversation_paused",
            "turns_recorded",
        ]
        for job in jobs:
            assert job.arguments == {
                "user_id": str(me.user_id),
                "about": str(session_id),
            }
            assert job.attempts == 0
    await memory.sessions.close(me, sessions[0])
    jobs = await of_session(memory, sessions[0])
    assert len(jobs) == 3
    await memory.memories.remember(me, "사용자는 강남구에 거주")
    assert len(await of_session(memory, sessions[0])) == 3


async def test_what_is_not_committed_is_not_announced(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    session_id = await record_turns(memory, me)
    with pytest.raises(NotFoundError):
        await memory.sessions.record(other, session_id, Turn("가", "나"))
    with pytest.raises(NotFoundError):
        await memory.sessions.record(me, uuid4(), Turn("가", "나"))
    assert await of_session(memory, session_id) == []


async def test_the_queue_belongs_to_the_owner_and_is_used_by_the_app(
    owner: Owner,
) -> None:
    found = await owner.execute(
        "SELECT has_table_privilege(%s, 'procrastinate_jobs', 'TRUNCATE')", [APP_ROLE]
    )
    assert await found.fetchone() == (False,)


async def test_what_a_worker_that_stops_breaks_off_waits_for_the_next_one(
    tmp_path: Path,
) -> None:
    model = Moody()
    config = Config(
        data=tmp_path,
        pause=timedelta(milliseconds=10),
        defaults=Settings(allowed_categories=ALL_CATEGORIES),
    )
    pace = replace(QUICK, sweep="* * * * * */1")
    parts = Parts(
        model=model, embedder=HashEmbedder(), tokenizer=WordTokenizer(), pace=pace
    )
    model.gate.clear()
    async with run_embedded_postgres(tmp_path / "pg") as server:
        async with open_memory(config, parts=parts) as memory:
            scope = memory.person("minji")
            session = await memory.sessions.start(scope)
            await memory.sessions.record(scope, session.session_id, Turn("첫째", "네"))
            async with asyncio.timeout(30):
                while not model.running:  # noqa: ASYNC110 - the worker is looked at
                    await asyncio.sleep(0.05)
            await memory.sessions.record(scope, session.session_id, Turn("둘째", "네"))
        address = make_conninfo(
            build_database_url(server, DATABASE), options=f"-c search_path={SCHEMA}"
        )
        async with await Owner.connect(address) as owner:
            found = await owner.execute(
                "SELECT DISTINCT status::text FROM procrastinate_jobs "
                "WHERE task_name = 'conversation_paused'"
            )
            assert await found.fetchall() == [("todo",)]
        model.gate.set()
        async with open_memory(config, parts=parts) as memory:
            async with asyncio.timeout(30):
                while (await memory.memories.page(scope))[1] < 2:  # noqa: ASYNC110 - the worker is looked at
                    await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("reason", "failed", "status"),
    [
        ("it is away", 1, "todo"),
        ("it is away", MAX_RETURNS, "todo"),
        ("it is away", MAX_RETURNS + 1, "failed"),
        (WORKER_DIED, 1, "failed"),
    ],
)
async def test_what_fails_every_time_comes_back_a_few_times_only(
    memory: Gieok, me: Scope, owner: Owner, reason: str, failed: int, status: str
) -> None:
    rows = await owner.execute(
        """
        INSERT INTO procrastinate_jobs (queue_name, task_name, status, args)
        VALUES ('gieok', 'session_closed', 'failed', jsonb_build_object(
            'user_id', %s::text, 'about', %s::text
        )) RETURNING id
        """,
        [str(me.user_id), str(me.user_id)],
    )
    ((job_id,),) = await rows.fetchall()
    await memory.jobs.record_failure(job_id, reason)
    await owner.execute(
        """
        INSERT INTO procrastinate_events (job_id, type, at)
        SELECT %s, 'failed', now() FROM generate_series(1, %s)
        """,
        [job_id, failed],
    )
    await memory.jobs.resolve_failures(me.user_id, "reading_failed", ["session_closed"])
    rows = await owner.execute(
        "SELECT status::text FROM procrastinate_jobs WHERE id = %s", [job_id]
    )
    assert await rows.fetchall() == [(status,)]
    await owner.execute("DELETE FROM procrastinate_jobs WHERE id = %s", [job_id])


@pytest.mark.parametrize("is_analyzed", [True, False])
async def test_what_failed_for_others_is_not_read_for_one(
    memory: Gieok, me: Scope, owner: Owner, *, is_analyzed: bool
) -> None:
    """Whether PostgreSQL has counted them since or not."""
    async with owner.transaction() as tx:
        await owner.execute(
            """
            WITH failed AS (
                INSERT INTO procrastinate_jobs (queue_name, task_name, status, args)
                SELECT 'gieok', 'session_closed', 'failed', jsonb_build_object(
                    'user_id', CASE n WHEN 1 THEN %s ELSE md5(n::text)::uuid::text END,
                    'about', md5(n::text)::uuid
                ) FROM generate_series(1, 5000) AS n RETURNING id
            )
            INSERT INTO job_failures (job_id, reason) SELECT id, 'away' FROM failed
            """,
            [str(me.user_id)],
        )
        if is_analyzed:
            await owner.execute("ANALYZE procrastinate_jobs, job_failures")
        read = await count_read_rows(
            owner,
            me.user_id,
            RESOLVE_FAILURES,
            {
                "user_id": me.user_id,
                "done": "reading_failed",
                "tasks": ["reading_failed", "session_closed"],
                "died": WORKER_DIED,
                "most": MAX_RETURNS,
            },
        )
        raise Rollback(tx)
    assert memory.jobs.database is memory.maintenance.database
    assert 3 <= read < 100
