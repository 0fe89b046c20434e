"""The client's types are what the server's OpenAPI says, and what its source says."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from gieok import Gieok
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import FixedClock
from support.javascript import CLIENT, TYPESCRIPT, needs_typescript, run_program
from support.paths import ROOT
from support.rest_people import SECRET

TYPES = CLIENT / "types"
MAKER: dict[str, Any] = runpy.run_path(str(CLIENT / "generate_types.py"))


def test_the_wire_s_types_are_made_from_this_source(
    memory: Gieok, clock: FixedClock
) -> None:
    app = create_app(memory, Tokens(SECRET, clock))
    made = MAKER["build_module"](MAKER["describe_app"](app))
    kept = (TYPES / "openapi.d.ts").read_text("utf-8")
    assert made == kept, "run python clients/js/generate_types.py"


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"$ref": "#/components/schemas/Thing"}, "Thing"),
        ({"enum": ["ko", "en"]}, '"ko" | "en"'),
        ({"const": True}, "true"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        (
            {"type": "array", "items": {"anyOf": [{"type": "integer"}, {}]}},
            "Array<number | unknown>",
        ),
        ({"type": "object"}, "Record<string, unknown>"),
        (
            {"type": "object", "additionalProperties": {"type": "number"}},
            "Record<string, number>",
        ),
        ({}, "unknown"),
        (
            {
                "type": "object",
                "properties": {
                    "a": {"type": "string", "description": "Ends */ here."},
                    "b": {"type": "boolean"},
                },
                "required": ["a"],
            },
            "{\n  /** Ends * / here. */\n  a: string;\n  b?: boolean;\n}",
        ),
    ],
)
def test_a_schema_is_written_as_a_type(schema: dict[str, Any], written: str) -> None:
    assert MAKER["format_type"](schema) == written


@needs_typescript
def test_the_declarations_are_emitted_from_this_source(tmp_path: Path) -> None:
    made = run_program(
        [str(TYPESCRIPT), "--emitDeclarationOnly", "--declarationDir", str(tmp_path)],
        {},
        CLIENT,
    )
    assert made.returncode == 0, made.stdout
    emitted = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    by_hand = {"openapi.d.ts", "calls.d.ts"}
    kept = {
        path.name: path.read_text("utf-8")
        for path in TYPES.iterdir()
        if path.name not in by_hand
    }
    assert emitted == kept, "run npm run types in clients/js"


@needs_typescript
@pytest.mark.parametrize("project", [".", "test"])
def test_the_source_and_its_tests_keep_to_the_types(project: str) -> None:
    done = run_program([str(TYPESCRIPT), "--noEmit", "-p", project], {}, CLIENT)
    assert done.returncode == 0, done.stdout


@needs_typescript
def test_the_example_s_pages_keep_to_the_types(tmp_path: Path) -> None:
    pages = ROOT / "examples" / "tutor" / "page"
    options = {
        **json.loads((CLIENT / "tsconfig.json").read_text("utf-8"))["compilerOptions"],
        "module": "esnext",
        "moduleResolution": "bundler",
        "rootDir": "/",
        "noEmit": True,
        "declarationDir": None,
        "paths": {"/client/*": [f"{CLIENT}/src/*"]},
    }
    told = {"compilerOptions": options, "include": [f"{pages}/*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(told))
    done = run_program([str(TYPESCRIPT), "-p", str(tmp_path)], {}, tmp_path)
    assert done.returncode == 0, done.stdout
