"""Talking with a model on the command line."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from gieok import Config, Parts, Scope, open_memory
from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.language import ModelReply, Utterance
from gieok.sessions import Sessions
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.cli_runs import Cli, type_lines

Act = Callable[[Sessions, Scope, UUID], Awaitable[object]]
Reply = Callable[[str, Sequence[Utterance]], ModelUnavailableError]
Elsewhere = Callable[[Act], Reply]

CARD = "4242 4242 4242 4242"


@pytest.fixture(autouse=True)
def _model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIEOK_MODEL", "local")
    monkeypatch.setenv("GIEOK_MODEL_BASE_URL", "http://127.0.0.1:9/v1")


@dataclass(slots=True)
class Vendor:
    """A chat model that keeps what it is sent."""

    answers: list[ModelReply | Exception] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    shown: list[list[str]] = field(default_factory=list)

    def __call__(
        self, prompt: str, messages: Sequence[Utterance]
    ) -> ModelReply | Exception:
        self.prompts.append(prompt)
        self.shown.append([each.content for each in messages])
        return self.answers.pop(0) if self.answers else ModelReply("I see.")


@pytest.mark.req("A19")
def test_a_card_number_that_is_typed_reaches_no_vendor(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = Vendor()
    type_lines(monkeypatch, f"my card is {CARD}", "what did I say?")
    talked = cli("chat", me, replies=vendor)
    assert talked.code == 0, talked.err
    assert "I see." in talked.out
    assert len(vendor.shown) == 2
    assert CARD not in str((vendor.prompts, vendor.shown))
    assert vendor.shown[1][0].startswith("my card is ")


@pytest.mark.req("E01")
def test_a_long_talk_shows_the_model_its_last_ten_messages(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = Vendor()
    type_lines(monkeypatch, *(f"line {n}" for n in range(8)))
    assert cli("chat", me, replies=vendor).code == 0
    assert len(vendor.shown[-1]) == 11
    assert vendor.shown[-1][0] == "line 2"
    assert vendor.shown[-1][-1] == "line 7"


def test_the_model_knows_what_is_remembered(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", me, "I live in Busan")
    vendor = Vendor()
    type_lines(monkeypatch, "where in Busan?")
    assert cli("chat", me, replies=vendor).code == 0
    assert "I live in Busan" in vendor.prompts[0]


def test_a_line_is_recorded_also_where_the_model_is_away(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = Vendor(answers=[ModelUnavailableError("model", "it is away")])
    type_lines(monkeypatch, "I run every morning", "still there?")
    talked = cli("chat", me, replies=vendor)
    assert "it is away" in talked.err
    (session,) = cli("sessions", me, "--json").data["sessions"]
    shown = cli("sessions", "show", me, session["mark"], "--json").data["messages"]
    assert [each["content"] for each in shown] == [
        "I run every morning",
        "still there?",
        "I see.",
    ]


@pytest.fixture
def elsewhere(me: str, data: Path) -> Elsewhere:
    """What another process does with the person's conversation, and then no model."""

    async def work(act: Act) -> None:
        parts = Parts(
            model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
        )
        async with open_memory(Config(data=data), parts=parts, worker=False) as memory:
            person = memory.person(me)
            (session,), _ = await memory.sessions.page(person)
            await act(memory.sessions, person, session.session_id)

    def leave(act: Act) -> Reply:
        def reply(_: str, __: Sequence[Utterance]) -> ModelUnavailableError:
            with ThreadPoolExecutor() as thread:
                thread.submit(asyncio.run, work(act)).result()
            return ModelUnavailableError("model", "it is away")

        return reply

    return leave


def test_a_line_is_recorded_also_where_the_talk_was_closed_and_the_model_is_away(
    cli: Cli, me: str, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_lines(monkeypatch, "I run every morning")
    cli("chat", me, replies=elsewhere(Sessions.close))
    newest, _ = cli("sessions", me, "--json").data["sessions"]
    shown = cli("sessions", "show", me, newest["mark"], "--json").data["messages"]
    assert [each["content"] for each in shown] == ["I run every morning"]


def test_a_talk_that_waits_for_somebody_is_not_left_for_another_one(
    cli: Cli, me: str, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = elsewhere(Sessions.pause)

    def reply(prompt: str, said: Sequence[Utterance]) -> ModelReply | Exception:
        return pause(prompt, said) if len(said) > 1 else ModelReply("I see.")

    type_lines(monkeypatch, "hello", "I run every morning")
    talked = cli("chat", me, replies=reply)
    assert "the session is paused" in talked.err
    assert "another one has begun" not in talked.err
    assert cli("sessions", me, "--json").data["total"] == 1


def test_a_talk_with_a_model_goes_on_after_a_long_silence(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, shown = FixedClock(datetime.now(UTC)), list[int]()

    def rest(_: str, messages: Sequence[Utterance]) -> ModelReply:
        shown.append(len(messages))
        clock.advance(timedelta(minutes=31 * (len(shown) == 2)))
        return ModelReply("I see.")

    type_lines(monkeypatch, "one", "two", "three", "four")
    talked = cli("chat", me, replies=rest, clock=clock)
    assert talked.code == 0, talked.err
    assert talked.err.count("another one has begun") == 1
    assert shown == [1, 3, 3, 5]
    assert cli("sessions", me, "--json", clock=clock).data["total"] == 2
