"""A card from memories: each falls into one place, by C02's rule."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from gieok.kernel.language import CardField, Category, Tokenizer
from gieok.memories.model import Fact, Memory
from gieok.profile.merge import (
    NAMED_THINGS,
    KeyOfPlace,
    ValueKey,
    compare_wording,
    has_symbol,
)
from gieok.profile.model import Card, CardValue, ReplacedValue
from gieok.profile.statements import (
    find_named_value,
    has_naming_word,
    is_about_own_name,
    parse_statement,
    read_value,
)
from gieok.text.same_wording import is_negated, normalize_content

PlaceTest = Callable[[Fact], CardField | None]
"""Tells the place of what was extracted; None where nothing but its category does."""
MAX_TERMS: Final = 4
"""Words of the longest value that is compared by its words: longer ones are sentences,
in which particles matter."""
_PLACE_OF_CATEGORY: Final = {
    Category.PREFERENCE: CardField.PREFERENCES,
    Category.FEEDBACK: CardField.PREFERENCES,
}


class PlacedValue(NamedTuple):
    """What a memory says of its place of the card."""

    place: CardField
    value: str
    memory: Memory
    is_named: bool = True
    """Whether the memory names the value, and does not only describe it."""


def resolve_place(fact: Fact, judge: PlaceTest) -> PlacedValue:
    """Return where a memory stands on the card, and what it says there."""
    memory = fact.memory
    if written := parse_statement(memory.content):
        return PlacedValue(*written, memory)
    place = judge(fact) or _PLACE_OF_CATEGORY.get(
        memory.category, CardField.MENTIONED_FACTS
    )
    if is_about_own_name(memory.content):
        place = CardField.NAME
    elif place is CardField.NAME and not has_naming_word(memory.content):
        place = CardField.MENTIONED_FACTS
    is_named = find_named_value(place, memory.content) is not None
    return PlacedValue(place, read_value(place, memory.content), memory, is_named)


def resolve_replaced_places(
    replaced: Iterable[Memory], known: Iterable[PlacedValue]
) -> list[PlacedValue]:
    """Return where memories stood whose place what is known took: where that stands."""
    places = {each.memory.memory_id: each.place for each in known}
    before = {memory.memory_id: memory for memory in replaced}
    found: list[PlacedValue] = []
    for memory in before.values():
        place = places.get(_find_successor(memory, before))
        if place is not None:
            found.append(PlacedValue(place, read_value(place, memory.content), memory))
    return found


def _find_successor(memory: Memory, before: Mapping[UUID, Memory]) -> UUID:
    """Return the memory that has its place in the end."""
    seen = {memory.memory_id}
    last = memory
    while last.superseded_by is not None and last.superseded_by not in seen:
        seen.add(last.superseded_by)
        if last.superseded_by not in before:
            return last.superseded_by
        last = before[last.superseded_by]
    return last.memory_id


def build_card(
    known: Iterable[PlacedValue],
    replaced: Iterable[PlacedValue] = (),
    key_of: KeyOfPlace = compare_wording,
) -> Card:
    """Return the card that memories in use make, and those they replaced its history.

    Lists hold what is known in the order in which it came to be known; what means the
    same is one value. Of names and occupations the one confirmed last is the person's,
    the others are history; what only describes the named one is a fact beside it.
    """
    known = _move_descriptions(sorted(known, key=_get_age))
    replaced = sorted(replaced, key=_get_age)
    values: dict[CardField, tuple[CardValue, ...]] = {}
    history: list[ReplacedValue] = []
    for place in CardField:
        key = key_of(place)
        found = _join_same((each for each in known if each.place is place), key)
        if not place.is_list:
            found.sort(key=lambda each: each.at)
            before = _join_same((e for e in replaced if e.place is place), key)
            current = {key(each.value) for each in found[-1:]}
            history += (
                ReplacedValue(place, each)
                for each in (*before, *found[:-1])
                if key(each.value) not in current
            )
            found = found[-1:]
        if found:
            values[place] = tuple(found)
    history.sort(key=lambda each: each.value.at)
    return Card(values, tuple(history))


def _move_descriptions(known: Sequence[PlacedValue]) -> list[PlacedValue]:
    """Make descriptions of a name or occupation facts, where something names it."""
    named = {each.place for each in known if each.is_named and not each.place.is_list}
    return [
        each
        if each.is_named or each.place not in named
        else each._replace(place=CardField.MENTIONED_FACTS)
        for each in known
    ]


def build_key_of_place(tokenizer: Tokenizer) -> KeyOfPlace:
    """Return how values are compared: names of things by their words, sentences whole.

    "여행" and "여행하는 것" are one interest, "AI" and "인공지능" are two.
    """
    key = build_list_key(tokenizer)

    def key_of(place: str) -> ValueKey:
        return key if place in NAMED_THINGS else normalize_content

    return key_of


def build_list_key(tokenizer: Tokenizer) -> ValueKey:
    """Return what tells two names of one thing by their words.

    "여행" and "여행하는 것" are one, "AI" and "인공지능" are two.
    """

    def key(value: str) -> Hashable:
        terms = tokenizer.terms(value)
        if not terms or len(terms) > MAX_TERMS or has_symbol(value):
            return normalize_content(value)
        return terms, is_negated(value)

    return key


def _join_same(found: Iterable[PlacedValue], key: ValueKey) -> list[CardValue]:
    joined: dict[Hashable, CardValue] = {}
    for each in found:
        value = _build_value(each)
        mark = key(value.value)
        joined[mark] = _join(joined[mark], value) if mark in joined else value
    return list(joined.values())


def _join(known: CardValue, again: CardValue) -> CardValue:
    return replace(
        known,
        memory_ids=(*known.memory_ids, *again.memory_ids),
        session_id=known.session_id or again.session_id,
        at=max(known.at, again.at),
        confidence=max(known.confidence, again.confidence),
    )


def _build_value(placed: PlacedValue) -> CardValue:
    memory = placed.memory
    return CardValue(
        placed.value,
        (memory.memory_id,),
        memory.source_session_id,
        memory.last_confirmed_at,
        memory.confidence,
    )


def _get_age(placed: PlacedValue) -> tuple[datetime, UUID]:
    return placed.memory.created_at, placed.memory.memory_id
