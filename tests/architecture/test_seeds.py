"""docs/seeds.md says truthfully which test proves which requirement."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "seeds.md"
ROW = re.compile(r"^\| ([A-E]\d\d) \|.*\|([^|]*)\|$", re.MULTILINE)


def marked() -> dict[str, set[str]]:
    """Return the test files that carry each requirement's marker."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                "mark.req"
            ):
                for argument in node.args:
                    requirement = ast.literal_eval(argument)
                    found[requirement].add(str(file.relative_to(ROOT)))
    return found


def test_every_marked_requirement_stands_on_the_page_with_its_tests() -> None:
    page = {
        requirement: set(re.findall(r"`([^`]+)`", tests))
        for requirement, tests in ROW.findall(PAGE.read_text("utf-8"))
    }
    stated = {requirement: files for requirement, files in page.items() if files}
    assert stated == marked()


def test_what_the_page_calls_code_exists() -> None:
    for path in re.findall(r"`(src/[^`]+)`", PAGE.read_text("utf-8")):
        assert (ROOT / path).exists(), path
