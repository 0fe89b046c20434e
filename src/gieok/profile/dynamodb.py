"""Card documents in the DynamoDB table of the tutor's document (C04).

An item is `PK=USER#{userId}`, `SK=MEMORY` with `memory` (a map) and `updatedAt` (ISO
8601, UTC). `version` is ours: with `updatedAt` it is the condition of every write, so
that of two at once the second reads again and merges. Only the six places of a card are
written, each for itself: what another program keeps in the map, or in the item, stays.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from typing import Any, Final, Self, cast

import boto3  # pyright: ignore[reportMissingTypeStubs] - it has none
from boto3.dynamodb.types import (  # pyright: ignore[reportMissingTypeStubs] - as above
    TypeDeserializer,
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
from gieok.profile.documents import NOTHING_LOST, CardSeal
from gieok.profile.dynamodb_items import (
    OWN_END,
    PLACES,
    STAMPS,
    CardItem,
    ItemUpdate,
    build_key,
    convert_sets,
    format_time,
    is_older,
    read_own_end,
    read_stamps,
    to_plain,
)
from gieok.profile.merge import (
    KeyOfPlace,
    compare_names,
    merge_documents,
    remove_values,
    select_texts,
)
from gieok.profile.parsing import keep_newest, parse_document, require_room

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


@dataclass(frozen=True, slots=True)
class DynamoProfileDocuments:
    """A `ProfileDocumentStore` on one table of DynamoDB.

    `keeps` is how long a card stays after its last change; None keeps it. Its end is
    written to `ttl_attribute` in seconds since 1970, for the table's TTL to act on; a
    change of a card that is kept takes that attribute away. An end that another
    program wrote there counts for nothing, and stays unless `keeps` has one.
    """

    table: str
    client: Any = field(repr=False)
    keeps: timedelta | None = None
    ttl_attribute: str = "expiresAt"
    gives_up_after: timedelta = GIVES_UP_AFTER
    key_of: KeyOfPlace = field(default=compare_names, repr=False)
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
        key_of: KeyOfPlace = compare_names,
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
        key_of: KeyOfPlace = compare_names,
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

    async def get(self, user_id: str, seal: CardSeal | None = None) -> dict[str, Any]:
        """Return the person's map, with what other programs keep in it."""
        item = await self._read(user_id, seal)
        return {name: to_plain(value) for name, value in item.memory.items()}

    async def quote(self, user_id: str) -> dict[str, Any]:
        """Return what a prompt may be told: all of the map, as nobody set limits."""
        return await self.get(user_id)

    async def select_allowed(
        self, user_id: str, document: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the card as it would be kept: all of it, as nobody set limits."""
        del user_id
        return dict(parse_document(document))

    async def is_unreadable(self, user_id: str, seal: CardSeal) -> bool:
        """Tell whether the person has a sealed card that never opens."""
        return (await self._read(user_id, seal)).is_unreadable

    async def merge(
        self,
        user_id: str,
        new: Mapping[str, Any],
        lost: Mapping[str, Sequence[str]] = NOTHING_LOST,
        seal: CardSeal | None = None,
    ) -> dict[str, Any]:
        """Add to the card and take out what was lost, however many do so at once.

        Of a list that grows too long what came first goes.
        """
        wanted = parse_document(new)

        def change(item: CardItem) -> Mapping[str, Any]:
            own = {name: convert_sets(value) for name, value in item.memory.items()}
            require_room(wanted, own)
            merged = merge_documents(own, wanted, self.key_of)
            left = remove_values(merged, lost, self.key_of)
            changed = [name for name in PLACES if name in {*wanted, *lost}]
            return {name: keep_newest(left.get(name)) for name in changed}

        memory = await self._write(user_id, change, seal)
        return {name: to_plain(value) for name, value in memory.items()}

    async def replace(
        self, user_id: str, document: Mapping[str, Any], seal: CardSeal | None = None
    ) -> None:
        """Make the six places what is given; others of the map stay."""
        wanted = parse_document(document)

        def change(item: CardItem) -> Mapping[str, Any]:
            known = {name: convert_sets(value) for name, value in item.memory.items()}
            require_room(wanted, known)
            return {name: wanted.get(name) for name in PLACES}

        await self._write(user_id, change, seal)

    async def remove_texts(
        self,
        user_id: str,
        is_unwanted: Callable[[str], bool],
        seal: CardSeal | None = None,
        before: datetime | None = None,
    ) -> bool:
        """Take texts out of the card; tell whether there were any.

        What never opens may hold some, and goes. `before` leaves a card alone that was
        changed at that time or later, or says no time.
        """
        gone: dict[str, Any] = {}

        def change(item: CardItem) -> Mapping[str, Any]:
            known = item.memory
            own = {name: convert_sets(known[name]) for name in PLACES if name in known}
            left = select_texts(own, lambda text: not is_unwanted(text))
            gone.clear()
            if before is not None and not item.is_older(before):
                return {}
            if item.is_unreadable:
                gone.update(dict.fromkeys(PLACES))
            gone.update(
                (name, left.get(name))
                for name, value in own.items()
                if item.is_unreadable or left.get(name) != value
            )
            return dict(gone)

        await self._write(user_id, change, seal)
        return bool(gone)

    async def reseal(self, user_id: str, seal: CardSeal) -> int:
        """Keep the card as `seal` has it now; return how many were kept otherwise.

        Neither `updatedAt` nor the end of the card's time changes.
        """
        if not (await self._read(user_id, seal)).is_stale:
            return 0
        await self._write(user_id, lambda _: {}, seal)
        return 1

    async def delete(self, user_id: str) -> bool:
        """Remove the person's item, with all that anybody kept in it."""
        answer = await self._send(
            self.client.delete_item,
            TableName=self.table,
            Key=build_key(user_id),
            ReturnValues="ALL_OLD",
        )
        return "Attributes" in answer

    async def delete_older(self, user_id: str, before: datetime) -> bool:
        """Remove the person's item if it was last changed before a time.

        One that says no time, or that somebody writes meanwhile, stays.
        """
        answer = await self._send(
            self.client.get_item,
            TableName=self.table,
            Key=build_key(user_id),
            ConsistentRead=True,
        )
        stamp = answer.get("Item", {}).get("updatedAt", {})
        if not is_older(stamp.get("S"), before):
            return False
        with suppress(_ConflictError):
            await self._send(
                self.client.delete_item,
                TableName=self.table,
                Key=build_key(user_id),
                ConditionExpression="updatedAt = :at",
                ExpressionAttributeValues={":at": stamp},
            )
            return True
        return False

    async def _write(
        self,
        user_id: str,
        change: Callable[[CardItem], Mapping[str, Any]],
        seal: CardSeal | None,
    ) -> dict[str, Any]:
        """Write what a change makes of the item; None of it takes a place away.

        DynamoDB says with its refusal what stands there instead: whoever was too late
        is one call from trying again, and whoever was first two from writing more, so
        that many writers take turns. A server that does not say it is asked again,
        after a random pause of up to so many times what a try took as tries double.

        Raises:
            InvalidInputError: another program keeps something else than a map there.
            UnavailableError: others were faster for as long as was waited.
        """
        now = asyncio.get_running_loop().time
        ends = now() + self.gives_up_after.total_seconds()
        item = await self._read(user_id, seal)
        for tried in count():
            started, places = now(), change(item)
            if not (item.is_changed(places) or item.is_stale):
                return item.memory
            if item.is_foreign:
                problem = "the item holds no map there, and is left as it is"
                raise InvalidInputError("memory", problem)
            try:
                await self._update(user_id, item, places, seal)
            except _ConflictError as conflict:
                if now() >= ends:
                    break
                if conflict.item is not None:
                    item = self._parse_item(conflict.item, seal)
                    continue
                longest = max(FIRST_PAUSE, now() - started) * 2 ** min(tried, 9)
                pause = random.uniform(0, min(LONGEST_PAUSE, longest))  # noqa: S311
                await asyncio.sleep(pause)
                item = await self._read(user_id, seal)
                continue
            return {
                name: value
                for name, value in {**item.memory, **places}.items()
                if value is not None
            }
        reason = "others changed this card every time"
        raise UnavailableError("DynamoDB", reason)

    async def _read(self, user_id: str, seal: CardSeal | None) -> CardItem:
        answer = await self._send(
            self.client.get_item,
            TableName=self.table,
            Key=build_key(user_id),
            ConsistentRead=True,
        )
        return self._parse_item(answer.get("Item", {}), seal)

    def _parse_item(
        self, attributes: Mapping[str, Any], seal: CardSeal | None
    ) -> CardItem:
        read = cast("Any", TypeDeserializer()).deserialize
        item = {name: read(value) for name, value in attributes.items()}
        end = read_own_end(item, self.ttl_attribute)
        # The table removes only later what is over.
        is_over = end is not None and end <= self.clock().timestamp()
        if isinstance(item.get("memory"), dict) and not is_over:
            return CardItem.parse(item, seal, self.key_of)._replace(end=end)
        return CardItem(
            {},
            read_stamps(item),
            is_there=bool(item),
            has_map=False,
            is_foreign="memory" in item and not is_over,
            end=end,
        )

    async def _update(
        self,
        user_id: str,
        item: CardItem,
        places: Mapping[str, Any],
        seal: CardSeal | None,
    ) -> None:
        """Write places of the map if the item is still as it was read."""
        now = self.clock().astimezone(UTC)
        update = ItemUpdate()
        version = item.stamps.get("version")
        update.assign("version", version + 1 if isinstance(version, Decimal) else 1)
        if item.is_changed(places):
            update.assign("updatedAt", format_time(now))
            self._assign_end(update, item, now)
        item.put_card(update, places, seal)
        if item.is_there:
            for name in STAMPS:
                update.require(name, item.stamps)
        else:
            update.require("PK", {})
        await self._send(
            self.client.update_item,
            TableName=self.table,
            Key=build_key(user_id),
            **update.to_fields(),
        )

    def _assign_end(self, update: ItemUpdate, item: CardItem, now: datetime) -> None:
        """Let the card's time begin anew, or have no end if the one it has is ours."""
        if self.keeps is None and item.end is None:
            return
        end = None if self.keeps is None else int((now + self.keeps).timestamp())
        update.assign(self.ttl_attribute, end)
        update.assign(OWN_END, end)
        if end is None:
            update.require(self.ttl_attribute, {self.ttl_attribute: item.end})

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


def _to_configuration_error(error: Exception) -> ConfigurationError:
    name = type(error).__name__
    return ConfigurationError(
        f"DynamoDB cannot be called ({name}): set AWS_REGION and give credentials as "
        "boto3 finds them."
    )
