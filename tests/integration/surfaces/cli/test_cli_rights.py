"""Consent, erasure and the check after a restore, from the command line."""

import asyncio
from pathlib import Path
from uuid import UUID

import pytest

from gieok import Config, Parts, Turn, open_memory
from gieok.sync import Installation, start_chain
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.cli_runs import Cli

INCARNATION = UUID(int=1, version=4)
PARTS = Parts(
    model=ScriptedModel(()), embedder=HashEmbedder(), tokenizer=WordTokenizer()
)


@pytest.mark.req("D14")
def test_consent_is_shown_and_set(cli: Cli) -> None:
    shown = {
        each["purpose"]: each["granted"]
        for each in cli("consent", "ari", "--json").data
    }
    assert [purpose for purpose, granted in shown.items() if not granted] == ["words"]
    done = cli("consent", "set", "ari", "sync=false", "--notice", "v2", "--json")
    assert [each["granted"] for each in done.data] == [True, True, True, False, False]
    assert cli("consent", "set", "ari", "words=true").code == 0
    assert "words: yes (v1)" in cli("consent", "ari").out
    assert cli("settings", "set", "ari", "words_days=365").code == 0
    assert "sync: no (v1)" in cli("consent", "ari").out
    assert cli("consent", "set", "ari", "ads=true").code == 2


@pytest.mark.req("A15", "E19")
def test_a_person_is_erased_once_and_stays_erased(cli: Cli) -> None:
    assert cli("erase", "bora", "--yes").code == 1, "nobody of that name"
    assert cli("remember", "bora", "사용자는 벌을 키움").code == 0
    receipt = cli("erase", "bora", "--yes", "--json").data
    assert receipt["parts"]["keys"] == "destroyed"
    assert receipt["counts"]["user_memories"] == 1
    assert cli("erase", "bora", "--yes", "--json").data == receipt
    assert cli("restore-check", "--json").data == {
        "erased_again": 0,
        "decided_again": 0,
        "revoked_again": 0,
    }


@pytest.mark.req("A15")
def test_one_device_is_erased_with_what_was_said_on_it(cli: Cli, data: Path) -> None:
    cli("person", "set", "dana")
    assert "no devices" in cli("devices", "dana").out
    assert cli("devices", "delete", "dana", "phone", "--yes").code == 1
    talk(data, "dana", "Phone 1")
    (phone,) = cli("devices", "dana", "--json").data
    assert (phone["id"], phone["sync_status"]) == ("Phone 1", None)
    receipt = cli("devices", "delete", "dana", "Phone 1", "--yes", "--json").data
    assert (receipt["kind"], receipt["counts"]["messages"]) == ("device", 2)
    assert cli("devices", "dana", "--json").data == []
    assert cli("sessions", "dana", "--json").data["total"] == 0
    talk(data, "dana", "Phone 1")
    assert "Receipt" in cli("devices", "delete", "dana", "Phone 1", "-y").out


@pytest.mark.req("A08", "A15")
def test_a_device_is_registered_seen_and_shut_out(cli: Cli, data: Path) -> None:
    made = cli("devices", "register", "nari", "kitchen", "--json").data
    assert made["id"] == "kitchen"
    assert len(made["token"].split(".")) == 3
    printed = cli("devices", "register", "nari", "kitchen", "--days", "2").out
    assert len(printed.split(".")) == 3, "the token alone, for a file"
    assert "It does not sync" in cli("devices", "nari").out
    talk(data, "nari", "kitchen")
    assert "empties itself" in cli("devices", "revoke", "nari", "kitchen", "-y").out
    (seen,) = cli("devices", "nari", "--json").data
    assert (seen["sync_status"], seen["conflict"]) == ("error", "revoked")
    done = cli("devices", "unregister", "nari", "kitchen", "-y", "--json").data
    assert done == {"unregistered": "kitchen"}
    assert cli("devices", "nari", "--json").data == []
    assert cli("sessions", "nari", "--json").data["total"] == 1, "what was said stays"
    assert cli("devices", "revoke", "nari", "no such", "-y").code == 1


@pytest.mark.req("A17")
def test_a_conflict_of_a_device_is_shown_and_decided_about(
    cli: Cli, data: Path
) -> None:
    cli("devices", "register", "sora", "kitchen")
    assert cli("devices", "resolve", "sora", "kitchen", "send").code == 2
    assert cli("devices", "resolve", "sora", "no such", "send").code == 1
    assert cli("devices", "resolve", "sora", "kitchen", "both").code == 2
    wait_for_somebody(data, "sora", "kitchen")
    printed = " ".join(cli("devices", "sora").out.split())
    assert "waits for your decision" in printed
    assert "send|discard" in printed
    (seen,) = cli("devices", "sora", "--json").data
    assert (seen["conflict"], seen["ways_out"]) == ("needs_person", ["send", "discard"])
    assert (seen["conflict_state"]["sent"], seen["conflict_state"]["taken"]) == (3, 0)
    done = cli("devices", "resolve", "sora", "kitchen", "discard", "--json").data
    assert done["conflict_state"]["resolution"] == "discard"
    assert "next asks" in cli("devices", "resolve", "sora", "kitchen", "send").out


@pytest.mark.req("E07")
def test_a_person_is_put_on_a_plan(cli: Cli) -> None:
    assert cli("plan", "eun", "--json").data == {"plan": "free"}
    done = cli("plan", "set", "eun", "premium", "--json").data
    assert done == {"plan": "premium", "archived": []}
    assert "premium" in cli("plan", "show", "eun").out
    assert "free" in cli("plan", "set", "eun", "free").out
    assert cli("plan", "set", "eun", "gold").code == 2


def wait_for_somebody(data: Path, user: str, device: str) -> None:
    """Have a device say that three turns of it wait for somebody to decide."""

    async def work() -> None:
        async with open_memory(Config(data=data), parts=PARTS, worker=False) as memory:
            installation = Installation(device, INCARNATION)
            at = start_chain(INCARNATION)
            await memory.sync.hello(memory.person(user), installation, at, 0, waiting=3)

    asyncio.run(work())


def talk(data: Path, user: str, device: str) -> None:
    """Let a person say something on a device."""

    async def work() -> None:
        async with open_memory(Config(data=data), parts=PARTS, worker=False) as memory:
            me = memory.person(user)
            known = await memory.accounts.device(me, device)
            session = await memory.sessions.start(me, device_id=known)
            await memory.sessions.record(me, session.session_id, Turn("벌", "네"))

    asyncio.run(work())
