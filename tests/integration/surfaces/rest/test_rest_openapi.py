"""The description of the surface is valid, complete and honest."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.openapi.models import OpenAPI

from support.rest_people import Person

ERROR = {"$ref": "#/components/schemas/ErrorBody"}
FAILURE = {"$ref": "#/components/schemas/Failure"}
PERSONA = ("/api/v1/memory/", "/api/v1/chat/")
"""Calls whose answers are written as the persona document has them."""


@pytest.fixture(scope="module")
def described(app: FastAPI) -> dict[str, Any]:
    return app.openapi()


def operations(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def is_personas(name: str) -> bool:
    return name.split()[1].startswith(PERSONA)


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for below in part:
            yield from references(below)


def test_it_is_valid_openapi(described: dict[str, Any]) -> None:
    assert OpenAPI.model_validate(described).openapi.startswith("3.1")
    known = {
        f"#/components/{kind}/{name}"
        for kind, named in described["components"].items()
        for name in named
    }
    assert set(references(described)) <= known
    names = [operation["operationId"] for _, operation in operations(described)]
    assert len(names) == len(set(names))


def test_who_fills_in_its_defaults_moves_nothing_that_is_known(
    described: dict[str, Any],
) -> None:
    new = described["components"]["schemas"]["NewMemory"]["properties"]
    assert new["category"].get("default") is None


async def test_it_is_served_to_whoever_may_call(
    minji: Person, described: dict[str, Any]
) -> None:
    assert (await minji.http.get("/openapi.json")).json() == described


def test_every_call_documents_its_errors(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        answers = operation["responses"]
        expected = {"401", "413", "422", "500", "503", "507"}
        if "/health/" in name:
            expected = {"503"} if name.endswith("ready") else set()
        elif "{" in name:
            expected |= {"404"}
        assert expected <= set(answers), name
        error = FAILURE if is_personas(name) else ERROR
        for status, answer in answers.items():
            if status >= "400":
                assert answer["content"]["application/json"]["schema"] == error, name


def test_every_call_but_health_documents_its_token(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert operation.get("security", []) == (
            [] if "/health/" in name else [{"bearer": []}]
        )


def test_every_call_has_a_sentence_and_a_tag(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert operation["description"].endswith("."), name
        assert len(operation["tags"]) == 1, name


def test_requests_take_no_unknown_fields(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for name, operation in operations(described):
        body = operation.get("requestBody", {}).get("content", {})
        for reference in references(body):
            schema = schemas[reference.rpartition("/")[2]]
            assert schema["additionalProperties"] is False, name


def test_deletions_answer_with_nothing(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        if name.startswith("DELETE") and not is_personas(name):
            assert "content" not in operation["responses"]["204"]
