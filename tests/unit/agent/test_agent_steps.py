"""The steps of a plan, read from what a model wrote."""

import pytest

from gieok.agent.prompts import parse_steps


@pytest.mark.parametrize(
    ("written", "step"),
    [
        ("1. 119에 전화한다", "119에 전화한다"),
        ("2) 3시 약을 확인한다", "3시 약을 확인한다"),
        ("- 10분 기다린다", "10분 기다린다"),
        ("• 2024 receipts are collected", "2024 receipts are collected"),
        ("10분 기다린다", "10분 기다린다"),
        ("1.5리터를 마신다", "1.5리터를 마신다"),
        ("3.물을 끓인다", "물을 끓인다"),
        ("  12.  Call -5 degrees cold", "Call -5 degrees cold"),
        ("예약을 확인한다", "예약을 확인한다"),
        ("**1. 약국을 찾는다**", "약국을 찾는다"),
        ("**1.** 119에 전화한다", "119에 전화한다"),
        ("**2) Find** a pharmacy", "Find a pharmacy"),
        ("1. **Find** a pharmacy", "**Find** a pharmacy"),
        ("**Find** a pharmacy", "**Find** a pharmacy"),
        ("- 1. 119에 전화한다", "119에 전화한다"),
        ("* **3.** 물을 끓인다", "물을 끓인다"),
        ("-찾는다", "찾는다"),
        ("-5도에 둔다", "-5도에 둔다"),
        ("- 3.5리터를 마신다", "3.5리터를 마신다"),
    ],
)
def test_a_step_loses_its_mark_and_keeps_its_own_number(
    written: str, step: str
) -> None:
    assert parse_steps(written) == [step]


def test_what_only_separates_is_no_step() -> None:
    assert parse_steps("1. 찾는다\n---\n\n-\n2.\n* 답한다") == ["찾는다", "답한다"]
