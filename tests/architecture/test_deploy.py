"""What `deploy/` gives to AWS is well-formed, and gives the function no more rights."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEMPLATE = Path(__file__).parents[2] / "deploy/tutor/template.yaml"
PROGRAM = "import cfnlint.runner as lint, sys; sys.exit(lint.main())"
RIGHTS = {
    "dynamodb:GetItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "bedrock:InvokeModel",
}


def test_cfn_lint_has_nothing_to_say() -> None:
    pytest.importorskip("cfnlint")
    ended = subprocess.run(  # noqa: S603 - a linter
        [sys.executable, "-c", PROGRAM, "--non-zero-exit-code", "warning", TEMPLATE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.req("C08")
def test_the_function_has_the_rights_it_uses_and_its_table_is_kept() -> None:
    text = TEMPLATE.read_text("utf-8")
    named = set(re.findall(r"dynamodb:\w+|bedrock:[A-Z][a-z]\w+", text))
    assert named == RIGHTS
    assert "PointInTimeRecoveryEnabled: true" in text
    assert "AttributeName: expiresAt" in text
    assert "DeletionPolicy: Retain" in text
