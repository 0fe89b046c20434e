"""Write `types/openapi.d.ts`, the wire's types, from the server's OpenAPI.

`python clients/js/generate_types.py` from the root of the repository; a test fails when
the file is not what this would write.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parent / "types" / "openapi.d.ts"
HEAD: Final = "/** The wire, as the server's OpenAPI has it. Made: do not edit. */"
PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
JSON: Final = "application/json"
METHODS: Final = ("get", "put", "post", "patch", "delete")

Schema = Mapping[str, Any]


def build_module(description: Schema) -> str:
    """Return the module of types that an OpenAPI description stands for."""
    parts = [HEAD]
    for name, schema in sorted(description["components"]["schemas"].items()):
        parts.append(f"{format_comment(schema)}{format_declaration(name, schema)}")
    parts.append("\n".join(iterate_operations(description["paths"])))
    return "\n\n".join(parts) + "\n"


def format_declaration(name: str, schema: Schema) -> str:
    """Return a schema of the components under its name."""
    if schema.get("properties"):
        return f"export interface {name} {format_object(schema)}"
    return f"export type {name} = {format_type(schema)};"


def format_type(schema: Schema) -> str:
    """Return a schema as a type."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(json.dumps(value) for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(map(format_type, schema[several])))
    if schema.get("type") == "array":
        return f"Array<{format_type(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        return format_object(schema)
    return PLAIN.get(schema.get("type", ""), "unknown")


def format_object(schema: Schema) -> str:
    """Return the type of an object, one property a line."""
    if schema.get("properties"):
        return "{\n" + "\n".join(iterate_properties(schema)) + "\n}"
    values = schema.get("additionalProperties", True)
    names = schema.get("propertyNames")
    key = format_type(names) if isinstance(names, dict) else "string"
    kept = format_type(values) if isinstance(values, dict) else "unknown"
    if key == "string":
        return f"Record<string, {kept}>"
    return f"Partial<Record<{key}, {kept}>>"


def iterate_properties(schema: Schema) -> Iterator[str]:
    """Yield the properties of an object."""
    required = schema.get("required", ())
    for name, each in schema["properties"].items():
        optional = "" if name in required else "?"
        yield indent(f"{format_comment(each)}{name}{optional}: {format_type(each)};")


def format_comment(schema: Schema) -> str:
    """Return a schema's description as a comment on a line of its own."""
    text = " ".join(schema.get("description", "").replace("*/", "* /").split())
    return f"/** {text} */\n" if text else ""


def iterate_operations(paths: Schema) -> Iterator[str]:
    """Yield the interface of every call: what it takes and what it answers."""
    yield "/** Every call: what it takes in the query and the body, what it answers. */"
    yield "export interface Operations {"
    for path, methods in paths.items():
        for method in METHODS:
            if method in methods:
                yield indent(format_operation(method, path, methods[method]))
    yield "}"


def format_operation(method: str, path: str, operation: Schema) -> str:
    """Return one call."""
    query = {
        "properties": {
            each["name"]: each["schema"]
            for each in operation.get("parameters", ())
            if each["in"] == "query"
        },
        "required": [
            each["name"]
            for each in operation.get("parameters", ())
            if each["in"] == "query" and each.get("required")
        ],
    }
    asked = format_object(query) if query["properties"] else "undefined"
    body = format_content(operation.get("requestBody", {}), "undefined")
    answered = [
        format_content(response, "undefined")
        for status, response in operation["responses"].items()
        if status.startswith("2")
    ]
    comment = format_comment(operation)
    return (
        f'{comment}"{method.upper()} {path}": {{\n'
        f"  query: {indent(asked).lstrip()};\n"
        f"  body: {body};\n"
        f"  answer: {' | '.join(dict.fromkeys(answered))};\n}};"
    )


def format_content(part: Schema, absent: str) -> str:
    """Return the type of a body; other kinds than JSON are text."""
    content = part.get("content")
    if not content:
        return absent
    return format_type(content[JSON]["schema"]) if JSON in content else "string"


def indent(text: str) -> str:
    """Return text two spaces further in."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def describe_app(app: Any) -> Schema:
    """Return an app's OpenAPI, and beside its schemas what sockets tell."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - a test imports the rules alone

    from gieok.surfaces.rest.schemas import events as told  # noqa: PLC0415 - as above

    description = app.openapi()
    at = "#/components/schemas/{model}"
    events = TypeAdapter[Any](told.SessionEvent).json_schema(ref_template=at)
    told_whole = {
        name: {**schema, "required": [*schema["properties"]]}
        for name, schema in events.pop("$defs").items()
        if "properties" in schema
    }
    schemas = {**description["components"]["schemas"], **told_whole}
    schemas["SessionEvent"] = {
        "description": "What happens in a session, as it happens (B10).",
        **events,
    }
    return {"paths": description["paths"], "components": {"schemas": schemas}}


async def describe_source() -> Schema:
    """Return what a server of this source says of itself."""
    from gieok import Config, open_memory  # noqa: PLC0415 - a test brings its own app
    from gieok.surfaces.rest import Tokens, create_app  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as data:
        async with open_memory(Config(data=Path(data)), worker=False) as gieok:
            tokens = Tokens(bytes(32), gieok.clock)
            return describe_app(create_app(gieok, tokens))


if __name__ == "__main__":
    FILE.write_text(build_module(asyncio.run(describe_source())), "utf-8")
    sys.stdout.write(f"{FILE}\n")
