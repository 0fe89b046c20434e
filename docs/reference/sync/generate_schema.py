"""Write `messages.json`, the JSON Schema of what devices send and get.

`python docs/reference/sync/generate_schema.py` from the root of the repository; a test
fails when the file is not what this would write.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parent / "messages.json"
CALLS: Final = ("hello", "push", "pull", "snapshot", "ack")
"""What a device asks; the rest below `/sync` is a person's."""
PREFIX: Final = "/api/v1/sync/"
COMPONENTS: Final = "#/components/schemas/"
DEFINITIONS: Final = "#/$defs/"
ITEMS: Final = {
    "conversation_pair": "SyncedPair",
    "session": "SyncedSession",
    "short_term_summary": "DaySummaryView",
    "mid_term_summary": "WeekSummaryView",
    "user_memory": "SyncedMemory",
    "memory_candidate": "MemoryCandidate",
    "memory_settings": "MemorySettings",
    "consent": "ConsentList",
    "user": "PersonView",
}
"""What `item` is, by `entity`."""

Schema = Mapping[str, Any]


def build_schema(description: Schema) -> dict[str, Any]:
    """Return the schema of all messages, out of an OpenAPI description."""
    components = description["components"]["schemas"]
    calls = {call: build_call(description["paths"], call) for call in CALLS}
    items = {name: {"$ref": COMPONENTS + each} for name, each in ITEMS.items()}
    wanted, found = [*iterate_references([calls, items])], dict[str, Any]()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = components[name]
            wanted += iterate_references(components[name])
    written = json.dumps({"calls": calls, "items": items, "$defs": found})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a device and the cloud tell each other, version 1",
        **json.loads(written.replace(COMPONENTS, DEFINITIONS)),
    }


def build_call(paths: Schema, name: str) -> dict[str, Any]:
    """Return one call: its method and path, what is sent and what may come back."""
    ((method, operation),) = paths[PREFIX + name].items()
    call: dict[str, Any] = {"method": method.upper(), "path": PREFIX + name}
    asked = operation.get("parameters", ())
    if asked:
        call["query"] = {
            "type": "object",
            "properties": {each["name"]: each["schema"] for each in asked},
            "required": [each["name"] for each in asked if each["required"]],
        }
    if "requestBody" in operation:
        call["body"] = get_schema(operation["requestBody"])
    answers = operation["responses"]
    call["answers"] = {
        status: get_schema(answers[status]) for status in sorted(answers)
    }
    return call


def get_schema(part: Schema) -> Any:
    """Return the schema of a JSON body."""
    return part["content"]["application/json"]["schema"]


def iterate_references(part: Any) -> Iterator[str]:
    """Yield the names of the components that a part refers to."""
    if isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str):
            yield reference.removeprefix(COMPONENTS)
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from iterate_references(each)


def format_schema(description: Schema) -> str:
    """Return the file's text."""
    schema = build_schema(description)
    return json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


async def describe_source() -> Schema:
    """Return what a server of this source says of itself."""
    from gieok import Config, open_memory  # noqa: PLC0415 - a test brings its own app
    from gieok.surfaces.rest import Tokens, create_app  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as data:
        async with open_memory(Config(data=Path(data)), worker=False) as gieok:
            tokens = Tokens(bytes(32), gieok.clock)
            return create_app(gieok, tokens).openapi()


if __name__ == "__main__":
    FILE.write_text(format_schema(asyncio.run(describe_source())), "utf-8")
    sys.stdout.write(f"{FILE}\n")
