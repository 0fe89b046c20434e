"""Which remembered hint contradicts what was just said (A14).

What an utterance names clearly (a room, on or off, a mode, a degree) is never
overridden by a preference: a hint that names only other values of the same slot is left
out.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gieok.text.patterns import compile_lazily

SLOTS: Final = "utterance_slots.toml"
_QUANTITY: Final = compile_lazily(
    r"(?<![\d.,])(\d{1,4}(?:[.,]\d+)?)\s?(도(?!시|움)|퍼센트|%|분|시간|시(?!간)|°\s?[cf]?|"
    r"degrees?|percent|minutes?|hours?|o'clock)",
    re.IGNORECASE,
)
_UNITS: Final = {
    "degrees": "도 ° °c °f degree degrees",
    "percent": "퍼센트 % percent",
    "minutes": "분 minute minutes",
    "hours": "시간 hour hours",
    "time": "시 o'clock",
}
_UNIT_NAMES: Final = {
    form: name for name, forms in _UNITS.items() for form in forms.split()
}


SlotValues = Mapping[str, frozenset[str]]
"""The values that a text names, by slot."""


@dataclass(frozen=True, slots=True)
class UtteranceSlot:
    """Something of which an utterance names one value, with the forms of each."""

    name: str
    values: Mapping[str, tuple[str, ...]]
    example: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A slot of which the utterance names another value than the hint."""

    slot: str
    said: frozenset[str]
    hinted: frozenset[str]


@cache
def load_slots() -> tuple[UtteranceSlot, ...]:
    """Return the slots that are told apart.

    Raises:
        ValueError: a form stands in two values of a slot.
    """
    text = files("gieok.exchange").joinpath(SLOTS).read_text("utf-8")
    return tuple(_parse_slot(row) for row in tomllib.loads(text)["slot"])


def _parse_slot(row: Mapping[str, Any]) -> UtteranceSlot:
    forms = [form for each in row["values"].values() for form in each]
    if len(set(forms)) != len(forms):
        reason = f"a form stands twice in the slot {row['name']}"
        raise ValueError(reason)
    values = {name: tuple(each) for name, each in row["values"].items()}
    return UtteranceSlot(row["name"], values, row["example"])


def compare_values(said: SlotValues, hinted: SlotValues) -> Contradiction | None:
    """Return a slot of which a hint names only other values than what was said."""
    for slot in sorted(said.keys() & hinted.keys()):
        if not said[slot] & hinted[slot]:
            return Contradiction(slot, said[slot], hinted[slot])
    return None


def find_values(text: str) -> SlotValues:
    """Return the values that a text names, by slot."""
    low = text.casefold()
    found = {
        slot.name: frozenset(
            value
            for value, forms in slot.values.items()
            if any(_has_form(low, form) for form in forms)
        )
        for slot in load_slots()
    }
    quantities: dict[str, set[str]] = {}
    for unit, number in _find_quantities(low):
        quantities.setdefault(unit, set()).add(number)
    found |= {unit: frozenset(numbers) for unit, numbers in quantities.items()}
    return {slot: values for slot, values in found.items() if values}


def _has_form(low: str, form: str) -> bool:
    """Tell whether a text has a form: English by whole words, Korean by word starts."""
    edge = r"\b" if form.isascii() else ""
    return re.search(rf"(?<![\w]){re.escape(form)}{edge}", low) is not None


def _find_quantities(low: str) -> Iterator[tuple[str, str]]:
    for number, unit in _QUANTITY.findall(low):
        plain = number.replace(",", ".")
        yield _UNIT_NAMES["".join(unit.split())], f"{float(plain):g}"
