"""The time to read a text grows with its length, not with its square."""

import gc
import os
from collections.abc import Generator
from typing import Final

import pytest

from support.adversarial_texts import MARKS, READERS, UNITS, growth

ASKED: Final = os.environ.get("GIEOK_LINEAR_CHARACTERS")
LENGTH: Final = int(ASKED or "1500")
"""Characters of the shorter text; the full run asks for 100,000."""
STEP: Final = 1 if ASKED else 3
"""A reader gets every third text, and each text every third reader; all if asked."""
SUSPICIOUS_GROWTH: Final = 2.5
"""Twice the text takes twice the time, by a clock that errs; the square, four times."""
TIMES: Final = 8
"""So much longer a text judges what looked suspicious: a busy machine may take
three times as long for the same work, but not eight times."""
MAX_GROWTH: Final = TIMES**1.5
"""Half way, by the exponent, between growing with the length and with its square."""


@pytest.fixture(scope="module", autouse=True)
def frozen() -> Generator[None]:
    """Spare the collections between measurements what was there before: .1 s each."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("reader", READERS)
def test_time_grows_with_the_length(reader: str) -> None:
    first = list(READERS).index(reader) % STEP
    suspicious = [
        unit
        for unit in UNITS[first::STEP]
        if growth(reader, unit, LENGTH)[0] > SUSPICIOUS_GROWTH
    ]
    judged = {u: growth(reader, u, LENGTH, TIMES, tries=5)[0] for u in suspicious}
    assert [unit for unit, times in judged.items() if times > MAX_GROWTH] == []


def test_the_measure_tells_what_grows_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    def square(text: str) -> object:
        return sum(a == b for a in text for b in text)

    monkeypatch.setitem(READERS, "square", square)
    assert growth("square", MARKS[0], 300, tries=9)[0] > SUSPICIOUS_GROWTH
    assert growth("square", MARKS[0], 300, TIMES, tries=5)[0] > MAX_GROWTH
