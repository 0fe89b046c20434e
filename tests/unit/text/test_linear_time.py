"""The time to read a text grows with its length, not with its square."""

import gc
import os
from collections.abc import Generator
from typing import Final

import pytest

from support.adversarial_texts import MARKS, READERS, UNITS, growth

LENGTH: Final = int(os.environ.get("GIEOK_LINEAR_CHARACTERS", "3000"))
"""Characters of the shorter text; the full run asks for 100,000."""
MOST_GROWTH: Final = 2.5
"""Twice the text takes twice the time, by a clock that errs; the square, four times."""


@pytest.fixture(scope="module", autouse=True)
def frozen() -> Generator[None]:
    """Spare the collections between measurements what was there before: .1 s each."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("reader", READERS)
def test_twice_the_text_takes_about_twice_the_time(reader: str) -> None:
    slow = {unit: growth(reader, unit, LENGTH)[0] for unit in UNITS}
    again = [unit for unit, times in slow.items() if times > MOST_GROWTH]
    assert [u for u in again if growth(reader, u, 2 * LENGTH, 7)[0] > MOST_GROWTH] == []


def test_the_measure_tells_what_grows_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    def cube(text: str) -> object:
        return sum(a == b == c for a in text for b in text for c in text)

    monkeypatch.setitem(READERS, "cube", cube)
    times, _ = growth("cube", MARKS[0], 100)
    assert times > MOST_GROWTH
