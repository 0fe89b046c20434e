"""What an OpenAPI description says, in the form in which a page shows it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

Schema = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
LIMITS: Final = (
    "default",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)
"""What is said of a value besides its type."""
ANYTHING: Final = "any"


@dataclass(frozen=True, slots=True)
class TypePart:
    """A piece of a type's spelling; `schema` names the schema it leads to, or none."""

    text: str
    schema: str = ""


@dataclass(frozen=True, slots=True)
class ApiField:
    """One field of a schema, or one parameter of a call."""

    name: str
    place: str
    """Of a parameter: path, query or header; empty for a field."""
    type: tuple[TypePart, ...]
    is_required: bool
    limits: str
    description: str


@dataclass(frozen=True, slots=True)
class ApiSchema:
    """A named schema: its fields, or the type it is another name of."""

    name: str
    description: str
    fields: tuple[ApiField, ...]
    type: tuple[TypePart, ...]


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """One answer that a call may give."""

    status: str
    description: str
    type: tuple[TypePart, ...]


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call: what it takes, and what it answers."""

    name: str
    method: str
    path: str
    description: str
    parameters: tuple[ApiField, ...]
    body: tuple[TypePart, ...]
    answers: tuple[ApiAnswer, ...]


@dataclass(frozen=True, slots=True)
class ApiOutline:
    """A whole description."""

    title: str
    version: str
    description: str
    calls: Mapping[str, tuple[ApiCall, ...]]
    """By tag, in the order of the description."""
    schemas: Mapping[str, ApiSchema]


def build_outline(described: Schema) -> ApiOutline:
    """Return an OpenAPI description in the form in which pages show it."""
    calls: dict[str, tuple[ApiCall, ...]] = {}
    for path, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                tag = methods[method].get("tags", ["other"])[0]
                made = _build_call(method, path, methods[method])
                calls[tag] = (*calls.get(tag, ()), made)
    schemas = described.get("components", {}).get("schemas", {})
    return ApiOutline(
        described["info"]["title"],
        described["info"]["version"],
        described["info"].get("description", ""),
        calls,
        {name: _build_schema(name, each) for name, each in sorted(schemas.items())},
    )


def _build_call(method: str, path: str, operation: Schema) -> ApiCall:
    return ApiCall(
        operation.get("operationId", ""),
        method.upper(),
        path,
        operation.get("description", operation.get("summary", "")),
        tuple(
            _build_field(
                each["name"],
                each.get("schema", {}),
                is_required=each.get("required", False),
                place=each["in"],
                description=each.get("description", ""),
            )
            for each in operation.get("parameters", ())
        ),
        _format_content(operation.get("requestBody", {})),
        tuple(
            ApiAnswer(status, each.get("description", ""), _format_content(each))
            for status, each in sorted(operation.get("responses", {}).items())
        ),
    )


def _build_schema(name: str, schema: Schema) -> ApiSchema:
    required = schema.get("required", ())
    fields = tuple(
        _build_field(
            each,
            part,
            is_required=each in required,
            description=part.get("description", ""),
        )
        for each, part in schema.get("properties", {}).items()
    )
    own = () if fields else tuple(_format_type(schema))
    return ApiSchema(name, schema.get("description", ""), fields, own)


def _build_field(
    name: str, schema: Schema, *, is_required: bool, description: str, place: str = ""
) -> ApiField:
    limits = ", ".join(_list_limits(schema))
    return ApiField(
        name, place, tuple(_format_type(schema)), is_required, limits, description
    )


def _list_limits(schema: Schema) -> Iterator[str]:
    for part in (schema, *schema.get("anyOf", ())):
        for name in LIMITS:
            if name in part:
                yield f"{name} {json.dumps(part[name], ensure_ascii=False)}"


def _format_content(part: Schema) -> tuple[TypePart, ...]:
    """Return the type of a body or an answer, with what it is sent as."""
    found: list[TypePart] = []
    for media, content in part.get("content", {}).items():
        found += [TypePart(f"{media}: "), *_format_type(content.get("schema", {}))]
    return tuple(found)


def _format_type(schema: Schema) -> Iterator[TypePart]:
    """Yield the pieces of a type."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield TypePart(name, name)
    elif "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        yield TypePart(" | ".join(map(json.dumps, values)))
    elif several := schema.get("anyOf") or schema.get("oneOf"):
        for number, each in enumerate(several):
            if number:
                yield TypePart(" | ")
            yield from _format_type(each)
    elif schema.get("type") == "array":
        yield TypePart("array of ")
        yield from _format_type(schema.get("items", {}))
    elif isinstance(values := schema.get("additionalProperties"), Mapping):
        yield TypePart("object of ")
        yield from _format_type(cast("Schema", values))
    else:
        yield TypePart(schema.get("type", ANYTHING))
