"""Items of the tutor's table: what one says of a card, and how one is changed.

A card stands in the map `memory` as the tutor's document has it (C04). Where it is to
be sealed, its six places are one value of the map instead, `gieok_sealed`; what other
programs keep there stays as it is, and a place that one of them writes beside it is
part of the card, and sealed with the next write.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple, Self, cast

from boto3.dynamodb.types import (  # pyright: ignore[reportMissingTypeStubs] - it has none
    Binary,
    TypeSerializer,
)

from gieok.kernel.errors import ConfigurationError, InvalidInputError
from gieok.kernel.language import CardField
from gieok.profile.documents import CardSeal
from gieok.profile.merge import KeyOfPlace, merge_documents
from gieok.profile.parsing import parse_document
from gieok.text.cleaning import clean_name

SEALED: Final = "gieok_sealed"
"""The place of the map that holds a sealed card."""
STAMPS: Final = ("version", "updatedAt")
OWN_END: Final = "gieok_expires_at"
"""The attribute that repeats the end of the card's time: another end is not ours."""
PLACES: Final = tuple(place.value for place in CardField)


class CardItem(NamedTuple):
    """What is read of an item before it is written."""

    memory: dict[str, Any]
    """The map, its card opened."""
    stamps: Mapping[str, Any]
    """What a write requires to be as it was: `version`, ours unless another program
    counts too, and `updatedAt`; each only where the item has it."""
    is_there: bool
    has_map: bool
    is_foreign: bool = False
    """Whether `memory` is something else than a map."""
    is_sealed: bool = False
    unsealed: tuple[str, ...] = ()
    """The card's places that anybody can read."""
    end: Decimal | None = None
    """When the card's time is over, in seconds since 1970, if we wrote so."""
    is_stale: bool = False
    """Whether the next write keeps the card otherwise: sealed, unsealed, or with the
    person's newer key."""
    is_unreadable: bool = False
    """Whether its sealed card never opens: what is written takes its place."""

    @classmethod
    def parse(
        cls, item: Mapping[str, Any], seal: CardSeal | None, key_of: KeyOfPlace
    ) -> Self:
        """Return what an item says whose map counts.

        Raises:
            ConfigurationError: its card is sealed, and there is nothing to open it.
            TamperedError: it does not open, and is not to be passed over.
        """
        memory = dict(cast("Mapping[str, Any]", item["memory"]))
        sealed = memory.pop(SEALED, None)
        unsealed = tuple(name for name in PLACES if name in memory)
        is_stale = is_unreadable = False
        if sealed is not None:
            if seal is None:
                raise ConfigurationError(
                    "This card is sealed with its person's key, which only the `gieok "
                    "serve` that sealed it has."
                )
            data = bytes(sealed)
            plain = {name: memory[name] for name in unsealed}
            card = seal.open(data)
            is_unreadable = card is None
            if card is not None:
                memory |= _join_cards(card, plain, key_of)
                is_stale = bool(unsealed) or not (seal.is_on and seal.is_current(data))
        elif seal is not None:
            is_stale = seal.is_on and bool(unsealed)
        return cls(
            memory,
            read_stamps(item),
            is_there=True,
            has_map=True,
            is_sealed=sealed is not None,
            unsealed=unsealed,
            is_stale=is_stale,
            is_unreadable=is_unreadable,
        )

    def is_changed(self, places: Mapping[str, Any]) -> bool:
        """Tell whether places say anything new; None takes one away.

        Whatever they say is new beside what cannot be read.
        """
        return (self.is_unreadable and bool(places)) or any(
            self.memory.get(name) != value for name, value in places.items()
        )

    def is_older(self, before: datetime) -> bool:
        """Tell whether the item says that it was last changed before a time."""
        return is_older(self.stamps.get("updatedAt"), before)

    def put_card(
        self, update: "ItemUpdate", places: Mapping[str, Any], seal: CardSeal | None
    ) -> None:
        """Let an update change places of the card, kept as it is to be kept."""
        card = {
            name: value
            for name, value in {**self.memory, **places}.items()
            if name in PLACES and value is not None
        }
        written: Mapping[str, Any] = places
        if seal is not None and seal.is_on:
            plain = {name: to_plain(value) for name, value in card.items()}
            written = dict.fromkeys(self.unsealed)
            written |= {SEALED: seal.seal(plain) if plain else None}
        elif self.is_sealed:
            written = {**dict.fromkeys(places), **card, SEALED: None}
        if self.has_map:
            for name, value in written.items():
                update.assign("memory", value, place=name)
        else:
            held = {name: value for name, value in written.items() if value is not None}
            update.assign("memory", held)


@dataclass(slots=True)
class ItemUpdate:
    """What a write sets, takes away and requires, in DynamoDB's expressions."""

    sets: list[str] = field(default_factory=list[str])
    removes: list[str] = field(default_factory=list[str])
    conditions: list[str] = field(default_factory=list[str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def assign(self, attribute: str, value: Any, *, place: str | None = None) -> None:
        """Set an attribute, or a place of the map in it; None takes the place away."""
        path = self._name(attribute)
        if place is not None:
            path += "." + self._name(place)
        if value is None:
            self.removes.append(path)
        else:
            self.sets.append(f"{path} = {self._add_value(value)}")

    def require(self, attribute: str, stamps: Mapping[str, Any]) -> None:
        """Write only while an attribute is as it was read: this, or not there."""
        path = self._name(attribute)
        self.conditions.append(
            f"{path} = {self._add_value(stamps[attribute])}"
            if attribute in stamps
            else f"attribute_not_exists({path})"
        )

    def to_fields(self) -> dict[str, object]:
        """Return the fields of the request."""
        expression = "SET " + ", ".join(self.sets)
        if self.removes:
            expression += " REMOVE " + ", ".join(self.removes)
        write = cast("Any", TypeSerializer()).serialize
        return {
            "UpdateExpression": expression,
            "ConditionExpression": " AND ".join(self.conditions),
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            "ExpressionAttributeNames": self.names,
            "ExpressionAttributeValues": {
                mark: write(value) for mark, value in self.values.items()
            },
        }

    def _name(self, attribute: str) -> str:
        mark = f"#{attribute}"
        self.names[mark] = attribute
        return mark

    def _add_value(self, value: Any) -> str:
        mark = f":v{len(self.values)}"
        self.values[mark] = value
        return mark


def read_stamps(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what tells whether somebody else wrote the item meanwhile."""
    return {name: item[name] for name in STAMPS if name in item}


def read_own_end(item: Mapping[str, Any], attribute: str) -> Decimal | None:
    """Return what an attribute says of the end, unless another program wrote it."""
    end = item.get(attribute)
    return end if isinstance(end, Decimal) and end == item.get(OWN_END) else None


def build_key(user_id: str) -> dict[str, dict[str, str]]:
    """Return the key of a person's item.

    Raises:
        InvalidInputError: the id is empty, over 128 characters or not text.
    """
    name = clean_name("user_id", user_id)
    return {"PK": {"S": f"USER#{name}"}, "SK": {"S": "MEMORY"}}


def convert_sets(value: Any) -> Any:
    """Return a set of DynamoDB's as a list: the document has lists."""
    return sorted(cast("set[Any]", value)) if isinstance(value, set) else value


def to_plain(value: Any) -> Any:
    """Return a value of DynamoDB's as JSON has it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, set):
        return [to_plain(each) for each in sorted(cast("set[Any]", value))]
    if isinstance(value, list):
        return [to_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {name: to_plain(each) for name, each in held.items()}
    if isinstance(value, Binary):
        return bytes(cast("Any", value)).hex()
    return value


def format_time(at: datetime) -> str:
    """Return a time as the document writes it: 2026-02-08T12:00:00.123456Z."""
    return at.isoformat().replace("+00:00", "Z")


def parse_time(text: str) -> datetime | None:
    """Return a time that the document or another program wrote; UTC if it says none.

    None where it is no time.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def is_older(stamp: object, before: datetime) -> bool:
    """Tell whether an `updatedAt` is a time before another one."""
    at = parse_time(stamp) if isinstance(stamp, str) else None
    return at is not None and at < before


def _join_cards(
    sealed: dict[str, Any], plain: dict[str, Any], key_of: KeyOfPlace
) -> dict[str, Any]:
    """Return a card with what another program wrote beside it since it was sealed."""
    joined = dict(sealed)
    for name, value in plain.items():
        try:
            new = parse_document({name: value})
        except InvalidInputError:  # no card's value: it stands as it is
            joined[name] = value
        else:
            joined = merge_documents(joined, new, key_of)
    return joined
