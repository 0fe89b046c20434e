"""`export`, `import`, `keys` and `audit` against a real database."""

import json
from pathlib import Path

import pytest
from test_cli_commands import Cli, cli, data, me

__all__ = ["cli", "data", "me"]


@pytest.mark.req("E19", "A09")
def test_a_person_is_exported_taken_in_and_verified(
    cli: Cli, me: str, tmp_path: Path
) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    file = tmp_path / "me.jsonl"
    assert "Wrote" in cli("export", me, "--to", str(file)).out
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in tmp_path.iterdir()] == ["me.jsonl"]
    taken = cli("import", str(file), f"{me}-copy", "--json").data
    assert taken["memories"] == 1
    assert cli("memories", f"{me}-copy", "--json").data["total"] == 1
    assert cli("import", str(file), me).code == 2, "something is kept of them"
    assert cli("import", str(tmp_path / "none"), me).code == 2
    assert cli("export", me, "--to", str(tmp_path / "no" / "where")).code == 2
    chats = tmp_path / "conversations.json"
    chats.write_text(json.dumps([{"uuid": "1", "chat_messages": []}]))
    assert cli("import", str(chats), me, "--from", "claude", "--json").data == {}
    assert cli("audit", "verify", me, "--json").data["broken"] == {}
    assert "People" in cli("audit", "verify", "--all").out
    assert cli("audit", "verify").code == 2
    cli("recall", me, "강남구")
    found = cli("audit", "list", me, "--access", "--json").data
    assert {line["event"] for line in found} == {"access"}


@pytest.mark.req("D16")
def test_keys_are_shown_and_rotated(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    before = cli("keys", "status", "--json").data
    assert before["rotating"] == 0
    assert "anew" in cli("keys", "rotate").out
    assert "Destroyed: 1" in cli("keys", "retire").out
    after = cli("keys", "status", "--json").data
    assert after["wrapping_key"] != before["wrapping_key"]
    assert [each["wrapped_by"] for each in after["wrappings"]] == [
        after["wrapping_key"]
    ]
    assert "Sealed" in cli("keys", "rotate", "--person", me, "--settle", "0").out
    assert cli("keys", "status", "--json").data["rotating"] == 1
    assert "still" in cli("keys", "finish").out
    assert cli("recall", me, "강남구", "--json").data["hits"]
