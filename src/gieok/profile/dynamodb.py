"""Card documents in the DynamoDB table of the tutor's document (C04).

An item is `PK=USER#{userId}`, `SK=MEMORY` with `memory` (a map) and `updatedAt` (ISO
8601, UTC). `version` is ours: with `updatedAt` it is the condition of every write, so
that of two at once the second reads again and merges. Only the six places of a card are
written, each for itself: what another program keeps in the map, or in the item, stays.
"""

import asyncio
import random
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple, Self, cast

import boto3  # pyright: ignore[reportMissingTypeStubs] - it has none
from boto3.dynamodb.types import (  # pyright: ignore[reportMissingTypeStubs] - as above
    Binary,
    TypeDeserializer,
    TypeSerializer,
)
from botocore.config import (  # pyright: ignore[reportMissingTypeStubs] - as above
    Config,
)
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs] - as above
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
)

from gieok.kernel.clock import Clock, read_system_clock
from gieok.kernel.errors import (
    ConfigurationError,
    InvalidInputError,
    UnavailableError,
)
from gieok.kernel.language import CardField
from gieok.profile.merge import KeyOfPlace, compare_wording, merge_documents
from gieok.profile.parsing import parse_document
from gieok.text.cleaning import clean_name

PATIENCE: Final = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 6},
)
"""Throttled and failed calls are tried again, with growing pauses."""
CALLS_AT_ONCE: Final = 8
GIVES_UP_AFTER: Final = timedelta(seconds=20)
"""How long a write is tried whose item others change meanwhile: an HTTP API of AWS
waits 29 seconds for its function."""
FIRST_PAUSE: Final = 0.01
LONGEST_PAUSE: Final = 0.5
_CONFLICT: Final = "ConditionalCheckFailedException"
_TOO_MUCH: Final = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
    }
)
_REFUSED: Final = frozenset(
    {
        "AccessDeniedException",
        "UnrecognizedClientException",
        "InvalidSignatureException",
        "ExpiredTokenException",
    }
)


class _ConflictError(Exception):
    """Somebody else wrote the item first; `item` is what they wrote, if it was said."""

    def __init__(self, item: Mapping[str, Any] | None) -> None:
        super().__init__()
        self.item = item


class _Item(NamedTuple):
    """What is read of an item before it is written."""

    memory: dict[str, Any]
    version: Decimal | None
    updated_at: object
    is_there: bool
    has_map: bool


@dataclass(slots=True)
class _Update:
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

    def require(self, attribute: str, value: Any) -> None:
        """Write only while an attribute has this value; None: while it is not there."""
        path = self._name(attribute)
        self.conditions.append(
            f"attribute_not_exists({path})"
            if value is None
            else f"{path} = {self._add_value(value)}"
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


@dataclass(frozen=True, slots=True)
class DynamoProfileDocuments:
    """A `ProfileDocumentStore` on one table of DynamoDB.

    `keeps` is how long a card stays after its last change; None keeps it. Its end is
    written to `ttl_attribute` in seconds since 1970, for the table's TTL to act on.
    """

    table: str
    client: Any = field(repr=False)
    keeps: timedelta | None = None
    ttl_attribute: str = "expiresAt"
    gives_up_after: timedelta = GIVES_UP_AFTER
    key_of: KeyOfPlace = field(default=compare_wording, repr=False)
    clock: Clock = field(default=read_system_clock, repr=False)
    calls: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(CALLS_AT_ONCE, "dynamodb"),
        repr=False,
    )

    @classmethod
    async def connect(
        cls,
        table: str,
        *,
        region: str | None = None,
        endpoint: str | None = None,
        keeps: timedelta | None = None,
        key_of: KeyOfPlace = compare_wording,
        clock: Clock = read_system_clock,
    ) -> Self:
        """Return a store on a table that is there; credentials are as boto3 finds them.

        Raises:
            ConfigurationError: no region or credentials, no such table in the region,
                or its key is not `PK` and `SK`.
            UnavailableError: DynamoDB does not answer.
        """
        store = await asyncio.to_thread(
            partial(
                cls.create,
                table,
                region=region,
                endpoint=endpoint,
                keeps=keeps,
                key_of=key_of,
                clock=clock,
            )
        )
        await store.verify()
        return store

    @classmethod
    def create(
        cls,
        table: str,
        *,
        region: str | None = None,
        endpoint: str | None = None,
        keeps: timedelta | None = None,
        key_of: KeyOfPlace = compare_wording,
        clock: Clock = read_system_clock,
    ) -> Self:
        """Return a store on a table that nobody has looked at yet.

        Raises:
            ConfigurationError: no region.
        """
        service = cast("Any", boto3)
        try:
            client = service.client(
                "dynamodb", region_name=region, endpoint_url=endpoint, config=PATIENCE
            )
        except BotoCoreError as error:
            raise _to_configuration_error(error) from None
        return cls(table, client, keeps, key_of=key_of, clock=clock)

    async def verify(self) -> None:
        """Make sure that the table is there and has the document's key.

        Raises:
            ConfigurationError, UnavailableError: as `connect`.
        """
        answer = await self._send(self.client.describe_table, TableName=self.table)
        schema = answer["Table"]["KeySchema"]
        if [key["AttributeName"] for key in schema] != ["PK", "SK"]:
            problem = f'The DynamoDB table {self.table} must have the key "PK", "SK".'
            raise ConfigurationError(problem)

    async def get(self, user_id: str) -> dict[str, Any]:
        """Return the person's map, with what other programs keep in it."""
        item = await self._read(user_id)
        return {name: _to_plain(value) for name, value in item.memory.items()}

    async def merge(self, user_id: str, new: Mapping[str, Any]) -> dict[str, Any]:
        """Add to the card by C02's rule, however many do so at once."""
        wanted = parse_document(new)

        def change(known: Mapping[str, Any]) -> Mapping[str, Any]:
            own = {name: _convert_sets(value) for name, value in known.items()}
            merged = merge_documents(own, wanted, self.key_of)
            return {name: merged[name] for name in wanted}

        memory = await self._write(user_id, change)
        return {name: _to_plain(value) for name, value in memory.items()}

    async def replace(self, user_id: str, document: Mapping[str, Any]) -> None:
        """Make the six places what is given; others of the map stay."""
        wanted = parse_document(document)
        await self._write(
            user_id, lambda _: {place.value: wanted.get(place) for place in CardField}
        )

    async def delete(self, user_id: str) -> bool:
        """Remove the person's item, with all that anybody kept in it."""
        answer = await self._send(
            self.client.delete_item,
            TableName=self.table,
            Key=_build_key(user_id),
            ReturnValues="ALL_OLD",
        )
        return "Attributes" in answer

    async def _write(
        self, user_id: str, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Write what a change makes of the map; None of it takes a place away.

        DynamoDB says with its refusal what stands there instead: whoever was too late
        is one call from trying again, and whoever was first two from writing more, so
        that many writers take turns. A server that does not say it is asked again,
        after a random pause of up to so many times what a try took as tries double.

        Raises:
            UnavailableError: others were faster for as long as was waited.
        """
        now = asyncio.get_running_loop().time
        ends = now() + self.gives_up_after.total_seconds()
        item = await self._read(user_id)
        for tried in count():
            started, places = now(), change(item.memory)
            if not _is_changed(item.memory, places):
                return item.memory
            try:
                await self._update(user_id, item, places)
            except _ConflictError as conflict:
                if now() >= ends:
                    break
                if conflict.item is not None:
                    item = self._parse_item(conflict.item)
                    continue
                longest = max(FIRST_PAUSE, now() - started) * 2 ** min(tried, 9)
                pause = random.uniform(0, min(LONGEST_PAUSE, longest))  # noqa: S311
                await asyncio.sleep(pause)
                item = await self._read(user_id)
                continue
            return {
                name: value
                for name, value in {**item.memory, **places}.items()
                if value is not None
            }
        reason = "others changed this card every time"
        raise UnavailableError("DynamoDB", reason)

    async def _read(self, user_id: str) -> _Item:
        answer = await self._send(
            self.client.get_item,
            TableName=self.table,
            Key=_build_key(user_id),
            ConsistentRead=True,
        )
        return self._parse_item(answer.get("Item", {}))

    def _parse_item(self, attributes: Mapping[str, Any]) -> _Item:
        read = cast("Any", TypeDeserializer()).deserialize
        item = {name: read(value) for name, value in attributes.items()}
        memory = item.get("memory")
        has_map = isinstance(memory, dict) and not self._is_over(item)
        return _Item(
            cast("dict[str, Any]", memory) if has_map else {},
            item.get("version"),
            item.get("updatedAt"),
            is_there=bool(item),
            has_map=has_map,
        )

    def _is_over(self, item: Mapping[str, Any]) -> bool:
        """Tell whether the item's time is over: the table removes it only later."""
        end = item.get(self.ttl_attribute)
        return isinstance(end, Decimal) and end <= self.clock().timestamp()

    async def _update(
        self, user_id: str, item: _Item, places: Mapping[str, Any]
    ) -> None:
        """Write places of the map if the item is still as it was read."""
        now = self.clock().astimezone(UTC)
        update = _Update()
        update.assign("updatedAt", _format_time(now))
        update.assign("version", (item.version or 0) + 1)
        if self.keeps is not None:
            update.assign(self.ttl_attribute, int((now + self.keeps).timestamp()))
        if item.has_map:
            for name, value in places.items():
                update.assign("memory", value, place=name)
        else:
            held = {name: value for name, value in places.items() if value is not None}
            update.assign("memory", held)
        if item.is_there:
            update.require("version", item.version)
            update.require("updatedAt", item.updated_at)
        else:
            update.require("PK", None)
        await self._send(
            self.client.update_item,
            TableName=self.table,
            Key=_build_key(user_id),
            **update.to_fields(),
        )

    async def _send(self, call: Callable[..., Any], **fields: object) -> Any:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.calls, partial(call, **fields))
        except ClientError as error:
            answer = cast("Any", error).response
            if answer["Error"].get("Code") == _CONFLICT:
                raise _ConflictError(answer.get("Item")) from None
            raise self._map_error(answer["Error"]) from None
        except (NoRegionError, NoCredentialsError, PartialCredentialsError) as error:
            raise _to_configuration_error(error) from None
        except BotoCoreError as error:
            raise UnavailableError("DynamoDB", type(error).__name__) from None

    def _map_error(self, error: Mapping[str, str]) -> Exception:
        """Return what an answer of DynamoDB means to who called."""
        code, region = error.get("Code", ""), self.client.meta.region_name
        if code == "ResourceNotFoundException":
            return ConfigurationError(
                f"DynamoDB has no table {self.table} in the region {region}: create it "
                "with the key PK and SK, or name the region that it is in."
            )
        if code in _REFUSED:
            return ConfigurationError(
                f"DynamoDB refuses the table {self.table} in {region} ({code}): this "
                "process needs GetItem, UpdateItem, DeleteItem and DescribeTable."
            )
        if code in _TOO_MUCH:
            return UnavailableError("DynamoDB", f"the table is asked too much ({code})")
        if code == "ValidationException" and "size" in error.get("Message", "").lower():
            problem = "the card would be longer than the 400 KB of an item"
            return InvalidInputError("memory", problem)
        return UnavailableError("DynamoDB", code)


def _build_key(user_id: str) -> dict[str, dict[str, str]]:
    name = clean_name("user_id", user_id)
    return {"PK": {"S": f"USER#{name}"}, "SK": {"S": "MEMORY"}}


def _is_changed(known: Mapping[str, Any], places: Mapping[str, Any]) -> bool:
    return any(known.get(name) != value for name, value in places.items())


def _convert_sets(value: Any) -> Any:
    """Return a set of DynamoDB's as a list: the document has lists."""
    return sorted(cast("set[Any]", value)) if isinstance(value, set) else value


def _to_plain(value: Any) -> Any:
    """Return a value of DynamoDB's as JSON has it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, set):
        return [_to_plain(each) for each in sorted(cast("set[Any]", value))]
    if isinstance(value, list):
        return [_to_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        return {name: _to_plain(each) for name, each in held.items()}
    if isinstance(value, Binary):
        return bytes(cast("Any", value)).hex()
    return value


def _format_time(at: datetime) -> str:
    """Return a time as the document writes it: 2026-02-08T12:00:00.123456Z."""
    return at.isoformat().replace("+00:00", "Z")


def _to_configuration_error(error: Exception) -> ConfigurationError:
    name = type(error).__name__
    return ConfigurationError(
        f"DynamoDB cannot be called ({name}): set AWS_REGION and give credentials as "
        "boto3 finds them."
    )
