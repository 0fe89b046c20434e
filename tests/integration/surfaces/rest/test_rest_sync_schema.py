"""The wire specification is what the server does."""

import json
import runpy
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from gieok.surfaces.rest.errors import STATUS
from gieok.sync import advance_chain, hash_words, start_chain
from support.paths import ROOT
from support.rest_people import Person

FOLDER = ROOT / "docs" / "reference" / "sync"
MAKER: dict[str, Any] = runpy.run_path(str(FOLDER / "generate_schema.py"))
PAGE = (FOLDER.parent / "sync.md").read_text("utf-8")

pytestmark = pytest.mark.req("A16")


def test_the_schema_of_the_messages_is_made_from_this_source(app: FastAPI) -> None:
    made = MAKER["format_schema"](app.openapi())
    kept = (FOLDER / "messages.json").read_text("utf-8")
    assert made == kept, "run python docs/reference/sync/generate_schema.py"


def test_the_page_names_every_message(app: FastAPI) -> None:
    schema = MAKER["build_schema"](app.openapi())
    for name, call in schema["calls"].items():
        assert f"`{call['method']} {name}`" in PAGE
        for part in (call.get("body", {}), call["answers"]["200"]):
            assert part.get("$ref", "").rpartition("/")[2] in PAGE


def test_the_page_s_errors_are_the_server_s() -> None:
    errors = {
        (str(status), code)
        for error, status in STATUS.items()
        for code in {error.code, *(each.code for each in _list_below(error))}
    }
    section = PAGE.partition("## Errors")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if "| `" in line]
    stated = {(row[0].strip("| "), row[1].strip("`")) for row in rows[1:]}
    assert len(stated) > 10
    assert stated <= errors


def _list_below(error: type[Any]) -> list[type[Any]]:
    below = error.__subclasses__()
    return below + [each for one in below for each in _list_below(one)]


def test_the_chains_of_the_vectors_are_ours() -> None:
    vector = json.loads((FOLDER / "vectors" / "chain.json").read_text("utf-8"))
    at = start_chain(UUID(vector["incarnation"]))
    assert at.chain.hex() == vector["chain_0"]
    for pair in vector["pairs"]:
        said = pair["user_text"]
        if isinstance(said, dict):
            said = said["repeat"] * said["times"]
        words = hash_words(pair["session"], said, pair["assistant_text"])
        at = advance_chain(at, UUID(pair["pair_id"]), words)
        expected = (pair["seq"], pair["words"], pair["chain"])
        assert (at.seq, words.hex(), at.chain.hex()) == expected


async def test_another_version_hears_which_one_is_spoken(
    minji: Person,
) -> None:
    up = {"seq": 0, "chain": "0" * 32}
    body = {"device_id": "old", "incarnation": str(UUID(int=1)), "up": up, "proto": 2}
    answer = await minji.http.post("/api/v1/sync/hello", json=body)
    assert answer.status_code == 426
    assert answer.headers["upgrade"] == "gieok-sync/1"
    assert await minji.gieok.sync.cursors(minji.scope) == ()
