"""`gieok serve` with the tutor's cards in DynamoDB, as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import boto3
import httpx
import pytest

from support.commands import PATIENCE, command, environment
from support.kms_server import Line
from support.served import ServedGieok, serve_gieok
from support.tutor_cloud import FAKE, TABLE

ME = "/api/v1/users/me"
TUTOR = "/api/v1/tutor"


def run(data: Path, *arguments: str, **variables: str) -> Any:
    path = os.pathsep.join(sys.path)
    return subprocess.run(  # noqa: S603 - our own command
        command(*arguments),
        env=environment(data) | FAKE | variables | {"PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def list_names(line: Line) -> list[str]:
    client: Any = boto3.client("dynamodb", endpoint_url=line.target)
    items = client.scan(TableName=TABLE)["Items"]
    return [
        item["memory"]["M"]["name"]["S"]
        for item in items
        if "name" in item["memory"]["M"]
    ]


def call(gieok: ServedGieok, person: str) -> httpx.Client:
    token = gieok.issue_token(person)
    return httpx.Client(
        base_url=gieok.url, headers={"Authorization": f"Bearer {token}"}, timeout=60
    )


@pytest.fixture
def variables(line: Line) -> dict[str, str]:
    return {"GIEOK_TUTOR_TABLE": TABLE, "GIEOK_DYNAMODB_ENDPOINT": line.url}


@pytest.mark.req("A15", "C03", "C04")
def test_a_servers_cards_live_and_go_in_dynamodb(
    line: Line, variables: dict[str, str], begun_data: Path
) -> None:
    with (
        serve_gieok(begun_data, FAKE | variables) as gieok,
        call(gieok, "영광") as http,
    ):
        saved = {"action": "save_user_memory", "memory": {"name": "served"}}
        assert http.post(TUTOR, json=saved).json() == {"success": True}
        asked = {"action": "get_user_memory"}
        assert http.post(TUTOR, json=asked).json() == {"memory": {"name": "served"}}
        assert "served" in list_names(line)
        assert http.get(f"{ME}/profile").json()["profile"] == {}
        line.is_down = True
        assert http.post(TUTOR, json=asked).status_code == 503
        assert http.delete(ME).status_code == 503
        receipts = http.get(f"{ME}/erasure-receipts").json()["receipts"]
        assert receipts == [], "nothing is said to be erased that is not"
        line.is_down = False
        assert http.delete(ME).status_code == 204
        (receipt,) = http.get(f"{ME}/erasure-receipts").json()["receipts"]
        assert receipt["parts"]["tutor_cards"] == "erased"
        assert "served" not in list_names(line)


def test_a_table_that_is_missing_is_said_before_anybody_is_let_in(
    variables: dict[str, str], begun_data: Path
) -> None:
    examined = run(begun_data, "doctor", "--json", **variables)
    checks = {each["name"]: each for each in json.loads(examined.stdout)["checks"]}
    assert checks["tutor_cards"]["ok"] is True
    assert checks["tutor_cards"]["finding"] == TABLE
    variables["GIEOK_TUTOR_TABLE"] = "missing"
    examined = run(begun_data, "doctor", "--json", **variables)
    checks = {each["name"]: each for each in json.loads(examined.stdout)["checks"]}
    assert checks["tutor_cards"]["ok"] is False
    assert "no table missing in the region ap-" in checks["tutor_cards"]["finding"]
    refused = run(begun_data, "serve", "--port", "0", **variables)
    assert refused.returncode == 2
    assert "no table missing" in " ".join(refused.stderr.split())
