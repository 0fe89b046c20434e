"""Card documents on PostgreSQL and on DynamoDB, as moto and dynalite answer for it."""

import asyncio
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gieok import Gieok
from gieok.kernel.errors import (
    ConfigurationError,
    InvalidInputError,
    UnavailableError,
)
from gieok.profile.documents import ProfileDocumentStore
from gieok.profile.postgres_documents import PostgresProfileDocuments
from support.kms_server import Line
from support.tutor_cloud import TABLE

pytest.importorskip("moto.server")
dynamodb = pytest.importorskip("gieok.profile.dynamodb")
CARD = {
    "name": "영광",
    "occupation": "개발자",
    "interests": ["AI", "영어", "여행"],
    "learning_goals": ["비즈니스 영어", "해외 취업"],
    "preferences": ["천천히 말해주세요"],
    "mentioned_facts": ["서울에 살아요", "고양이를 키워요"],
}
TOO_LONG = (
    b'{"__type": "com.amazon.coral.validate#ValidationException", "message": '
    b'"Item size to update has exceeded the maximum allowed size"}'
)
DENIED = b'{"__type": "AccessDeniedException", "Message": "not authorized"}'
CONFLICT = (
    b'{"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",'
    b' "message": "The conditional request failed"}'
)
NOW = datetime(2026, 2, 8, 12, 0, tzinfo=UTC)


@pytest.fixture
async def dynamo(line: Line, client: Any) -> Any:
    assert client, "it has made the table"
    return await dynamodb.DynamoProfileDocuments.connect(
        TABLE, endpoint=line.url, clock=lambda: NOW
    )


everywhere = pytest.mark.parametrize(
    "cloud", ["postgresql", "moto", "dynalite"], indirect=True
)


@pytest.fixture
def store(
    cloud: Any, memory: Gieok, dynamo: ProfileDocumentStore
) -> ProfileDocumentStore:
    if cloud.name != "postgresql":
        return dynamo
    return PostgresProfileDocuments(memory.accounts, memory.profile)


def read_item(client: Any, user: str) -> dict[str, Any]:
    key = {"PK": {"S": f"USER#{user}"}, "SK": {"S": "MEMORY"}}
    return client.get_item(TableName=TABLE, Key=key).get("Item", {})


@everywhere
@pytest.mark.req("C01", "C04")
async def test_of_whom_nothing_is_known_the_card_is_empty(
    store: ProfileDocumentStore, user: str
) -> None:
    assert await store.get(user) == {}
    assert not await store.delete(user)


@everywhere
@pytest.mark.req("C02", "C04")
async def test_cards_are_replaced_merged_read_and_erased(
    store: ProfileDocumentStore, user: str
) -> None:
    await store.replace(user, CARD)
    assert await store.get(user) == CARD
    more = {"occupation": "기획자", "interests": ["AI", "요리"], "name": ""}
    merged = await store.merge(user, more)
    assert merged == await store.get(user)
    assert merged["occupation"] == "기획자"
    assert merged["interests"] == ["AI", "영어", "여행", "요리"]
    assert await store.merge(user, more) == merged
    await store.replace(user, {"name": "영수"})
    assert await store.get(user) == {"name": "영수"}
    assert await store.delete(user)
    assert await store.get(user) == {}


@everywhere
@pytest.mark.req("C02", "C04")
async def test_what_is_not_so_any_more_leaves_its_list(
    store: ProfileDocumentStore, user: str
) -> None:
    await store.replace(user, CARD)
    lost = {"interests": ["AI", "바둑"], "learning_goals": CARD["learning_goals"]}
    for _ in range(2):
        merged = await store.merge(user, {"interests": ["요리"]}, lost)
        assert merged == await store.get(user)
        assert merged["interests"] == ["영어", "여행", "요리"]
        assert "learning_goals" not in merged
        assert merged["preferences"] == CARD["preferences"]


@everywhere
async def test_of_a_card_all_is_allowed_where_nobody_set_limits(
    store: ProfileDocumentStore, user: str
) -> None:
    assert await store.select_allowed(user, CARD) == CARD
    with pytest.raises(InvalidInputError):
        await store.select_allowed(user, {"age": "7"})


@everywhere
@pytest.mark.req("C04")
async def test_merges_at_once_lose_nothing(
    store: ProfileDocumentStore, user: str
) -> None:
    said = [{"interests": [f"관심사 {n}"]} for n in range(8)]
    await asyncio.gather(*(store.merge(user, each) for each in said))
    found = (await store.get(user))["interests"]
    assert sorted(found) == [f"관심사 {n}" for n in range(8)]


@pytest.mark.req("C02", "C04")
async def test_a_card_holds_the_newest_thousand_and_can_be_edited_above(
    dynamo: ProfileDocumentStore, client: Any, user: str
) -> None:
    """An item may be older than the limit, or written by another program."""
    facts = [f"사실 {n}" for n in range(1_200)]
    client.put_item(
        TableName=TABLE,
        Item={
            "PK": {"S": f"USER#{user}"},
            "SK": {"S": "MEMORY"},
            "memory": {
                "M": {"mentioned_facts": {"L": [{"S": fact} for fact in facts]}}
            },
        },
    )
    del facts[700]
    await dynamo.replace(user, {"mentioned_facts": facts})
    assert await dynamo.get(user) == {"mentioned_facts": facts}
    with pytest.raises(InvalidInputError, match="1000"):
        await dynamo.replace(user, {"mentioned_facts": [*facts, "하나 더"]})
    assert await dynamo.get(user) == {"mentioned_facts": facts}
    merged = await dynamo.merge(user, {"mentioned_facts": ["새로운 사실"]})
    assert merged == {"mentioned_facts": [*facts[-999:], "새로운 사실"]}
    assert await dynamo.get(user) == merged


@everywhere
async def test_more_than_a_card_holds_is_refused(
    store: ProfileDocumentStore, user: str
) -> None:
    too_many = {"interests": [f"관심사 {n}" for n in range(1_001)]}
    for write in (store.merge, store.replace):
        with pytest.raises(InvalidInputError, match="1000"):
            await write(user, too_many)
    assert await store.get(user) == {}


@everywhere
@pytest.mark.parametrize(
    ("document", "field"),
    [({"age": "7"}, "age"), ({"name": ["x"]}, "name"), ({"interests": "AI"}, "i")],
)
async def test_a_card_nobody_could_have_is_refused(
    store: ProfileDocumentStore, user: str, document: dict[str, Any], field: str
) -> None:
    for write in (store.merge, store.replace):
        with pytest.raises(InvalidInputError) as refused:
            await write(user, document)
        assert refused.value.field.startswith(field)
    assert await store.get(user) == {}


@everywhere
async def test_a_person_without_an_id_is_refused(store: ProfileDocumentStore) -> None:
    for read in (store.get, store.delete):
        with pytest.raises(InvalidInputError):
            await read("")


@pytest.mark.req("C04")
async def test_the_item_is_the_documents(dynamo: Any, client: Any, user: str) -> None:
    await dynamo.replace(user, {"name": "영광", "interests": ["AI"]})
    assert read_item(client, user) == {
        "PK": {"S": f"USER#{user}"},
        "SK": {"S": "MEMORY"},
        "memory": {"M": {"name": {"S": "영광"}, "interests": {"L": [{"S": "AI"}]}}},
        "updatedAt": {"S": "2026-02-08T12:00:00Z"},
        "version": {"N": "1"},
    }


@pytest.mark.req("C04")
async def test_what_another_program_keeps_stays(
    dynamo: Any, client: Any, user: str
) -> None:
    theirs = {
        "streak": {"N": "12"},
        "badges": {"SS": ["a", "b"]},
        "🙂": {"M": {"raw": {"B": b"\x00"}}},
    }
    client.put_item(
        TableName=TABLE,
        Item={
            "PK": {"S": f"USER#{user}"},
            "SK": {"S": "MEMORY"},
            "plan": {"S": "gold"},
            "memory": {
                "M": {**theirs, "name": {"S": "영광"}, "interests": {"S": "AI"}}
            },
            "updatedAt": {"S": "2026-02-08T12:00:00"},
        },
    )
    merged = await dynamo.merge(user, {"interests": ["여행"], "occupation": "개발자"})
    assert merged["interests"] == ["AI", "여행"]
    assert (merged["streak"], merged["badges"]) == (12, ["a", "b"])
    await dynamo.replace(user, {"name": "영수"})
    item = read_item(client, user)
    assert item["plan"] == {"S": "gold"}
    assert item["memory"]["M"] == {**theirs, "name": {"S": "영수"}}


@pytest.mark.req("C02")
async def test_two_names_of_one_interest_stay_one(dynamo: Any, user: str) -> None:
    """Without morphology, as in a Lambda."""
    await dynamo.merge(user, {"interests": ["여행"], "learning_goals": ["travel"]})
    again = {"interests": ["여행하는 것"], "learning_goals": ["Travelling"]}
    merged = await dynamo.merge(user, again)
    assert merged == {"interests": ["여행"], "learning_goals": ["travel"]}


@pytest.mark.req("C04")
async def test_an_item_of_another_version_is_read_and_written(
    dynamo: Any, client: Any, user: str
) -> None:
    """Another program counts versions as it likes."""
    for version in ({"S": "v7"}, {"N": "7.5"}, {"NULL": True}, {"L": []}):
        client.put_item(
            TableName=TABLE,
            Item={
                "PK": {"S": f"USER#{user}"},
                "SK": {"S": "MEMORY"},
                "memory": {"M": {"name": {"S": "영광"}}},
                "updatedAt": {"S": "2026-02-08T12:00:00"},
                "version": version,
            },
        )
        assert await dynamo.get(user) == {"name": "영광"}
        merged = await dynamo.merge(user, {"interests": ["여행"]})
        assert merged == {"name": "영광", "interests": ["여행"]}
        assert await dynamo.get(user) == merged


@pytest.mark.req("C04")
async def test_what_is_no_map_is_not_written_over(
    dynamo: Any, client: Any, user: str
) -> None:
    item = {
        "PK": {"S": f"USER#{user}"},
        "SK": {"S": "MEMORY"},
        "memory": {"S": "영광, 개발자"},
    }
    client.put_item(TableName=TABLE, Item=item)
    assert await dynamo.get(user) == {}
    for attempt in (dynamo.merge(user, CARD), dynamo.replace(user, CARD)):
        with pytest.raises(InvalidInputError, match="memory"):
            await attempt
    assert read_item(client, user) == item
    assert await dynamo.delete(user)


@pytest.mark.req("C04")
async def test_a_write_of_the_documents_own_program_meanwhile_is_not_lost(
    dynamo: Any, client: Any, user: str
) -> None:
    """It knows no version, and puts the whole item."""
    await dynamo.merge(user, {"interests": ["AI"]})
    stale = await dynamo._read(user, None)  # noqa: SLF001 - what a slow writer has read
    client.put_item(
        TableName=TABLE,
        Item={
            "PK": {"S": f"USER#{user}"},
            "SK": {"S": "MEMORY"},
            "memory": {"M": {"name": {"S": "영광"}}},
            "updatedAt": {"S": "2026-02-08T12:00:01"},
        },
    )
    with pytest.raises(dynamodb._ConflictError):  # noqa: SLF001 - as above
        await dynamo._update(user, stale, {"interests": ["여행"]}, None)  # noqa: SLF001
    await dynamo.merge(user, {"interests": ["여행"]})
    assert await dynamo.get(user) == {"name": "영광", "interests": ["여행"]}


async def test_a_card_that_is_over_is_not_read_again(
    dynamo: Any, client: Any, user: str
) -> None:
    kept = replace(dynamo, keeps=timedelta(days=30))
    await kept.merge(user, {"name": "영광"})
    end = int((NOW + timedelta(days=30)).timestamp())
    assert read_item(client, user)["expiresAt"] == {"N": str(end)}
    later = replace(kept, clock=lambda: NOW + timedelta(days=31))
    assert await later.get(user) == {}
    assert await later.merge(user, {"occupation": "개발자"}) == {"occupation": "개발자"}
    assert await later.get(user) == {"occupation": "개발자"}


async def test_a_card_that_is_kept_again_loses_its_end(
    dynamo: Any, client: Any, user: str
) -> None:
    """A store without retention takes away what one with retention had set."""
    kept = replace(dynamo, keeps=timedelta(days=30))
    await kept.merge(user, {"name": "영광"})
    await dynamo.merge(user, {"name": "영광"})
    assert "expiresAt" in read_item(client, user), "nothing has changed yet"
    await dynamo.merge(user, {"occupation": "개발자"})
    assert "expiresAt" not in read_item(client, user)
    later = replace(dynamo, clock=lambda: NOW + timedelta(days=31))
    assert await later.get(user) == {"name": "영광", "occupation": "개발자"}


@pytest.mark.parametrize("days", [-1, 1], ids=["past", "to come"])
async def test_an_end_that_another_program_wrote_is_left_alone(
    dynamo: Any, client: Any, user: str, days: int
) -> None:
    """The table may have another layout, or a TTL of its owner's."""
    theirs = {"N": str(int((NOW + timedelta(days=days)).timestamp()))}
    client.put_item(
        TableName=TABLE,
        Item={
            "PK": {"S": f"USER#{user}"},
            "SK": {"S": "MEMORY"},
            "memory": {"M": {"name": {"S": "영광"}, "streak": {"N": "7"}}},
            "updatedAt": {"S": "2026-02-08T11:00:00"},
            "expiresAt": theirs,
        },
    )
    for interest in ("AI", "여행"):
        await dynamo.merge(user, {"interests": [interest]})
        assert read_item(client, user)["expiresAt"] == theirs
    left = {"name": "영광", "streak": 7, "interests": ["AI", "여행"]}
    assert await dynamo.get(user) == left


async def test_an_end_that_another_program_puts_over_ours_is_left_alone(
    dynamo: Any, client: Any, user: str
) -> None:
    await replace(dynamo, keeps=timedelta(days=30)).merge(user, {"name": "영광"})
    stale = await dynamo._read(user, None)  # noqa: SLF001 - what a slow writer has read
    theirs = {"N": str(int((NOW + timedelta(days=7)).timestamp()))}
    client.update_item(
        TableName=TABLE,
        Key={"PK": {"S": f"USER#{user}"}, "SK": {"S": "MEMORY"}},
        UpdateExpression="SET expiresAt = :end",
        ExpressionAttributeValues={":end": theirs},
    )
    with pytest.raises(dynamodb._ConflictError):  # noqa: SLF001 - as above
        await dynamo._update(user, stale, {"interests": ["여행"]}, None)  # noqa: SLF001
    await dynamo.merge(user, {"occupation": "개발자"})
    assert read_item(client, user)["expiresAt"] == theirs


async def test_what_dynamodb_refuses_is_said_and_changes_nothing(
    dynamo: Any, line: Line, user: str
) -> None:
    """Moto takes items of any size and asks for no rights; these are AWS's answers."""
    await dynamo.merge(user, {"name": "영광"})
    line.refusals["UpdateItem"] = TOO_LONG
    with pytest.raises(InvalidInputError, match="400 KB"):
        await dynamo.merge(user, {"mentioned_facts": ["x" * 1_900] * 300})
    line.refusals["UpdateItem"] = DENIED
    with pytest.raises(ConfigurationError, match="needs GetItem, UpdateItem"):
        await dynamo.merge(user, {"occupation": "개발자"})
    line.refusals["UpdateItem"] = CONFLICT
    hasty = replace(dynamo, gives_up_after=timedelta(seconds=0.1))
    with pytest.raises(UnavailableError, match="others changed this card"):
        await hasty.merge(user, {"occupation": "개발자"})
    line.is_down = True
    with pytest.raises(UnavailableError):
        await dynamo.get(user)
    line.is_down = False
    assert await dynamo.get(user) == {"name": "영광"}


@pytest.mark.parametrize("cloud", ["dynalite"], indirect=True)
async def test_a_card_of_more_than_400_kilobytes_is_refused_by_a_server(
    dynamo: Any, user: str
) -> None:
    """Dynalite measures items as AWS does."""
    await dynamo.merge(user, {"name": "영광"})
    facts = [f"{n} {'x' * 1_900}" for n in range(300)]
    with pytest.raises(InvalidInputError, match="400 KB"):
        await dynamo.merge(user, {"mentioned_facts": facts})
    assert await dynamo.get(user) == {"name": "영광"}


@pytest.mark.parametrize("cloud", ["moto"], indirect=True)
async def test_what_is_set_up_wrongly_is_named(
    line: Line, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = dynamodb.DynamoProfileDocuments.connect
    with pytest.raises(ConfigurationError, match="no table missing in the region ap-"):
        await connect("missing", endpoint=line.url)
    with pytest.raises(ConfigurationError, match="region us-east-1"):
        await connect(TABLE, endpoint=line.url, region="us-east-1")
    client.create_table(
        TableName="other",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    with pytest.raises(ConfigurationError, match='key "PK", "SK"'):
        await connect("other", endpoint=line.url)
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(ConfigurationError, match="NoRegionError"):
        await connect(TABLE, endpoint=line.url)


@pytest.mark.parametrize("cloud", ["moto"], indirect=True)
async def test_throttling_is_waited_for_and_then_said(
    dynamo: Any, line: Line, user: str
) -> None:
    line.throttled = 2
    assert await dynamo.get(user) == {}
    line.throttled = 100
    with pytest.raises(UnavailableError, match="asked too much"):
        await dynamo.get(user)


PROGRAM = """
import asyncio, sys
from gieok.kernel.errors import UnavailableError
from gieok.profile.dynamodb import DynamoProfileDocuments

async def extract(store, user, value):
    for sent in range(3):  # Lambda sends an event that failed twice again
        try:
            return await store.merge(user, {{"interests": [value]}})
        except UnavailableError:
            if sent == 2:
                raise

async def main(endpoint, user, name):
    store = await DynamoProfileDocuments.connect({table!r}, endpoint=endpoint)
    for n in range(int(sys.argv[4])):
        await extract(store, user, f"{{name}} {{n}}")

asyncio.run(main(*sys.argv[1:4]))
"""


@pytest.mark.slow
@pytest.mark.req("C04")
async def test_processes_that_extract_at_once_lose_nothing(
    dynamo: Any, line: Line, user: str, tmp_path: Path
) -> None:
    """GIEOK_EXTRACTIONS=50 makes it 8 x 50, which takes minutes."""
    program = tmp_path / "extract.py"
    program.write_text(PROGRAM.format(table=TABLE))
    each = int(os.environ.get("GIEOK_EXTRACTIONS", "4"))
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, str(program), line.url, user, f"사람 {n}", str(each)
        )
        for n in range(8)
    ]
    assert [await process.wait() for process in running] == [0] * 8
    found = (await dynamo.get(user))["interests"]
    assert sorted(found) == sorted(
        f"사람 {n} {m}" for n in range(8) for m in range(each)
    )
