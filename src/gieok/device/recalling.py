"""Finds what a device has, without any network or model.

Bodies are opened in memory and scored there, as an index of words on the disk would say
what the sealed bodies do not. A device holds some thousands of things at most.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gieok.device.model import DownloadedItem

CONFIRMED: Final = "user_memory"
RECALLED: Final = (CONFIRMED, "conversation_pair", "short_term_summary")
_WEIGHTS: Final = {CONFIRMED: 1.5}
_GRAM: Final = 2


@dataclass(frozen=True, slots=True)
class DeviceHit:
    """Something that was found, and how well it answers: more is better."""

    entity: str
    item_id: str
    text: str = field(repr=False)
    score: float


def rank_items(
    question: str, items: Iterable[DownloadedItem], most: int
) -> list[DeviceHit]:
    """Return what shares the rarest letters' pairs with a question, best first.

    Pairs of letters need no words, so Korean endings do not matter.
    """
    texts = [(item, describe_item(item)) for item in items]
    grams = [split_grams(text) for _, text in texts]
    among = Counter(gram for found in grams for gram in found)
    rarity = {gram: math.log(1 + len(texts) / count) for gram, count in among.items()}
    asked = split_grams(question)
    hits = [
        DeviceHit(item.entity, item.item_id, text, score)
        for (item, text), found in zip(texts, grams, strict=True)
        if (score := _score(asked, found, rarity, item.entity)) > 0
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.item_id))[:most]


def describe_item(item: DownloadedItem) -> str:
    """Return the words of a thing that came down."""
    body: Mapping[str, Any] = item.body or {}
    if item.entity == "conversation_pair":
        return f"{body.get('user_text', '')}\n{body.get('assistant_text', '')}"
    for name in ("content", "summary_text"):
        if isinstance(body.get(name), str):
            return str(body[name])
    return ""


def split_grams(text: str) -> set[str]:
    """Return the pairs of letters within the words of a text."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = "".join(each if each.isalnum() else " " for each in plain).split()
    return {
        word[at : at + _GRAM]
        for word in words
        for at in range(max(1, len(word) - _GRAM + 1))
    }


def _score(
    asked: set[str], found: set[str], rarity: Mapping[str, float], entity: str
) -> float:
    # Summed in order: a sum of floats depends on it, and so would the ranking.
    shared = math.fsum(rarity[gram] for gram in sorted(asked & found))
    return _WEIGHTS.get(entity, 1.0) * shared / math.sqrt(len(found) + 8)
