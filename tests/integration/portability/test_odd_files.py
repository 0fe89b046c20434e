"""Whatever is wrong with an export: it comes in, or it is refused once and for all."""

import hashlib
import io
import json
import math
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gieok import Gieok, Scope
from gieok.kernel.errors import InvalidFileError
from gieok.portability.parts import PARTS
from support.database import Owner
from support.exports import export_bytes
from support.odd_rows import read_everything

TAKEN = {part.name for part in PARTS if part.is_imported}

ODD: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(
        [0, -1, 5, 2**31 - 1, 2**31, 2**63, 10**40, 1e308, math.inf, -math.inf]
    ),
    st.floats(),
    st.sampled_from(
        [
            "", "x", "\x00", "\ud800", "NaN", "infinity", "9999-12-31T23:59:59+00:00",
            "0001-01-01T00:00:00+14:00", "10000-01-01", "2026-01-01", "2026-02-30",
            "2026-01-01T00:00:00", "ㄱ" * 1_001, "x" * 1_000_001, "{}", "\\x00",
            "00000000-0000-0000-0000-000000000000", "user", "confirmed", "completed",
        ]
    ),
    st.sampled_from([[], {}, [None], ["x"], [[]], {"": ""}, {"a": {"b": [1.5]}}]),
    st.integers(1, 400).map(lambda depth: json.loads("[" * depth + "]" * depth)),
)  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a value in which another may be put."""
    within = [value]
    while within:
        value = within.pop()
        if isinstance(value, dict | list):
            for each in value if isinstance(value, dict) else range(len(value)):
                yield value, each
                within.append(value[each])


@st.composite
def harmed(draw: st.DrawFn, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an export that was changed in up to three places."""
    lines = json.loads(json.dumps(lines))
    for _ in range(draw(st.integers(1, 3))):
        rows: dict[str, list[int]] = {}
        for at, each in enumerate(lines):
            if (part := str(each.get("part"))) in TAKEN:
                rows.setdefault(part, []).append(at)
        if not rows:
            break
        at = draw(st.sampled_from(rows[draw(st.sampled_from(sorted(rows)))]))
        match draw(st.sampled_from(["value", "value", "value", "twice", "away"])):
            case "twice":
                lines.insert(at, json.loads(json.dumps(lines[at])))
            case "away":
                del lines[at]
            case _:
                within, where = draw(st.sampled_from([*places(lines[at])]))
                within[where] = deepcopy(draw(ODD))  # or it could hold itself
        if len(lines) < 3:
            break
    return lines


def signed(lines: list[dict[str, Any]]) -> bytes:
    """Return lines as a file with a manifest that fits them: by one who means harm."""
    spelled = [json.dumps(each).encode() + b"\n" for each in lines]
    told: dict[str, Any] = {}
    for part in PARTS:
        mine = [
            text
            for text, each in zip(spelled, lines, strict=True)
            if each.get("part") == part.name
        ]
        digest = hashlib.sha256(b"".join(mine)).hexdigest()
        told[part.name] = {"count": len(mine), "sha256": digest}
    manifest = lines[-1]["manifest"] | {"parts": told}
    last = json.dumps({"manifest": manifest}).encode() + b"\n"
    return b"".join([*spelled[:-1], last])


@st.composite
def scarred(draw: st.DrawFn, export: bytes) -> bytes:
    """Return an export with some of its bytes changed."""
    kind = draw(st.sampled_from(["cut", "bom", "crlf", "utf-16", "byte"]))
    at = draw(st.integers(0, len(export) - 1))
    return {
        "cut": export[:at],
        "bom": b"\xef\xbb\xbf" + export,
        "crlf": export.replace(b"\n", b"\r\n"),
        "utf-16": export.decode().encode("utf-16"),
        "byte": export[:at] + bytes([draw(st.integers(0, 255))]) + export[at + 1 :],
    }[kind]


@pytest.mark.req("E19")
async def test_a_changed_export_comes_in_readable_or_is_refused_whole(
    memory: Gieok, me: Scope, other: Scope, owner: Owner, session_id: Any
) -> None:
    export = await export_bytes(memory, me)
    whole = [json.loads(line) for line in export.splitlines()]
    files: list[bytes] = []

    @settings(
        max_examples=150,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        derandomize=True,
    )
    @given(st.one_of(*[harmed(whole).map(signed)] * 4, scarred(export)))
    def collect(file: bytes) -> None:
        files.append(file)

    collect()
    taken = 0
    for file in files:
        refused = await refusal(memory, other, file)
        if refused:
            assert refused.line, refused
            assert refused.problem not in refused.message("ko")
            assert await kept_of(owner, other) == 0
            continue
        taken += 1
        assert await memory.portability.unreadable(other) == {}
        await read_everything(memory, other, session_id)
        for table in ("users", "memory_audit_log"):
            await owner.execute(
                f"DELETE FROM {table} WHERE user_id = %s".encode(), [other.user_id]
            )
    assert 0 < taken < len(files)


async def refusal(memory: Gieok, scope: Scope, file: bytes) -> InvalidFileError | None:
    try:
        await memory.portability.load(scope, io.BytesIO(file))
    except InvalidFileError as refused:
        return refused
    return None


async def kept_of(owner: Owner, scope: Scope) -> int:
    """Count what an import would have brought."""
    found = await owner.execute(
        """
        SELECT (SELECT count(*) FROM sessions WHERE user_id = %(id)s)
             + (SELECT count(*) FROM user_memories WHERE user_id = %(id)s)
             + (SELECT count(*) FROM personas WHERE user_id = %(id)s)
             + (SELECT count(*) FROM store_items WHERE user_id = %(id)s)
        """,
        {"id": scope.user_id},
    )
    row = await found.fetchone()
    return row[0] if row else -1
