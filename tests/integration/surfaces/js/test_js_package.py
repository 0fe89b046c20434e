"""What `npm pack` publishes, installed and used as an app would."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.javascript import (
    CLIENT,
    NODE,
    TYPESCRIPT,
    needs_node,
    needs_typescript,
    run_program,
)
from support.paths import ROOT, TESTS

NPM = shutil.which("npm")
SOURCES = {f"src/{path.name}" for path in (CLIENT / "src").glob("*.js")}
DECLARATIONS = {f"types/{path.name}" for path in (CLIENT / "types").glob("*.d.ts")}
EXPORTS = [
    "AnswerError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "Gieok",
    "GieokError",
    "InvalidInputError",
    "NotFoundError",
    "NotPermittedError",
    "RateLimitError",
    "ServerError",
    "TimeoutError",
    "UnavailableError",
    "createTutor",
]
pytestmark = [
    needs_node,
    pytest.mark.skipif(NPM is None, reason="npm is not installed"),
    pytest.mark.acceptance,
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is packed: packing lays the licence beside it."""
    home = tmp_path_factory.mktemp("package")
    left_out = shutil.ignore_patterns("node_modules")
    shutil.copytree(CLIENT, home / "clients" / "js", ignore=left_out)
    shutil.copy(ROOT / "LICENSE", home / "LICENSE")
    return home


@pytest.fixture(scope="module")
def packed(home: Path) -> dict[str, Any]:
    done = run_program([str(NPM), "pack", "--json"], {}, home / "clients" / "js")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return told[0] if isinstance(told, list) else next(iter(told.values()))


@pytest.fixture(scope="module")
def app(home: Path, packed: dict[str, Any]) -> Path:
    """An app that has installed the package, from nowhere else."""
    app = home / "app"
    app.mkdir()
    (app / "package.json").write_text('{"private": true, "type": "module"}')
    archive = home / "clients" / "js" / packed["filename"]
    options = ["--offline", "--no-package-lock", "--no-audit", "--no-fund"]
    done = run_program([str(NPM), "install", *options, str(archive)], {}, app)
    assert done.returncode == 0, done.stderr
    return app


def test_it_holds_the_source_the_types_and_nothing_else(packed: dict[str, Any]) -> None:
    files = {file["path"] for file in packed["files"]}
    assert files == {"LICENSE", "README.md", "package.json"} | SOURCES | DECLARATIONS
    assert packed["unpackedSize"] < 300_000


def test_it_depends_on_nothing_and_runs_nothing() -> None:
    told = json.loads((CLIENT / "package.json").read_text("utf-8"))
    assert not {"dependencies", "peerDependencies", "optionalDependencies"} & {*told}
    assert not {"preinstall", "install", "postinstall", "prepare"} & {*told["scripts"]}
    assert all(version[0].isdecimal() for version in told["devDependencies"].values())


def test_an_app_imports_what_is_promised(app: Path) -> None:
    program = (
        'import * as client from "@gieok/client";'
        "console.log(JSON.stringify(Object.keys(client)));"
    )
    done = run_program([str(NODE), "--input-type=module", "-e", program], {}, app)
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(done.stdout)) == EXPORTS
    assert {path.name for path in (app / "node_modules").iterdir()} - {
        ".package-lock.json"
    } == {"@gieok"}


BLOCK = re.compile(r"^```js\n(.*?)^```", re.DOTALL | re.MULTILINE)
AROUND = """
declare const messages: import("@gieok/client").TutorMessage[];
declare function navigate(path: string): void;
declare function show(text: string): void;
declare function getToken(why: { refresh: boolean }): Promise<string>;
"""


@needs_typescript
@pytest.mark.parametrize(
    ("module", "resolution"), [("nodenext", "nodenext"), ("esnext", "bundler")]
)
def test_an_app_in_typescript_is_checked_by_its_types(
    app: Path, module: str, resolution: str
) -> None:
    shutil.copy(TESTS / "support" / "consumer.ts", app / "consumer.ts")
    check_types(app, "consumer.ts", module, resolution)


@needs_typescript
def test_what_the_readme_shows_is_checked_by_its_types(app: Path) -> None:
    blocks = BLOCK.findall((CLIENT / "README.md").read_text("utf-8"))
    assert len(blocks) == 4
    (app / "readme.ts").write_text(AROUND + "".join(blocks))
    check_types(app, "readme.ts", "nodenext", "nodenext")


def check_types(app: Path, file: str, module: str, resolution: str) -> None:
    options = ["--strict", "--noEmit", "--target", "es2022", "--types", ""]
    options += ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"]
    options += ["--module", module, "--moduleResolution", resolution]
    done = run_program([str(TYPESCRIPT), *options, file], {}, app)
    assert done.returncode == 0, done.stdout
