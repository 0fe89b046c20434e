"""`profile`: the card on the command line, in both languages."""

from typing import Any

import pytest

from support.cli_runs import Cli


@pytest.mark.req("C01", "C02")
def test_the_card_is_set_shown_and_forgotten(cli: Cli) -> None:
    cli("person", "set", "yuna")
    assert "Nothing is known yet" in cli("profile", "yuna").out
    assert "아는 것이 없습니다" in cli("profile", "yuna", "--lang", "ko").out
    cli("settings", "set", "yuna", "allowed_categories=all")
    set_ = cli(
        "profile", "set", "yuna", "occupation=개발자", "interests=AI", "interests=여행"
    )
    assert set_.code == 0
    changed: Any = cli("profile", "set", "yuna", "occupation=기획자", "--json").data
    assert changed["profile"] == {"occupation": "기획자", "interests": ["AI", "여행"]}
    assert [past["value"] for past in changed["history"]] == ["개발자"]
    shown = cli("profile", "yuna").out
    assert "기획자" in shown
    assert "occupation" in shown
    left: Any = cli("profile", "forget", "yuna", "interests", "AI", "--json").data
    assert left["profile"] == {"occupation": "기획자", "interests": ["여행"]}


def test_what_cannot_be_set_is_said(cli: Cli) -> None:
    for wrong in ("age=7", "name"):
        done = cli("profile", "set", "yuna", wrong)
        assert (done.code, wrong.partition("=")[0] in done.err) == (2, True)
    assert cli("profile", "forget", "nobody", "name").code == 1
    assert cli("profile", "forget", "nobody", "age").code == 2
