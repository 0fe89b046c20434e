"""The recorded exchanges in docs/reference/sync/vectors are what our server answers.

`GIEOK_RECORD=1` writes them anew; look at what changed before you commit it.
"""

import asyncio
import copy
import json
import os
from typing import Any

import httpx
import jsonschema
import pytest

from gieok.conformance import run_checks
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from support.paths import ROOT
from support.rest_people import HOUR, Person
from support.sync_vectors import RecordingTransport, count_ids, play

FOLDER = ROOT / "docs" / "reference" / "sync"
RECORDED = (
    "join",
    "push",
    "repeat",
    "rejection",
    "overlap",
    "lost_answer",
    "second_device",
    "ack",
    "reinstall",
    "versions",
    "wrong_epoch",
    "unknown_incarnation",
    "gap",
    "fork",
    "numbers_ahead",
)
SCHEMA: dict[str, Any] = json.loads((FOLDER / "messages.json").read_text("utf-8"))

pytestmark = pytest.mark.req("A16", "A17")


def read(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / "vectors" / f"{name}.json").read_text("utf-8"))


def record(name: str, address: str, token: str) -> None:
    """Write what a check of this name says and hears."""
    transport = RecordingTransport()
    new_id = count_ids(RECORDED.index(name) + 1)
    options: dict[str, Any] = {"transport": transport, "new_id": new_id}
    (result,) = run_checks(address, token, checks=[name], **options)
    assert result.outcome == "passed", result
    kept = {"name": name, "exchanges": transport.exchanges}
    text = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
    (FOLDER / "vectors" / f"{name}.json").write_text(text, "utf-8")


@pytest.mark.parametrize("name", RECORDED)
async def test_the_recorded_answers_are_ours(
    name: str, minji: Person, address: str, tokens: Tokens
) -> None:
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    if os.environ.get("GIEOK_RECORD"):
        await asyncio.to_thread(record, name, address, token)
        return
    headers = {"Authorization": f"Bearer {token}"}
    vector = read(name)

    def run() -> list[str]:
        with httpx.Client(base_url=address, headers=headers, timeout=60) as http:
            return play(http, vector["exchanges"])

    assert await asyncio.to_thread(run) == []


async def test_another_answer_is_noticed(
    minji: Person, address: str, tokens: Tokens
) -> None:
    token = tokens.issue(minji.user_id, HOUR, Actor.DEVICE)
    headers = {"Authorization": f"Bearer {token}"}
    spoiled = copy.deepcopy(read("push"))["exchanges"]
    spoiled[1]["response"]["body"]["up"]["seq"] = 2

    def run() -> list[str]:
        with httpx.Client(base_url=address, headers=headers, timeout=60) as http:
            return play(http, spoiled)

    assert await asyncio.to_thread(run) == ["2.body.up.seq: 3 is not 2"]


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_message_is_of_the_schema(name: str) -> None:
    for exchange in read(name)["exchanges"]:
        asked, heard = exchange["request"], exchange["response"]
        call = SCHEMA["calls"][asked["path"].rpartition("/")[2]]
        assert call["method"] == asked["method"]
        if heard["status"] != 422:
            validate(asked.get("body"), call.get("body"))
        validate(heard["body"], call["answers"][str(heard["status"])])


def validate(body: Any, schema: Any) -> None:
    if schema is not None:
        jsonschema.Draft202012Validator({**schema, "$defs": SCHEMA["$defs"]}).validate(
            fill(body)
        )


def fill(part: Any) -> Any:
    """Return a part with something in place of its placeholders."""
    if isinstance(part, dict):
        return {name: fill(each) for name, each in part.items()}
    if isinstance(part, list):
        return [fill(each) for each in part]
    return 1 if part == "{number}" else part
