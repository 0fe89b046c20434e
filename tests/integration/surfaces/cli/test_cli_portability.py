"""`export`, `import`, `keys` and `audit` against a real database."""

import json
from pathlib import Path

import pytest

from support.cli_runs import Cli

NOBODYS = "018f0000-0000-7000-8000-000000000000"


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
    assert cli("export", me, "--to", ".").code == 2
    chats = tmp_path / "conversations.json"
    chats.write_text(json.dumps([{"uuid": "1", "chat_messages": []}]))
    assert cli("import", str(chats), me, "--from", "claude", "--json").data == {}
    assert cli("audit", "verify", me, "--json").data["broken"] == {}
    assert "People" in cli("audit", "verify", "--all").out
    assert cli("audit", "verify").code == 2
    cli("recall", me, "강남구")
    found = cli("audit", "list", me, "--access", "--json").data
    assert {line["event"] for line in found} == {"access"}


@pytest.mark.parametrize(
    "command",
    [
        "export NAME --to FILE",
        "person show NAME",
        "profile NAME",
        "profile forget NAME name",
        "memories NAME",
        "memories list NAME --candidates",
        "memories held NAME",
        f"memories why NAME {NOBODYS}",
        f"memories correct NAME {NOBODYS} said",
        f"memories confirm NAME {NOBODYS}",
        f"memories reject NAME {NOBODYS}",
        f"memories pin NAME {NOBODYS}",
        f"memories unpin NAME {NOBODYS}",
        f"memories policy NAME {NOBODYS} manual_review",
        f"forget NAME {NOBODYS}",
        "forget NAME --about job",
        "forget NAME --all --yes",
        "sessions NAME",
        f"sessions show NAME {NOBODYS}",
        f"sessions close NAME {NOBODYS}",
        "recall NAME home",
        "context NAME home",
        "devices NAME",
        "summaries days NAME",
        "summaries weeks NAME",
        f"summaries session NAME {NOBODYS}",
        "rollback NAME --since 2020-01-01",
    ],
)
def test_looking_for_a_person_makes_nobody(
    cli: Cli, me: str, tmp_path: Path, command: str
) -> None:
    """A wrong letter would be a person, and an erased one would begin a new life."""
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    assert cli("erase", me, "--yes").code == 0
    before = cli("keys", "status", "--json").data["people"]
    for name in (me, f"{me}-typo"):
        given = {"NAME": name, "FILE": str(tmp_path / "nobody.jsonl")}
        done = cli(*(given.get(word, word) for word in command.split()))
        assert done.code == 1
        assert "no person" in done.err
    assert cli("keys", "status", "--json").data["people"] == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", ["settings", "settings usage", "consent", "plan", "audit list"]
)
def test_what_holds_for_everybody_is_shown_and_makes_nobody(
    cli: Cli, me: str, command: str
) -> None:
    before = cli("keys", "status", "--json").data["people"]
    assert cli(*command.split(), me).code == 0
    assert cli("keys", "status", "--json").data["people"] == before
    assert cli("person", "show", me).code == 1


def test_a_line_of_the_audit_is_one_line_also_in_a_pipe(
    cli: Cli, me: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    monkeypatch.setenv("COLUMNS", "40")
    lines = cli("audit", "list", me).out.splitlines()
    assert len(lines) == len(cli("audit", "list", me, "--json").data)
    assert all(line.partition(" ")[0].isdigit() for line in lines)


@pytest.mark.req("D16")
def test_keys_are_shown_and_rotated(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    before = cli("keys", "status", "--json").data
    assert before["rotating"] == 0
    assert not before["is_file_sealed"]
    assert {each["provider"] for each in before["wrappings"]} == {"file"}
    assert "anew" in cli("keys", "rotate").out
    assert "Destroyed: 1" in cli("keys", "retire").out
    assert "anew" in cli("keys", "rotate", "--to-file").out, "it is there already"
    after = cli("keys", "status", "--json").data
    assert after["wrapping_key"] != before["wrapping_key"]
    assert [each["wrapped_by"] for each in after["wrappings"]] == [
        after["wrapping_key"]
    ]
    assert "Sealed" in cli("keys", "rotate", "--person", me, "--settle", "0").out
    assert cli("keys", "status", "--json").data["rotating"] == 1
    assert "still" in cli("keys", "finish").out
    assert cli("recall", me, "강남구", "--json").data["hits"]


@pytest.mark.req("D16")
def test_the_secret_of_tokens_is_replaced(cli: Cli, me: str, data: Path) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    before = json.loads((data / "gieok.key").read_text())
    done = cli("keys", "rotate", "--tokens")
    assert done.code == 0
    assert "Start every server again" in done.out
    assert "gieok devices register" in done.out
    assert (
        "서버를 모두 다시 시작하세요"
        in cli("--lang", "ko", "keys", "rotate", "--tokens").out
    )
    answer = cli("keys", "rotate", "--tokens", "--json")
    assert answer.data == {"replaced": "token_secret"}
    after = json.loads((data / "gieok.key").read_text())
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"token_secret"}
    assert before.keys() == after.keys()
    shown = done.out + done.err + answer.out + answer.err
    assert before["token_secret"] not in shown
    assert after["token_secret"] not in shown
    assert cli("recall", me, "강남구", "--json").data["hits"]


@pytest.mark.parametrize("other", ["--people", "--person=minji", "--to-file"])
def test_the_secret_of_tokens_is_replaced_alone(
    cli: Cli, data: Path, other: str
) -> None:
    assert cli("keys", "status").code == 0
    before = (data / "gieok.key").read_text()
    refused = cli("keys", "rotate", "--tokens", other)
    assert refused.code == 2
    assert "it goes without --people, --person and --to-file" in refused.err
    korean = cli("--lang", "ko", "keys", "rotate", "--tokens", other)
    assert "함께 쓸 수 없습니다" in korean.err
    assert (data / "gieok.key").read_text() == before


@pytest.mark.req("A09")
def test_the_log_is_sealed_and_verified_against_a_seal_put_aside(
    cli: Cli, me: str, tmp_path: Path
) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    file = tmp_path / "seals.jsonl"
    assert "Seal" in cli("audit", "seal", "--to", str(file)).out
    assert "Nothing" in cli("audit", "seal", "--to", str(file)).out
    assert len(file.read_text().splitlines()) == 1
    other = tmp_path / "made_by_the_worker.jsonl"
    assert "Nothing" in cli("audit", "seal", "--to", str(other)).out
    assert other.read_text() == file.read_text(), "what was sealed before stands there"
    assert cli("audit", "seal", "--to", str(tmp_path / "no" / "f.jsonl")).code == 2
    against = ("audit", "verify", "--all", "--against", str(file), "--json")
    assert cli(*against).data["broken_seal"] is None
    seal = json.loads(file.read_text())
    file.write_text(json.dumps(seal | {"digest": "00" * 32}))
    assert cli(*against).code == 1
    file.write_text("{}")
    assert cli(*against).code == 2


@pytest.mark.req("A06")
def test_a_policy_says_what_becomes_of_a_memory(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    (kept,) = cli("memories", me, "--json").data["memories"]
    assert kept["delete_policy"] == "user_delete"
    name = ("memories", "policy", me, kept["mark"])
    assert "manual_review" in cli(*name, "manual_review").out
    assert cli(*name, "never").code == 2
    (kept,) = cli("memories", me, "--json").data["memories"]
    assert kept["delete_policy"] == "manual_review"


@pytest.mark.req("A06")
def test_a_memory_is_pinned_and_let_go(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    (kept,) = cli("memories", me, "--json").data["memories"]
    for change, pinned in (("pin", True), ("unpin", False)):
        done = cli("memories", change, me, kept["mark"], "--json")
        assert done.data["memory"]["is_pinned"] is pinned
    assert "Pinned" in cli("memories", "pin", me, kept["mark"]).out


def test_a_memory_is_corrected(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    (kept,) = cli("memories", me, "--json").data["memories"]
    done = cli("memories", "correct", me, kept["mark"], "나는 마포구에 살아")
    assert "Corrected" in done.out
    (now,) = cli("memories", me, "--json").data["memories"]
    assert (now["content"], now["category"]) == ("나는 마포구에 살아", "location")
    assert cli("memories", "correct", me, now["mark"], " ").code == 2


@pytest.mark.req("D14")
def test_what_is_remembered_is_shown_in_numbers(cli: Cli, me: str) -> None:
    cli("remember", me, "나는 강남구에 살아", "--category", "location")
    found = cli("settings", "usage", me, "--json").data
    assert (found["active"], found["uses"]) == (1, 0)
    assert found["categories"] == {"location": {"active": 1, "uses": 0}}
    assert "location 1 0" in cli("settings", "usage", me).out
