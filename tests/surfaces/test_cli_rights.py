"""Consent, erasure and the check after a restore, from the command line."""

import pytest
from test_cli_commands import Cli, cli, data

__all__ = ["cli", "data"]


@pytest.mark.req("D14")
def test_consent_is_shown_and_set(cli: Cli) -> None:
    assert {each["granted"] for each in cli("consent", "ari", "--json").data} == {True}
    done = cli("consent", "set", "ari", "sync=false", "--notice", "v2", "--json")
    assert [each["granted"] for each in done.data] == [True, True, True, False]
    assert "sync: no (v1)" in cli("consent", "ari").out
    assert cli("consent", "set", "ari", "ads=true").code == 2


@pytest.mark.req("A15", "E19")
def test_a_person_is_erased_once_and_stays_erased(cli: Cli) -> None:
    assert cli("erase", "bora", "--yes").code == 1, "nobody of that name"
    assert cli("remember", "bora", "사용자는 벌을 키움").code == 0
    receipt = cli("erase", "bora", "--yes", "--json").data
    assert receipt["parts"]["keys"] == "destroyed"
    assert receipt["counts"]["user_memories"] == 1
    assert cli("erase", "bora", "--yes", "--json").data == receipt
    assert cli("restore-check", "--json").data == {"erased_again": 0}
