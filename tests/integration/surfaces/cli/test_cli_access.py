"""Keys of apps at the command line: made, seen without the key, revoked."""

from uuid import uuid4

from support.cli_runs import Cli


def test_a_key_is_made_listed_and_revoked(cli: Cli) -> None:
    assert "There are no keys yet" in cli("access").out
    made = cli("access", "create", "앱", "-r", "read", "-r", "act_as", "--json").data
    assert made["key"].startswith("gk_")
    assert made["rights"] == ["act_as", "read"]
    printed = cli("access", "create", "other", "--right", "write")
    assert printed.out.startswith("gk_")
    assert len(printed.out.split()) == 1
    assert "shown this once" in printed.err
    listed = cli("access", "list", "--json")
    assert {key["name"] for key in listed.data} == {"앱", "other"}
    assert made["key"] not in listed.out + cli("access").out
    assert cli("access", "revoke", made["key_id"]).code == 0
    revoked = {k["key_id"]: k["revoked_at"] for k in cli("access", "--json").data}
    assert revoked[made["key_id"]] is not None


def test_what_is_no_key_or_right_is_one_line(cli: Cli) -> None:
    assert cli("access", "revoke", str(uuid4())).code == 1
    assert cli("access", "revoke", "x").code == 2
    assert cli("access", "create", "app", "-r", "root").code == 2
    assert cli("access", "create", "app").code == 2


def test_a_link_to_the_pages_is_printed_and_voided(cli: Cli) -> None:
    printed = cli("open", "minji")
    assert printed.out.startswith("http://127.0.0.1:8321/me/open/")
    assert len(printed.out.split()) == 1
    assert "works once" in printed.err
    elsewhere = cli("open", "minji", "--server", "https://a.example/", "--json").data
    assert elsewhere["url"].startswith("https://a.example/me/open/")
    assert cli("open", "minji", "--revoke").out == ""


def test_a_link_to_the_console_is_printed_and_voided(cli: Cli) -> None:
    printed = cli("open", "--console")
    assert printed.out.startswith("http://127.0.0.1:8321/console/open/")
    assert "operate" in printed.err
    assert cli("open", "--console", "--revoke").out == ""
    assert cli("open").code == 2
    assert cli("open", "minji", "--console").code == 2
